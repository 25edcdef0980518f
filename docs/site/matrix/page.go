package main

//go:generate sh -c "cd ../../.. && go run ./docs/site/matrix"

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

//go:embed *.md.tmpl
var templates embed.FS

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"asked": asked, "systems": systems, "ruleSets": ruleSets, "rules": rules, "join": join,
}).ParseFS(templates, "*.md.tmpl"))

// pages returns the pages about results, by the names of their files: the summary, and one that
// compares the implementations of each kind.
func pages(all []result, reports []finding) map[string]string {
	s := summary{all, reports}
	written := map[string]string{"README.md": execute("index", s)}
	for _, system := range systems(all) {
		about := "The implementations that delete by a TTL of their own."
		if slices.ContainsFunc(system.Claiming, func(r result) bool { return r.IsReplayed() }) {
			about += " 4.4-dev and 5.0-dev are states of MongoDB's main branch and no releases. 4.4-dev has the number of random definitions and commands that each rule refused, from the replay of a corpus."
		}
		written[system.Page+".md"] = execute("by rule", sideBySide{"Implementations of " + system.Title, about, system.Claiming})
		if system.Matchers != nil {
			written["matchers-by-rule.md"] = execute("by rule", sideBySide{"Matchers of " + system.Title, "The implementations that match documents and have no TTL that deletes.", system.Matchers})
		}
	}
	return written
}

func execute(name string, data any) string {
	var b strings.Builder
	if err := pageTemplate.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the template is part of the program, and a test renders it
	}
	return b.String()
}

// A summary is the page with a row for each implementation.
type summary struct {
	Results []result
	reports []finding
}

// Rows returns the implementations of results. The replay of a corpus has no row.
func (s summary) Rows(results []result) []implementation {
	return s.Of(slices.DeleteFunc(slices.Clone(results), func(r result) bool { return r.IsReplayed() }))
}

// Of returns the results, each with the reports about it.
func (s summary) Of(results []result) (list []implementation) {
	for _, r := range results {
		about := slices.DeleteFunc(slices.Clone(s.reports), func(f finding) bool { return f.Key != r.Key })
		list = append(list, implementation{r, about})
	}
	return list
}

// A sideBySide is a page that compares implementations rule by rule.
type sideBySide struct {
	Title, About string
	Columns      []result
}

// An implementation is the result of one implementation, with the reports to its authors,
// the most severe first.
type implementation struct {
	result
	Reports []finding
}

// leading names reports to show first although they are not the most severe, because they
// say most about their implementation. The names have no extension.
var leading = []string{"lungo-partial-filter", "mongo-java-server-ttl", "mongomock-partial-filter", "montydb-ttl", "sift-number-is-date"}

// Wrong returns a line that says what i gets wrong.
func (i implementation) Wrong() string {
	if i.ByHand().State {
		return "what 5.0.0 changed: the place of a collection's own expireAfterSeconds"
	}
	if i.IsRelease() {
		return "nothing; one check fails by the asking program's fault"
	}
	if len(i.Reports) == 0 {
		return ""
	}
	first := i.Reports[0]
	for _, f := range i.Reports {
		if slices.Contains(leading, strings.TrimSuffix(f.File, ".md")) {
			first = f
		}
	}
	_, title, _ := strings.Cut(first.Title, ": ")
	text := fmt.Sprintf("[%s](../upstream/%s)", title, first.File)
	if n := len(i.Reports) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return text
}

// Version returns the tested release.
func (i implementation) Version() string { return i.Implementation.Version }

// JudgedAs names the database and the release that the implementation is judged by, and the
// software under it.
func (i implementation) JudgedAs() string {
	for _, s := range systems(nil) {
		if release := i.Implementation.Systems[s.System]; release != "" {
			text := strings.TrimSuffix(s.Title+" "+release, " *")
			if on := i.ByHand().On; on != "" {
				text += ", on " + on
			}
			return text
		}
	}
	return ""
}

// pageOf returns a link to a rule in the index of its engine.
func pageOf(id string) string {
	engine, _, _ := strings.Cut(id, ".")
	return "../rules/" + strings.Replace(engine, "mongo", "mongodb", 1) + ".md#" + id
}

// join names implementations in a sentence.
func join(results []result) string {
	var names []string
	for _, r := range results {
		names = append(names, r.Name())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// A system holds the results about one database system, for a section of the page.
type system struct {
	System, Title string
	Page          string // the name of the page that compares the implementations
	Claiming      []result
	// Matchers are the results of implementations that answer queries and delete nothing.
	// An adapter computes the deadline for them.
	Matchers []result
}

// matchers are the implementations that have no TTL of their own.
var matchers = []string{"mingo", "mongita", "mongo-java-server", "montydb", "sift"}

func systems(all []result) (list []system) {
	for _, s := range []struct{ system, title, page string }{
		{conformance.MongoDB, "MongoDB", "mongodb-by-rule"},
		{conformance.CosmosNoSQL, "Azure Cosmos DB for NoSQL", "cosmos-by-rule"},
	} {
		claiming := slices.DeleteFunc(append(replayed(all), all...), func(r result) bool { return r.Implementation.Systems[s.system] == "" })
		place := func(r result) string { // servers of MongoDB stand first, by their versions
			if r.ByHand().Itself || r.IsReplayed() {
				return " " + r.Implementation.Version
			}
			return r.Key
		}
		slices.SortStableFunc(claiming, func(a, b result) int { return strings.Compare(place(a), place(b)) })
		isMatcher := func(r result) bool { return slices.Contains(matchers, r.Key) }
		list = append(list, system{s.system, s.title, s.page,
			slices.DeleteFunc(slices.Clone(claiming), isMatcher), slices.DeleteFunc(claiming, func(r result) bool { return !isMatcher(r) })})
	}
	return list
}

// replayed returns the results of corpora of the servers that all has no results of.
func replayed(all []result) (list []result) {
	for _, r := range rulebook.Replayed() {
		if !slices.ContainsFunc(all, func(other result) bool { return other.Implementation.Version == r.Implementation.Version }) {
			list = append(list, result{r})
		}
	}
	return list
}

// column returns the heading of r's column.
func (r result) column() string {
	if r.ByHand().Itself || r.IsReplayed() {
		return "MongoDB " + r.Implementation.Version
	}
	return r.Implementation.Name
}

// Losses returns the number of rules by which an implementation deletes documents that
// must stay.
func (r result) Losses() string {
	switch n := len(r.destructive()); n {
	case 0:
		return "in no check"
	case 1:
		return "by 1 rule"
	default:
		return fmt.Sprintf("by %d rules", n)
	}
}

// outcomes counts the checks by their outcomes.
func (r result) outcomes() map[suite.Outcome]int {
	count := map[suite.Outcome]int{}
	for _, c := range r.Checks {
		count[c.Outcome]++
	}
	return count
}

// Counts returns the numbers of checks that pass, fail and break.
func (r result) Counts() string {
	count := r.outcomes()
	text := fmt.Sprintf("%d pass, %d fail", count[suite.Pass], count[suite.Fail])
	if n := count[suite.Broken]; n > 0 {
		text += fmt.Sprintf(", %d break", n)
	}
	return text
}

// A table has a column for each implementation.
type table struct {
	strings.Builder
	columns []result
}

func newTable(what string, columns []result) *table {
	t := &table{columns: columns}
	line, rule := "| "+what+" |", "|---|"
	for _, r := range columns {
		line += " " + r.column() + " |"
		rule += ":-:|"
	}
	t.WriteString(line + "\n" + rule + "\n")
	return t
}

// row writes a row, unless it is empty.
func (t *table) row(label string, cell func(result) string) {
	line, isEmpty := "| "+label+" |", true
	for _, r := range t.columns {
		text := cell(r)
		line += " " + text + " |"
		isEmpty = isEmpty && text == ""
	}
	if !isEmpty {
		t.WriteString(line + "\n")
	}
}

// ruleSets returns the table of the rule sets that some implementation claims.
func ruleSets(columns []result) string {
	t := newTable("rule set", columns)
	for _, p := range suite.Embedded().RuleSets {
		t.row(fmt.Sprintf("`%s`: %s", p.Name, p.Title), func(r result) string {
			for _, of := range r.RuleSets {
				if of.Name == p.Name && of.Claimed {
					return symbol(of.Verdict)
				}
			}
			return ""
		})
	}
	return t.String()
}

// rules returns the table of the rules with a verdict on some implementation,
// with links to their pages.
func rules(columns []result) string {
	t := newTable("rule", columns)
	for rule := range suite.Rules() {
		t.row(fmt.Sprintf("[`%s`](%s)", rule, pageOf(rule.ID())), func(r result) string { return cell(r, rule.ID()) })
	}
	return t.String()
}

// cell returns the verdict on an implementation about a rule, with the numbers of passed
// and judged checks, as a link to the section about implementations on the rule's page.
func cell(r result, id string) string {
	rule := r.rule(id)
	mark := symbol(rule.Verdict)
	if mark == "" {
		return ""
	}
	passed := rule.Checks[suite.Pass]
	judged := passed + rule.Checks[suite.Fail] + rule.Checks[suite.Broken]
	text := fmt.Sprintf("[%s %d/%d](%s)", mark, passed, judged, pageOf(id))
	if rule.Verdict == suite.Nonconformant && r.Deletes(id) {
		return "**" + text + "**"
	}
	return text
}

func symbol(v suite.Verdict) string {
	return map[suite.Verdict]string{
		suite.Conformant:    "✓",
		suite.Incomplete:    "◐",
		suite.Unproven:      "∅",
		suite.Nonconformant: "✗",
	}[v]
}

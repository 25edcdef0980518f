package main

//go:generate sh -c "cd ../../../.. && go run ./cmd/internal/tools/matrix"

import (
	_ "embed" // of page.md.tmpl
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reference/rulebook"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/report"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

//go:embed page.md.tmpl
var pageText string

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"losses":      losses,
	"destructive": func(r result) string { return strings.Join(r.destructive(), ", ") },
	"asked":       asked, "unknown": unknown, "program": program, "baselines": baselines, "systems": systems, "ruleSets": ruleSets, "rules": rules,
}).Parse(pageText))

// page returns the page about results.
func page(all []result) string {
	var b strings.Builder
	if err := pageTemplate.Execute(&b, all); err != nil {
		panic(err) // the template is part of the program, and a test renders it
	}
	return b.String()
}

// A system is a section of the page.
type system struct {
	Title, Catalogue string
	Claiming         []result
	// Matchers answer queries and delete nothing: the deadline is computed for
	// them, by an adapter.
	Matchers []result
}

// matchers are the implementations that have no TTL of their own.
var matchers = []string{"mingo", "mongita", "mongo-java-server", "montydb", "sift"}

func systems(all []result) (list []system) {
	for _, s := range []struct{ system, title, catalogue string }{
		{conformance.MongoDB, "MongoDB", "mongodb"},
		{conformance.CosmosNoSQL, "Azure Cosmos DB for NoSQL", "cosmos"},
	} {
		claiming := slices.DeleteFunc(joined(all), func(r result) bool { return r.Implementation.Systems[s.system] == "" })
		isMatcher := func(r result) bool { return slices.Contains(matchers, r.Key) }
		list = append(list, system{s.title, s.catalogue,
			slices.DeleteFunc(slices.Clone(claiming), isMatcher), slices.DeleteFunc(claiming, func(r result) bool { return !isMatcher(r) })})
	}
	return list
}

// joined returns results in which the servers of MongoDB, if there are any, are
// joined into the first.
func joined(all []result) []result {
	var servers, others []result
	for _, r := range all {
		if r.ByHand().Itself {
			servers = append(servers, r)
		} else {
			others = append(others, r)
		}
	}
	if len(servers) == 0 {
		return others
	}
	return append([]result{sum(servers)}, others...)
}

// sum returns results about several servers as one.
func sum(servers []result) result {
	all := result{rulebook.Result{Key: servers[0].Key}}
	all.Implementation = servers[0].Implementation
	for id := range suite.Rules() {
		one := report.RuleResult{ID: id.ID, Checks: map[suite.Outcome]int{}}
		var verdicts []suite.Verdict
		for _, r := range servers {
			rule := r.rule(id.ID)
			verdicts = append(verdicts, rule.Verdict)
			for outcome, n := range rule.Checks {
				one.Checks[outcome] += n
			}
		}
		one.Verdict = together(verdicts)
		all.Rules = append(all.Rules, one)
	}
	for _, r := range servers {
		all.Checks = append(all.Checks, r.Checks...)
	}
	return all
}

// together returns the verdict on a rule from those of several servers. A server whose
// release the rule is not about says nothing.
func together(verdicts []suite.Verdict) suite.Verdict {
	seen := map[suite.Verdict]bool{}
	for _, v := range verdicts {
		seen[v] = true
	}
	delete(seen, suite.Untested)
	switch {
	case len(seen) == 0:
		return suite.Untested
	case seen[suite.Nonconformant]:
		return suite.Nonconformant
	case len(seen) == 1:
		for v := range seen {
			return v
		}
	}
	return suite.Incomplete
}

// column returns the heading of r's column.
func (r result) column() string {
	if r.ByHand().Itself {
		return "MongoDB itself"
	}
	return r.Implementation.Name
}

// program returns the command that runs an adapter.
func program(r result) string {
	dir := "conformance/adapters/" + r.Key
	if r.Implementation.Language == "python" {
		return "/usr/bin/python3 " + dir + "/adapter.py" // Debian's, which has Debian's packages
	}
	return "node " + dir + "/adapter.mjs"
}

// losses says for how many rules an implementation deletes documents that must
// stay.
func losses(r result) string {
	switch n := len(r.destructive()); n {
	case 0:
		return "no"
	case 1:
		return "by 1 rule"
	default:
		return fmt.Sprintf("by %d rules", n)
	}
}

// unknown says how many checks could not be judged, because asking gives no
// answer, or one too near a boundary.
func unknown(r result) string {
	count := map[suite.Outcome]int{}
	for _, c := range r.Checks {
		count[c.Outcome]++
	}
	unaskable, boundary := count[suite.Unaskable], count[suite.Boundary]
	if unaskable+boundary == 0 {
		return ""
	}
	return fmt.Sprintf("%d unaskable, %d on a boundary", unaskable, boundary)
}

// baselines returns how many decisions an implementation passes, and how many a
// program would pass that answers without reading the document.
func baselines(r result) ([]report.Baseline, error) {
	passed, judged := r.decided()
	trivial, err := report.Baselines(r.suite(), r.Implementation)
	return append([]report.Baseline{{Pass: passed, Total: judged}}, trivial...), err
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
func rules(columns []result, catalogue string) string {
	t := newTable("rule", columns)
	for rule := range suite.Rules() {
		_, page, _ := strings.Cut(rule.ID, ".")
		to := fmt.Sprintf("../rules/%s/%s.md", catalogue, page)
		t.row(fmt.Sprintf("[`%s`](%s)", rule, to), func(r result) string { return cell(r, rule.ID, to) })
	}
	return t.String()
}

// cell returns how many of an implementation's judged checks of a rule pass, with
// a link to the results of others.
func cell(r result, id, to string) string {
	rule := r.rule(id)
	mark := symbol(rule.Verdict)
	if mark == "" {
		return ""
	}
	passed := rule.Checks[suite.Pass]
	judged := passed + rule.Checks[suite.Fail] + rule.Checks[suite.Broken]
	text := fmt.Sprintf("[%s %d/%d](%s#implementations)", mark, passed, judged, to)
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

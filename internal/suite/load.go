package suite

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// The files of a suite.
const (
	tablesFile  = "suite.json"
	sourcesFile = "sources.json"
	lockFile    = "ids.lock"
	vectorFiles = "vectors/*.json"
)

// Load reads a suite: suite.json, sources.json, ids.lock and the files in vectors, as the
// package testdata holds them. It is strict. The error joins all faults, each a
// [*Problem] with file and line: unknown fields, rules, flags and sources, identifiers
// used twice, rows that overlap, binding rows whose evidence is mere inference, "nothing
// happens" without a twin, changes without a new rev, and more.
func Load(files fs.FS) (*Suite, error) {
	l := newLoader(files)
	l.load()
	return l.result()
}

func (l *loader) result() (*Suite, error) {
	if err := l.Err(); err != nil {
		return nil, err
	}
	return l.suite, nil
}

// A Problem is one fault in a suite. Every error of [Load] is one Problem, or
// several joined.
type Problem = jsonfile.Problem

func newLoader(files fs.FS) *loader {
	return &loader{files: files, suite: &Suite{
		Flags: map[string]Flag{}, Features: map[string]string{}, sources: map[string]source{},
		Untestable: map[policy.Rule]string{}, releases: map[string]releases{},
	}}
}

// load reads every file. It makes the checks across files only if all files could be
// read, because these checks would report the same faults again.
func (l *loader) load() {
	l.read()
	if len(l.Problems) == 0 {
		l.lint()
		l.lock()
	}
}

func (l *loader) read() {
	l.file(sourcesFile, l.sources)
	l.file(tablesFile, l.tables)
	names, err := fs.Glob(l.files, vectorFiles)
	if err != nil || len(names) == 0 {
		l.Add(jsonfile.Place{File: vectorFiles, Line: 1}, "no such files")
	}
	for _, name := range names {
		l.file(name, l.vectors)
	}
}

// Embedded returns the suite that comes with the library.
func Embedded() *Suite { return embedded() }

var embedded = sync.OnceValue(func() *Suite {
	l := newLoader(testdata.Files)
	l.read() // without checks across the files: a test makes them before each release
	s, err := l.result()
	if err != nil {
		panic(fmt.Sprintf("suite: the embedded suite: %v", err))
	}
	return s
})

// Rules yields the rules of both catalogues.
func Rules() iter.Seq[policy.Rule] {
	return slices.Values(slices.AppendSeq(slices.Collect(mongo.Rules()), cosmos.Rules()))
}

// RuleByID returns the rule with an identifier, from either catalogue.
func RuleByID(id string) (policy.Rule, bool) {
	if r, ok := mongo.RuleByID(id); ok {
		return r, true
	}
	return cosmos.RuleByID(id)
}

// A loader reads the files of one suite.
type loader struct {
	jsonfile.Problems
	files fs.FS
	suite *Suite
	// byID are the suite's vectors by identifier.
	byID map[string]*Vector
	// unlocked are the lines that ids.lock lacks.
	unlocked []lockLine
}

// file reads one file, which must be an object.
func (l *loader) file(name string, read func(*jsonfile.Object)) {
	at := jsonfile.Place{File: name, Line: 1}
	text, err := fs.ReadFile(l.files, name)
	if err != nil {
		l.Add(at, "%v", err)
		return
	}
	n, ok := l.Parse(name, text)
	if !ok {
		return
	}
	o := l.Object(n, at)
	if o.OptionalText("$schema"); o.Text("format") != format {
		l.Add(o.At, "want %q in \"format\"", format)
	}
	read(o)
	o.Done()
}

// format is the version of the format that this package reads. An incompatible
// change would have a new first number.
const format = "1.0"

func (l *loader) sources(o *jsonfile.Object) {
	t := o.Table("sources")
	for i, source := range t.Objects(t.Nodes) {
		l.suite.sources[t.Names[i]] = l.source(source)
	}
}

var flagKinds = []string{"basic", "boundary", "type", "version-hazard", "known-bug", "range", "interaction", "robustness"}

func (l *loader) tables(o *jsonfile.Object) {
	l.suite.Version = o.Text("version")
	t := o.Table("releases")
	for i, list := range t.Objects(t.Nodes) {
		l.suite.releases[t.Names[i]] = l.releases(list)
	}
	t = o.Table("flags")
	for i, flag := range t.Objects(t.Nodes) {
		l.suite.Flags[t.Names[i]] = Flag{flag.Choice("kind", flagKinds), flag.Text("why"), flag.Text("ifWrong")}
	}
	t = o.Table("features")
	for i, name := range t.Names {
		l.suite.Features[name] = t.TextOf(t.Nodes[i], name)
	}
	t = o.Table("untestable")
	for i, id := range t.Names {
		if r := l.rule(id, jsonfile.Place{File: t.At.File, Line: t.Nodes[i].Line}); !r.IsZero() {
			l.suite.Untestable[r] = t.TextOf(t.Nodes[i], id)
		}
	}
	for _, p := range o.Objects(o.RequiredList("profiles")) {
		l.suite.RuleSets = append(l.suite.RuleSets, l.ruleSet(p))
	}
	for _, p := range o.Objects(o.RequiredList("plumbing")) {
		l.suite.echoed = append(l.suite.echoed, l.echoedValue(p))
	}
}

// Systems are the systems that vectors are about, in the order of reports.
var Systems = []string{conformance.MongoDB, conformance.DocumentDB, conformance.CosmosNoSQL, conformance.CosmosMongo}

func (l *loader) ruleSet(o *jsonfile.Object) RuleSet {
	set := RuleSet{Name: o.Text("name"), Title: o.Text("title"), System: o.Choice("system", Systems), Features: o.Texts("features")}
	checkKnown(l, o.At, "feature", set.Features, l.suite.Features)
	return set
}

func (l *loader) releases(o *jsonfile.Object) releases {
	o.RequiredList("all")
	all, err := parseReleases(o.Texts("all"))
	if err != nil {
		l.Add(o.At, "%v", err)
	}
	found := releases{all: all}
	for _, s := range o.Texts("landmarks") {
		r, err := parseRelease(s)
		if err != nil || !slices.Contains(all, r) {
			l.Add(o.At, "landmark %q is not among the releases", s)
		}
		found.landmarks = append(found.landmarks, r)
	}
	return found
}

func (l *loader) echoedValue(o *jsonfile.Object) echoedValue {
	p := echoedValue{id: o.Text("id"), title: o.Text("title")}
	if n, ok := o.Required("value"); ok {
		p.text = jsonfile.Compact(n.Raw)
		if _, err := valuefunc.ParseExtJSONInt32(p.text); err != nil {
			l.Add(o.At, "%v", err)
		}
	}
	return p
}

// rule returns the rule with this identifier, and adds a problem if there is
// none.
func (l *loader) rule(id string, at jsonfile.Place) policy.Rule {
	r, ok := RuleByID(id)
	if !ok {
		l.Add(at, "unknown rule %q", id)
	}
	return r
}

// rulesOf returns the rules that a member lists.
func (l *loader) rulesOf(o *jsonfile.Object, member string) (list []policy.Rule) {
	o.RequiredList(member)
	for _, id := range o.Texts(member) {
		if r := l.rule(id, o.At); !r.IsZero() {
			list = append(list, r)
		}
	}
	return list
}

// vectors reads a file of vectors.
func (l *loader) vectors(o *jsonfile.Object) {
	o.Text("suite")
	o.Text("about")
	first := len(l.suite.Vectors)
	for _, v := range o.Objects(o.RequiredList("vectors")) {
		l.suite.Vectors = append(l.suite.Vectors, l.vector(v))
	}
	if _, ok := o.Optional("profiles"); ok {
		l.rulesOfSets(o.Table("profiles"), l.suite.Vectors[first:])
	}
}

// rulesOfSets reads, for each rule set, the rules of the set that the vectors of a file are
// about.
func (l *loader) rulesOfSets(o *jsonfile.Object, vectors []*Vector) {
	for _, name := range o.Names {
		rules := l.rulesOf(o, name)
		i := slices.IndexFunc(l.suite.RuleSets, func(set RuleSet) bool { return set.Name == name })
		if i < 0 {
			l.Add(o.At, "unknown profile %q", name)
			continue
		}
		set := &l.suite.RuleSets[i]
		for _, r := range rules {
			switch {
			case slices.Contains(set.Rules, r):
				l.Add(o.At, "rule %s stands twice in profile %q", r, name)
			case !slices.ContainsFunc(vectors, func(v *Vector) bool { return slices.Contains(v.Rules, r) }):
				l.Add(o.At, "no vector of this file is about %s, which it lists in profile %q", r, name)
			default:
				set.Rules = append(set.Rules, r)
			}
		}
	}
	o.Done()
}

var idPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)

const (
	longestID    = 72
	longestTitle = 140
)

func (l *loader) vector(o *jsonfile.Object) *Vector {
	v := &Vector{
		ID: o.Text("id"), Rev: o.Integer("rev"), Title: o.Text("title"), Rules: l.rulesOf(o, "rules"), Op: o.Text("op"),
		Needs: o.Texts("needs"), Flags: o.Texts("flags"), Twin: o.OptionalText("twin"), Status: approved, Comment: o.OptionalText("comment"), at: o.At,
	}
	if !idPattern.MatchString(v.ID) || len(v.ID) > longestID {
		l.Add(v.at, "id %q: want words of lower-case letters and digits with hyphens between them, such as mongodb-date-exact, and at most %d bytes", v.ID, longestID)
	}
	if len(v.Title) > longestTitle {
		l.Add(v.at, "the title is longer than %d bytes; shorten it", longestTitle)
	}
	if _, ok := o.Member("status"); ok {
		v.Status = o.Choice("status", statuses)
	}
	checkKnown(l, v.at, "flag", v.Flags, l.suite.Flags)
	checkKnown(l, v.at, "feature", v.Needs, l.suite.Features)
	v.question, _ = o.Required("in")
	v.In = jsonfile.Compact(v.question.Raw)
	for _, row := range o.Objects(o.List("want")) {
		v.Want = append(v.Want, l.row(row))
	}
	for _, gap := range o.Objects(o.List("unspecified")) {
		v.Unspecified = append(v.Unspecified, l.gap(gap))
	}
	v.Hash = digest(o)
	return v
}

// checkKnown adds a problem for each unknown name.
func checkKnown[T any](l *loader, at jsonfile.Place, what string, names []string, all map[string]T) {
	for _, name := range names {
		if _, ok := all[name]; !ok {
			l.Add(at, "unknown %s %q", what, name)
		}
	}
}

func (l *loader) scope(o *jsonfile.Object) TargetRange {
	s := TargetRange{System: o.Text("system"), Versions: o.OptionalText("versions"), Capabilities: o.Texts("capabilities"), at: o.At}
	if n, ok := o.Optional("parameters"); ok {
		if err := json.Unmarshal(n.Raw, &s.Parameters); err != nil {
			l.Add(s.at, "\"parameters\": %v", err)
		}
	}
	if s.Versions == "" {
		return s
	}
	var err error
	if s.versions, err = parseVersions(s.Versions); err != nil {
		l.Add(s.at, "%v", err)
	}
	return s
}

// evidence lists the confidences that a row can have.
var evidence = []string{engine.VendorTest, engine.FromSource, engine.Reported, engine.Documented, engine.Inferred, engine.Disputed}

func (l *loader) row(o *jsonfile.Object) Row {
	o.Truth("openLow") // says that the answer probably holds for earlier releases too
	row := Row{
		TargetRange: l.scope(o), AsOf: o.OptionalText("asOf"),
		Level: o.Choice("level", levels), RuleSet: o.OptionalText("profile"),
	}
	row.Evidence = o.Choice("evidence", evidence)
	alternatives := o.List("anyOf")
	if alternatives == nil {
		row.Answers = []Expectation{l.expectation(o)}
	}
	for _, a := range o.Objects(alternatives) {
		label := a.Text("label")
		e := l.expectation(a)
		e.Label = label
		row.Answers = append(row.Answers, e)
	}
	return row
}

// expectation reads the members out or error, and cites.
func (l *loader) expectation(o *jsonfile.Object) (e Expectation) {
	out, isResult := o.Optional("out")
	refusal, isRefusal := o.Optional("error")
	switch {
	case isResult == isRefusal:
		l.Add(o.At, "want one of \"out\", \"error\" and \"anyOf\"")
	case isRefusal:
		for _, r := range o.Objects([]jsonfile.Node{refusal}) {
			e.Refusal = l.refusal(r)
		}
	default:
		e.Out = jsonfile.Compact(out.Raw)
		var err error
		if e.fields, err = valuefunc.ParseExtJSONInt32(e.Out); err != nil {
			l.Add(o.At, "\"out\": %v", err)
		}
	}
	o.RequiredList("cites")
	e.cites = o.Texts("cites")
	for _, cite := range e.cites {
		key, _, _ := strings.Cut(cite, "#")
		checkKnown(l, o.At, "source", []string{key}, l.suite.sources)
	}
	return e
}

func (l *loader) refusal(o *jsonfile.Object) *conformance.Refusal {
	r := &conformance.Refusal{Class: o.Text("class"), CodeName: o.OptionalText("codeName")}
	if _, ok := o.Member("code"); ok {
		r.Code = o.Integer("code")
	}
	if _, ok := o.Member("status"); ok {
		r.Status = o.Integer("status")
	}
	return r
}

func (l *loader) gap(o *jsonfile.Object) Gap {
	g := Gap{TargetRange: l.scope(o), Note: o.Text("note")}
	if id := o.OptionalText("rule"); id != "" {
		g.Rule = l.rule(id, o.At)
	}
	return g
}

package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
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

// Load reads a suite: suite.json, sources.json, ids.lock and the files in
// vectors, as the package testdata holds them. It is strict. The error joins
// everything that is wrong, each a [*Problem] with file and line: unknown
// fields, rules, flags and sources, identifiers used twice, rows that overlap,
// rows that must hold on mere inference, "nothing happens" without a twin,
// changes without a new rev, and more.
func Load(files fs.FS) (*Suite, error) {
	l := newLoader(files)
	l.load()
	if len(l.problems) > 0 {
		return nil, errors.Join(l.sorted()...)
	}
	return l.suite, nil
}

func newLoader(files fs.FS) *loader {
	l := &loader{
		files: files,
		rules: map[string]*policy.Rule{},
		suite: &Suite{
			Flags: map[string]Flag{}, Features: map[string]string{}, Sources: map[string]Source{},
			Untestable: map[*policy.Rule]string{}, releases: map[string]releases{},
		},
	}
	for r := range Rules() {
		l.rules[r.ID] = r
	}
	return l
}

// load reads every file, and makes the checks across them if all could be
// read: they would complain about the same things again.
func (l *loader) load() {
	l.file(sourcesFile, l.sources)
	l.file(tablesFile, l.tables)
	names, err := fs.Glob(l.files, vectorFiles)
	if err != nil || len(names) == 0 {
		l.add(place{vectorFiles, 1}, "no such files")
	}
	for _, name := range names {
		l.file(name, l.vectors)
	}
	if len(l.problems) == 0 {
		l.lint()
		l.lock()
	}
}

// Embedded returns the suite that comes with the library.
func Embedded() *Suite { return embedded() }

var embedded = sync.OnceValue(func() *Suite {
	s, err := Load(testdata.Files)
	if err != nil {
		panic(fmt.Sprintf("conformance: the embedded suite: %v", err)) // a test loads it before any release
	}
	return s
})

// Rules yields the rules of both catalogues.
func Rules() iter.Seq[*policy.Rule] {
	return slices.Values(slices.AppendSeq(slices.Collect(mongo.Rules()), cosmos.Rules()))
}

// A loader reads the files of one suite.
type loader struct {
	problems
	files fs.FS
	rules map[string]*policy.Rule
	suite *Suite
	// unlocked are the lines that ids.lock lacks.
	unlocked []lockLine
}

// file reads one file, which must be an object.
func (l *loader) file(name string, read func(*object)) {
	at := place{name, 1}
	text, err := fs.ReadFile(l.files, name)
	if err != nil {
		l.add(at, "%v", err)
		return
	}
	n, err := parse(text)
	if err != nil {
		l.add(place{name, lineOf(text, err)}, "%v", err)
		return
	}
	o := l.object(n, at)
	if o.optionalText("$schema"); o.text("format") != format {
		l.add(o.at, "want %q in \"format\"", format)
	}
	read(o)
	o.done()
}

// format is what this package reads. A change that it could not read would
// have a new first number.
const format = "1.0"

// each calls read for every member of a member that is an object.
func (l *loader) each(o *object, name string, read func(key string, n node)) {
	table, ok := o.required(name)
	if !ok {
		return
	}
	t := l.object(table, o.at)
	for i, key := range t.names {
		read(key, t.nodes[i])
	}
}

// record reads a member of a table that is an object itself.
func (l *loader) record(n node, at place, read func(*object)) {
	o := l.object(n, at)
	read(o)
	o.done()
}

func (l *loader) sources(o *object) {
	l.each(o, "sources", func(key string, n node) {
		l.record(n, o.at, func(source *object) { l.suite.Sources[key] = l.source(source) })
	})
}

var flagKinds = []string{"basic", "boundary", "type", "version-hazard", "known-bug", "range", "interaction", "robustness"}

func (l *loader) tables(o *object) {
	l.suite.Version = o.text("version")
	l.each(o, "releases", func(system string, n node) {
		l.record(n, o.at, func(list *object) { l.suite.releases[system] = l.releases(list) })
	})
	l.each(o, "flags", func(name string, n node) {
		l.record(n, o.at, func(flag *object) {
			l.suite.Flags[name] = Flag{flagKinds[flag.choice("kind", flagKinds)], flag.text("why"), flag.text("ifWrong")}
		})
	})
	l.each(o, "features", func(name string, n node) { l.suite.Features[name] = o.textOf(n, name) })
	l.each(o, "untestable", func(id string, n node) {
		if r := l.rule(id, place{o.at.file, n.line}); r != nil {
			l.suite.Untestable[r] = o.textOf(n, id)
		}
	})
	for _, n := range o.requiredList("profiles") {
		l.record(n, o.at, func(p *object) {
			l.suite.RuleSets = append(l.suite.RuleSets, RuleSet{p.text("name"), p.text("title"), l.rulesOf(p)})
		})
	}
	for _, n := range o.requiredList("plumbing") {
		l.record(n, o.at, func(p *object) { l.suite.RoundTrip = append(l.suite.RoundTrip, l.roundTripValue(p)) })
	}
}

func (l *loader) releases(o *object) releases {
	o.requiredList("all")
	all, err := parseReleases(o.texts("all"))
	if err != nil {
		l.add(o.at, "%v", err)
	}
	found := releases{all: all}
	for _, s := range o.texts("landmarks") {
		r, err := parseRelease(s)
		if err != nil || !slices.Contains(all, r) {
			l.add(o.at, "landmark %q is not among the releases", s)
		}
		found.landmarks = append(found.landmarks, r)
	}
	return found
}

func (l *loader) roundTripValue(o *object) RoundTripValue {
	p := RoundTripValue{ID: o.text("id"), Title: o.text("title")}
	if n, ok := o.required("value"); ok {
		p.Value = compact(n.raw)
		if _, err := policy.ParseExtJSONInt32(p.Value); err != nil {
			l.add(o.at, "%v", err)
		}
	}
	return p
}

// rule returns the rule of that identifier, and complains if there is none.
func (l *loader) rule(id string, at place) *policy.Rule {
	r := l.rules[id]
	if r == nil {
		l.add(at, "unknown rule %q", id)
	}
	return r
}

func (l *loader) rulesOf(o *object) (list []*policy.Rule) {
	o.requiredList("rules")
	for _, id := range o.texts("rules") {
		if r := l.rule(id, o.at); r != nil {
			list = append(list, r)
		}
	}
	return list
}

// vectors reads a file of vectors.
func (l *loader) vectors(o *object) {
	o.text("suite")
	o.text("about")
	for _, n := range o.requiredList("vectors") {
		l.record(n, o.at, func(v *object) { l.suite.Vectors = append(l.suite.Vectors, l.vector(v)) })
	}
}

var idPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)

const (
	longestID    = 72
	longestTitle = 140
)

func (l *loader) vector(o *object) *Vector {
	v := &Vector{
		ID: o.text("id"), Rev: o.integer("rev"), Title: o.text("title"), Rules: l.rulesOf(o), Op: o.text("op"),
		Needs: o.texts("needs"), Flags: o.texts("flags"), Twin: o.optionalText("twin"), Comment: o.optionalText("comment"), at: o.at,
	}
	if !idPattern.MatchString(v.ID) || len(v.ID) > longestID {
		l.add(v.at, "id %q is not of the form mongodb-date-exact, at most %d long", v.ID, longestID)
	}
	if len(v.Title) > longestTitle {
		l.add(v.at, "the title is longer than %d", longestTitle)
	}
	if _, ok := o.member("status"); ok {
		v.Status = Status(o.choice("status", statusNames))
	}
	l.known(v.at, "flag", v.Flags, slices.Collect(maps.Keys(l.suite.Flags)))
	l.known(v.at, "feature", v.Needs, slices.Collect(maps.Keys(l.suite.Features)))
	v.question, _ = o.required("in")
	v.In = compact(v.question.raw)
	for _, n := range o.list("want") {
		l.record(n, o.at, func(row *object) { v.Want = append(v.Want, l.row(row)) })
	}
	for _, n := range o.list("unverified") {
		l.record(n, o.at, func(gap *object) { v.Unverified = append(v.Unverified, l.gap(gap)) })
	}
	v.Hash = digest(o)
	return v
}

// known complains about names that are not among those there are.
func (l *loader) known(at place, what string, names, all []string) {
	for _, name := range names {
		if !slices.Contains(all, name) {
			l.add(at, "unknown %s %q", what, name)
		}
	}
}

func (l *loader) scope(o *object) TargetRange {
	s := TargetRange{System: o.text("system"), Versions: o.optionalText("versions"), Capabilities: o.texts("capabilities"), at: o.at}
	if n, ok := o.optional("parameters"); ok {
		if err := json.Unmarshal(n.raw, &s.Parameters); err != nil {
			l.add(s.at, "\"parameters\": %v", err)
		}
	}
	if s.Versions == "" {
		return s
	}
	var err error
	if s.versions, err = parseVersions(s.Versions); err != nil {
		l.add(s.at, "%v", err)
	}
	return s
}

// evidence are the confidences that a row can have, by their names.
var evidence = []policy.Confidence{policy.VendorTest, policy.FromSource, policy.Reported, policy.Documented, policy.Inferred, policy.Disputed}

func (l *loader) row(o *object) Row {
	row := Row{
		TargetRange: l.scope(o), AsOf: o.optionalText("asOf"), OpenLow: o.truth("openLow"),
		Level: Level(o.choice("level", levelNames)), RuleSet: o.optionalText("profile"),
	}
	var names []string
	for _, c := range evidence {
		names = append(names, c.String())
	}
	row.Evidence = evidence[o.choice("evidence", names)]
	alternatives := o.list("anyOf")
	if alternatives == nil {
		row.Answers = []Expectation{l.expectation(o)}
	}
	for _, n := range alternatives {
		l.record(n, o.at, func(a *object) {
			label := a.text("label")
			e := l.expectation(a)
			e.Label = label
			row.Answers = append(row.Answers, e)
		})
	}
	return row
}

// expectation reads the members out or error, and cites.
func (l *loader) expectation(o *object) (e Expectation) {
	out, isResult := o.optional("out")
	refusal, isRefusal := o.optional("error")
	switch {
	case isResult == isRefusal:
		l.add(o.at, "want one of \"out\", \"error\" and \"anyOf\"")
	case isRefusal:
		l.record(refusal, o.at, func(r *object) { e.Refusal = l.refusal(r) })
	default:
		e.Out = compact(out.raw)
		var err error
		if e.fields, err = policy.ParseExtJSONInt32(e.Out); err != nil {
			l.add(o.at, "\"out\": %v", err)
		}
	}
	o.requiredList("cites")
	e.Cites = o.texts("cites")
	for _, cite := range e.Cites {
		key, _, _ := strings.Cut(cite, "#")
		l.known(o.at, "source", []string{key}, slices.Collect(maps.Keys(l.suite.Sources)))
	}
	return e
}

func (l *loader) refusal(o *object) *Refusal {
	r := &Refusal{Class: o.text("class"), CodeName: o.optionalText("codeName")}
	if _, ok := o.member("code"); ok {
		r.Code = o.integer("code")
	}
	if _, ok := o.member("status"); ok {
		r.Status = o.integer("status")
	}
	return r
}

func (l *loader) gap(o *object) Gap {
	g := Gap{TargetRange: l.scope(o), Note: o.text("note")}
	if id := o.optionalText("rule"); id != "" {
		g.Rule = l.rule(id, o.at)
	}
	return g
}

package suite

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
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
	var sources sourcesText
	if l.file(sourcesFile, &sources) {
		for key, text := range sources.Sources {
			l.suite.sources[key] = l.source(text)
		}
	}
	var tables tablesText
	if l.file(tablesFile, &tables) {
		l.tables(tables)
	}
	names, err := fs.Glob(l.files, vectorFiles)
	if err != nil || len(names) == 0 {
		l.Add(jsonfile.Place{File: vectorFiles, Line: 1}, "no such files")
	}
	for _, name := range names {
		var text vectorsText
		if l.file(name, &text) {
			l.vectors(text)
		}
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
	return valuefunc.F.RuleByID(id)
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

// file reads one file into the variable to which what points, and reports whether it could.
func (l *loader) file(name string, what any) bool {
	at, before := jsonfile.Place{File: name, Line: 1}, len(l.Problems)
	text, err := fs.ReadFile(l.files, name)
	if err != nil {
		l.Add(at, "%v", err)
		return false
	}
	n, ok := l.Parse(name, text)
	if !ok {
		return false
	}
	l.Read(n, what)
	if have, _ := n.Member("format"); len(l.Problems) == before && string(have.Raw) != format {
		l.Add(at, "want %s in \"format\"", format)
	}
	return true
}

// format is the version of the format that this package reads, as JSON. An incompatible
// change would have a new first number.
const format = `"1.0"`

// A fileHead has the members that begin each file of a suite.
type fileHead struct {
	Schema string `json:"$schema,omitempty"`
	Format string `json:"format"`
}

type sourcesText struct {
	fileHead
	Sources map[string]sourceText `json:"sources"`
}

type tablesText struct {
	fileHead
	Version    string                   `json:"version"`
	Releases   map[string]releasesText  `json:"releases"`
	Flags      map[string]Flag          `json:"flags"`
	Features   map[string]string        `json:"features"`
	Untestable map[string]jsonfile.Node `json:"untestable"`
	RuleSets   []ruleSetText            `json:"profiles"`
	Echoed     []echoedValue            `json:"plumbing"`
}

type releasesText struct {
	jsonfile.Node
	All       []string `json:"all"`
	Landmarks []string `json:"landmarks,omitempty"`
}

type ruleSetText struct {
	jsonfile.Node
	RuleSet
}

type vectorsText struct {
	fileHead
	Suite   string                   `json:"suite"`
	About   string                   `json:"about"`
	Sets    map[string]jsonfile.Node `json:"profiles,omitempty"` // rules of each set that the vectors are about
	Vectors []vectorText             `json:"vectors"`
}

type vectorText struct {
	jsonfile.Node
	Vector
	Rules       []string      `json:"rules"`
	In          jsonfile.Node `json:"in"`
	Want        []rowText     `json:"want,omitempty"`
	Unspecified []gapText     `json:"unspecified,omitempty"`
}

type rowText struct {
	jsonfile.Node
	Row
	OpenLow bool `json:"openLow,omitempty"` // the answer probably holds for earlier releases too
	Expectation
	AnyOf []Expectation `json:"anyOf,omitempty"`
}

type gapText struct {
	jsonfile.Node
	Gap
	Rule string `json:"rule,omitempty"`
}

func (l *loader) tables(text tablesText) {
	l.suite.Version, l.suite.Flags, l.suite.Features, l.suite.echoed = text.Version, text.Flags, text.Features, text.Echoed
	for system, list := range text.Releases {
		l.suite.releases[system] = l.releases(list)
	}
	for id, why := range text.Untestable {
		if s, _ := why.Text(); s == "" {
			l.Add(why.Place, "%q is %s, want a text", id, why.Raw)
		} else if r := l.rule(id, why.Place); !r.IsZero() {
			l.suite.Untestable[r] = s
		}
	}
	for _, set := range text.RuleSets {
		checkKnown(l, set.Place, "feature", set.Features, l.suite.Features)
		l.suite.RuleSets = append(l.suite.RuleSets, set.RuleSet)
	}
	for _, p := range text.Echoed {
		if _, err := valuefunc.F.ParseExtJSONInt32(p.Value); err != nil {
			l.Add(p.Place, "%v", err)
		}
	}
}

// Systems are the systems that vectors are about, in the order of reports.
var Systems = []string{conformance.MongoDB, conformance.DocumentDB, conformance.CosmosNoSQL, conformance.CosmosMongo}

func (l *loader) releases(text releasesText) releases {
	all, err := parseReleases(text.All)
	if err != nil {
		l.Add(text.Place, "%v", err)
	}
	found := releases{all: all}
	for _, s := range text.Landmarks {
		r, err := parseRelease(s)
		if err != nil || !slices.Contains(all, r) {
			l.Add(text.Place, "landmark %q is not among the releases", s)
		}
		found.landmarks = append(found.landmarks, r)
	}
	return found
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

// rules returns the rules with these identifiers.
func (l *loader) rules(ids []string, at jsonfile.Place) (list []policy.Rule) {
	for _, id := range ids {
		if r := l.rule(id, at); !r.IsZero() {
			list = append(list, r)
		}
	}
	return list
}

func (l *loader) vectors(text vectorsText) {
	first := len(l.suite.Vectors)
	for i := range text.Vectors {
		l.suite.Vectors = append(l.suite.Vectors, l.vector(&text.Vectors[i]))
	}
	for name, list := range text.Sets {
		l.rulesOfSet(name, list, l.suite.Vectors[first:])
	}
}

// rulesOfSet adds the rules of a rule set that the vectors of a file are about.
func (l *loader) rulesOfSet(name string, list jsonfile.Node, vectors []*Vector) {
	var ids []string
	l.ReadNamed(list, name, &ids)
	i := slices.IndexFunc(l.suite.RuleSets, func(set RuleSet) bool { return set.Name == name })
	if i < 0 {
		l.Add(list.Place, "unknown rule set %q", name)
		return
	}
	set := &l.suite.RuleSets[i]
	for _, r := range l.rules(ids, list.Place) {
		switch {
		case slices.Contains(set.Rules, r):
			l.Add(list.Place, "rule %s stands twice in the rule set %q", r, name)
		case !slices.ContainsFunc(vectors, func(v *Vector) bool { return slices.Contains(v.Rules, r) }):
			l.Add(list.Place, "no vector of this file is about %s, which it lists in the rule set %q", r, name)
		default:
			set.Rules = append(set.Rules, r)
		}
	}
}

var idPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)

const (
	longestID    = 72
	longestTitle = 140
)

func (l *loader) vector(text *vectorText) *Vector {
	v := &text.Vector
	v.At, v.Text, v.Rules, v.question, v.In, v.Hash = text.Place, text.Raw, l.rules(text.Rules, text.Place), text.In, jsonfile.Compact(text.In.Raw), digest(text.Node)
	v.Status = cmp.Or(v.Status, approved)
	if !idPattern.MatchString(v.ID) || len(v.ID) > longestID {
		l.Add(v.At, "id %q: want words of lower-case letters and digits with hyphens between them, such as mongodb-date-exact, and at most %d bytes", v.ID, longestID)
	}
	if len(v.Title) > longestTitle {
		l.Add(v.At, "the title is longer than %d bytes; shorten it", longestTitle)
	}
	checkKnown(l, v.At, "flag", v.Flags, l.suite.Flags)
	checkKnown(l, v.At, "feature", v.Needs, l.suite.Features)
	for _, row := range text.Want {
		v.Want = append(v.Want, l.row(row))
	}
	for _, gap := range text.Unspecified {
		l.scope(&gap.TargetRange, gap.Place)
		if gap.Rule != "" {
			gap.Gap.Rule = l.rule(gap.Rule, gap.Place)
		}
		v.Unspecified = append(v.Unspecified, gap.Gap)
	}
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

// scope completes a range that was read.
func (l *loader) scope(r *TargetRange, at jsonfile.Place) {
	r.at = at
	if r.Versions == "" {
		return
	}
	var err error
	if r.versions, err = parseVersions(r.Versions); err != nil {
		l.Add(at, "%v", err)
	}
}

func (l *loader) row(text rowText) Row {
	row := text.Row
	l.scope(&row.TargetRange, text.Place)
	row.Answers = text.AnyOf
	if text.AnyOf == nil {
		row.Answers = []Expectation{text.Expectation}
	} else if e := text.Expectation; e.Out != nil || e.Refusal != nil || e.Cites != nil {
		l.Add(text.Place, "want \"out\", \"error\" and \"cites\" within \"anyOf\"")
	}
	for i := range row.Answers {
		l.expectation(&row.Answers[i], text)
	}
	return row
}

// expectation checks and completes an answer of a row.
func (l *loader) expectation(e *Expectation, row rowText) {
	switch {
	case (e.Out != nil) == (e.Refusal != nil):
		l.Add(e.Place, "want one of \"out\", \"error\" and \"anyOf\"")
	case e.Label == "" && row.AnyOf != nil:
		l.Add(e.Place, "\"label\" is missing")
	case e.Label != "" && row.AnyOf == nil:
		l.Add(e.Place, "unknown field \"label\"; it belongs into \"anyOf\"")
	case e.Refusal != nil && e.Refusal.Message != "":
		l.Add(e.Place, "a \"message\" is never compared; leave it out")
	case e.Refusal == nil:
		var err error
		if e.fields, err = valuefunc.F.ParseExtJSONInt32(e.Out); err != nil {
			l.Add(e.Place, "\"out\": %v", err)
		}
	}
	if e.Cites == nil {
		l.Add(e.Place, "\"cites\" is missing")
	}
	for _, cite := range e.Cites {
		key, _, _ := strings.Cut(cite, "#")
		checkKnown(l, e.Place, "source", []string{key}, l.suite.sources)
	}
}

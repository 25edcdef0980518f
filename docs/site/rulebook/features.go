package rulebook

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// A FeatureTable shows features of MongoDB by release. The library computes each cell, so
// that no cell can be stale.
type FeatureTable struct {
	Title    string
	About    string
	Features []*Feature
	// Columns are the releases, divided where some feature of the book changes.
	Columns []Column `json:"-"`
}

// A Column is a line of releases, or a part of one.
type Column struct {
	Line    string // "5.0"
	Patches string // "14–31", "" for the whole line

	first int // the position of its first release
}

// A Feature is a row of a table. The cell of a release is the answer to the row's first
// vector about that release.
type Feature struct {
	Name    string
	Vectors []string
	// Stretches are its outcomes, in the order of the releases.
	Stretches []Stretch `json:"-"`

	outcomes []outcome // the outcome in each release
}

// A Stretch is a run of releases with the same outcome.
type Stretch struct {
	outcome
	Releases string // "5.0.14 to 5.3"
	Columns  int    // the number of columns that it spans
}

// An outcome is a word about a release, with the rule that explains the word.
type outcome struct {
	Word string // "deletes", "keeps", "accepted", "refused", "unspecified", "–"
	Code string // the code of a refusal, "67"
	Rule *Page  // nil if none is named
}

// State returns the word as a CSS class of the site.
func (o outcome) State() string {
	if o.Word == absent {
		return "absent"
	}
	return o.Word
}

// absent is the outcome of a release without the feature that a vector asks about.
const absent = "–"

// features fills in the tables of the book.
func (b *Book) features() {
	read("features.json", featuresJSON, &b.Features)
	all := releases.List(b.suite.Releases(conformance.MongoDB))
	system := library.New()
	var rows []*Feature
	for _, t := range b.Features {
		for _, f := range t.Features {
			b.ask(f, system, all)
			rows = append(rows, f)
		}
	}
	columns := columnsOf(all, rows)
	for _, t := range b.Features {
		t.Columns = columns
		for _, f := range t.Features {
			f.Stretches = stretchesOf(all, columns, f.outcomes)
		}
	}
}

// ask fills in the outcome of f in each release.
func (b *Book) ask(f *Feature, system conformance.System, all releases.List) {
	for _, release := range all {
		c := b.about(f, release)
		if c == nil {
			f.outcomes = append(f.outcomes, outcome{Word: absent})
			continue
		}
		q := conformance.Question{Op: c.Op, Target: conformance.Target{System: conformance.MongoDB, Version: release}, In: c.In}
		f.outcomes = append(f.outcomes, b.outcomeOf(c, q, system.Ask(q)))
	}
}

// about returns the first vector of f about a release, nil if there is none, as in the
// book of another suite.
func (b *Book) about(f *Feature, release string) *Case {
	for _, id := range f.Vectors {
		if c := b.cases[id]; c != nil && c.speaksOf(release) {
			return c
		}
	}
	return nil
}

// speaksOf reports whether c says anything about a release of MongoDB. A vector leaves out
// the releases that lack the feature it asks about.
func (c *Case) speaksOf(release string) bool {
	says := func(a Answer) bool { return a.Scope.Contains(release) && len(a.Scope.Settings()) == 0 }
	return slices.ContainsFunc(c.Answers, says)
}

// outcomeOf returns an answer to c in one word, with a rule. If the answer deletes or
// keeps the document, shownBy chooses the rule. Any other answer has the rule that
// decides, except that an accepted policy has no rule.
func (b *Book) outcomeOf(c *Case, q conformance.Question, a conformance.Answer) outcome {
	out := outputOf(suite.Expectation{Out: a.Out})
	if out.Rule == "" { // not a decision
		out.Rule = library.RuleOf(q)
	}
	decider := b.pages[out.Rule]
	switch {
	case a.Kind == conformance.KindRefused:
		return outcome{Word: "refused", Code: refusal(a.Refusal), Rule: decider}
	case a.Kind != conformance.KindOut, decider != nil && decider.IsUnspecified():
		return outcome{Word: "unspecified", Rule: decider}
	}
	switch out.State {
	case "":
		return outcome{Word: "accepted"}
	case "expired":
		return outcome{Word: "deletes", Rule: b.shownBy(c, q.Target.Version, decider)}
	}
	return outcome{Word: "keeps", Rule: b.shownBy(c, q.Target.Version, decider)}
}

// shownBy returns the first rule that c is about and that holds for a release; the deciding
// rule if none does.
func (b *Book) shownBy(c *Case, release string, decider *Page) *Page {
	for _, r := range c.Rules {
		if p := b.pages[r.ID()]; !r.IsUnspecified() && p.HoldsAt(conformance.MongoDB, release) {
			return p
		}
	}
	return decider
}

// columnsOf divides the lines of releases where some row changes.
func columnsOf(all releases.List, rows []*Feature) (columns []Column) {
	changes := func(i int) bool {
		return slices.ContainsFunc(rows, func(f *Feature) bool { return f.outcomes[i] != f.outcomes[i-1] })
	}
	alike := func(i, j int) bool { return releases.LineOf(all[i]) == releases.LineOf(all[j]) && !changes(j) }
	for from, to := range releases.Runs(len(all), alike) {
		columns = append(columns, Column{releases.LineOf(all[from]), all.Patches(from, to), from})
	}
	return columns
}

// stretchesOf joins columns with the same outcome.
func stretchesOf(all releases.List, columns []Column, outcomes []outcome) (stretches []Stretch) {
	alike := func(i, j int) bool { return outcomes[columns[i].first] == outcomes[columns[j].first] }
	for i, j := range releases.Runs(len(columns), alike) {
		last := len(all) - 1
		if j+1 < len(columns) {
			last = columns[j+1].first - 1
		}
		stretches = append(stretches, Stretch{outcomes[columns[i].first], all.SpanText(columns[i].first, last), j - i + 1})
	}
	return stretches
}

// Shown returns the stretches of releases that have the feature f.
func (f *Feature) Shown() []Stretch {
	return slices.DeleteFunc(slices.Clone(f.Stretches), func(r Stretch) bool { return r.Word == absent })
}

// Text returns the outcome with its reason: "refused, 67 CannotCreateIndex".
func (o outcome) Text() string {
	if o.Code == "" {
		return o.Word
	}
	return fmt.Sprintf("%s, %s", o.Word, o.Code)
}

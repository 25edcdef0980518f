package rulebook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/timeline"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// State returns the state of the playground that shows an answer to a vector. It reports
// false for a vector that decides nothing, or that the playground cannot express.
func (c *Case) State(a Answer) (s playground.State, ok bool) {
	now, ok := c.Now()
	if !ok || len(a.Scope.Parameters) > 0 || slices.Contains(a.Scope.Capabilities, definition.DocLevelTTLCapability) {
		return s, false
	}
	s = playground.State{System: a.Scope.System, Release: a.Latest, Now: clock(int64(now), now.String()),
		CustomPath: slices.Contains(a.Scope.Capabilities, definition.CustomPathCapability)}
	switch c.Op {
	case "documentdb.decide":
		s.System, s.Release = conformance.MongoDB, conformance.DocumentDB+"@"+a.Latest
		s.Policy, ok = c.Member("indexes")
		s.Document, _ = c.Member("document")
	case "mongodb.decide":
		s.Policy, ok = collection(c)
		s.Document, _ = c.Member("document")
	case "cosmos.decide":
		s.Policy, ok = c.Member("container")
		s.Document, _ = c.Member("item")
	case "cosmosmongo.decide":
		s.Policy, _ = c.Member("indexes")
		s.Document, ok = stamped(c)
	default:
		ok = false
	}
	return s, ok
}

// clock writes an instant as the playground reads it: as a date, or in milliseconds if
// the year needs more than four digits.
func clock(millis int64, date string) string {
	if len(date) == len("2026-11-20T00:00:00.000Z") {
		return date
	}
	return fmt.Sprintf("%dms", millis)
}

// collection writes the indexes, with the options of the collection if it has
// some.
func collection(c *Case) (string, bool) {
	indexes, ok := c.Member("indexes")
	if options, has := c.Member("collection"); has {
		return "{options: " + options + ", indexes: " + indexes + "}", ok
	}
	return indexes, ok
}

// stamped writes the document with its _ts, which the vector stores separately.
func stamped(c *Case) (string, bool) {
	document, ok := c.Member("document")
	ts, has := c.Member("_ts")
	if !has {
		return document, ok
	}
	rest, isObject := strings.CutPrefix(document, "{")
	if rest != "}" {
		ts += ", "
	}
	return "{_ts: " + ts + rest, ok && isObject
}

// AnswerOn returns the answer of c for a rule's page: the answer that the rule decides,
// else the first.
func (p *Page) AnswerOn(c *Case) Answer {
	for _, a := range c.Answers {
		if a.Decider == p && a.State != "unspecified" {
			return a
		}
	}
	return c.Answers[0]
}

// An Example is a vector with one of its answers, as the playground shows it.
type Example struct {
	Case   *Case
	Answer Answer
	// Sentence says why the rule decides. SVG draws the timeline, and Narrow draws
	// it for a phone. All are "" for a vector that the playground cannot ask, such
	// as one about a command.
	Sentence    string
	SVG, Narrow string
}

// Why returns the explanation of the answer, or the answer's text if there is no
// explanation.
func (e *Example) Why() string {
	return cmp.Or(e.Sentence, e.Answer.Text)
}

// exampleOf returns the vector that was chosen for the rule of p. If no vector was
// chosen, it returns the smallest vector of the first kind that has vectors. The kinds
// are: vectors that the rule decides; vectors about a release for which the rule holds;
// vectors that the rule refuses; and vectors about a release for which the rule holds,
// even if the playground cannot ask them. For a rule without vectors it returns nil.
func (b *Book) exampleOf(p *Page) *Example {
	decides := func(a Answer) bool { return a.Decider == p }
	holds := func(a Answer) bool { return p.HoldsAt(a.Scope.System, a.Latest) }
	var chosen []*Case
	if c := b.cases[p.chosen]; c != nil {
		chosen = append(chosen, c)
	}
	return cmp.Or(p.smallest(chosen, decides), p.plain(chosen, decides), p.smallest(chosen, holds), p.plain(chosen, holds), p.smallest(p.Cases, decides), p.smallest(p.Also, decides), p.smallest(p.Cases, holds),
		p.refused(p.Cases), p.plain(p.Cases, holds), p.plain(p.Also, holds))
}

// smallest returns the vector with the shortest question among the vectors that the
// playground draws. It prefers vectors whose deadline is near the instant of the
// question.
func (p *Page) smallest(cases []*Case, fits func(Answer) bool) (far *Example) {
	for _, c := range bySize(cases) {
		i := slices.IndexFunc(c.Answers, func(a Answer) bool { return a.State != "unspecified" && fits(a) })
		if i < 0 {
			continue
		}
		drawn, near := draw(c, c.Answers[i])
		if near {
			return drawn
		}
		far = cmp.Or(far, drawn)
	}
	return far
}

// refused returns the vector with the shortest question that p's rule refuses.
func (p *Page) refused(cases []*Case) *Example {
	for _, c := range bySize(cases) {
		i := slices.IndexFunc(c.Answers, func(a Answer) bool { return a.State == "refused" && library.RuleOf(c.asked(a)) == p.ID() })
		if i >= 0 {
			return &Example{Case: c, Answer: c.Answers[i]}
		}
	}
	return nil
}

// asked returns the question of c for the newest release for which a holds.
func (c *Case) asked(a Answer) conformance.Question {
	target := conformance.Target{System: a.Scope.System, Version: a.Latest, Capabilities: a.Scope.Capabilities, Parameters: a.Scope.Parameters}
	return conformance.Question{Op: c.Op, Target: target, In: c.In}
}

// plain returns the vector with the shortest question, even if the playground cannot draw
// it.
func (p *Page) plain(cases []*Case, fits func(Answer) bool) *Example {
	for _, c := range bySize(cases) {
		if i := slices.IndexFunc(c.Answers, fits); i >= 0 {
			return &Example{Case: c, Answer: c.Answers[i]}
		}
	}
	return nil
}

func bySize(cases []*Case) []*Case {
	return slices.SortedStableFunc(slices.Values(cases), func(a, b *Case) int { return cmp.Compare(a.size(), b.size()) })
}

// size returns the length of the question of c, as a reader sees it.
func (c *Case) size() (n int) {
	for _, l := range c.Question {
		n += 10 + len(l.Text)
	}
	return n
}

// draw makes an example of c, nil if the playground cannot ask c. near reports that there
// is no deadline, or that it is between a minute and a quarter of a year from now, so
// that the drawing shows both.
func draw(c *Case, a Answer) (drawn *Example, near bool) {
	s, ok := c.State(a)
	if !ok {
		return nil, false
	}
	e, ok := playground.Explain(s)
	if !ok {
		return nil, false
	}
	drawn = &Example{Case: c, Answer: a, Sentence: e.Sentence(),
		SVG:    timeline.SVG(e, timeline.Options{Width: 760, ID: "timeline-" + c.ID, Bare: true}),
		Narrow: timeline.SVG(e, timeline.Options{Width: 340, ID: "narrow-" + c.ID, Bare: true}),
	}
	if a.State == "either" { // the example is about the answer of this library
		drawn.Answer.State = e.Decision.State.String()
		drawn.Sentence += " No source establishes it, so each of these conforms: " + a.Text + "."
	}
	const minute, quarter = 60_000, 90 * 24 * 3_600_000
	deadline, expires := e.Decision.Deadline()
	apart := max(deadline-e.Now, e.Now-deadline)
	return drawn, !expires || minute <= apart && apart < quarter
}

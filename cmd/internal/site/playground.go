package site

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/docs/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/timeline"
)

// stateOf returns what to write into the playground to see an answer to a
// vector. It reports false for a vector that decides nothing, or that cannot be
// written there.
func stateOf(c *rulebook.Case, a rulebook.Answer) (s playground.State, ok bool) {
	now, ok := c.Now()
	if !ok || len(a.Scope.Parameters) > 0 {
		return s, false
	}
	s = playground.State{System: a.Scope.System, Release: a.Latest, Now: clock(int64(now), now.String()),
		CustomPath: slices.Contains(a.Scope.Capabilities, cosmos.CustomPathCapability)}
	switch c.Op {
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

// clock writes an instant as the playground reads it: as a date, or in
// milliseconds where no date is written so.
func clock(millis int64, date string) string {
	if len(date) == len("2026-11-20T00:00:00.000Z") {
		return date
	}
	return fmt.Sprintf("%dms", millis)
}

// collection writes the indexes, with the options of the collection if it has
// some.
func collection(c *rulebook.Case) (string, bool) {
	indexes, ok := c.Member("indexes")
	if options, has := c.Member("collection"); has {
		return "{options: " + options + ", indexes: " + indexes + "}", ok
	}
	return indexes, ok
}

// stamped writes the document with the _ts that the vector keeps apart from
// it.
func stamped(c *rulebook.Case) (string, bool) {
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

// play is the link of an answer into the playground, "" if there is none.
func (p page) play(c *rulebook.Case, a rulebook.Answer) string {
	s, ok := stateOf(c, a)
	if !p.Playground || !ok {
		return ""
	}
	return p.To("playground/index.html") + "#" + s.Fragment()
}

// Play is the link into the playground for the first answer to a vector, or
// the one that the page is about.
func (p page) Play(c *rulebook.Case) string {
	return p.play(c, p.answer(c))
}

// answer is the one that the rule of the page decides, else the first.
func (p page) answer(c *rulebook.Case) rulebook.Answer {
	for _, a := range c.Answers {
		if a.Decider == p.Rule && a.State != "open" {
			return a
		}
	}
	return c.Answers[0]
}

// A picture is the timeline of a vector.
type picture struct {
	SVG     template.HTML
	Case    *rulebook.Case
	Release string
	weight  int // how much it shows
}

// Picture draws a vector that the rule of the page decides, or one that is
// about it if it decides none, at a release for which it holds: of those the one
// that shows most. It is nil if none can be drawn.
func (p page) Picture() *picture {
	mine := func(a rulebook.Answer) bool { return a.Decider == p.Rule }
	holds := func(a rulebook.Answer) bool { return p.Rule.HoldsAt(a.Scope.System, a.Latest) }
	return cmp.Or(p.drawn(p.Rule.Cases, mine), p.drawn(p.Rule.Also, mine), p.drawn(p.Rule.Cases, holds))
}

func (p page) drawn(cases []*rulebook.Case, fits func(rulebook.Answer) bool) (best *picture) {
	for _, c := range cases {
		i := slices.IndexFunc(c.Answers, func(a rulebook.Answer) bool { return a.State != "open" && fits(a) })
		if i < 0 {
			continue
		}
		if drawn, ok := draw(c, c.Answers[i]); ok && (best == nil || drawn.weight > best.weight) {
			best = &drawn
		}
	}
	return best
}

func draw(c *rulebook.Case, a rulebook.Answer) (drawn picture, ok bool) {
	s, ok := stateOf(c, a)
	if !ok {
		return drawn, false
	}
	e, ok := playground.Explain(s)
	if !ok {
		return drawn, false
	}
	svg := timeline.Of(e).SVG(timeline.Options{Width: 760, ID: "timeline-" + c.ID, Bare: true})
	return picture{template.HTML(svg), c, a.Latest, weight(e)}, true
}

// weight is how much a picture of e shows: the dates and the indexes, and a
// time to live that is neither a hair nor the whole width.
func weight(e reasons.Explanation) int {
	sum := len(e.Each)
	for _, each := range e.Each {
		sum += min(len(each.Dates), 3)
	}
	if start, ok := e.Start(); ok {
		bar := float64(e.Decision.Deadline()) - float64(start)
		if width := max(float64(e.Now)-float64(start), bar); bar > width/8 {
			sum += 3
		}
	}
	return sum
}

// Package timeline draws when a document expires: its dates, the time to live,
// the deadline, now, and what readers and the store see before and after the
// deadline. [SVG] draws a picture, and the tool writes the [Marks] as text.
package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Mark is an instant with a label.
type Mark struct {
	At    policy.Instant
	Kind  MarkKind
	Label string
}

// A MarkKind is the kind of an instant with a mark.
type MarkKind uint8

// The kinds.
const (
	Date MarkKind = iota
	Deadline
	Now
)

// shown is the maximum number of dates that have marks.
const shown = 4

// deciding returns the source that decides, the zero Each if none does.
func deciding(e reasons.Explanation) reasons.Each {
	if i := int(e.Decision.Source); i < len(e.Each) {
		return e.Each[i]
	}
	return reasons.Each{}
}

// Marks returns the instants of the deciding source in order: the first few dates, the deadline
// if there is one, and now. It also returns the number of dates without a mark.
func Marks(e reasons.Explanation) (marks []Mark, more int) {
	of := deciding(e)
	for i, at := range of.Dates[:min(len(of.Dates), shown)] {
		label := of.Source.Field
		if i > 0 {
			label += ", later date"
		}
		marks = append(marks, Mark{at, Date, label})
	}
	if deadline, ok := e.Decision.Deadline(); ok {
		marks = append(marks, Mark{deadline, Deadline, "deadline"})
	}
	marks = append(marks, Mark{e.Now, Now, "now"})
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.At, b.At) })
	return marks, max(len(of.Dates)-shown, 0)
}

// isLazy reports whether expired documents can be read until they are removed, as in MongoDB. Azure
// Cosmos DB hides them at once.
func isLazy(e reasons.Explanation) bool {
	return e.Policy != nil && e.Policy.System == definition.MongoDB
}

// describe returns the marks in words, for readers who do not see the picture.
func describe(e reasons.Explanation) string {
	var parts []string
	marks, _ := Marks(e)
	for _, m := range marks {
		part := m.Label + " " + m.At.String()
		if m.Kind != Now {
			part += ", " + reasons.Distance(m.At, e.Now)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ") + ". " + afterwards(e)
}

// afterwards says what follows the deadline.
func afterwards(e reasons.Explanation) string {
	switch {
	case reasons.IsUnknown(e.Decision.Rule):
		return "The deadline is unknown: " + e.Decision.Rule.String() + "."
	case e.Decision.State == policy.Never:
		return "There is no deadline: " + e.Decision.Rule.String() + "."
	case isLazy(e):
		return "From the deadline on the document may go, but reads still find it until a sweep, by default every 60 s, has removed it."
	}
	return "From the deadline on no read finds the item; it is purged later, which nobody can tell."
}

// A Scale maps the instants from First to Last onto a line. Earlier and later instants
// are at the ends of the line.
type Scale struct{ First, Last policy.Instant }

// Column returns the column of an instant in a row of n columns: 0 to n-1.
func (s Scale) Column(at policy.Instant, n int) int {
	part, whole := s.part(at)
	return int(part * float64(n-1) / whole)
}

// X returns the place of an instant between two coordinates.
func (s Scale) X(at policy.Instant, left, right float64) float64 {
	part, whole := s.part(at)
	return left + (right-left)*(part/whole)
}

// part returns the distance of an instant from First, and the length of the
// scale, which is never 0.
func (s Scale) part(at policy.Instant) (part, whole float64) {
	at = min(max(at, s.First), s.Last)
	return float64(gap(at, s.First)), max(float64(gap(s.Last, s.First)), 1)
}

// Minimum lengths of a scale in milliseconds. minWide gives room to short times to live, and nowWide
// is for a scale on which now is the only mark.
const minWide, nowWide = 4_000, 3_600_000

// scaleFor returns a scale that shows all marks, with room at its ends.
func scaleFor(e reasons.Explanation) Scale {
	s := Scale{e.Now, e.Now}
	with := func(at policy.Instant) { s = Scale{min(s.First, at), max(s.Last, at)} }
	for _, one := range append(slices.Clip(e.Each), reasons.Each{Decision: e.Decision}) {
		for _, at := range one.Dates[:min(len(one.Dates), shown)] {
			with(at)
		}
		if deadline, ok := one.Decision.Deadline(); ok {
			with(deadline)
		}
	}
	wide := max(gap(s.Last, s.First), minWide)
	if s.First == s.Last {
		wide = nowWide
	}
	return Scale{
		s.First - policy.Instant(min(wide/16, gap(s.First, policy.MinInstant))),
		s.Last + policy.Instant(min(wide/8, gap(policy.MaxInstant, s.Last))),
	}
}

// gap returns the milliseconds between two instants, which may be 2^64-1.
func gap(later, earlier policy.Instant) uint64 { return uint64(later) - uint64(earlier) }

// Package timeline draws when a document expires: its dates, the time to live,
// the deadline, now, and what readers and the store see before and after the
// deadline. A Timeline holds the facts; SVG draws them, and the tool writes the
// same facts as text.
package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Timeline holds the facts to draw. The zero Timeline is a clock at 1970.
type Timeline struct {
	Now      policy.Instant
	State    policy.State
	Deadline policy.Instant // means nothing if State is Never
	Unknown  bool           // whether there is a deadline, and when, is unknown; State is Never
	Rule     string         // the identifier of the rule that decided
	// Lazily reports that expired documents can be read until they are removed,
	// as in MongoDB. Azure Cosmos DB hides them at once.
	Lazily bool
	Lanes  []Lane // one for each TTL source of the policy
}

// A Lane is the line of a TTL source: an index, or the setting of a container.
type Lane struct {
	reasons.Each
	Decides bool // the lane whose deadline is the document's
	Form    Form
}

// A Form is a way to draw the bar of a lane.
type Form uint8

// The forms.
const (
	Whole   Form = iota // the time to live counts from a date, if there is one
	Outside             // the document is not in the index
	Broken              // the time to live is not a number, which releases read differently
)

// Of returns the timeline of an explanation.
func Of(e reasons.Explanation) Timeline {
	deadline, _ := e.Decision.Deadline()
	t := Timeline{Now: e.Now, State: e.Decision.State, Deadline: deadline, Unknown: reasons.IsUnknown(e.Decision.Rule), Rule: e.Decision.Rule.String(), Lazily: e.Policy.System == definition.MongoDB}
	for i, each := range e.Each {
		lane := Lane{Each: each, Decides: i == int(e.Decision.Source)}
		switch {
		case each.Source.NaN:
			lane.Form = Broken
		case strings.HasPrefix(each.Decision.Rule.String(), "mongo.filter-"):
			lane.Form = Outside
		}
		t.Lanes = append(t.Lanes, lane)
	}
	return t
}

// deciding returns the lane that decides, the zero Lane if none does.
func (t Timeline) deciding() Lane {
	i := slices.IndexFunc(t.Lanes, func(l Lane) bool { return l.Decides })
	if i < 0 {
		return Lane{}
	}
	return t.Lanes[i]
}

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

// shown is the maximum number of dates of a lane that have separate labels or dots.
const shown = 4

// Marks returns the instants of the deciding lane in order: the first few
// dates, the deadline if there is one, and now.
func (t Timeline) Marks() []Mark {
	lane := t.deciding()
	var marks []Mark
	for i, at := range lane.Dates[:min(len(lane.Dates), shown)] {
		label := lane.Source.Field
		if i > 0 {
			label += ", later date"
		}
		marks = append(marks, Mark{at, Date, label})
	}
	if t.State != policy.Never {
		marks = append(marks, Mark{t.Deadline, Deadline, "deadline"})
	}
	marks = append(marks, Mark{t.Now, Now, "now"})
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.At, b.At) })
	return marks
}

// Unmarked returns the number of dates of the deciding lane that have no mark.
func (t Timeline) Unmarked() int { return max(len(t.deciding().Dates)-shown, 0) }

// describe returns the marks in words, for readers who do not see the picture.
func (t Timeline) describe() string {
	var b strings.Builder
	for i, m := range t.Marks() {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(m.Label + " " + m.At.String())
		if m.Kind != Now {
			b.WriteString(", " + reasons.Distance(m.At, t.Now))
		}
	}
	b.WriteString(". " + t.afterwards())
	return b.String()
}

// afterwards says what follows the deadline.
func (t Timeline) afterwards() string {
	switch {
	case t.Unknown:
		return "The deadline is unknown: " + t.Rule + "."
	case t.State == policy.Never:
		return "There is no deadline: " + t.Rule + "."
	case t.Lazily:
		return "From the deadline on the document may go, but reads still find it until a sweep, by default every 60 s, has removed it."
	}
	return "From the deadline on no read finds the item; it is purged later, which nobody can tell."
}

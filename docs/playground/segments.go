package playground

import (
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Segment is neighbouring stops with one answer.
type Segment struct {
	First    int          `json:"first"` // stops, both included
	Last     int          `json:"last"`
	Verdict  policy.State `json:"verdict"`
	Deadline string       `json:"deadline"`
	Rule     string       `json:"rule"`
	// Applies is another rule that shapes what Rule decides, "" for none.
	Applies string `json:"applies"`
	// Refused is why the release cannot be judged by: it does not read such a
	// definition. Then there is no verdict.
	Refused string `json:"refused"`
}

// segments returns the answers of all releases, neighbours that agree as one.
func (d definition) segments(s State, doc document, now policy.Instant) []Segment {
	list := []Segment{}
	for i, stop := range stopsFor(s.System) {
		s.Release = stop.Release
		one := d.segment(s, doc, now)
		if n := len(list); n > 0 && list[n-1].agrees(one) {
			list[n-1].Last = i
			continue
		}
		one.First, one.Last = i, i
		list = append(list, one)
	}
	return list
}

func (d definition) segment(s State, doc document, now policy.Instant) Segment {
	p, err := d.compile(s)
	if err != nil {
		return Segment{Refused: messageOf(err)}
	}
	e := reasons.Of(p, doc.Document, now)
	one := Segment{Verdict: e.Decision.State, Deadline: deadlineOf(e.Decision), Rule: e.Decision.Rule.String()}
	for _, r := range e.Ladder {
		if e.Applies(r) && r != e.Decision.Rule {
			one.Applies = r.ID
		}
	}
	return one
}

// deadlineOf writes the deadline of a decision, "" for never.
func deadlineOf(d policy.Decision) string {
	if d.State == policy.Never {
		return ""
	}
	return d.Deadline().String()
}

func (a Segment) agrees(b Segment) bool {
	a.First, a.Last = b.First, b.Last
	return a == b
}

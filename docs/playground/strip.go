package playground

import (
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Segment is a row of neighbouring stops with one answer.
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

// strip returns the answers of all releases, neighbours that agree as one.
func (d definition) strip(s State, doc document, now policy.Instant) []Segment {
	strip := []Segment{}
	for i, stop := range stopsFor(s.System) {
		s.Release = stop.Release
		one := d.segment(s, doc, now)
		if n := len(strip); n > 0 && strip[n-1].agrees(one) {
			strip[n-1].Last = i
			continue
		}
		one.First, one.Last = i, i
		strip = append(strip, one)
	}
	return strip
}

func (d definition) segment(s State, doc document, now policy.Instant) Segment {
	p, err := d.compile(s)
	if err != nil {
		return Segment{Refused: messageOf(err)}
	}
	e := reasons.Of(p, doc.Document, now)
	decision := e.Decision
	one := Segment{Verdict: decision.State, Rule: decision.Rule.String()}
	for _, r := range e.Ladder {
		if e.Applies(r) && r != decision.Rule {
			one.Applies = r.ID
		}
	}
	if decision.State != policy.Never {
		one.Deadline = decision.Deadline().String()
	}
	return one
}

func (a Segment) agrees(b Segment) bool {
	a.First, a.Last = b.First, b.Last
	return a == b
}

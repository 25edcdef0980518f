// Package explain shows why one document expires, or does not: the decision,
// the rule behind it with its sources, the ladder of rules on the way there,
// and a timeline.
package explain

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Explanation is what there is to say about one document at one instant.
type Explanation struct {
	Now      policy.Instant
	Policy   *policyflags.Policy
	Decision policy.Decision
	Source   policyflags.Source // the index or setting that decided
	Ladder   []*policy.Rule     // the rules consulted; the last one decided
	Dates    []policy.Instant   // what the document holds where Source looks, ascending
	Each     []Each             // what each source says by itself
}

// Each is what one source says.
type Each struct {
	Source   policyflags.Source
	Decision policy.Decision
}

// Of explains what p says about doc, an Object, at now.
func Of(p *policyflags.Policy, doc policy.Value, now policy.Instant) Explanation {
	d := p.Decide(doc, now)
	e := Explanation{Now: now, Policy: p, Decision: d, Source: p.Source(d), Ladder: p.Ladder(d)}
	e.Dates = datesFor(p.System, e.Source.Field, doc)
	for i, source := range p.Sources {
		if len(p.Alone) > 0 {
			d = p.Alone[i].Decide(doc, now)
		}
		e.Each = append(e.Each, Each{source, d})
	}
	return e
}

// start returns the date that the deadline counts from: the earliest, since the
// earliest deadline decides.
func (e Explanation) start() (policy.Instant, bool) {
	if e.Decision.State == policy.Never || len(e.Dates) == 0 || e.Dates[0] > e.Decision.Deadline {
		return 0, false
	}
	return e.Dates[0], true
}

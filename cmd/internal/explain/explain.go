// Package explain writes why one document expires, or does not: the decision,
// the rule behind it with its sources, the ladder of rules on the way there,
// and a timeline.
package explain

import (
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Explanation is what there is to say about one document at one instant, and
// how it is written.
type Explanation struct{ reasons.Explanation }

// Of explains what p says about doc at now.
func Of(p *reasons.Policy, doc policy.Document, now policy.Instant) Explanation {
	return Explanation{reasons.Of(p, doc, now)}
}

// Decided returns the number of the source that decided.
func (e Explanation) Decided() int { return int(e.Decision.Source) }

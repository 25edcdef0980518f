package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// keptBy returns the decision that a rule keeps a document.
func keptBy(r policy.Rule) policy.Decision { return policy.Decision{Rule: r} }

// expireAt returns the decision, at the time now, about a document that expires at
// deadline.
func expireAt(deadline policy.Instant, r policy.Rule, now policy.Instant) policy.Decision {
	return policy.DecisionOf(policy.Pending, deadline, r).At(now)
}

// unlessDamaged returns d, unless the record turned out to be damaged.
func unlessDamaged(r *fieldpath.Record, d policy.Decision) policy.Decision {
	if r.Damaged {
		return keptBy(rules.Malformed)
	}
	return d
}

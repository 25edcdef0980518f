package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// bounds are the first and the last date that a TTL source deletes in one scan; the dates from
// the first to the last, both included, are expired. Empty bounds have from after to.
type bounds struct{ from, to policy.Instant }

var noBounds = bounds{policy.MaxInstant, policy.MinInstant}

// Bounds does the work of [Collection.Bounds] for one index.
func (x *indexSource) Bounds(now policy.Instant) bounds {
	if x.isIdle() || x.isLate(now) {
		return noBounds
	}
	latest, ok := x.delay.cutoff(now, !x.strict.IsZero())
	if !ok || x.since > latest {
		return noBounds
	}
	return bounds{x.since, latest}
}

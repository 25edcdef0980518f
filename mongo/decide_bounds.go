package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// Bounds are the first and the last date that a TTL source deletes in one scan;
// the dates from the first to the last, both included, are expired. The zero
// Bounds are empty: a scan of them deletes nothing, and From is after To. Bounds compare with ==.
type Bounds struct {
	noJSON
	from, to policy.Instant // 0 if empty
	some     bool
}

// boundsOf returns the bounds of a scan from one date to another, or empty
// bounds if no date lies within.
func boundsOf(from, to policy.Instant) Bounds {
	if from > to {
		return Bounds{}
	}
	return Bounds{from: from, to: to, some: true}
}

// From returns the first date of b. For empty bounds it returns [policy.MaxInstant],
// which is after To.
func (b Bounds) From() policy.Instant {
	if !b.some {
		return policy.MaxInstant
	}
	return b.from
}

// To returns the last date of b. For empty bounds it returns [policy.MinInstant].
func (b Bounds) To() policy.Instant {
	if !b.some {
		return policy.MinInstant
	}
	return b.to
}

// Bounds does the work of [Collection.Bounds] for one index.
func (x *indexSource) Bounds(now policy.Instant) Bounds {
	if x.isIdle() || x.isLate(now) {
		return Bounds{}
	}
	latest, ok := x.delay.cutoff(now, !x.strict.IsZero())
	if !ok {
		return Bounds{}
	}
	return boundsOf(x.since, latest)
}

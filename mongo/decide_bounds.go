package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// Bounds are the ends of the scan by which a TTL source deletes: the dates
// between them are expired, and both ends are. The zero Bounds are empty, so that
// a scan of them deletes nothing. Bounds compare with ==.
type Bounds struct {
	from, to policy.Instant // 0 if empty
	some     bool
}

// boundsOf returns the bounds of a scan from one date to another, which are
// empty if no date lies between.
func boundsOf(from, to policy.Instant) Bounds {
	if from > to {
		return Bounds{}
	}
	return Bounds{from, to, true}
}

// IsEmpty reports whether no date lies within.
func (b Bounds) IsEmpty() bool { return !b.some }

// Contains reports whether a date lies within.
func (b Bounds) Contains(date policy.Instant) bool { return b.some && b.from <= date && date <= b.to }

// From returns the first date within, and [policy.MaxInstant] of empty bounds,
// so that no date is from there to To.
func (b Bounds) From() policy.Instant {
	if !b.some {
		return policy.MaxInstant
	}
	return b.from
}

// To returns the last date within, and [policy.MinInstant] of empty bounds.
func (b Bounds) To() policy.Instant {
	if !b.some {
		return policy.MinInstant
	}
	return b.to
}

// Bounds returns the bounds of the scan that deletes what is expired at now: of
// an index's keys, or a clustered collection's _id, that are Dates.
//
// A storage engine that keeps its keys sorted needs no more: a document of which
// the index holds keys, as [Index.Key] reports, is expired exactly if one of them
// lies within (mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp). A partial index
// holds none of documents outside its filter.
func (x *Index) Bounds(now policy.Instant) Bounds {
	if x.isIdle() || x.isLate(now) {
		return Bounds{}
	}
	latest, ok := x.delay.cutoff(now, x.strict)
	if !ok {
		return Bounds{}
	}
	return boundsOf(x.since, latest)
}

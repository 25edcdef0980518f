package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// Bounds are the first and the last date that a TTL source deletes in one scan;
// the dates from the first to the last, both included, are expired. The zero
// Bounds are empty: a scan of them deletes nothing. Bounds compare with ==.
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

// IsEmpty reports whether b contains no date.
func (b Bounds) IsEmpty() bool { return !b.some }

// Contains reports whether date is between From and To, or equal to one of them.
func (b Bounds) Contains(date policy.Instant) bool { return b.some && b.from <= date && date <= b.to }

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

// Bounds returns the bounds of the scan that deletes expired documents at now.
// The scan goes over the keys of the index, or over _id of a clustered
// collection, that are Dates.
//
// A storage engine that keeps its keys sorted needs nothing else: a document for which
// the index holds keys, as [Index.Key] reports, is expired exactly if one of the keys
// lies within the bounds (mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp). A partial
// index holds no keys of documents outside its filter.
func (x *Index) Bounds(now policy.Instant) Bounds {
	if x.isIdle() || x.isLate(now) {
		return Bounds{}
	}
	latest, ok := x.delay.cutoff(now, x.strict != nil)
	if !ok {
		return Bounds{}
	}
	return boundsOf(x.since, latest)
}

package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// Cutoff returns the latest date that is expired at now: now less
// expireAfterSeconds, and up to 3.0 a millisecond less. It reports false if
// the index deletes nothing at now. The filter is no part of it: the scan must
// be of the partial index.
func (x *Index) Cutoff(now policy.Instant) (policy.Instant, bool) {
	if x.path == nil {
		return 0, false
	}
	latest, ok := x.delay.cutoff(now, x.strict)
	return latest, ok && latest >= x.since
}

// Bounds returns the ends, both included, of the scan that deletes what is
// expired at now: an index's keys, or a clustered collection's _id, that are
// Dates from first to last. It reports false if there is nothing to scan.
//
// A storage engine that keeps its keys sorted needs no more: a document in the
// (partial) index is expired exactly if one of its keys lies within
// (mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp).
func (x *Index) Bounds(now policy.Instant) (first, last policy.Instant, ok bool) {
	last, ok = x.Cutoff(now)
	if !ok {
		return 0, 0, false
	}
	return x.since, last, true
}

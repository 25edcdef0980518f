package mongo

import (
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

// AppendExpired appends a bitmap of the keys that are expired at now, each a Date
// and the one key that the index holds of a document: of the words that it
// appends, keys[i] is bit i%64 of word i/64, and what is left of the last word is
// 0. It decides as [Index.DecideKey] does.
//
// Where the keys are sorted, as in the index itself, [Index.Bounds] saves looking
// at them.
func (x *Index) AppendExpired(bitmap []uint64, keys []policy.Instant, now policy.Instant) []uint64 {
	b := x.Bounds(now)
	for ; len(keys) > 0; keys = keys[min(64, len(keys)):] {
		word := uint64(0)
		if !b.IsEmpty() {
			word = b.within(keys[:min(64, len(keys))])
		}
		bitmap = append(bitmap, word)
	}
	return bitmap
}

// within returns a bit for each of up to 64 dates that lies within b, which is
// not empty. The order of subtractions and shifts is such that nothing is
// branched on, which halves the time where expired and other documents are mixed.
func (b Bounds) within(dates []policy.Instant) (word uint64) {
	span := uint64(b.to - b.from)
	for _, date := range dates {
		_, beyond := bits.Sub64(span, uint64(date-b.from), 0)
		word = word<<1 | beyond
	}
	return bits.Reverse64(^word) >> (64 - len(dates))
}

// CountDeadlines adds deadlines to a histogram: 1 to counts[b.Index(deadline)]
// for each of keys that has one, each a Date and the one key that the index holds
// of a document. It returns how many have none. counts has the length b.Len().
func (x *Index) CountDeadlines(counts []uint64, b policy.Buckets, keys []policy.Instant) (never uint64) {
	for _, key := range keys {
		d := x.DecideKey(key, 0)
		if d.State == policy.Never {
			never++
			continue
		}
		counts[b.Index(d.Deadline())]++
	}
	return never
}

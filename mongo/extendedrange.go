package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A bucket's identifier holds 32 bits of seconds. Buckets that begin before
// 1970 or after the last second of 31 bits flag their collection, because the
// order of identifiers is then no longer that of time.

// lastOrdinary is 2038-01-19T03:14:07.000Z.
const lastOrdinary = policy.Instant(math.MaxInt32) * 1000

// isOutside reports whether the bucket flags its collection.
func (b bucket) isOutside() bool { return b.min < 0 || b.min > lastOrdinary }

// isWrapped reports whether 32 bits cannot even tell, modulo their range, the
// bucket's time from an ordinary one.
func (b bucket) isWrapped() bool {
	return b.min < math.MinInt32*1000 || b.min > math.MaxUint32*1000
}

// extendedRules are the rules that keep all of a flagged collection.
var extendedRules = [...]*policy.Rule{
	extendedRangeUnspecified: ruleSeriesExtendedUnspecified, extendedRangeSkipped: ruleSeriesExtendedSkipped, extendedRangeDeletes: nil,
}

// decideExtended decides about a bucket of a flagged collection. The monitor
// looks at identifiers from 1970 to the ordinary bound and from one span
// before 2038 to 2106, and deletes the buckets among them whose last
// measurement is old enough.
func (s *seriesSource) decideExtended(b bucket, now policy.Instant) policy.Decision {
	if b.isWrapped() {
		return policy.Keep(ruleSeriesExtendedUnspecified)
	}
	due, ok := s.delay.deadlineAfter(b.max, false)
	if !ok {
		return policy.Keep(ruleUnreachable)
	}
	ordinary := s.expire(policy.Instant(b.id)*1000, now)
	if s.isAlwaysVisited(b.id) || ordinary.State != policy.Never && ordinary.Deadline() < due {
		return policy.ExpireAt(due, ruleSeriesExtendedDate, now)
	}
	return ordinary
}

// isAlwaysVisited reports whether an identifier lies in the second range.
func (s *seriesSource) isAlwaysVisited(id uint32) bool {
	return int64(id) >= 1<<31-int64(s.span)/1000
}

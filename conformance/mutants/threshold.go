package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// threshold holds misreadings of the comparison: its direction, its unit, and
// dates at the ends of their range.
var threshold = map[string]misreading{
	"date-exclusive":             shifts(decide, every(ordinary, since("3.2.0")), 1),
	"date-inclusive-everywhere":  shifts(decide, every(ordinary, until("3.2.0")), -1),
	"date-strict-up-to-2.6":      atRelease(decide, "3.2.22", every(ordinary, since("3.0.0"), until("3.2.0"))),
	"date-clock-of-seconds":      moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due+999, 1000) }),
	"date-of-seconds":            moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due, 1000) }),
	"date-clock-of-minutes":      moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due+59999, 60000) }),
	"date-delay-in-milliseconds": delays(func(s int64) int64 { return s }),
	"date-delay-in-minutes":      delays(func(s int64) int64 { return s * 60_000 }),
	"date-delay-of-31-bits":      delays(func(s int64) int64 { return int64(int32(s * 1000)) }),
	"date-delay-of-32-bits":      delays(func(s int64) int64 { return int64(uint32(s * 1000)) }),
	"date-before-1970-never":     keeps(decide, dated(policy.MinInstant, -1)),
	"date-1970-is-none":          keeps(decide, dated(0, 0)),
	"date-of-32-bit-seconds": takes(func(v policy.Value) (policy.Instant, bool) {
		i, ok := v.AsDate()
		return policy.Instant(int32(floor(i, 1000)/1000))*1000 + i - floor(i, 1000), ok
	}),
	"date-before-year-1-never": keeps(decide, dated(policy.MinInstant, -62_135_596_800_001)),
	"date-after-9999-at-once":  only(decide, dated(253_402_300_800_000, policy.MaxInstant), atOnce),
	"date-smallest-never":      keeps(decide, dated(policy.MinInstant, policy.MinInstant)),
	"date-clock-from-1970":     moves(decide, every(ordinary, within(query.due, policy.MinInstant, 0)), byNow),
	"unreachable-wraps":        only(decide, overflows, wraps),
	"unreachable-saturates":    only(decide, overflows, func(q query) conformance.Answer { return q.expire(policy.MaxInstant) }),
	"reachable-never":          keeps(decide, within(query.due, policy.MaxInstant, policy.MaxInstant)),
	"zero-is-off":              drops(ofSeconds(0)),
	"zero-is-not-yet":          shifts(decide, every(lasts(0), since("3.2.0")), 1),
	"zero-is-at-once":          moves(decide, lasts(0), byNow),
	"zero-is-a-second":         delays(func(s int64) int64 { return max(s*1000, 1000) }),
	"68-years-is-never":        drops(ofSeconds(math.MaxInt32)),
	"68-years-of-365-days":     shifts(decide, every(ordinary, lasts(math.MaxInt32)), 1000*(68*365*86_400-math.MaxInt32)),
	"no-option-is-zero":        sets(func(x policy.Value) bool { return isPlainIndex(x) && x.Field(option).IsMissing() }, policy.Int32Value(0), option),
	"option-in-key": rewrites(named("key", option), func(x policy.Value) policy.Value {
		return cases.Put(cases.Put(x, x.Field("key").Field(option), option), policy.Value{}, "key", option)
	}),
	"no-collection-option-is-zero": all(ownOption("timeseries", policy.Int32Value(0)), ownOption("clusteredIndex", policy.Int32Value(0))),
}

// floor rounds an instant down to a multiple of a unit.
func floor(i, unit policy.Instant) policy.Instant {
	r := i % unit
	if r < 0 {
		r += unit
	}
	if i < policy.MinInstant+r {
		return i
	}
	return i - r
}

// delays makes other milliseconds of expireAfterSeconds.
func delays(milliseconds func(seconds int64) int64) misreading {
	return moves(decide, single, func(q query, due policy.Instant) policy.Instant {
		s, _ := q.seconds()
		return due + policy.Instant(milliseconds(s)-s*1000)
	})
}

// dated tests for a document whose deadline comes from a date of a range.
func dated(first, last policy.Instant) test { return every(ordinary, within(query.date, first, last)) }

// lasts tests for a delay.
func lasts(seconds int64) test {
	return func(q query) bool { s, ok := q.seconds(); return ok && s == seconds }
}

// wraps adds the delay to the date in 64 bits.
func wraps(q query) conformance.Answer {
	n, whole := policy.AOf(q.get("indexes"))[0].Field(option).AsInt64()
	i, dated := q.date()
	if !whole || !dated {
		return q.ask()
	}
	return q.expire(i + policy.Instant(n*1000))
}

// overflows tests for a date whose deadline is beyond 64 bits.
func overflows(q query) bool {
	i, ok := q.date()
	s, whole := q.seconds()
	return ok && whole && s > 0 && i > policy.MaxInstant-policy.Instant(s*1000)
}

// ownOption gives collections of a kind an option of their own if they have
// none.
func ownOption(kind string, seconds policy.Value) misreading {
	return puts(decide, every(has("collection", kind), not(has("collection", option))), seconds, "collection", option)
}

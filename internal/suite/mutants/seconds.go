package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// seconds holds misreadings of a stored expireAfterSeconds: its type, its
// fraction, its range, and NaN release by release.
var seconds = map[string]misreading{
	"nan-is-zero":             sets(nanSeconds, policy.Int32Value(0), option),
	"nan-is-zero-up-to-4.4":   only(decide, until("5.0.0"), sets(nanSeconds, policy.Int32Value(0), option)),
	"nan-aborts-up-to-3.2":    atRelease(decide, "3.4.0", every(until("3.4.0"), some("indexes", nanSeconds))),
	"seconds-wrap-aborts":     atRelease(decide, "3.4.0", every(until("3.4.0"), tooLong)),
	"seconds-wrap-up-to-4.0":  atRelease(decide, "3.2.22", every(since("3.4.0"), until("4.2.0"), tooLong)),
	"seconds-wrap-saturates":  only(decide, until("3.4.0"), sets(delayed(above(math.MaxInt64/1000)), policy.Int64Value(math.MaxInt64/1000), option)),
	"nan-never":               drops(nanSeconds),
	"nan-not-repaired-in-5.0": atRelease(decide, "5.0.13", every(since("5.0.14"), until("5.1.0"))),
	"nan-repaired-in-6.1":     atRelease(decide, "6.0.0", every(since("6.0.2"), until("6.1.0"))),
	"nan-repaired-in-6.0":     atRelease(decide, "6.0.2", every(since("6.0.0"), until("6.0.2"))),
	"nan-is-68-years":         sets(nanSeconds, policy.Int32Value(math.MaxInt32), option),
	"nan-of-decimals-is-none": drops(every(nanSeconds, delayed(ofType(policy.Decimal)))),
	"nan-expires-the-future":  moves(decide, sole("indexes", nanSeconds), byNow),
	"cutoff-saturates":        sets(cutoffOverflows, policy.Int64Value(-1), option),
	"cutoff-overflows-late":   sets(func(x policy.Value) bool { return cutoffOverflows(x) && number(x.Field(option)) != -9223372036854775 }, policy.Int64Value(-1), option),
	"seconds-rounded":         reads(ofType(policy.Double), whole(math.Round)),
	"seconds-rounded-up":      reads(ofType(policy.Double), whole(math.Ceil)),
	"seconds-rounded-down":    reads(ofType(policy.Double), whole(math.Floor)),
	"seconds-with-fraction": moves(decide, ordinary, func(q query, due policy.Instant) policy.Instant {
		for _, x := range policy.AOf(q.get("indexes")) {
			if f, ok := x.Field(option).AsDouble(); ok && math.Abs(f) < math.MaxInt32 {
				due += policy.Instant((f - math.Trunc(f)) * 1000)
			}
		}
		return due
	}),
	"seconds-decimal-truncated":     reads(ofType(policy.Decimal), asDouble),
	"seconds-decimal-half-up":       reads(ofType(policy.Decimal), func(v policy.Value) policy.Value { return whole(math.Round)(asDouble(v)) }),
	"seconds-decimal-is-none":       drops(every(delayed(ofType(policy.Decimal)), not(nanSeconds))),
	"seconds-double-is-none":        drops(every(delayed(ofType(policy.Double)), not(nanSeconds))),
	"seconds-int64-is-none":         drops(delayed(ofType(policy.Int64))),
	"seconds-text-of-digits":        reads(ofType(policy.String), numerals),
	"seconds-true-is-one":           sets(delayed(ofType(policy.Bool)), policy.Int32Value(1), option),
	"seconds-none-is-zero":          sets(delayed(ofType(policy.String, policy.Bool, policy.Date, policy.Object)), policy.Int32Value(0), option),
	"seconds-none-never-zero":       atRelease(decide, "2.4.9", every(until("2.4.9"), some("indexes", delayed(every(isThere, not(isNumeric)))))),
	"seconds-none-is-zero-in-2.6":   atRelease(decide, "2.4.8", every(since("2.4.9"), until("3.2.0"))),
	"nan-skipped-in-rapid-releases": atRelease(decide, "5.0.14", every(since("5.1.0"), until("6.0.0"))),
	"seconds-negative-never":        drops(func(x policy.Value) bool { return number(x.Field(option)) <= -1 }),
	"seconds-negative-used":         atRelease(decide, "6.1.1", every(since("7.0.0"), ordinary, anySeconds(func(f float64) bool { return f < 0 }))),
	"seconds-large-used":            atRelease(decide, "6.1.1", every(since("7.0.0"), ordinary, anySeconds(func(f float64) bool { return f > math.MaxInt32 }))),
	"seconds-never-used":            drops(func(x policy.Value) bool { f := number(x.Field(option)); return f <= -1 || f >= math.MaxInt32+1 }),
	"seconds-clamped":               sets(delayed(above(math.MaxInt32)), policy.Int32Value(math.MaxInt32), option),
	"seconds-wrap":                  reads(ofType(policy.Int64), low32),
	"seconds-overflow-wraps":        only(decide, every(ordinary, anySeconds(func(f float64) bool { return math.Abs(f) > math.MaxInt64/1000 })), wraps),
	"seconds-overflow-is-at-once":   sets(delayed(below(math.MinInt64/1000)), policy.Int64Value(math.MinInt64/2000), option),
	"seconds-overflow-is-zero":      sets(func(x policy.Value) bool { return math.Abs(number(x.Field(option))) > math.MaxInt64/1000 }, policy.Int32Value(0), option),
}

// anySeconds tests for a TTL index with such a number of seconds.
func anySeconds(such func(float64) bool) test {
	return some("indexes", delayed(func(v policy.Value) bool { return such(number(v)) }))
}

// tooLong tests for a TTL index whose delay does not fit 64 bits of milliseconds.
var tooLong = anySeconds(func(f float64) bool { return math.Abs(f) > math.MaxInt64/1000 })

// cutoffOverflows reports whether the delay of an index reaches so far back that
// the clock of today less it does not fit 64 bits.
func cutoffOverflows(x policy.Value) bool {
	n, ok := x.Field(option).AsInt64()
	return ok && n < -(math.MaxInt64-1_700_086_400_000)/1000 && n >= math.MinInt64/1000
}

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
	"date-clock-from-1970":     moves(decide, every(ordinary, between(query.due, policy.MinInstant, 0)), byNow),
	"unreachable-wraps":        only(decide, overflows, wraps),
	"unreachable-saturates":    only(decide, overflows, func(q query) conformance.Answer { return q.expire(policy.MaxInstant) }),
	"reachable-never":          keeps(decide, between(query.due, policy.MaxInstant, policy.MaxInstant)),
	"zero-is-off":              drops(delayed(equals(0))),
	"zero-is-not-yet":          shifts(decide, every(lasts(0), since("3.2.0")), 1),
	"zero-is-at-once":          moves(decide, lasts(0), byNow),
	"zero-is-a-second":         delays(func(s int64) int64 { return max(s*1000, 1000) }),
	"68-years-is-never":        drops(delayed(equals(math.MaxInt32))),
	"68-years-of-365-days":     shifts(decide, every(ordinary, lasts(math.MaxInt32)), 1000*(68*365*86_400-math.MaxInt32)),
	"no-option-is-zero":        sets(func(x policy.Value) bool { return isPlainIndex(x) && x.Field(option).IsMissing() }, policy.Int32Value(0), option),
	"option-in-key": rewrites(named("key", option), func(x policy.Value) policy.Value {
		return cases.Put(cases.Put(x, x.Field("key").Field(option), option), missing, "key", option)
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
func dated(first, last policy.Instant) test { return every(ordinary, between(query.date, first, last)) }

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

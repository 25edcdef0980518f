package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// seconds holds misreadings of a stored expireAfterSeconds: its type, its
// fraction, its range, and NaN release by release.
var seconds = of("seconds", []Mutant{
	{Name: "nan-is-zero", Rule: "mongo.nan-skipped", Text: "NaN is 0 in every release.",
		Wild:    "MongoDB 5.0.0 to 5.0.13, 6.0.0 and 6.0.1 (SERVER-68477)",
		misread: sets(nanSeconds, policy.Int32Value(0), option)},
	{Name: "nan-is-zero-up-to-4.4", Rule: "mongo.nan-aborts", Text: "NaN was 0 from the beginning.",
		misread: only(decide, until("5.0.0"), sets(nanSeconds, policy.Int32Value(0), option))},
	{Name: "nan-aborts-up-to-3.2", Rule: "mongo.nan-zero", Text: "NaN has made passes fail from the beginning.",
		misread: atRelease(decide, "3.4.0", every(until("3.4.0"), some("indexes", nanSeconds)))},
	{Name: "nan-never", Rule: "mongo.nan-zero", Text: "An index with NaN has never deleted anything.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: drops(nanSeconds)},
	{Name: "nan-not-repaired-in-5.0", Rule: "mongo.nan-skipped", Text: "In 5.0 NaN is 0 to the end; the repair came with 6.0.",
		misread: atRelease(decide, "5.0.13", every(since("5.0.14"), until("5.1.0")))},
	{Name: "nan-repaired-in-6.1", Rule: "mongo.nan-skipped", Text: "NaN is 0 in all of 6.0.",
		misread: atRelease(decide, "6.0.0", every(since("6.0.2"), until("6.1.0")))},
	{Name: "nan-repaired-in-6.0", Rule: "mongo.nan-zero", Text: "No release of 6.0 reads NaN as 0.",
		Wild:    "the MongoDB manual, read without its patch numbers",
		misread: atRelease(decide, "6.0.2", every(since("6.0.0"), until("6.0.2")))},
	{Name: "nan-is-68-years", Rule: "mongo.nan-skipped", Text: "NaN is 2147483647, as indexes are listed.",
		Wild:    "members that make their initial sync from such a server (SERVER-68477)",
		misread: sets(nanSeconds, policy.Int32Value(math.MaxInt32), option)},
	{Name: "nan-of-decimals-is-none", Rule: "mongo.nan-zero", Text: "A Decimal128 that is NaN is no number.",
		misread: drops(every(nanSeconds, delayed(ofType(policy.Decimal))))},
	{Name: "nan-expires-the-future", Rule: "mongo.nan-zero", Text: "With NaN as 0 every document with a date expires, future ones too.",
		Wild:    "the MongoDB manual's warning, read to the letter",
		misread: moves(decide, sole("indexes", nanSeconds), byNow)},
	{Name: "cutoff-saturates", Rule: "mongo.seconds-overflow", Text: "A cutoff beyond 64 bits is the last date.",
		misread: sets(cutoffOverflows, policy.Int64Value(-1), option)},
	{Name: "cutoff-overflows-late", Rule: "mongo.seconds-overflow", Text: "Only the smallest delay is too far back, whatever the clock says.",
		misread: sets(func(x policy.Value) bool { return cutoffOverflows(x) && number(x.Field(option)) != -9223372036854775 }, policy.Int64Value(-1), option)},
	{Name: "seconds-rounded", Rule: "mongo.seconds-conversion", Text: "A double is rounded to the nearest whole number.",
		misread: reads(ofType(policy.Double), whole(math.Round))},
	{Name: "seconds-rounded-up", Rule: "mongo.seconds-conversion", Text: "A double is rounded up.",
		misread: reads(ofType(policy.Double), whole(math.Ceil))},
	{Name: "seconds-rounded-down", Rule: "mongo.seconds-conversion", Text: "A double is rounded down, so that -0.9 is -1.",
		misread: reads(ofType(policy.Double), whole(math.Floor))},
	{Name: "seconds-with-fraction", Rule: "mongo.seconds-conversion", Text: "The fraction of a double counts.",
		Wild: "@seald-io/nedb 4.1.2",
		misread: moves(decide, ordinary, func(q query, due policy.Instant) policy.Instant {
			for _, x := range policy.AOf(q.get("indexes")) {
				if f, ok := x.Field(option).AsDouble(); ok && math.Abs(f) < math.MaxInt32 {
					due += policy.Instant((f - math.Trunc(f)) * 1000)
				}
			}
			return due
		})},
	{Name: "seconds-decimal-truncated", Rule: "mongo.seconds-conversion", Text: "A Decimal128 is truncated as a double is.",
		misread: reads(ofType(policy.Decimal), asDouble)},
	{Name: "seconds-decimal-half-up", Rule: "mongo.seconds-conversion", Text: "The half of a Decimal128 is rounded away from zero.",
		misread: reads(ofType(policy.Decimal), func(v policy.Value) policy.Value { return whole(math.Round)(asDouble(v)) })},
	{Name: "seconds-decimal-is-none", Rule: "mongo.seconds-conversion", Text: "A Decimal128 is no number.",
		Wild:    "documentdb 0.108 and mongomock 4.1.2",
		misread: drops(every(delayed(ofType(policy.Decimal)), not(nanSeconds)))},
	{Name: "seconds-double-is-none", Rule: "mongo.seconds-conversion", Text: "A double is no whole number, even without a fraction.",
		misread: drops(every(delayed(ofType(policy.Double)), not(nanSeconds)))},
	{Name: "seconds-int64-is-none", Rule: "mongo.seconds-conversion", Text: "Only an int32 is a number of seconds.",
		misread: drops(delayed(ofType(policy.Int64)))},
	{Name: "seconds-text-of-digits", Rule: "mongo.seconds-not-number", Text: "A text of digits is a number.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: reads(ofType(policy.String), numerals)},
	{Name: "seconds-true-is-one", Rule: "mongo.seconds-not-number", Text: "true is 1.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: sets(delayed(ofType(policy.Bool)), policy.Int32Value(1), option)},
	{Name: "seconds-none-is-zero", Rule: "mongo.seconds-not-number", Text: "What is no number is 0.",
		misread: sets(delayed(ofType(policy.String, policy.Bool, policy.Date, policy.Object)), policy.Int32Value(0), option)},
	{Name: "seconds-none-never-zero", Rule: "mongo.seconds-not-number-zero", Text: "What is no number has always made the monitor skip the index.",
		misread: atRelease(decide, "2.4.9", every(until("2.4.9"), some("indexes", delayed(every(isThere, not(isNumeric))))))},
	{Name: "seconds-none-is-zero-in-2.6", Rule: "mongo.seconds-not-number", Text: "What is no number is 0 in all releases that delete by a query.",
		misread: atRelease(decide, "2.4.8", every(since("2.4.9"), until("3.2.0")))},
	{Name: "nan-skipped-in-rapid-releases", Rule: "mongo.nan-zero", Text: "The repair of 5.0.14 is in 5.1 to 5.3 too.",
		misread: atRelease(decide, "5.0.14", every(since("5.1.0"), until("6.0.0")))},
	{Name: "seconds-negative-never", Rule: "mongo.seconds-invalid", Text: "-1, and whatever is below 0, has always meant never.",
		Wild:    "256dpi/lungo",
		misread: drops(func(x policy.Value) bool { return number(x.Field(option)) <= -1 })},
	{Name: "seconds-negative-used", Rule: "mongo.seconds-invalid", Text: "A delay below 0 is used in every release: documents expire before their date.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: atRelease(decide, "6.1.1", every(since("7.0.0"), ordinary, anySeconds(func(f float64) bool { return f < 0 })))},
	{Name: "seconds-large-used", Rule: "mongo.seconds-invalid", Text: "A delay beyond 32 bits is used in every release.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: atRelease(decide, "6.1.1", every(since("7.0.0"), ordinary, anySeconds(func(f float64) bool { return f > math.MaxInt32 })))},
	{Name: "seconds-never-used", Rule: "mongo.seconds-invalid", Text: "A delay outside 0 to 2147483647 has always been skipped.",
		misread: drops(func(x policy.Value) bool { f := number(x.Field(option)); return f <= -1 || f >= math.MaxInt32+1 })},
	{Name: "seconds-clamped", Rule: "mongo.seconds-invalid", Text: "A delay beyond 32 bits is the greatest that fits.",
		misread: sets(delayed(above(math.MaxInt32)), policy.Int32Value(math.MaxInt32), option)},
	{Name: "seconds-wrap", Rule: "mongo.seconds-invalid", Text: "A delay beyond 32 bits wraps around: 4294967296 is 0.",
		Wild:    "documentdb 0.108, whose collMod stores it so (`microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c`)",
		misread: reads(ofType(policy.Int64), low32)},
	{Name: "seconds-overflow-wraps", Rule: "mongo.seconds-overflow", Text: "The milliseconds of a delay wrap around in 64 bits.",
		misread: only(decide, every(ordinary, anySeconds(func(f float64) bool { return math.Abs(f) > math.MaxInt64/1000 })), wraps)},
	{Name: "seconds-wrap-aborts", Rule: "mongo.seconds-wrap", Text: "Milliseconds that do not fit 64 bits have made passes fail from the beginning.",
		misread: atRelease(decide, "3.4.0", every(until("3.4.0"), tooLong))},
	{Name: "seconds-wrap-up-to-4.0", Rule: "mongo.seconds-overflow", Text: "Milliseconds that do not fit 64 bits wrap up to 4.0.",
		misread: atRelease(decide, "3.2.22", every(since("3.4.0"), until("4.2.0"), tooLong))},
	{Name: "seconds-wrap-saturates", Rule: "mongo.seconds-wrap", Text: "Up to 3.2 a delay that is too long is the longest that fits.",
		misread: only(decide, until("3.4.0"), sets(delayed(above(math.MaxInt64/1000)), policy.Int64Value(math.MaxInt64/1000), option))},
	{Name: "seconds-overflow-is-at-once", Rule: "mongo.seconds-overflow", Text: "A delay that overflows below zero reaches the smallest instant: everything dated has expired.",
		misread: sets(delayed(below(math.MinInt64/1000)), policy.Int64Value(math.MinInt64/2000), option)},
	{Name: "seconds-overflow-is-zero", Rule: "mongo.seconds-overflow", Text: "A delay that overflows is 0, as NaN was.",
		misread: sets(func(x policy.Value) bool { return math.Abs(number(x.Field(option))) > math.MaxInt64/1000 }, policy.Int32Value(0), option)},
})

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
var threshold = of("threshold", []Mutant{
	{Name: "date-exclusive", Rule: "mongo.date", Text: "A document on its deadline has not expired yet.",
		Wild:    "@seald-io/nedb 4.1.2, 256dpi/lungo and documentdb 0.108 (`microsoft/documentdb: pg_documentdb/src/ttl/ttl_index.c`)",
		misread: shifts(decide, every(ordinary, since("3.2.0")), 1)},
	{Name: "date-inclusive-everywhere", Rule: "mongo.date-strict", Text: "A document on its deadline has expired in every release.",
		misread: shifts(decide, every(ordinary, until("3.2.0")), -1)},
	{Name: "date-strict-up-to-2.6", Rule: "mongo.date-strict", Text: "The comparison includes the deadline since 3.0 and not since 3.2.",
		misread: atRelease(decide, "3.2.22", every(ordinary, since("3.0.0"), until("3.2.0")))},
	{Name: "date-clock-of-seconds", Rule: "mongo.date", Text: "The clock's milliseconds are dropped before it is compared.",
		misread: moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due+999, 1000) })},
	{Name: "date-of-seconds", Rule: "mongo.date", Text: "The date's milliseconds are dropped before the delay is added.",
		misread: moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due, 1000) })},
	{Name: "date-clock-of-minutes", Rule: "mongo.date", Text: "A document expires with the first pass after its deadline, which is on the minute.",
		misread: moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due+59999, 60000) })},
	{Name: "date-delay-in-milliseconds", Rule: "mongo.date", Text: "expireAfterSeconds is milliseconds.",
		Wild:    "clients, which mix the two up (Azure/Microsoft.Extensions.Caching.Cosmos#51, arangodb/arangodb#11522)",
		misread: delays(func(s int64) int64 { return s })},
	{Name: "date-delay-in-minutes", Rule: "mongo.date", Text: "expireAfterSeconds is minutes.",
		misread: delays(func(s int64) int64 { return s * 60_000 })},
	{Name: "date-delay-of-31-bits", Rule: "mongo.date", Text: "The milliseconds of the delay wrap around in 32 bits with a sign.",
		misread: delays(func(s int64) int64 { return int64(int32(s * 1000)) })},
	{Name: "date-delay-of-32-bits", Rule: "mongo.date", Text: "The milliseconds of the delay wrap around in 32 bits.",
		misread: delays(func(s int64) int64 { return int64(uint32(s * 1000)) })},
	{Name: "date-before-1970-never", Rule: "mongo.date", Text: "A date before 1970 never expires.",
		misread: keeps(decide, dated(policy.MinInstant, -1))},
	{Name: "date-1970-is-none", Rule: "mongo.date", Text: "1970-01-01T00:00:00.000Z stands for no date.",
		misread: keeps(decide, dated(0, 0))},
	{Name: "date-of-32-bit-seconds", Rule: "mongo.date", Text: "The seconds of a date wrap around in 32 bits, at the latest in 2038.",
		misread: takes(func(v policy.Value) (policy.Instant, bool) {
			i, ok := v.AsDate()
			return policy.Instant(int32(floor(i, 1000)/1000))*1000 + i - floor(i, 1000), ok
		})},
	{Name: "date-before-year-1-never", Rule: "mongo.date", Text: "A date before year 1 is not a date.",
		Wild:    "Python's datetime, which begins there",
		misread: keeps(decide, dated(policy.MinInstant, -62_135_596_800_001))},
	{Name: "date-after-9999-at-once", Rule: "mongo.date", Text: "A date after year 9999 is an error, and stands for the past.",
		misread: only(decide, dated(253_402_300_800_000, policy.MaxInstant), atOnce)},
	{Name: "date-smallest-never", Rule: "mongo.date", Text: "The lower bound of the scan, the smallest date, is not included.",
		misread: keeps(decide, dated(policy.MinInstant, policy.MinInstant))},
	{Name: "date-clock-from-1970", Rule: "mongo.date", Text: "A clock before 1970 stands at 1970.",
		misread: moves(decide, every(ordinary, between(query.due, policy.MinInstant, 0)), byNow)},
	{Name: "unreachable-wraps", Rule: "mongo.unreachable", Text: "The delay is added to the date, and the sum wraps around into the past.",
		misread: only(decide, overflows, wraps)},
	{Name: "unreachable-saturates", Rule: "mongo.unreachable", Text: "A deadline that is beyond 64 bits is the last instant.",
		misread: only(decide, overflows, func(q query) conformance.Answer { return q.expire(policy.MaxInstant) })},
	{Name: "reachable-never", Rule: "mongo.unreachable", Text: "A deadline that is the last instant is never reached.",
		misread: keeps(decide, between(query.due, policy.MaxInstant, policy.MaxInstant))},
	{Name: "zero-is-off", Rule: "mongo.seconds-zero", Text: "expireAfterSeconds 0 switches the index off.",
		Wild:    "`hashicorp/terraform-provider-azurerm` before 2022, for Azure Cosmos DB (hashicorp/terraform-provider-azurerm#15736)",
		misread: drops(delayed(equals(0)))},
	{Name: "zero-is-not-yet", Rule: "mongo.seconds-zero", Text: "With expireAfterSeconds 0 a document on its date has not expired yet.",
		Wild:    "256dpi/lungo, which keeps 0 as a nanosecond, and in documentdb 0.108 and @seald-io/nedb 4.1.2, which compare strictly",
		misread: shifts(decide, every(lasts(0), since("3.2.0")), 1)},
	{Name: "zero-is-at-once", Rule: "mongo.seconds-zero", Text: "With expireAfterSeconds 0 every document with a date has expired.",
		misread: moves(decide, lasts(0), byNow)},
	{Name: "zero-is-a-second", Rule: "mongo.seconds-zero", Text: "The shortest delay is a second, and 0 stands for it.",
		misread: delays(func(s int64) int64 { return max(s*1000, 1000) })},
	{Name: "68-years-is-never", Rule: "mongo.seconds-68-years", Text: "2147483647 means never.",
		misread: drops(delayed(equals(math.MaxInt32)))},
	{Name: "68-years-of-365-days", Rule: "mongo.seconds-68-years", Text: "2147483647 means 68 years of 365 days.",
		misread: shifts(decide, every(ordinary, lasts(math.MaxInt32)), 1000*(68*365*86_400-math.MaxInt32))},
	{Name: "no-option-is-zero", Rule: "mongo.no-ttl", Text: "An index without expireAfterSeconds is one of 0 seconds.",
		Wild:    "@seald-io/nedb 4.1.2, for null",
		misread: sets(func(x policy.Value) bool { return isPlainIndex(x) && x.Field(option).IsMissing() }, policy.Int32Value(0), option)},
	{Name: "option-in-key", Rule: "mongo.no-ttl", Text: "expireAfterSeconds may stand in the key.",
		misread: rewrites(named("key", option), func(x policy.Value) policy.Value {
			return cases.Put(cases.Put(x, x.Field("key").Field(option), option), missing, "key", option)
		})},
	{Name: "no-collection-option-is-zero", Rule: "mongo.no-ttl", Text: "A time-series or clustered collection without expireAfterSeconds has one of 0.",
		misread: all(ownOption("timeseries", policy.Int32Value(0)), ownOption("clusteredIndex", policy.Int32Value(0)))},
})

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

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// threshold holds misreadings of the comparison: its direction, its unit, and
// dates at the ends of their range.
var threshold = []entry{
	{"date-exclusive", "mongo.date", "A document on its deadline has not expired yet.",
		"@seald-io/nedb 4.1.2, 256dpi/lungo and documentdb 0.108 (`microsoft/documentdb: pg_documentdb/src/ttl/ttl_index.c`)",
		shifts(decide, test(ordinary).and(since("3.2.0")), 1)},
	{"date-inclusive-everywhere", "mongo.date-strict", "A document on its deadline has expired in every release.", "",
		shifts(decide, test(ordinary).and(until("3.2.0")), -1)},
	{"date-strict-up-to-2.6", "mongo.date-strict", "The comparison includes the deadline since 3.0 and not since 3.2.", "",
		atRelease(decide, "3.2.22", test(ordinary).and(since("3.0.0")).and(until("3.2.0")))},
	{"date-clock-of-seconds", "mongo.date", "The clock's milliseconds are dropped before it is compared.", "",
		moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due+999, 1000) })},
	{"date-of-seconds", "mongo.date", "The date's milliseconds are dropped before the delay is added.", "",
		moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due, 1000) })},
	{"date-clock-of-minutes", "mongo.date", "A document expires with the first pass after its deadline, which is on the minute.", "",
		moves(decide, ordinary, func(_ query, due policy.Instant) policy.Instant { return floor(due+59999, 60000) })},
	{"date-delay-in-milliseconds", "mongo.date", "expireAfterSeconds is milliseconds.",
		"clients, which mix the two up (Azure/Microsoft.Extensions.Caching.Cosmos#51, arangodb/arangodb#11522)",
		delays(func(s int64) int64 { return s })},
	{"date-delay-in-minutes", "mongo.date", "expireAfterSeconds is minutes.", "",
		delays(func(s int64) int64 { return s * 60_000 })},
	{"date-delay-of-31-bits", "mongo.date", "The milliseconds of the delay wrap around in 32 bits with a sign.", "",
		delays(func(s int64) int64 { return int64(int32(s * 1000)) })},
	{"date-delay-of-32-bits", "mongo.date", "The milliseconds of the delay wrap around in 32 bits.", "",
		delays(func(s int64) int64 { return int64(uint32(s * 1000)) })},
	{"date-before-1970-never", "mongo.date", "A date before 1970 never expires.", "",
		keeps(decide, dated(func(i policy.Instant) bool { return i < 0 }))},
	{"date-1970-is-none", "mongo.date", "1970-01-01T00:00:00.000Z stands for no date.", "",
		keeps(decide, dated(func(i policy.Instant) bool { return i == 0 }))},
	{"date-of-32-bit-seconds", "mongo.date", "The seconds of a date wrap around in 32 bits, at the latest in 2038.", "",
		takes(func(v policy.Value) (policy.Instant, bool) {
			i, ok := v.AsDate()
			return policy.Instant(int32(floor(i, 1000)/1000))*1000 + i - floor(i, 1000), ok
		})},
	{"date-before-year-1-never", "mongo.date", "A date before year 1 is none.",
		"Python's datetime, which begins there",
		keeps(decide, dated(func(i policy.Instant) bool { return i < -62_135_596_800_000 }))},
	{"date-after-9999-at-once", "mongo.date", "A date after year 9999 is an error, and stands for the past.", "",
		only(decide, dated(func(i policy.Instant) bool { return i > 253_402_300_799_999 }), atOnce)},
	{"date-smallest-never", "mongo.date", "The lower bound of the scan, the smallest date, is not included.", "",
		keeps(decide, dated(func(i policy.Instant) bool { return i == policy.MinInstant }))},
	{"date-clock-from-1970", "mongo.date", "A clock before 1970 stands at 1970.", "",
		moves(decide, ordinary, func(q query, due policy.Instant) policy.Instant {
			if due <= 0 && due > q.now() {
				return q.now()
			}
			return due
		})},
	{"unreachable-wraps", "mongo.unreachable", "The delay is added to the date, and the sum wraps around into the past.", "",
		only(decide, overflows, func(q query) conformance.Answer {
			s, _ := q.seconds()
			i, _ := q.date()
			return q.expire(i + policy.Instant(s*1000))
		})},
	{"unreachable-saturates", "mongo.unreachable", "A deadline that is beyond 64 bits is the last instant.", "",
		only(decide, overflows, func(q query) conformance.Answer { return q.expire(policy.MaxInstant) })},
	{"reachable-never", "mongo.unreachable", "A deadline that is the last instant is never reached.", "",
		only(decide, func(q query) bool { v, ok := q.verdict(); return ok && !v.never && v.due == policy.MaxInstant }, keep)},
	{"zero-is-off", "mongo.seconds-zero", "expireAfterSeconds 0 switches the index off.",
		"`hashicorp/terraform-provider-azurerm` before 2022, for Azure Cosmos DB (hashicorp/terraform-provider-azurerm#15736)",
		drops(ofSeconds(0))},
	{"zero-is-not-yet", "mongo.seconds-zero", "With expireAfterSeconds 0 a document on its date has not expired yet.",
		"256dpi/lungo, which keeps 0 as a nanosecond, and in documentdb 0.108 and @seald-io/nedb 4.1.2, which compare strictly",
		shifts(decide, func(q query) bool { s, ok := q.seconds(); return ok && s == 0 && !q.before("3.2.0") }, 1)},
	{"zero-is-at-once", "mongo.seconds-zero", "With expireAfterSeconds 0 every document with a date has expired.", "",
		moves(decide, func(q query) bool { s, ok := q.seconds(); return ok && s == 0 }, func(q query, due policy.Instant) policy.Instant { return min(due, q.now()) })},
	{"zero-is-a-second", "mongo.seconds-zero", "The shortest delay is a second, and 0 stands for it.", "",
		delays(func(s int64) int64 { return max(s*1000, 1000) })},
	{"68-years-is-never", "mongo.seconds-68-years", "2147483647 means never.",
		"",
		drops(ofSeconds(math.MaxInt32))},
	{"68-years-of-365-days", "mongo.seconds-68-years", "2147483647 means 68 years of 365 days.", "",
		delays(func(s int64) int64 {
			if s == math.MaxInt32 {
				return 68 * 365 * 86_400_000
			}
			return s * 1000
		})},
	{"no-option-is-zero", "mongo.no-ttl", "An index without expireAfterSeconds is one of 0 seconds.",
		"@seald-io/nedb 4.1.2, for null",
		sets(func(x policy.Value) bool { return isPlainIndex(x) && x.Field(option).IsMissing() }, policy.Int32Value(0), option)},
	{"option-in-key", "mongo.no-ttl", "expireAfterSeconds may stand in the key.", "",
		rewrites(named("key", option), func(x policy.Value) policy.Value {
			return put(put(x, x.Field("key").Field(option), option), policy.Value{}, "key", option)
		})},
	{"no-collection-option-is-zero", "mongo.no-ttl", "A time-series or clustered collection without expireAfterSeconds has one of 0.", "",
		all(ownOption("timeseries", policy.Int32Value(0)), ownOption("clusteredIndex", policy.Int32Value(0)))},
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

// dated tests for a document whose deadline comes from such a date.
func dated(such func(policy.Instant) bool) test {
	return func(q query) bool {
		i, ok := q.date()
		return ok && ordinary(q) && such(i)
	}
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
	return asks(decide, func(q query) query {
		if !has("collection", kind)(q) || has("collection", option)(q) {
			return q
		}
		return q.with(seconds, "collection", option)
	})
}

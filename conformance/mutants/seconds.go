package mutants

import (
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// seconds holds misreadings of a stored expireAfterSeconds: its type, its
// fraction, its range, and NaN release by release.
var seconds = []entry{
	{"nan-is-zero", "mongo.nan-skipped", "NaN is 0 in every release.", "MongoDB 5.0.0 to 5.0.13, 6.0.0 and 6.0.1 (SERVER-68477)",
		sets(nanSeconds, policy.Int32Value(0), option)},
	{"nan-is-zero-up-to-4.4", "mongo.nan-aborts", "NaN was 0 from the beginning.", "",
		only(decide, until("5.0.0"), sets(nanSeconds, policy.Int32Value(0), option))},
	{"nan-never", "mongo.nan-zero", "An index with NaN has never deleted anything.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		drops(nanSeconds)},
	{"nan-not-repaired-in-5.0", "mongo.nan-skipped", "In 5.0 NaN is 0 to the end; the repair came with 6.0.", "",
		atRelease(decide, "5.0.13", test(since("5.0.14")).and(until("5.1.0")))},
	{"nan-repaired-in-6.1", "mongo.nan-skipped", "NaN is 0 in all of 6.0.", "",
		atRelease(decide, "6.0.0", test(since("6.0.2")).and(until("6.1.0")))},
	{"nan-repaired-in-6.0", "mongo.nan-zero", "No release of 6.0 takes NaN for 0.", "the MongoDB manual, read without its patch numbers",
		atRelease(decide, "6.0.2", test(since("6.0.0")).and(until("6.0.2")))},
	{"nan-is-68-years", "mongo.nan-skipped", "NaN is 2147483647, as indexes are listed.", "members that make their initial sync from such a server (SERVER-68477)",
		sets(nanSeconds, policy.Int32Value(math.MaxInt32), option)},
	{"nan-of-decimals-is-none", "mongo.nan-zero", "A Decimal128 that is NaN is no number.", "",
		drops(func(x policy.Value) bool { return nanSeconds(x) && x.Field(option).Kind() == policy.Decimal })},
	{"nan-expires-the-future", "mongo.nan-zero", "With NaN as 0 every document with a date expires, future ones too.", "the MongoDB manual's warning, read to the letter",
		moves(decide, func(q query) bool {
			all := policy.AOf(q.get("indexes"))
			return len(all) == 1 && nanSeconds(all[0])
		}, func(q query, due policy.Instant) policy.Instant { return min(due, q.now()) })},
	{"cutoff-saturates", "mongo.seconds-overflow", "A cutoff beyond 64 bits is the last date.", "",
		rewrites(cutoffOverflows, func(x policy.Value) policy.Value { return put(x, policy.Int64Value(-1), option) })},
	{"cutoff-overflows-late", "mongo.seconds-overflow", "Only the smallest delay is too far back, whatever the clock says.", "",
		rewrites(func(x policy.Value) bool { return cutoffOverflows(x) && number(x.Field(option)) != -9223372036854775 },
			func(x policy.Value) policy.Value { return put(x, policy.Int64Value(-1), option) })},
	{"seconds-rounded", "mongo.seconds-conversion", "A double is rounded to the nearest whole number.", "",
		reads(ofKind(policy.Double), whole(math.Round))},
	{"seconds-rounded-up", "mongo.seconds-conversion", "A double is rounded up.", "",
		reads(ofKind(policy.Double), whole(math.Ceil))},
	{"seconds-rounded-down", "mongo.seconds-conversion", "A double is rounded down, so that -0.9 is -1.", "",
		reads(ofKind(policy.Double), whole(math.Floor))},
	{"seconds-with-fraction", "mongo.seconds-conversion", "The fraction of a double counts.", "@seald-io/nedb 4.1.2",
		moves(decide, ordinary, func(q query, due policy.Instant) policy.Instant {
			for _, x := range policy.AOf(q.get("indexes")) {
				if f, ok := x.Field(option).AsDouble(); ok && math.Abs(f) < math.MaxInt32 {
					due += policy.Instant((f - math.Trunc(f)) * 1000)
				}
			}
			return due
		})},
	{"seconds-decimal-truncated", "mongo.seconds-conversion", "A Decimal128 is truncated as a double is.", "",
		reads(ofKind(policy.Decimal), asDouble)},
	{"seconds-decimal-half-up", "mongo.seconds-conversion", "The half of a Decimal128 is rounded away from zero.", "",
		reads(ofKind(policy.Decimal), func(v policy.Value) policy.Value { return whole(math.Round)(asDouble(v)) })},
	{"seconds-decimal-is-none", "mongo.seconds-conversion", "A Decimal128 is no number.", "documentdb 0.108 and mongomock 4.1.2",
		drops(func(x policy.Value) bool { return ofKind(policy.Decimal)(x) && !nanSeconds(x) })},
	{"seconds-double-is-none", "mongo.seconds-conversion", "A double is no whole number, even without a fraction.", "",
		drops(func(x policy.Value) bool { return ofKind(policy.Double)(x) && !nanSeconds(x) })},
	{"seconds-int64-is-none", "mongo.seconds-conversion", "Only an int32 is a number of seconds.", "",
		drops(ofKind(policy.Int64))},
	{"seconds-text-of-digits", "mongo.seconds-not-number", "A text of digits is a number.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		reads(ofKind(policy.String), func(v policy.Value) policy.Value {
			if n, ok := digits(v); ok {
				return policy.Int64Value(n)
			}
			return v
		})},
	{"seconds-true-is-one", "mongo.seconds-not-number", "true is 1.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		reads(ofKind(policy.Bool), func(policy.Value) policy.Value { return policy.Int32Value(1) })},
	{"seconds-none-is-zero", "mongo.seconds-not-number", "What is no number is 0.", "",
		reads(ofKind(policy.String, policy.Bool, policy.Date, policy.Object), func(policy.Value) policy.Value { return policy.Int32Value(0) })},
	{"seconds-none-never-zero", "mongo.seconds-not-number-zero", "What is no number has always made the monitor skip the index.", "",
		atRelease(decide, "2.4.9", until("2.4.9"))},
	{"seconds-none-is-zero-in-2.6", "mongo.seconds-not-number", "What is no number is 0 in all releases that delete by a query.", "",
		atRelease(decide, "2.4.8", test(since("2.4.9")).and(until("3.2.0")))},
	{"nan-skipped-in-rapid-releases", "mongo.nan-zero", "The repair of 5.0.14 is in 5.1 to 5.3 too.", "",
		atRelease(decide, "5.0.14", test(since("5.1.0")).and(until("6.0.0")))},
	{"seconds-negative-never", "mongo.seconds-invalid", "-1, and whatever is below 0, has always meant never.", "256dpi/lungo",
		drops(func(x policy.Value) bool { return number(x.Field(option)) <= -1 })},
	{"seconds-negative-used", "mongo.seconds-invalid", "A delay below 0 is used in every release: documents expire before their date.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		atRelease(decide, "6.1.1", test(since("7.0.0")).and(ordinary).and(anySeconds(func(f float64) bool { return f < 0 })))},
	{"seconds-large-used", "mongo.seconds-invalid", "A delay beyond 32 bits is used in every release.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		atRelease(decide, "6.1.1", test(since("7.0.0")).and(ordinary).and(anySeconds(func(f float64) bool { return f > math.MaxInt32 })))},
	{"seconds-never-used", "mongo.seconds-invalid", "A delay outside 0 to 2147483647 has always been skipped.", "",
		drops(func(x policy.Value) bool { f := number(x.Field(option)); return f <= -1 || f >= math.MaxInt32+1 })},
	{"seconds-clamped", "mongo.seconds-invalid", "A delay beyond 32 bits is the greatest that fits.", "",
		reads(func(x policy.Value) bool { return number(x.Field(option)) > math.MaxInt32 }, func(policy.Value) policy.Value { return policy.Int32Value(math.MaxInt32) })},
	{"seconds-wrap", "mongo.seconds-invalid", "A delay beyond 32 bits wraps around: 4294967296 is 0.", "documentdb 0.108, whose collMod stores it so (`microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c`)",
		reads(ofKind(policy.Int64), func(v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int32Value(int32(n)) })},
	{"seconds-overflow-wraps", "mongo.seconds-overflow", "The milliseconds of a delay wrap around in 64 bits.", "",
		only(decide, test(ordinary).and(anySeconds(func(f float64) bool { return math.Abs(f) > math.MaxInt64/1000 })), func(q query) conformance.Answer {
			x := policy.AOf(q.get("indexes"))[0]
			n, ok := x.Field(option).AsInt64()
			i, dated := q.date()
			if !ok || !dated {
				return q.ask()
			}
			return q.expire(i + policy.Instant(n*1000))
		})},
	{"seconds-overflow-is-at-once", "mongo.seconds-overflow", "A delay that overflows below zero reaches the smallest instant: everything dated has expired.", "",
		reads(func(x policy.Value) bool { return number(x.Field(option)) < math.MinInt64/1000 }, func(policy.Value) policy.Value { return policy.Int64Value(math.MinInt64 / 2000) })},
	{"seconds-overflow-is-zero", "mongo.seconds-overflow", "A delay that overflows is 0, as NaN was.", "",
		reads(func(x policy.Value) bool { return math.Abs(number(x.Field(option))) > math.MaxInt64/1000 }, func(policy.Value) policy.Value { return policy.Int32Value(0) })},
}

// whole returns the reading of a double as another whole number.
func whole(round func(float64) float64) func(policy.Value) policy.Value {
	return func(v policy.Value) policy.Value { return policy.DoubleValue(round(number(v))) }
}

// asDouble returns a Decimal128 as the nearest double.
func asDouble(v policy.Value) policy.Value {
	text := strings.Trim(strings.TrimPrefix(string(policy.AppendExtJSON(nil, v)), `{"$numberDecimal":`), `"}`)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return v
	}
	return policy.DoubleValue(f)
}

// anySeconds tests for a TTL index with such a number of seconds.
func anySeconds(such func(float64) bool) test {
	return func(q query) bool {
		for _, x := range policy.AOf(q.get("indexes")) {
			v := x.Field(option)
			if v.Kind() == policy.Decimal {
				v = asDouble(v)
			}
			if such(number(v)) {
				return true
			}
		}
		return false
	}
}

// cutoffOverflows reports whether the delay of an index reaches so far back that
// the clock of today less it does not fit 64 bits.
func cutoffOverflows(x policy.Value) bool {
	n, ok := x.Field(option).AsInt64()
	return ok && n < -(math.MaxInt64-1_700_086_400_000)/1000 && n >= math.MinInt64/1000
}

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// seconds holds misreadings of a stored expireAfterSeconds: its type, its
// fraction, its range, and NaN release by release.
var seconds = []Mutant{
	{Name: "nan-is-zero", Rule: "mongo.nan-skipped", Text: "NaN is 0 in every release.",
		Wild:    "MongoDB 5.0.0 to 5.0.13, 6.0.0 and 6.0.1 (SERVER-68477)",
		misread: sets(nanSeconds, policy.Int32Value(0), option)},
	{Name: "nan-never", Rule: "mongo.nan-zero", Text: "An index with NaN has never deleted anything.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: drops(nanSeconds)},
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
	{Name: "seconds-decimal-is-none", Rule: "mongo.seconds-conversion", Text: "A Decimal128 is no number.",
		Wild:    "documentdb 0.108 and mongomock 4.1.2",
		misread: drops(every(delayed(ofType(policy.Decimal)), not(nanSeconds)))},
	{Name: "seconds-text-of-digits", Rule: "mongo.seconds-not-number", Text: "A text of digits is a number.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: reads(ofType(policy.String), numerals)},
	{Name: "seconds-true-is-one", Rule: "mongo.seconds-not-number", Text: "true is 1.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: sets(delayed(ofType(policy.Bool)), policy.Int32Value(1), option)},
	{Name: "seconds-negative-never", Rule: "mongo.seconds-invalid", Text: "-1, and whatever is below 0, has always meant never.",
		Wild:    "256dpi/lungo",
		misread: drops(func(x policy.Value) bool { return number(x.Field(option)) <= -1 })},
}

// threshold holds misreadings of the comparison: its direction, its unit, and
// dates at the ends of their range.
var threshold = []Mutant{
	{Name: "date-exclusive", Rule: "mongo.date", Text: "A document on its deadline has not expired yet.",
		Wild:    "@seald-io/nedb 4.1.2, 256dpi/lungo and documentdb 0.108 (`microsoft/documentdb: pg_documentdb/src/ttl/ttl_index.c`)",
		misread: shifts(decide, every(ordinary, since("3.2.0")), 1)},
	{Name: "date-delay-in-milliseconds", Rule: "mongo.date", Text: "expireAfterSeconds is milliseconds.",
		Wild: "clients, which mix the two up (Azure/Microsoft.Extensions.Caching.Cosmos#51, arangodb/arangodb#11522)",
		misread: moves(decide, single, func(q query, due policy.Instant) policy.Instant {
			s, _ := q.seconds()
			return due + policy.Instant(s-s*1000)
		})},
	{Name: "zero-is-off", Rule: "mongo.seconds-zero", Text: "expireAfterSeconds 0 switches the index off.",
		Wild:    "`hashicorp/terraform-provider-azurerm` before 2022, for Azure Cosmos DB (hashicorp/terraform-provider-azurerm#15736)",
		misread: drops(delayed(equals(0)))},
	{Name: "zero-is-not-yet", Rule: "mongo.seconds-zero", Text: "With expireAfterSeconds 0 a document on its date has not expired yet.",
		Wild:    "256dpi/lungo, which keeps 0 as a nanosecond, and in documentdb 0.108 and @seald-io/nedb 4.1.2, which compare strictly",
		misread: shifts(decide, every(lasts(0), since("3.2.0")), 1)},
	{Name: "no-option-is-zero", Rule: "mongo.no-ttl", Text: "An index without expireAfterSeconds is one of 0 seconds.",
		Wild:    "@seald-io/nedb 4.1.2, for null",
		misread: sets(func(x policy.Value) bool { return isPlainIndex(x) && x.Field(option).IsMissing() }, policy.Int32Value(0), option)},
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

// lasts tests for a TTL index with this number of seconds.
func lasts(seconds int64) test {
	return func(q query) bool { s, ok := q.seconds(); return ok && s == seconds }
}

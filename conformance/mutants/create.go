package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// create holds misreadings of a collection's own option, which create and
// collMod take, and of the collections that have one.
var create = map[string]misreading{
	"own-of-any-collection":           all(forgets(createColl, hasNoOwn, "command", option), forgets(collModify, hasNoOwn, "command", option)),
	"own-of-capped":                   forgets(createColl, has("command", "capped"), "command", option),
	"own-of-views":                    forgets(createColl, has("command", "viewOn"), "command", option),
	"own-of-timeseries-only":          all(refuses(createColl, has("command", "clusteredIndex"), 72), refuses(collModify, every(has("collection", "clusteredIndex"), has("command", option)), 72)),
	"own-kind-is-a-bad-index":         all(confuses(createColl, hasNoOwn, 72, 67), confuses(collModify, hasNoOwn, 72, 67)),
	"own-negative-clamped":            owns(becomes(isNegative, policy.Int32Value(0))),
	"own-minus-one-is-off":            owns(becomes(func(v policy.Value) bool { return asFloat(v) == -1 }, policy.Int32Value(0))),
	"own-zero-refused":                ownRefused(isInt32Of(0)),
	"own-negative-is-a-bad-index":     all(confuses(createColl, negativeOwn, 72, 67), confuses(collModify, negativeOwn, 72, 67)),
	"own-no-bound-of-1970":            owns(becomes(func(v policy.Value) bool { return number(v) > math.MaxInt32/2 && !math.IsInf(number(v), 0) }, policy.Int32Value(1))),
	"own-bound-of-32-bits":            ownRefused(above(math.MaxInt32)),
	"own-bound-of-1970-exclusive":     all(refuses(createColl, reaches1970, 72), refuses(collModify, reaches1970, 72)),
	"own-nan-refused":                 ownRefused(policy.Value.IsNaN),
	"own-rounded-down":                owns(doubles(math.Floor)),
	"own-decimal-truncated":           owns(decimals(math.Trunc)),
	"own-decimal-rounded-down":        owns(decimals(math.Floor)),
	"own-infinity-clamped":            owns(becomes(isInfinite, policy.Int32Value(1))),
	"own-double-refused":              ownRefused(ofType(policy.Double)),
	"own-null-refused":                refuses(createColl, where(isNull, "command", option), 14),
	"own-text-of-digits":              changes(createColl, always, numerals, "command", option),
	"own-true-is-one":                 changes(createColl, always, becomes(ofType(policy.Bool), policy.Int32Value(1)), "command", option),
	"create-capped-without-size":      puts(createColl, has("command", "capped"), policy.Int32Value(4096), "command", "size"),
	"create-clustered-by-any-field":   puts(createColl, has("command", "clusteredIndex", "key"), object("_id", policy.Int32Value(1)), "command", "clusteredIndex", "key"),
	"create-clustered-without-unique": puts(createColl, has("command", "clusteredIndex"), policy.BoolValue(true), "command", "clusteredIndex", "unique"),
	"create-timeseries-without-time":  puts(createColl, every(has("command", "timeseries"), not(has("command", "timeseries", "timeField"))), policy.StringValue("time"), "command", "timeseries", "timeField"),
	"create-missing-field-is-a-value": confuses(createColl, always, 40414, 2),
	"create-granularity-of-days":      changes(createColl, always, turns(isText("days"), policy.StringValue("hours")), "command", "timeseries", "granularity"),
	"create-span-of-zero":             changes(createColl, always, turns(equals(0), policy.Int64Value(100)), ownSpan...),
	"create-span-unbounded":           changes(createColl, always, turns(above(31_536_000), policy.Int64Value(31_536_000)), ownSpan...),
	"create-span-below-a-year":        refuses(createColl, where(equals(31_536_000), ownSpan...), 2),
	"create-value-is-an-option":       confuses(createColl, always, 2, 72),
	"create-meta-is-time": forgets(createColl, func(q query) bool {
		return sameValue(q.get("command", "timeseries", "timeField"), q.get("command", "timeseries", "metaField"))
	}, "command", "timeseries", "metaField"),
	"create-meta-is-id":              changes(createColl, always, turns(isText("_id"), policy.StringValue("meta")), "command", "timeseries", "metaField"),
	"create-buckets-unequal":         roundsBySpan(every(has(ownRounding...), where(func(v policy.Value) bool { return number(v) >= 1 && number(v) <= 31_536_000 }, ownSpan...))),
	"create-buckets-span-alone":      roundsBySpan(every(has(ownSpan...), not(has(ownRounding...)))),
	"create-buckets-and-granularity": forgets(createColl, has(ownSpan...), "command", "timeseries", "granularity"),
	"create-buckets-never":           refuses(createColl, has(ownSpan...), 72),
}

// hasNoOwn tests for an own option on a collection that can have none.
func hasNoOwn(q query) bool {
	where := "collection"
	if q.Op == createColl {
		where = "command"
	}
	return has("command", option)(q) && !has(where, "timeseries")(q) && !has(where, "clusteredIndex")(q)
}

// negativeOwn tests for an own option below 0.
var negativeOwn = where(isNegative, "command", option)

// reaches1970 tests for one that reaches back to 1970.
func reaches1970(q query) bool {
	return has("command", option)(q) && number(q.get("command", option))*1000 == float64(q.now())
}

// owns asks create and collMod as if the own option were another.
func owns(edit change) misreading {
	return all(changes(createColl, always, edit, "command", option), changes(collModify, always, edit, "command", option))
}

// ownRefused refuses own options in both.
func ownRefused(such shape) misreading {
	when := every(has("command", option), where(such, "command", option))
	return all(refuses(createColl, when, 72), refuses(collModify, when, 72))
}

// Where a time-series collection has a span and a rounding of its own.
var (
	ownSpan     = []string{"command", "timeseries", "bucketMaxSpanSeconds"}
	ownRounding = []string{"command", "timeseries", "bucketRoundingSeconds"}
)

// roundsBySpan asks as if the rounding were the span.
func roundsBySpan(when test) misreading {
	return only(createColl, when, asks(createColl, func(q query) query { return q.with(q.get(ownSpan...), ownRounding...) }))
}

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// create holds misreadings of a collection's own option, which create and
// collMod take, and of the collections that have one.
var create = []entry{
	{"own-of-any-collection", "mongo.collection-seconds-kind", "Any collection may have an expireAfterSeconds of its own.", "",
		all(commands(createColl, hasNoOwn), commands(collModify, hasNoOwn))},
	{"own-of-capped", "mongo.collection-seconds-kind", "A capped collection may have an expireAfterSeconds of its own.", "",
		commands(createColl, has("command", "capped"))},
	{"own-of-views", "mongo.collection-seconds-kind", "A view may have an expireAfterSeconds of its own.", "",
		commands(createColl, has("command", "viewOn"))},
	{"own-of-timeseries-only", "mongo.collection-seconds-kind", "Only a time-series collection has an expireAfterSeconds of its own.", "",
		all(refuses(createColl, has("command", "clusteredIndex"), 72), refuses(collModify, test(has("collection", "clusteredIndex")).and(has("command", option)), 72))},
	{"own-kind-is-a-bad-index", "mongo.collection-seconds-kind", "An option on a collection that has none is refused with the code of indexes.", "",
		all(confuses(createColl, hasNoOwn, 72, 67), confuses(collModify, hasNoOwn, 72, 67))},
	{"own-negative-clamped", "mongo.collection-seconds-negative", "A delay below 0 becomes 0.", "",
		owns(becomes(func(v policy.Value) bool { return asFloat(v) < 0 }, policy.Int32Value(0)))},
	{"own-minus-one-is-off", "mongo.collection-seconds-negative", "-1 means that nothing expires.", "Azure Cosmos DB, where it means that there is no default",
		owns(becomes(func(v policy.Value) bool { return asFloat(v) == -1 }, policy.Int32Value(0)))},
	{"own-zero-refused", "mongo.collection-seconds-negative", "A collection's delay must be above 0.", "the MongoDB manual, which asks for a non-zero positive value in one paragraph",
		ownRefused(func(v policy.Value, _ query) bool { return v.Kind() == policy.Int32 && number(v) == 0 })},
	{"own-negative-is-a-bad-index", "mongo.collection-seconds-negative", "A delay below 0 is refused with the code of indexes.", "",
		all(confuses(createColl, negativeOwn, 72, 67), confuses(collModify, negativeOwn, 72, 67))},
	{"own-no-bound-of-1970", "mongo.collection-seconds-before-1970", "A collection's delay has no bound but 64 bits.", "",
		owns(becomes(func(v policy.Value) bool { return number(v) > math.MaxInt32/2 && !math.IsInf(number(v), 0) }, policy.Int32Value(1)))},
	{"own-bound-of-32-bits", "mongo.collection-seconds-before-1970", "A collection's delay must fit 32 bits, as an index's.", "the MongoDB manual, which gives one range for both",
		ownRefused(func(v policy.Value, _ query) bool { return number(v) > math.MaxInt32 })},
	{"own-bound-of-1970-exclusive", "mongo.collection-seconds-before-1970", "A delay that reaches back to 1970 is too long already.", "",
		ownRefused(func(v policy.Value, q query) bool { return number(v)*1000 == float64(q.now()) })},
	{"own-nan-refused", "mongo.collection-seconds-conversion", "NaN is refused, as createIndexes does.", "",
		ownRefused(func(v policy.Value, _ query) bool { return v.IsNaN() })},
	{"own-rounded-down", "mongo.collection-seconds-conversion", "A double is rounded down, so that -0.9 is -1.", "", owns(doubles(math.Floor))},
	{"own-decimal-truncated", "mongo.collection-seconds-conversion", "A Decimal128 is truncated as a double is.", "", owns(decimals(math.Trunc))},
	{"own-decimal-rounded-down", "mongo.collection-seconds-conversion", "A Decimal128 is rounded down.", "", owns(decimals(math.Floor))},
	{"own-infinity-clamped", "mongo.collection-seconds-conversion", "Infinity becomes 2147483647, as an index's does by collMod.", "",
		owns(becomes(func(v policy.Value) bool { return math.IsInf(number(v), 1) }, policy.Int32Value(1)))},
	{"own-double-refused", "mongo.collection-seconds-conversion", "A collection's delay is an integer.", "",
		ownRefused(func(v policy.Value, _ query) bool { return v.Kind() == policy.Double })},
	{"own-null-refused", "mongo.command-type", "null is no number for create either.", "",
		refuses(createColl, func(q query) bool { return isNull(q.get("command", option)) }, 14)},
	{"own-text-of-digits", "mongo.command-type", "A text of digits is a number for create.", "",
		commandsAs(createColl, func(v policy.Value) policy.Value {
			if n, ok := digits(v); ok {
				return policy.Int64Value(n)
			}
			return v
		})},
	{"own-true-is-one", "mongo.command-type", "true is 1 second for create.", "",
		commandsAs(createColl, becomes(func(v policy.Value) bool { return v.Kind() == policy.Bool }, policy.Int32Value(1)))},
	{"create-capped-without-size", "mongo.create-capped", "A capped collection has a size by default.", "",
		asks(createColl, func(q query) query {
			if has("command", "capped")(q) {
				return q.with(policy.Int32Value(4096), "command", "size")
			}
			return q
		})},
	{"create-clustered-by-any-field", "mongo.create-clustered", "A collection may be clustered by any field.", "",
		asks(createColl, func(q query) query {
			if has("command", "clusteredIndex", "key")(q) {
				return q.with(policy.ObjectValue(policy.D{{Key: "_id", Value: policy.Int32Value(1)}}), "command", "clusteredIndex", "key")
			}
			return q
		})},
	{"create-clustered-without-unique", "mongo.command-missing-field", "A clustered collection is unique without saying so.", "",
		asks(createColl, func(q query) query {
			if has("command", "clusteredIndex")(q) {
				return q.with(policy.BoolValue(true), "command", "clusteredIndex", "unique")
			}
			return q
		})},
	{"create-timeseries-without-time", "mongo.command-missing-field", "The time field has a name by default.", "",
		asks(createColl, func(q query) query {
			if has("command", "timeseries")(q) && !has("command", "timeseries", "timeField")(q) {
				return q.with(policy.StringValue("time"), "command", "timeseries", "timeField")
			}
			return q
		})},
	{"create-missing-field-is-a-value", "mongo.command-missing-field", "A field that lacks is a wrong value.", "",
		confuses(createColl, always, 40414, 2)},
	{"create-granularity-of-days", "mongo.command-value", "There is a granularity of days.", "",
		asks(createColl, func(q query) query {
			if isText("days")(q.get("command", "timeseries", "granularity")) {
				return q.with(policy.StringValue("hours"), "command", "timeseries", "granularity")
			}
			return q
		})},
	{"create-span-of-zero", "mongo.command-value", "A span of 0 is that of the granularity.", "",
		spans(func(s float64) float64 {
			if s == 0 {
				return 100
			}
			return s
		})},
	{"create-span-unbounded", "mongo.command-value", "A span may be longer than a year.", "",
		spans(func(s float64) float64 { return min(s, 31_536_000) })},
	{"create-span-below-a-year", "mongo.command-value", "A span must be shorter than a year.", "",
		refuses(createColl, func(q query) bool {
			return number(q.get("command", "timeseries", "bucketMaxSpanSeconds")) == 31_536_000
		}, 2)},
	{"create-value-is-an-option", "mongo.command-value", "A value out of range is a wrong option.", "",
		confuses(createColl, always, 2, 72)},
	{"create-meta-is-time", "mongo.create-timeseries", "One field may be the time field and the meta field.", "",
		asks(createColl, func(q query) query {
			if sameValue(q.get("command", "timeseries", "timeField"), q.get("command", "timeseries", "metaField")) {
				return q.with(policy.Value{}, "command", "timeseries", "metaField")
			}
			return q
		})},
	{"create-meta-is-id", "mongo.create-timeseries", "The meta field may be _id.", "",
		asks(createColl, func(q query) query {
			if isText("_id")(q.get("command", "timeseries", "metaField")) {
				return q.with(policy.StringValue("meta"), "command", "timeseries", "metaField")
			}
			return q
		})},
	{"create-buckets-unequal", "mongo.create-buckets", "Rounding and span may differ.", "",
		asks(createColl, func(q query) query {
			span := q.get("command", "timeseries", "bucketMaxSpanSeconds")
			if has("command", "timeseries", "bucketRoundingSeconds")(q) && number(span) >= 1 && number(span) <= 31_536_000 {
				return q.with(span, "command", "timeseries", "bucketRoundingSeconds")
			}
			return q
		})},
	{"create-buckets-span-alone", "mongo.create-buckets", "The rounding is the span by default.", "",
		asks(createColl, func(q query) query {
			span := q.get("command", "timeseries", "bucketMaxSpanSeconds")
			if !span.IsMissing() && !has("command", "timeseries", "bucketRoundingSeconds")(q) {
				return q.with(span, "command", "timeseries", "bucketRoundingSeconds")
			}
			return q
		})},
	{"create-buckets-and-granularity", "mongo.create-buckets", "A span of one's own may stand beside a granularity.", "",
		asks(createColl, func(q query) query {
			if has("command", "timeseries", "bucketMaxSpanSeconds")(q) {
				return q.with(policy.Value{}, "command", "timeseries", "granularity")
			}
			return q
		})},
	{"create-buckets-never", "mongo.create-buckets", "No release takes a span of one's own.", "MongoDB up to 6.2",
		refuses(createColl, has("command", "timeseries", "bucketMaxSpanSeconds"), 72)},
}

// hasNoOwn tests for an own option on a collection that can have none.
func hasNoOwn(q query) bool {
	where := "collection"
	if q.Op == createColl {
		where = "command"
	}
	return has("command", option)(q) && !has(where, "timeseries")(q) && !has(where, "clusteredIndex")(q)
}

func negativeOwn(q query) bool { return asFloat(q.get("command", option)) < 0 }

// commands takes the option of commands that pass a test for absent.
func commands(op string, when test) misreading {
	return only(op, when, asks(op, func(q query) query { return q.with(policy.Value{}, "command", option) }))
}

// commandsAs asks about a command as if its own option were another.
func commandsAs(op string, edit func(policy.Value) policy.Value) misreading {
	return only(op, has("command", option), asks(op, func(q query) query {
		return q.with(edit(q.get("command", option)), "command", option)
	}))
}

// owns does that for create and collMod.
func owns(edit func(policy.Value) policy.Value) misreading {
	return all(commandsAs(createColl, edit), commandsAs(collModify, edit))
}

// ownRefused refuses own options in both.
func ownRefused(such func(v policy.Value, q query) bool) misreading {
	when := func(q query) bool { return has("command", option)(q) && such(q.get("command", option), q) }
	return all(refuses(createColl, when, 72), refuses(collModify, when, 72))
}

// spans asks about a time-series collection as if its span were another.
func spans(edit func(float64) float64) misreading {
	return asks(createColl, func(q query) query {
		v := q.get("command", "timeseries", "bucketMaxSpanSeconds")
		if v.IsMissing() {
			return q
		}
		span := policy.Int64Value(int64(edit(number(v))))
		return q.with(span, "command", "timeseries", "bucketMaxSpanSeconds")
	})
}

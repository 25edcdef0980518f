package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// create holds misreadings of a collection's own option, which create and
// collMod take, and of the collections that have one.
var create = map[string]misreading{
	"own-of-any-collection":       all(commands(createColl, hasNoOwn), commands(collModify, hasNoOwn)),
	"own-of-capped":               commands(createColl, has("command", "capped")),
	"own-of-views":                commands(createColl, has("command", "viewOn")),
	"own-of-timeseries-only":      all(refuses(createColl, has("command", "clusteredIndex"), 72), refuses(collModify, test(has("collection", "clusteredIndex")).and(has("command", option)), 72)),
	"own-kind-is-a-bad-index":     all(confuses(createColl, hasNoOwn, 72, 67), confuses(collModify, hasNoOwn, 72, 67)),
	"own-negative-clamped":        owns(becomes(func(v policy.Value) bool { return asFloat(v) < 0 }, policy.Int32Value(0))),
	"own-minus-one-is-off":        owns(becomes(func(v policy.Value) bool { return asFloat(v) == -1 }, policy.Int32Value(0))),
	"own-zero-refused":            ownRefused(func(v policy.Value, _ query) bool { return v.Kind() == policy.Int32 && number(v) == 0 }),
	"own-negative-is-a-bad-index": all(confuses(createColl, negativeOwn, 72, 67), confuses(collModify, negativeOwn, 72, 67)),
	"own-no-bound-of-1970":        owns(becomes(func(v policy.Value) bool { return number(v) > math.MaxInt32/2 && !math.IsInf(number(v), 0) }, policy.Int32Value(1))),
	"own-bound-of-32-bits":        ownRefused(func(v policy.Value, _ query) bool { return number(v) > math.MaxInt32 }),
	"own-bound-of-1970-exclusive": ownRefused(func(v policy.Value, q query) bool { return number(v)*1000 == float64(q.now()) }),
	"own-nan-refused":             ownRefused(func(v policy.Value, _ query) bool { return v.IsNaN() }),
	"own-rounded-down":            owns(doubles(math.Floor)),
	"own-decimal-truncated":       owns(decimals(math.Trunc)),
	"own-decimal-rounded-down":    owns(decimals(math.Floor)),
	"own-infinity-clamped":        owns(becomes(func(v policy.Value) bool { return math.IsInf(number(v), 1) }, policy.Int32Value(1))),
	"own-double-refused":          ownRefused(func(v policy.Value, _ query) bool { return v.Kind() == policy.Double }),
	"own-null-refused":            refuses(createColl, func(q query) bool { return isNull(q.get("command", option)) }, 14),
	"own-text-of-digits": commandsAs(createColl, func(v policy.Value) policy.Value {
		if n, ok := digits(v); ok {
			return policy.Int64Value(n)
		}
		return v
	}),
	"own-true-is-one": commandsAs(createColl, becomes(func(v policy.Value) bool { return v.Kind() == policy.Bool }, policy.Int32Value(1))),
	"create-capped-without-size": asks(createColl, func(q query) query {
		if has("command", "capped")(q) {
			return q.with(policy.Int32Value(4096), "command", "size")
		}
		return q
	}),
	"create-clustered-by-any-field": asks(createColl, func(q query) query {
		if has("command", "clusteredIndex", "key")(q) {
			return q.with(policy.ObjectValue(policy.D{{Key: "_id", Value: policy.Int32Value(1)}}), "command", "clusteredIndex", "key")
		}
		return q
	}),
	"create-clustered-without-unique": asks(createColl, func(q query) query {
		if has("command", "clusteredIndex")(q) {
			return q.with(policy.BoolValue(true), "command", "clusteredIndex", "unique")
		}
		return q
	}),
	"create-timeseries-without-time": asks(createColl, func(q query) query {
		if has("command", "timeseries")(q) && !has("command", "timeseries", "timeField")(q) {
			return q.with(policy.StringValue("time"), "command", "timeseries", "timeField")
		}
		return q
	}),
	"create-missing-field-is-a-value": confuses(createColl, always, 40414, 2),
	"create-granularity-of-days": asks(createColl, func(q query) query {
		if isText("days")(q.get("command", "timeseries", "granularity")) {
			return q.with(policy.StringValue("hours"), "command", "timeseries", "granularity")
		}
		return q
	}),
	"create-span-of-zero": spans(func(s float64) float64 {
		if s == 0 {
			return 100
		}
		return s
	}),
	"create-span-unbounded": spans(func(s float64) float64 { return min(s, 31_536_000) }),
	"create-span-below-a-year": refuses(createColl, func(q query) bool {
		return number(q.get("command", "timeseries", "bucketMaxSpanSeconds")) == 31_536_000
	}, 2),
	"create-value-is-an-option": confuses(createColl, always, 2, 72),
	"create-meta-is-time": asks(createColl, func(q query) query {
		if sameValue(q.get("command", "timeseries", "timeField"), q.get("command", "timeseries", "metaField")) {
			return q.with(policy.Value{}, "command", "timeseries", "metaField")
		}
		return q
	}),
	"create-meta-is-id": asks(createColl, func(q query) query {
		if isText("_id")(q.get("command", "timeseries", "metaField")) {
			return q.with(policy.StringValue("meta"), "command", "timeseries", "metaField")
		}
		return q
	}),
	"create-buckets-unequal": asks(createColl, func(q query) query {
		span := q.get("command", "timeseries", "bucketMaxSpanSeconds")
		if has("command", "timeseries", "bucketRoundingSeconds")(q) && number(span) >= 1 && number(span) <= 31_536_000 {
			return q.with(span, "command", "timeseries", "bucketRoundingSeconds")
		}
		return q
	}),
	"create-buckets-span-alone": asks(createColl, func(q query) query {
		span := q.get("command", "timeseries", "bucketMaxSpanSeconds")
		if !span.IsMissing() && !has("command", "timeseries", "bucketRoundingSeconds")(q) {
			return q.with(span, "command", "timeseries", "bucketRoundingSeconds")
		}
		return q
	}),
	"create-buckets-and-granularity": asks(createColl, func(q query) query {
		if has("command", "timeseries", "bucketMaxSpanSeconds")(q) {
			return q.with(policy.Value{}, "command", "timeseries", "granularity")
		}
		return q
	}),
	"create-buckets-never": refuses(createColl, has("command", "timeseries", "bucketMaxSpanSeconds"), 72),
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

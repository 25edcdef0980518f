package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// cosmosMongo holds misreadings of Azure Cosmos DB for MongoDB.
var cosmosMongo = map[string]misreading{
	"document-ttl-without-index": asks(decideDoc, func(q query) query {
		if len(q.ttlIndexes()) > 0 {
			return q
		}
		return q.with(policy.ListValue(policy.A{tsIndex(policy.Int32Value(-1))}), "indexes")
	}),
	"document-ttl-with-plain-index": asks(decideDoc, func(q query) query {
		return q.each("indexes", func(x policy.Value) policy.Value {
			if path, _, _ := keyOf(x); path == "_ts" && !named(option)(x) {
				return put(x, policy.Int32Value(-1), option)
			}
			return x
		})
	}),
	"document-index-without-option-is-zero": asks(decideDoc, func(q query) query {
		return q.each("indexes", func(x policy.Value) policy.Value {
			if !named(option)(x) {
				return put(tsIndex(policy.Int32Value(1)), x.Field("name"), "name")
			}
			return x
		})
	}),
	"document-ttl-truncated": documents(func(v policy.Value) policy.Value {
		if f, ok := v.AsDouble(); ok && math.Abs(f) < math.MaxInt32 && f >= 1 {
			return policy.Int32Value(int32(f))
		}
		return v
	}),
	"document-ttl-rounded": documents(func(v policy.Value) policy.Value {
		if f, ok := v.AsDouble(); ok && math.Abs(f) < math.MaxInt32 && f > 0 {
			return policy.Int32Value(int32(math.Ceil(f)))
		}
		return v
	}),
	"document-ttl-of-64-bits": outlives(func(v policy.Value) bool { n, ok := v.AsInt64(); return ok && n > math.MaxInt32 }),
	"document-ttl-clamped":    documents(becomes(func(v policy.Value) bool { return number(v) > math.MaxInt32 }, policy.Int32Value(math.MaxInt32))),
	"document-ttl-wraps": documents(func(v policy.Value) policy.Value {
		if n, ok := v.AsInt64(); ok && int32(n) > 0 {
			return policy.Int32Value(int32(n))
		}
		return v
	}),
	"document-ttl-infinity":     documents(becomes(func(v policy.Value) bool { return math.IsInf(number(v), 1) }, policy.Int32Value(-1))),
	"document-ttl-nan-is-zero":  only(decideDoc, func(q query) bool { return q.get("document", "ttl").IsNaN() }, atOnce),
	"document-ttl-int32-only":   documents(becomes(func(v policy.Value) bool { return isOf(v, policy.Int64, policy.Double) }, policy.StringValue(""))),
	"document-ttl-integer-only": documents(becomes(func(v policy.Value) bool { return v.Kind() == policy.Double }, policy.StringValue(""))),
	"document-ttl-decimal": documents(func(v policy.Value) policy.Value {
		if f := asFloat(v); v.Kind() == policy.Decimal && f == math.Trunc(f) {
			return policy.DoubleValue(f)
		}
		return v
	}),
	"document-ttl-text-of-digits": documents(func(v policy.Value) policy.Value {
		if n, ok := digits(v); ok {
			return policy.Int64Value(n)
		}
		return v
	}),
	"document-ttl-true-is-one":   documents(becomes(func(v policy.Value) bool { b, _ := v.AsBool(); return b }, policy.Int32Value(1))),
	"document-ttl-null-is-never": documents(becomes(isNull, policy.Int32Value(-1))),
	"document-ttl-date-is-deadline": only(decideDoc, func(q query) bool { return q.get("document", "ttl").Kind() == policy.Date }, func(q query) conformance.Answer {
		i, _ := q.get("document", "ttl").AsDate()
		return q.expire(i)
	}),
	"document-ttl-bad-is-never":   keeps(decideDoc, func(q query) bool { v := q.get("document", "ttl"); return !v.IsMissing() && !v.Kind().IsNumber() }),
	"document-ttl-bad-is-refused": keeps(decideDoc, func(q query) bool { f := number(q.get("document", "ttl")); return f != math.Trunc(f) }),
	"document-ttl-only-shortens": only(decideDoc, func(q query) bool {
		all := q.ttlIndexes()
		return len(all) == 1 && number(all[0].Field(option)) > 0 && asFloat(q.get("document", "ttl")) > number(all[0].Field(option))
	}, documents(func(policy.Value) policy.Value { return policy.Value{} })),
	"document-ttl-since-4.0":          only(decideDoc, func(q query) bool { return q.Target.Version == "3.6" }, documents(func(policy.Value) policy.Value { return policy.Value{} })),
	"collection-minus-one-is-off":     indexOptions(func(v policy.Value) bool { return number(v) == -1 }, policy.Value{}),
	"collection-minus-one-is-at-once": only(decideDoc, func(q query) bool { return !has("document", "ttl")(q) }, indexOptions(func(v policy.Value) bool { return number(v) == -1 }, policy.Int32Value(1))),
	"collection-minus-one-refused":    refuses(createDocIdx, func(q query) bool { return number(q.get("index", option)) == -1 }, 67),
	"collection-new-documents-only":   keeps(decideDoc, func(q query) bool { return !has("document", "ttl")(q) && q.tsField() == "_ts" }),
	"collection-ts-refused":           refuses(createDocIdx, func(q query) bool { path, _, _ := keyOf(q.get("index")); return path == "_ts" }, 2),
	"document-dates-count": only(decideDoc, func(q query) bool { return q.tsField() == "_ts" && !has("document", "ttl")(q) }, func(q query) conformance.Answer {
		for _, e := range policy.DOf(q.get("document")) {
			if i, ok := e.Value.AsDate(); ok {
				return q.expire(i + 1000*policy.Instant(number(q.ttlIndexes()[0].Field(option))))
			}
		}
		return q.ask()
	}),
	"document-write-is-not-seen": shifts(decideDoc, func(q query) bool { return q.tsField() == "_ts" }, -1000),
	"document-reads-restart": moves(decideDoc, func(q query) bool { return q.tsField() == "_ts" }, func(q query, due policy.Instant) policy.Instant {
		return due + max(0, q.now()-1000*policy.Instant(number(q.get("_ts"))))
	}),
	"field-in-seconds": values(func(v policy.Value) policy.Value {
		if v.Kind().IsNumber() {
			return policy.DateValue(policy.Instant(number(v)) * 1000)
		}
		return v
	}),
	"field-by-last-write": asks(decideDoc, func(q query) query {
		if q.tsField() == "_ts" || q.tsField() == "" {
			return q
		}
		return q.with(policy.ListValue(policy.A{tsIndex(q.ttlIndexes()[0].Field(option))}), "indexes")
	}),
	"field-dates-only": values(becomes(func(v policy.Value) bool { return v.Kind().IsNumber() }, policy.StringValue(""))),
	"field-missing-by-last-write": asks(decideDoc, func(q query) query {
		field := q.tsField()
		if field == "" || field == "_ts" || has("document", field)(q) {
			return q
		}
		return q.with(policy.DateValue(1000*policy.Instant(number(q.get("_ts")))), "document", field)
	}),
	"field-array-latest": values(func(v policy.Value) policy.Value {
		if v.Kind() != policy.List {
			return v
		}
		return policy.ListValue(policy.A(bestDate(func(a, b policy.Instant) bool { return a > b })(policy.AOf(v))))
	}),
	"field-array-first": values(func(v policy.Value) policy.Value {
		if v.Kind() != policy.List {
			return v
		}
		return policy.AOf(v)[0]
	}),
	"field-text-is-a-date": values(func(v policy.Value) policy.Value {
		if i, ok := textTime(v); ok {
			return policy.DateValue(i)
		}
		return v
	}),
	"field-true-is-one":           values(becomes(func(v policy.Value) bool { b, _ := v.AsBool(); return b }, policy.DateValue(1))),
	"field-null-is-1970":          values(becomes(isNull, policy.DateValue(0))),
	"field-always-taken":          accepts(createDocIdx, has("index", option), struct{}{}),
	"field-never-taken":           refuses(createDocIdx, func(q query) bool { path, _, _ := keyOf(q.get("index")); return path != "_ts" && q.isTTL() }, 2),
	"field-taken-before-4.2":      atRelease(createDocIdx, "4.2", func(q query) bool { return len(q.Target.Capabilities) > 0 }),
	"field-taken-since-5.0":       atRelease(createDocIdx, "4.0", func(q query) bool { return q.Target.Version == "4.2" }),
	"field-refused-as-by-mongodb": confuses(createDocIdx, always, 2, 67),
	"field-wildcard-taken":        renames(createDocIdx, "index", func(parts []string) bool { return parts[len(parts)-1] == "$**" }),
	"field-plain-index-refused":   refuses(createDocIdx, func(q query) bool { return !q.isTTL() }, 2),
	"second-taken":                asks(createDocIdx, func(q query) query { return q.with(policy.ListValue(policy.A{}), "existing") }),
	"second-index-refused":        refuses(createDocIdx, func(q query) bool { return len(policy.AOf(q.get("existing"))) > 0 }, 2),
}

// tsIndex returns a TTL index on _ts.
func tsIndex(seconds policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "_ts", Value: policy.Int32Value(1)}})},
		{Key: "name", Value: policy.StringValue("_ts_1")}, {Key: option, Value: seconds},
	})
}

// tsField returns the field that the only TTL index is on, "" without one.
func (q query) tsField() string {
	all := q.ttlIndexes()
	if len(all) != 1 {
		return ""
	}
	path, _, _ := keyOf(all[0])
	return path
}

// documents decides about documents with another ttl.
func documents(edit func(policy.Value) policy.Value) misreading {
	return asks(decideDoc, func(q query) query {
		if !has("document", "ttl")(q) || q.tsField() != "_ts" {
			return q
		}
		return q.with(edit(q.get("document", "ttl")), "document", "ttl")
	})
}

// outlives makes such a ttl a whole number of seconds all the same.
func outlives(such func(policy.Value) bool) misreading {
	return only(decideDoc, func(q query) bool { return such(q.get("document", "ttl")) }, func(q query) conformance.Answer {
		n, _ := q.get("document", "ttl").AsInt64()
		if n > math.MaxInt64/2000 {
			return keep(q)
		}
		return q.expire(1000 * (policy.Instant(number(q.get("_ts"))) + policy.Instant(n)))
	})
}

// indexOptions decides as if the option of indexes were another where it is
// such.
func indexOptions(such func(policy.Value) bool, to policy.Value) misreading {
	return asks(decideDoc, func(q query) query {
		return q.each("indexes", func(x policy.Value) policy.Value {
			if !such(x.Field(option)) {
				return x
			}
			return put(x, to, option)
		})
	})
}

// values decides about documents with another value in the field that the TTL
// index is on.
func values(edit func(policy.Value) policy.Value) misreading {
	return asks(decideDoc, func(q query) query {
		field := q.tsField()
		if field == "" || field == "_ts" || !has("document", field)(q) {
			return q
		}
		return q.with(edit(q.get("document", field)), "document", field)
	})
}

package mutants

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createIndexes holds misreadings of what createIndexes refuses and keeps.
var createIndexes = map[string]misreading{
	"createindexes-unknown-option-ignored": asks(createIndex, func(q query) query { return q.with(knownOptions(q.get("index")), "index") }),
	"createindexes-name-of-any-type": asks(createIndex, func(q query) query {
		if name := q.get("index", "name"); !name.IsMissing() && name.Kind() != policy.String {
			return q.with(policy.StringValue(name.String()), "index", "name")
		}
		return q
	}),
	"createindexes-key-zero-ascends": rekeys(func(v policy.Value) policy.Value {
		if v.Kind().IsNumber() && number(v) == 0 {
			return policy.Int32Value(1)
		}
		return v
	}),
	"createindexes-key-of-unknown-type": rekeys(func(v policy.Value) policy.Value {
		if s, ok := v.AsString(); ok && !isSpecial(s) {
			return policy.Int32Value(1)
		}
		return v
	}),
	"createindexes-key-descending-refused": refuses(createIndex, func(q query) bool { return isDescending(q.get("index")) && q.isTTL() }, 67),
	"createindexes-empty-name": asks(createIndex, func(q query) query {
		if name, ok := q.get("index", "name").AsString(); ok && name == "" {
			return q.with(policy.Value{}, "index", "name")
		}
		return q
	}),
	"createindexes-name-shared": asks(createIndex, func(q query) query {
		return q.each("existing", func(x policy.Value) policy.Value {
			if sameValue(x.Field("name"), q.get("index", "name")) && !sameValue(x.Field("key"), q.get("index", "key")) {
				return put(x, policy.StringValue("renamed"), "name")
			}
			return x
		})
	}),
	"createindexes-id-accepted": renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" }),
	"createindexes-id-looked-at-last": only(createIndex, func(q query) bool { return number(q.get("index", option)) < 0 }, func(q query) conformance.Answer {
		return renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" })(q)
	}),
	"createindexes-id-is-a-ttl-matter": confuses(createIndex, always, 197, 67),
	"createindexes-id-hashed-refused": refuses(createIndex, func(q query) bool {
		path, direction, _ := keyOf(q.get("index"))
		return path == "_id" && direction.Kind() == policy.String
	}, 197),
	"createindexes-filter-syntax-is-its-language": all(confuses(createIndex, has("index", partial), 2, 67), confuses(createIndex, has("index", partial), 224, 67), confuses(createIndex, has("index", partial), 14, 67)),
	"createindexes-filter-unknown-operator": refilter(func(f policy.Value) policy.Value {
		return clauses(f, func(name string, v policy.Value) (string, policy.Value) {
			return strings.Replace(name, "$foo", "foo", 1), v
		})
	}),
	"createindexes-filter-and-of-nothing": refilter(func(f policy.Value) policy.Value {
		if v := f.Field("$and"); v.Kind() == policy.List && len(policy.AOf(v)) == 0 {
			return put(f, policy.Value{}, "$and")
		}
		return f
	}),
	"createindexes-filter-of-any-type": refilter(func(f policy.Value) policy.Value {
		if f.Kind() != policy.Object {
			return policy.Value{}
		}
		return f
	}),
	"createindexes-timeseries-collation-accepted": asks(createIndex, func(q query) query {
		if has("collection", "timeseries")(q) {
			return q.with(policy.Value{}, "index", "collation")
		}
		return q
	}),
	"createindexes-timeseries-accepted":       atRelease(createIndex, "6.3.2", test(has("collection", "timeseries")).and(until("6.3.0"))),
	"createindexes-timeseries-since-7.0":      atRelease(createIndex, "6.2.1", test(has("collection", "timeseries")).and(query.isTTL).and(since("6.3.0")).and(until("7.0.0"))),
	"createindexes-timeseries-without-filter": asks(createIndex, func(q query) query { return q.onMeta(func(f policy.Value) bool { return f.IsMissing() }) }),
	"createindexes-timeseries-any-filter":     asks(createIndex, func(q query) query { return q.onMeta(func(f policy.Value) bool { return !f.IsMissing() }) }),
	"createindexes-timeseries-some-filter": asks(createIndex, func(q query) query {
		return q.onMeta(func(f policy.Value) bool { return !f.Field("m").IsMissing() })
	}),
	"createindexes-timeseries-any-key": asks(createIndex, func(q query) query {
		time, _ := q.get("collection", "timeseries", "timeField").AsString()
		if time == "" || isCompound(q.get("index")) {
			return q
		}
		return q.with(policy.ObjectValue(policy.D{{Key: time, Value: policy.Int32Value(1)}}), "index", "key")
	}),
	"createindexes-timeseries-meta-key": refuses(createIndex, func(q query) bool {
		path, _, _ := keyOf(q.get("index"))
		time, isTimeseries := q.get("collection", "timeseries", "timeField").AsString()
		return isTimeseries && path == time && q.isTTL()
	}, 72),
	"createindexes-text-of-digits": restates(since("4.2.0"), func(v policy.Value) policy.Value {
		if n, ok := digits(v); ok {
			return policy.Int64Value(n)
		}
		return v
	}),
	"createindexes-true-is-one":              restates(since("4.2.0"), becomes(func(v policy.Value) bool { return v.Kind() == policy.Bool }, policy.Int32Value(1))),
	"createindexes-null-is-absent":           restates(since("4.2.0"), becomes(isNull, policy.Value{})),
	"createindexes-type-is-mismatch":         confuses(createIndex, func(q query) bool { v := q.get("index", option); return !v.IsMissing() && !v.Kind().IsNumber() }, 67, 14),
	"createindexes-nan-accepted":             restates(since("7.0.0"), becomes(policy.Value.IsNaN, policy.Int32Value(0))),
	"createindexes-nan-always-refused":       refuses(createIndex, func(q query) bool { return q.get("index", option).IsNaN() && !q.before("4.2.0") }, 67),
	"createindexes-nan-of-decimals-accepted": restates(since("7.0.0"), becomes(func(v policy.Value) bool { return v.Kind() == policy.Decimal && v.IsNaN() }, policy.Int32Value(0))),
	"createindexes-large-accepted":           restates(since("5.0.0"), large(policy.Int32Value(1))),
	"createindexes-large-clamped":            restates(since("5.0.14"), large(policy.Int32Value(math.MaxInt32))),
	"createindexes-large-wraps": restates(since("5.0.14"), func(v policy.Value) policy.Value {
		if n, ok := v.AsInt64(); ok && v.Kind() == policy.Int64 && int32(n) >= 0 {
			return policy.Int32Value(int32(n))
		}
		return v
	}),
	"createindexes-greatest-refused":   refuses(createIndex, func(q query) bool { return number(q.get("index", option)) == math.MaxInt32 && !q.before("5.0.14") }, 67),
	"createindexes-infinity-accepted":  restates(since("4.2.0"), becomes(func(v policy.Value) bool { return math.IsInf(number(v), 1) }, policy.Int32Value(1))),
	"createindexes-negative-accepted":  restates(since("4.2.0"), becomes(func(v policy.Value) bool { return number(v) <= -1 }, policy.Int32Value(0))),
	"createindexes-minus-one-accepted": restates(since("4.2.0"), becomes(func(v policy.Value) bool { return number(v) == -1 }, policy.Int32Value(0))),
	"createindexes-zero-refused":       refuses(createIndex, func(q query) bool { v := q.get("index", option); return v.Kind() == policy.Int32 && number(v) == 0 }, 67),
	"createindexes-no-bound-of-1970":   restates(test(until("6.0.2")).and(refused), becomes(func(v policy.Value) bool { return number(v) > 0 && number(v) <= math.MaxInt32 }, policy.Int32Value(1))),
	"createindexes-bound-of-1970-always": refuses(createIndex, func(q query) bool {
		return q.isTTL() && number(q.get("index", option))*1000 > float64(q.now()) && !q.before("4.2.0")
	}, 67),
	"createindexes-bound-of-1970-exclusive": refuses(createIndex, func(q query) bool {
		return q.isTTL() && number(q.get("index", option))*1000 == float64(q.now()) && !q.before("4.2.0") && q.before("5.0.14")
	}, 67),
	"createindexes-bound-of-1970-in-seconds": asks(createIndex, func(q query) query { return q.with(policy.DateValue(floor(q.now()+999, 1000)), "now") }),
	"createindexes-compound-accepted": asks(createIndex, func(q query) query {
		if x := q.get("index"); isCompound(x) && q.isTTL() && !q.before("4.2.0") {
			return q.with(policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "index", "key")
		}
		return q
	}),
	"createindexes-option-as-field-refused": refuses(createIndex, has("index", "key", option), 67),
	"createindexes-view-accepted":           asks(createIndex, func(q query) query { return q.with(policy.Value{}, "collection", "viewOn") }),
	"createindexes-view-is-a-bad-index":     confuses(createIndex, always, 166, 67),
	"createindexes-wildcard-accepted":       renames(createIndex, "index", func(parts []string) bool { return parts[len(parts)-1] == "$**" }),
	"createindexes-partial-sparse-accepted": asks(createIndex, func(q query) query {
		if has("index", partial)(q) {
			return q.with(policy.Value{}, "index", "sparse")
		}
		return q
	}),
	"createindexes-partial-ttl-refused":      refuses(createIndex, test(has("index", partial)).and(query.isTTL), 67),
	"createindexes-sparse-ttl-refused":       refuses(createIndex, test(has("index", "sparse")).and(query.isTTL), 67),
	"createindexes-hidden-ttl-refused":       all(refuses(createIndex, test(has("index", "hidden")).and(query.isTTL), 67), refuses(createIndex, test(has("index", "unique")).and(query.isTTL), 67)),
	"createindexes-filter-ne":                speaks("$ne"),
	"createindexes-filter-nin":               speaks("$nin"),
	"createindexes-filter-not":               speaks("$not"),
	"createindexes-filter-nor":               speaks("$nor"),
	"createindexes-filter-size":              speaks("$size"),
	"createindexes-filter-operands-as-today": only(createIndex, test(until("5.0.0")).and(speaking("$size", "$mod")), func(q query) conformance.Answer { return q.ofRelease("8.0.4").ask() }),
	"createindexes-filter-mod":               speaks("$mod"),
	"createindexes-filter-elemmatch":         speaks("$elemMatch"),
	"createindexes-filter-regex":             refilter(becomes(func(v policy.Value) bool { return v.Kind() == policy.Regex }, policy.Int32Value(1))),
	"createindexes-filter-exists-false": refilter(func(f policy.Value) policy.Value {
		return clauses(f, func(name string, v policy.Value) (string, policy.Value) {
			if name == "$exists" {
				v = policy.BoolValue(true)
			}
			return name, v
		})
	}),
	"createindexes-filter-or-always": only(createIndex, test(until("6.0.0")).and(since("3.2.0")), speaks("$or", "$in")),
	"createindexes-filter-or-never":  refuses(createIndex, speaking("$or"), 67),
	"createindexes-filter-in-never":  refuses(createIndex, speaking("$in"), 67),
	"createindexes-filter-depth-unbounded": only(createIndex, since("6.0.0"), refilter(func(f policy.Value) policy.Value {
		if depth(f) > 3 {
			return policy.ObjectValue(policy.D{})
		}
		return f
	})),
	"createindexes-filter-depth-of-three": refuses(createIndex, func(q query) bool { return depth(q.get("index", partial)) > 2 }, 67),
	"createindexes-capped-clustered-accepted": asks(createIndex, func(q query) query {
		if has("collection", "clusteredIndex")(q) {
			return q.with(policy.Value{}, "collection", "capped")
		}
		return q
	}),
	"createindexes-capped-accepted": only(createIndex, not(has("collection", "clusteredIndex")), asks(createIndex, uncapped)),
	"createindexes-capped-refused":  refuses(createIndex, func(q query) bool { b, _ := q.get("collection", "capped").AsBool(); return b && q.isTTL() }, 67),
	"createindexes-conflict-none": asks(createIndex, func(q query) query {
		return q.each("existing", func(x policy.Value) policy.Value {
			if sameValue(x.Field(option), q.get("index", option)) {
				return x
			}
			return policy.Value{}
		})
	}),
	"createindexes-conflict-keeps-first": accepts(createIndex, func(q query) bool { return q.refusedWith(85) }, map[string]any{"created": false}),
	"createindexes-conflict-updates":     accepts(createIndex, func(q query) bool { return q.refusedWith(85) }, map[string]any{"created": true}),
	"createindexes-conflict-of-keys":     confuses(createIndex, always, 85, 86),
	"createindexes-same-under-other-name": asks(createIndex, func(q query) query {
		return q.each("existing", func(x policy.Value) policy.Value {
			if sameValue(x.Field("key"), q.get("index", "key")) && sameValue(x.Field(option), q.get("index", option)) {
				return put(x, q.get("index", "name"), "name")
			}
			return x
		})
	}),
	"createindexes-collation-is-no-difference": differsIn("collation"),
	"createindexes-filter-is-no-difference":    differsIn(partial),
	"createindexes-sparse-is-no-difference":    differsIn("sparse"),
	"createindexes-unique-is-no-difference":    differsIn("unique"),
	"createindexes-options-always-differ":      atRelease(createIndex, "5.0.0", test(until("5.0.0")).and(func(q query) bool { return q.refusedWith(85) })),
	"createindexes-hidden-differs": refuses(createIndex, func(q query) bool {
		return len(policy.AOf(q.get("existing"))) > 0 && !sameValue(policy.AOf(q.get("existing"))[0].Field("hidden"), q.get("index", "hidden"))
	}, 85),
	"createindexes-always-checked":        atRelease(createIndex, "4.2.0", test(until("4.2.0")).and(query.isTTL)),
	"createindexes-checked-since-4.4":     atRelease(createIndex, "4.0.0", test(since("4.2.0")).and(until("4.4.0")).and(query.isTTL)),
	"createindexes-double-rounded":        restates(since("4.2.0"), doubles(math.Round)),
	"createindexes-double-rounded-down":   whether(restates(since("4.2.0"), doubles(math.Floor))),
	"createindexes-range-before-rounding": refuses(createIndex, func(q query) bool { f := asFloat(q.get("index", option)); return f < 0 && f > -1 && !q.before("4.2.0") }, 67),
	"createindexes-decimal-truncated":     restates(since("7.3.0"), decimals(math.Trunc)),
	"createindexes-decimal-half-up":       restates(since("7.3.0"), decimals(math.Round)),
	"createindexes-decimal-refused":       refuses(createIndex, func(q query) bool { return q.get("index", option).Kind() == policy.Decimal && !q.before("4.2.0") }, 67),
	"createindexes-fraction-refused": refuses(createIndex, func(q query) bool {
		f := asFloat(q.get("index", option))
		return f != math.Trunc(f) && !q.before("4.2.0")
	}, 67),
	"createindexes-stored-as-given": stored(since("7.3.0"), func(q query, _ policy.Value) policy.Value { return q.get("index", option) }),
	"createindexes-stored-as-int32": atRelease(createIndex, "8.0.0", test(until("7.3.0")).and(since("4.2.0")).and(func(q query) bool { return q.ask().Kind == conformance.KindOut && !q.get("index", option).IsNaN() })),
	"createindexes-stored-as-int64": stored(since("7.3.0"), func(_ query, v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int64Value(n) }),
	"createindexes-normalised-as-double": stored(since("7.3.0"), func(q query, v policy.Value) policy.Value {
		if q.get("index", option).Kind() == policy.Int32 {
			return v
		}
		return policy.DoubleValue(number(v))
	}),
	"createindexes-normalised-in-7.0": atRelease(createIndex, "7.3.0", test(since("7.0.0")).and(until("7.3.0")).and(query.isTTL)),
	"createindexes-hashed-refused":    special("hashed"),
	"createindexes-text-refused":      special("text"),
	"createindexes-2d-refused":        special("2d"),
	"createindexes-2dsphere-refused":  special("2dsphere"),
	"createindexes-again-is-created": asks(createIndex, func(q query) query {
		if q.createdNothing() {
			return q.with(policy.Value{}, "existing")
		}
		return q
	}),
	"createindexes-again-refused": refuses(createIndex, query.createdNothing, 85),
}

// isTTL tests for the option on the index that is asked for.
func (q query) isTTL() bool { return !q.get("index", option).IsMissing() }

// refusedWith tests for a refusal with a code.
func (q query) refusedWith(code int) bool {
	a := q.ask()
	return a.Kind == conformance.KindRefused && a.Refusal.Code == code
}

// createdNothing tests for an index that exists.
func (q query) createdNothing() bool { return strings.Contains(string(q.ask().Out), `"created":false`) }

package mutants

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// filters holds misreadings of partial filters.
var filters = map[string]misreading{
	"filter-ignored":          sets(named(partial), policy.Value{}, partial),
	"filter-stops":            drops(named(partial)),
	"filter-empty-takes-none": drops(func(x policy.Value) bool { return named(partial)(x) && len(policy.DOf(x.Field(partial))) == 0 }),
	"filter-missing-is-in": asks(decide, func(q query) query {
		for _, f := range q.filters() {
			for _, e := range policy.DOf(f) {
				if q.get("document", e.Key).IsMissing() && e.Value.Kind() != policy.Object {
					q = q.with(e.Value, "document", e.Key)
				}
			}
		}
		return q
	}),
	"filter-gt-is-gte":           operator("$gt", "$gte"),
	"filter-gte-is-gt":           operator("$gte", "$gt"),
	"filter-lt-is-lte":           operator("$lt", "$lte"),
	"filter-lte-is-lt":           operator("$lte", "$lt"),
	"filter-eq-is-gte":           operator("$eq", "$gte"),
	"filter-null-does-not-exist": facts(isPartial, becomes(isNull, policy.Value{})),
	"filter-exists-empty-array": facts(isPartial, func(v policy.Value) policy.Value {
		if v.Kind() == policy.List && len(policy.AOf(v)) == 0 {
			return policy.Value{}
		}
		return v
	}),
	"filter-null-is-not-missing": refilters(func(f policy.Value) policy.Value {
		return clauses(f, func(name string, v policy.Value) (string, policy.Value) {
			if v.Kind() == policy.Null && !strings.HasPrefix(name, "$") {
				v = policy.ObjectValue(policy.D{{Key: "$type", Value: policy.Int32Value(int32(policy.Null))}})
			}
			return name, v
		})
	}),
	"filter-null-is-missing": facts(isPartial, becomes(isNull, policy.Int32Value(1))),
	"filter-null-is-zero": facts(isPartial, func(v policy.Value) policy.Value {
		if v.Kind().IsNumber() && number(v) == 0 || v.Kind() == policy.Object && len(policy.DOf(v)) == 0 {
			return policy.NullValue()
		}
		return v
	}),
	"filter-extreme-types-always":     atRelease(decide, "4.2.25", test(ordinary).and(isPartial).and(since("3.6.0")).and(until("4.2.0"))),
	"filter-extreme-types-late":       atRelease(decide, "4.0.28", test(ordinary).and(isPartial).and(since("4.2.0"))),
	"filter-null-path-early":          atRelease(decide, "9.0.2", test(ordinary).and(isPartial).and(since("8.0.0")).and(until("9.0.0"))),
	"filter-null-path-late":           atRelease(decide, "8.3.13", test(hasDefaults).and(isPartial).and(since("9.0.0"))),
	"filter-null-parameter":           asks(decide, query.withDefaults),
	"filter-null-path-empty-only":     atRelease(decide, "8.3.13", test(hasDefaults).and(isPartial).and(since("9.0.0")).and(func(q query) bool { return !holdsEmptyArray(q.get("document")) })),
	"filter-null-path-documents-save": atRelease(decide, "8.3.13", test(hasDefaults).and(isPartial).and(since("9.0.0")).and(func(q query) bool { return holdsMixedArray(q.get("document")) })),
	"filter-undefined-is-null":        atRelease(decide, "7.3.4", test(ordinary).and(isPartial).and(since("8.0.0"))),
	"filter-undefined-is-not-null":    atRelease(decide, "8.0.16", test(ordinary).and(isPartial).and(until("8.0.0")).and(since("6.2.0"))),
	"filter-text-is-a-number": facts(isPartial, func(v policy.Value) policy.Value {
		if n, ok := digits(v); ok {
			return policy.Int64Value(n)
		}
		return v
	}),
	"filter-types-sort-together": facts(says("$gt", func(v policy.Value) bool { return v.Kind().IsNumber() }),
		becomes(func(v policy.Value) bool { return v.Kind() == policy.String }, policy.DoubleValue(math.Inf(1)))),
	"filter-true-is-one": facts(isPartial, becomes(func(v policy.Value) bool { return v.Kind() == policy.Bool }, policy.Int32Value(1))),
	"filter-date-is-a-number": facts(says("$gt", func(v policy.Value) bool { return v.Kind() == policy.Date }), func(v policy.Value) policy.Value {
		n, ok := v.AsInt64()
		if !ok {
			return v
		}
		return policy.DateValue(policy.Instant(n))
	}),
	"filter-numbers-are-doubles":  refacts(asDoubles),
	"filter-number-types-differ":  facts(isPartial, becomes(func(v policy.Value) bool { return isOf(v, policy.Int64, policy.Double, policy.Decimal) }, policy.StringValue("other"))),
	"filter-nan-differs-from-nan": facts(isPartial, becomes(func(v policy.Value) bool { return v.Kind().IsNumber() && v.IsNaN() }, policy.StringValue("NaN"))),
	"filter-nan-is-greatest":      facts(isPartial, becomes(func(v policy.Value) bool { return v.Kind().IsNumber() && v.IsNaN() }, policy.DoubleValue(math.Inf(1)))),
	"filter-minus-zero-differs": facts(isPartial, becomes(func(v policy.Value) bool {
		f, ok := v.AsDouble()
		return ok && f == 0 && math.Signbit(f)
	}, policy.DoubleValue(-math.SmallestNonzeroFloat64))),
	"filter-array-is-one-value": facts(isPartial, func(v policy.Value) policy.Value {
		if v.Kind() == policy.List && len(policy.AOf(v)) > 0 {
			return policy.ObjectValue(policy.D{{Key: "array", Value: v}})
		}
		return v
	}),
	"filter-array-flattened": facts(isPartial, flatten),
	"filter-same-element":    only(decide, isPartial, func(q query) conformance.Answer { return earliest(q.withElements()...) }),
	"filter-array-not-entered": facts(isPartial, func(v policy.Value) policy.Value {
		if a := policy.AOf(v); len(a) > 0 && a[0].Kind() == policy.Object {
			return policy.Value{}
		}
		return v
	}),
	"filter-not-dotted": refilters(func(f policy.Value) policy.Value {
		return clauses(f, func(name string, v policy.Value) (string, policy.Value) { return strings.ReplaceAll(name, ".", " "), v })
	}),
	"filter-fields-in-any-order": refacts(sorted),
	"filter-ignores-case": refacts(func(v policy.Value) policy.Value {
		if s, ok := v.AsString(); ok {
			return policy.StringValue(strings.ToLower(s))
		}
		return v
	}),
	"filter-one-field-suffices": only(decide, isPartial, func(q query) conformance.Answer { return earliest(q.withFilters(oneField)...) }),
	"filter-first-field": only(decide, isPartial, func(q query) conformance.Answer {
		return earliest(q.withFilters(func(f policy.Value) []policy.Value { return oneField(f)[:1] })...)
	}),
	"filter-and-is-or": only(decide, says("$and", anyValue), func(q query) conformance.Answer {
		return earliest(q.withFilters(func(f policy.Value) []policy.Value { return policy.AOf(f.Field("$and")) })...)
	}),
	"filter-and-first": operand("$and", firstElement),
	"filter-or-is-and": operator("$or", "$and"),
	"filter-or-first":  operand("$or", firstElement),
	"filter-in-first":  operand("$in", firstElement),
	"filter-in-null-needs-null": keeps(decide, test(says("$in", anyValue)).and(func(q query) bool {
		for _, f := range q.filters() {
			for _, e := range policy.DOf(f) {
				if q.get("document", e.Key).IsMissing() {
					return true
				}
			}
		}
		return false
	})),
	"filter-all-is-in":             operator("$all", "$in"),
	"filter-type-of-elements-only": atRelease(decide, "3.4.24", test(says("$type", isText("array"))).and(since("3.6.0"))),
	"filter-type-of-array-itself":  atRelease(decide, "3.6.23", test(says("$type", isText("array"))).and(until("3.6.0"))),
	"filter-type-number-is-double": operand("$type", func(v policy.Value) policy.Value {
		if isText("number")(v) {
			return policy.StringValue("double")
		}
		return v
	}),
	"filter-type-codes-unknown": operand("$type", func(v policy.Value) policy.Value {
		if v.Kind().IsNumber() {
			return policy.StringValue("minKey")
		}
		return v
	}),
}

// hasDefaults tests for a server on which no parameter is set.
func hasDefaults(q query) bool { return len(q.Target.Parameters) == 0 }

// holdsEmptyArray reports whether a field of a document is an empty array.
func holdsEmptyArray(doc policy.Value) bool {
	return slices.ContainsFunc(policy.DOf(doc), func(e policy.E) bool {
		return e.Value.Kind() == policy.List && len(policy.AOf(e.Value)) == 0
	})
}

// holdsMixedArray reports whether a field of a document is an array with a
// subdocument in it.
func holdsMixedArray(doc policy.Value) bool {
	return slices.ContainsFunc(policy.DOf(doc), func(e policy.E) bool {
		return slices.ContainsFunc(policy.AOf(e.Value), func(v policy.Value) bool { return v.Kind() == policy.Object })
	})
}

func isNull(v policy.Value) bool { return v.Kind() == policy.Null }

func firstElement(v policy.Value) policy.Value { return policy.ListValue(policy.AOf(v)[:1]) }

// oneField returns a filter for each field of a filter.
func oneField(f policy.Value) (all []policy.Value) {
	for _, e := range policy.DOf(f) {
		all = append(all, policy.ObjectValue(policy.D{e}))
	}
	return append(all, f)
}

// refacts changes the values of the document and of the filters alike.
func refacts(change func(policy.Value) policy.Value) misreading {
	return only(decide, isPartial, func(q query) conformance.Answer {
		q = q.withFacts(func(v policy.Value) policy.Value { return inside(v, change) })
		return refilters(func(f policy.Value) policy.Value {
			return clauses(f, func(name string, v policy.Value) (string, policy.Value) { return name, inside(v, change) })
		})(q)
	})
}

// inside changes a value and all that it holds.
func inside(v policy.Value, change func(policy.Value) policy.Value) policy.Value {
	if v.Kind() == policy.Object {
		return change(clauses(v, func(name string, v policy.Value) (string, policy.Value) { return name, inside(v, change) }))
	}
	return change(v)
}

func asDoubles(v policy.Value) policy.Value {
	if v.Kind() == policy.Int64 {
		return policy.DoubleValue(number(v))
	}
	return v
}

// sorted returns a subdocument with its fields in order.
func sorted(v policy.Value) policy.Value {
	if v.Kind() != policy.Object {
		return v
	}
	return policy.ObjectValue(policy.D(slices.SortedStableFunc(slices.Values(policy.DOf(v)), func(a, b policy.E) int { return cmp.Compare(a.Key, b.Key) })))
}

// flatten returns an array without arrays in it.
func flatten(v policy.Value) policy.Value {
	if v.Kind() != policy.List {
		return v
	}
	a := policy.A{}
	for _, e := range policy.AOf(v) {
		if e.Kind() == policy.List {
			a = append(a, policy.AOf(flatten(e))...)
		} else {
			a = append(a, e)
		}
	}
	return policy.ListValue(a)
}

// withElements returns q once for each element of the first array that no
// index is on, with the element in place of the array.
func (q query) withElements() (questions []query) {
	roots := q.roots()
	for _, e := range policy.DOf(q.get("document")) {
		if !roots[e.Key] && len(policy.AOf(e.Value)) > 0 {
			for _, v := range policy.AOf(e.Value) {
				questions = append(questions, q.with(v, "document", e.Key))
			}
			return questions
		}
	}
	return []query{q}
}

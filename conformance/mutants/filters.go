package mutants

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	mismatch = "mongo.filter-mismatch"
	nullPath = "mongo.filter-null-path"
)

// filters holds misreadings of partial filters.
var filters = []entry{
	{"filter-ignored", mismatch, "The partial filter bears on queries, not on what expires.", "mongomock 4.1.2 and 256dpi/lungo, which delete documents outside of it",
		sets(named(partial), policy.Value{}, partial)},
	{"filter-stops", mismatch, "A partial index deletes nothing.", "",
		drops(named(partial))},
	{"filter-empty-takes-none", mismatch, "The empty filter takes in no document.", "",
		drops(func(x policy.Value) bool { return named(partial)(x) && len(policy.DOf(x.Field(partial))) == 0 })},
	{"filter-missing-is-in", mismatch, "A document without the field of the filter is taken in.", "",
		asks(decide, func(q query) query {
			for _, f := range q.filters() {
				for _, e := range policy.DOf(f) {
					if q.get("document", e.Key).IsMissing() && e.Value.Kind() != policy.Object {
						q = q.with(e.Value, "document", e.Key)
					}
				}
			}
			return q
		})},
	{"filter-gt-is-gte", mismatch, "$gt takes in the value itself.", "", operator("$gt", "$gte")},
	{"filter-gte-is-gt", mismatch, "$gte leaves out the value itself.", "", operator("$gte", "$gt")},
	{"filter-lt-is-lte", mismatch, "$lt takes in the value itself.", "", operator("$lt", "$lte")},
	{"filter-lte-is-lt", mismatch, "$lte leaves out the value itself.", "", operator("$lte", "$lt")},
	{"filter-eq-is-gte", mismatch, "$eq takes in what is greater.", "", operator("$eq", "$gte")},
	{"filter-null-does-not-exist", mismatch, "A field that is null does not exist.", "",
		facts(isPartial, becomes(isNull, policy.Value{}))},
	{"filter-exists-empty-array", mismatch, "An empty array does not exist, and is as null.", "",
		facts(isPartial, func(v policy.Value) policy.Value {
			if v.Kind() == policy.List && len(policy.AOf(v)) == 0 {
				return policy.Value{}
			}
			return v
		})},
	{"filter-null-is-not-missing", mismatch, "{f: null} takes in null and nothing else.", "",
		refilters(func(f policy.Value) policy.Value {
			return clauses(f, func(name string, v policy.Value) (string, policy.Value) {
				if v.Kind() == policy.Null && !strings.HasPrefix(name, "$") {
					v = policy.ObjectValue(policy.D{{Key: "$type", Value: policy.Int32Value(int32(policy.Null))}})
				}
				return name, v
			})
		})},
	{"filter-null-is-missing", mismatch, "{f: null} takes in documents without the field, and nothing else.", "",
		facts(isPartial, becomes(isNull, policy.Int32Value(1)))},
	{"filter-null-is-zero", mismatch, "{f: null} takes in what is empty or 0.", "",
		facts(isPartial, func(v policy.Value) policy.Value {
			if v.Kind().IsNumber() && number(v) == 0 || v.Kind() == policy.Object && len(policy.DOf(v)) == 0 {
				return policy.NullValue()
			}
			return v
		})},
	{"filter-extreme-types-always", "mongo.filter-extreme-types", "Nothing lies beyond an extreme key in any release.", "",
		atRelease(decide, "4.2.25", test(ordinary).and(isPartial).and(since("3.6.0")).and(until("4.2.0")))},
	{"filter-extreme-types-late", "mongo.filter-extreme-types", "$gt MaxKey takes in other types in every release.", "",
		atRelease(decide, "4.0.28", test(ordinary).and(isPartial).and(since("4.2.0")))},
	{"filter-null-path-early", nullPath, "What an array breaks off a path has always counted as null.", "",
		atRelease(decide, "9.0.2", test(ordinary).and(isPartial).and(since("8.0.0")).and(until("9.0.0")))},
	{"filter-null-path-late", nullPath, "What an array breaks off a path counts as null in no release.", "",
		atRelease(decide, "8.3.13", test(hasDefaults).and(isPartial).and(since("9.0.0")))},
	{"filter-null-parameter", "mongo.filter-null-parameter", "The server parameter that brings the old way back is not looked at.", "",
		asks(decide, query.withDefaults)},
	{"filter-null-path-empty-only", nullPath, "An empty array breaks a path off; one of scalars or arrays does not.", "",
		atRelease(decide, "8.3.13", test(hasDefaults).and(isPartial).and(since("9.0.0")).and(func(q query) bool { return !holdsEmptyArray(q.get("document")) }))},
	{"filter-null-path-documents-save", nullPath, "An array breaks a path off only if it holds no subdocument.", "",
		atRelease(decide, "8.3.13", test(hasDefaults).and(isPartial).and(since("9.0.0")).and(func(q query) bool { return holdsMixedArray(q.get("document")) }))},
	{"filter-undefined-is-null", mismatch, "{f: null} takes in undefined in every release.", "",
		atRelease(decide, "7.3.4", test(ordinary).and(isPartial).and(since("8.0.0")))},
	{"filter-undefined-is-not-null", mismatch, "{f: null} has never taken in undefined.", "",
		atRelease(decide, "8.0.16", test(ordinary).and(isPartial).and(until("8.0.0")).and(since("6.2.0")))},
	{"filter-text-is-a-number", mismatch, "A text of digits compares with numbers.", "",
		facts(isPartial, func(v policy.Value) policy.Value {
			if n, ok := digits(v); ok {
				return policy.Int64Value(n)
			}
			return v
		})},
	{"filter-types-sort-together", mismatch, "$gt takes in values of types that sort later.", "",
		facts(says("$gt", func(v policy.Value) bool { return v.Kind().IsNumber() }),
			becomes(func(v policy.Value) bool { return v.Kind() == policy.String }, policy.DoubleValue(math.Inf(1))))},
	{"filter-true-is-one", mismatch, "true equals 1.", "",
		facts(isPartial, becomes(func(v policy.Value) bool { return v.Kind() == policy.Bool }, policy.Int32Value(1)))},
	{"filter-date-is-a-number", mismatch, "A date compares with numbers as its milliseconds.", "",
		facts(says("$gt", func(v policy.Value) bool { return v.Kind() == policy.Date }), func(v policy.Value) policy.Value {
			n, ok := v.AsInt64()
			if !ok {
				return v
			}
			return policy.DateValue(policy.Instant(n))
		})},
	{"filter-numbers-are-doubles", mismatch, "Numbers are compared as doubles, so that large ones run together.", "",
		refacts(asDoubles)},
	{"filter-number-types-differ", mismatch, "Numbers of different types are not equal.", "",
		facts(isPartial, becomes(func(v policy.Value) bool { return isOf(v, policy.Int64, policy.Double, policy.Decimal) }, policy.StringValue("other")))},
	{"filter-nan-differs-from-nan", mismatch, "NaN equals nothing, itself included.", "",
		facts(isPartial, becomes(func(v policy.Value) bool { return v.Kind().IsNumber() && v.IsNaN() }, policy.StringValue("NaN")))},
	{"filter-nan-is-greatest", mismatch, "NaN is greater than all numbers.", "",
		facts(isPartial, becomes(func(v policy.Value) bool { return v.Kind().IsNumber() && v.IsNaN() }, policy.DoubleValue(math.Inf(1))))},
	{"filter-minus-zero-differs", mismatch, "-0.0 is less than 0.", "",
		facts(isPartial, becomes(func(v policy.Value) bool {
			f, ok := v.AsDouble()
			return ok && f == 0 && math.Signbit(f)
		}, policy.DoubleValue(-math.SmallestNonzeroFloat64)))},
	{"filter-array-is-one-value", mismatch, "An array is compared as a whole, not by its elements.", "",
		facts(isPartial, func(v policy.Value) policy.Value {
			if v.Kind() == policy.List && len(policy.AOf(v)) > 0 {
				return policy.ObjectValue(policy.D{{Key: "array", Value: v}})
			}
			return v
		})},
	{"filter-array-flattened", mismatch, "The elements of arrays in arrays count.", "",
		facts(isPartial, flatten)},
	{"filter-same-element", mismatch, "Conditions on an array must be met by one and the same element.", "",
		only(decide, isPartial, func(q query) conformance.Answer { return earliest(q.withElements()...) })},
	{"filter-array-not-entered", mismatch, "A path of the filter ends at an array of subdocuments.", "",
		facts(isPartial, func(v policy.Value) policy.Value {
			if a := policy.AOf(v); len(a) > 0 && a[0].Kind() == policy.Object {
				return policy.Value{}
			}
			return v
		})},
	{"filter-not-dotted", mismatch, "A path of the filter is a field name, dots and all.", "",
		refilters(func(f policy.Value) policy.Value {
			return clauses(f, func(name string, v policy.Value) (string, policy.Value) { return strings.ReplaceAll(name, ".", " "), v })
		})},
	{"filter-fields-in-any-order", mismatch, "Subdocuments are equal whatever the order of their fields.", "",
		refacts(sorted)},
	{"filter-ignores-case", mismatch, "Texts compare without regard to case.", "",
		refacts(func(v policy.Value) policy.Value {
			if s, ok := v.AsString(); ok {
				return policy.StringValue(strings.ToLower(s))
			}
			return v
		})},
	{"filter-one-field-suffices", mismatch, "Several fields of a filter are alternatives.", "",
		only(decide, isPartial, func(q query) conformance.Answer { return earliest(q.withFilters(oneField)...) })},
	{"filter-first-field", mismatch, "Only the first field of a filter counts.", "",
		only(decide, isPartial, func(q query) conformance.Answer {
			return earliest(q.withFilters(func(f policy.Value) []policy.Value { return oneField(f)[:1] })...)
		})},
	{"filter-and-is-or", mismatch, "One clause of $and suffices.", "",
		only(decide, says("$and", anyValue), func(q query) conformance.Answer {
			return earliest(q.withFilters(func(f policy.Value) []policy.Value { return policy.AOf(f.Field("$and")) })...)
		})},
	{"filter-and-first", mismatch, "Only the first clause of $and counts.", "", operand("$and", firstElement)},
	{"filter-or-is-and", mismatch, "All clauses of $or must hold.", "", operator("$or", "$and")},
	{"filter-or-first", mismatch, "Only the first clause of $or counts.", "", operand("$or", firstElement)},
	{"filter-in-first", mismatch, "Only the first value of $in counts.", "", operand("$in", firstElement)},
	{"filter-in-null-needs-null", mismatch, "null in $in takes in no document without the field.", "",
		keeps(decide, test(says("$in", anyValue)).and(func(q query) bool {
			for _, f := range q.filters() {
				for _, e := range policy.DOf(f) {
					if q.get("document", e.Key).IsMissing() {
						return true
					}
				}
			}
			return false
		}))},
	{"filter-all-is-in", mismatch, "One of the values of $all suffices.", "", operator("$all", "$in")},
	{"filter-type-of-elements-only", mismatch, "$type: \"array\" looks at the elements in every release.", "",
		atRelease(decide, "3.4.24", test(says("$type", isText("array"))).and(since("3.6.0")))},
	{"filter-type-of-array-itself", mismatch, "$type: \"array\" has always looked at the field itself.", "",
		atRelease(decide, "3.6.23", test(says("$type", isText("array"))).and(until("3.6.0")))},
	{"filter-type-number-is-double", mismatch, "$type: \"number\" is the type double.", "",
		operand("$type", func(v policy.Value) policy.Value {
			if isText("number")(v) {
				return policy.StringValue("double")
			}
			return v
		})},
	{"filter-type-codes-unknown", mismatch, "$type knows names, not codes.", "",
		operand("$type", func(v policy.Value) policy.Value {
			if v.Kind().IsNumber() {
				return policy.StringValue("minKey")
			}
			return v
		})},
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

package mutants

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// filters holds misreadings of partial filters.
var filters = of("filters", []Mutant{
	{Name: "filter-ignored", Rule: "mongo.filter-mismatch", Text: "The partial filter bears on queries, not on what expires.",
		Wild:    "mongomock 4.1.2 and 256dpi/lungo, which delete documents outside of it",
		misread: sets(named(partial), missing, partial)},
	{Name: "filter-looked-at-before-3.2", Rule: "mongo.filter-ignored", Text: "Releases before partial indexes keep what is outside of a filter.",
		misread: keeps(decide, every(until("3.2.0"), some("indexes", named(partial)), func(q query) bool {
			return neverExpires(q.ofRelease("3.2.0"))
		}))},
	{Name: "filter-stops", Rule: "mongo.filter-mismatch", Text: "A partial index deletes nothing.",
		misread: drops(named(partial))},
	{Name: "filter-empty-takes-none", Rule: "mongo.filter-mismatch", Text: "The empty filter matches no document.",
		misread: drops(every(named(partial), at(func(f policy.Value) bool { return len(policy.DOf(f)) == 0 }, partial)))},
	{Name: "filter-missing-is-in", Rule: "mongo.filter-mismatch", Text: "A document without the field of the filter matches.",
		misread: asks(decide, func(q query) query {
			for _, e := range q.unheld() {
				if e.Value.Kind() != policy.Object {
					q = q.with(e.Value, "document", e.Key)
				}
			}
			return q
		})},
	{Name: "filter-gt-is-gte", Rule: "mongo.filter-mismatch", Text: "$gt matches the value itself.",
		misread: operator("$gt", "$gte")},
	{Name: "filter-gte-is-gt", Rule: "mongo.filter-mismatch", Text: "$gte leaves out the value itself.",
		misread: operator("$gte", "$gt")},
	{Name: "filter-lt-is-lte", Rule: "mongo.filter-mismatch", Text: "$lt matches the value itself.",
		misread: operator("$lt", "$lte")},
	{Name: "filter-lte-is-lt", Rule: "mongo.filter-mismatch", Text: "$lte leaves out the value itself.",
		misread: operator("$lte", "$lt")},
	{Name: "filter-eq-is-gte", Rule: "mongo.filter-mismatch", Text: "$eq matches what is greater.",
		misread: operator("$eq", "$gte")},
	{Name: "filter-null-does-not-exist", Rule: "mongo.filter-mismatch", Text: "A field that is null does not exist.",
		misread: facts(isPartial, becomes(isNull, missing))},
	{Name: "filter-exists-empty-array", Rule: "mongo.filter-mismatch", Text: "An empty array does not exist, and is as null.",
		misread: facts(isPartial, turns(isEmptyList, missing))},
	{Name: "filter-null-is-not-missing", Rule: "mongo.filter-mismatch", Text: "{f: null} matches null and nothing else.",
		misread: refilters(clauses(func(name string, v policy.Value) (string, policy.Value) {
			if isNull(v) && name != "" && name[0] != '$' {
				v = object("$type", policy.Int32Value(int32(policy.Null)))
			}
			return name, v
		}))},
	{Name: "filter-null-is-missing", Rule: "mongo.filter-mismatch", Text: "{f: null} matches documents without the field, and nothing else.",
		misread: facts(isPartial, becomes(isNull, policy.Int32Value(1)))},
	{Name: "filter-null-is-zero", Rule: "mongo.filter-mismatch", Text: "{f: null} matches what is empty or 0.",
		misread: facts(isPartial, turns(isEmpty, policy.NullValue()))},
	{Name: "filter-extreme-types-always", Rule: "mongo.filter-extreme-types", Text: "Nothing lies beyond an extreme key in any release.",
		misread: atRelease(decide, "4.2.25", every(ordinary, isPartial, since("3.6.0"), until("4.2.0")))},
	{Name: "filter-extreme-types-late", Rule: "mongo.filter-extreme-types", Text: "$gt MaxKey matches other types in every release.",
		misread: atRelease(decide, "4.0.28", every(ordinary, isPartial, since("4.2.0")))},
	{Name: "filter-null-path-early", Rule: "mongo.filter-null-path", Text: "What an array breaks off a path has always counted as null.",
		misread: atRelease(decide, "9.0.0", every(ordinary, isPartial, since("8.0.0"), until("9.0.0")))},
	{Name: "filter-null-path-late", Rule: "mongo.filter-null-path", Text: "What an array breaks off a path counts as null in no release.",
		misread: atRelease(decide, "8.3.13", every(hasDefaults, isPartial, since("9.0.0")))},
	{Name: "filter-null-parameter", Rule: "mongo.filter-null-parameter", Text: "The server parameter that brings the old way back is not looked at.",
		misread: asks(decide, query.withDefaults)},
	{Name: "filter-null-path-empty-only", Rule: "mongo.filter-null-path", Text: "An empty array breaks a path off; one of scalars or arrays does not.",
		misread: atRelease(decide, "8.3.13", every(hasDefaults, isPartial, since("9.0.0"), func(q query) bool { return !holds(isEmptyList)(q.get("document")) }))},
	{Name: "filter-null-path-documents-save", Rule: "mongo.filter-null-path", Text: "An array breaks a path off only if it holds no subdocument.",
		misread: atRelease(decide, "8.3.13", every(hasDefaults, isPartial, since("9.0.0"), func(q query) bool { return holds(holds(ofType(policy.Object)))(q.get("document")) }))},
	{Name: "filter-undefined-is-null", Rule: "mongo.filter-mismatch", Text: "{f: null} matches undefined in every release.",
		misread: atRelease(decide, "7.3.4", every(ordinary, isPartial, since("8.0.0")))},
	{Name: "filter-undefined-is-not-null", Rule: "mongo.filter-mismatch", Text: "{f: null} has never matched undefined.",
		misread: atRelease(decide, "8.0.16", every(ordinary, isPartial, until("8.0.0"), since("6.2.0")))},
	{Name: "filter-text-is-a-number", Rule: "mongo.filter-mismatch", Text: "A text of digits compares with numbers.",
		misread: facts(isPartial, numerals)},
	{Name: "filter-types-sort-together", Rule: "mongo.filter-mismatch", Text: "$gt matches values of types that sort later.",
		misread: facts(says("$gt", isNumeric), becomes(ofType(policy.String), policy.DoubleValue(math.Inf(1))))},
	{Name: "filter-true-is-one", Rule: "mongo.filter-mismatch", Text: "true equals 1.",
		misread: facts(isPartial, becomes(ofType(policy.Bool), policy.Int32Value(1)))},
	{Name: "filter-date-is-a-number", Rule: "mongo.filter-mismatch", Text: "A date compares with numbers as its milliseconds.",
		misread: facts(says("$gt", ofType(policy.Date)), dateBy(integerTime(1)))},
	{Name: "filter-numbers-are-doubles", Rule: "mongo.filter-mismatch", Text: "Numbers are compared as doubles, so that large ones run together.",
		misread: refacts(asDoubles)},
	{Name: "filter-number-types-differ", Rule: "mongo.filter-mismatch", Text: "Numbers of different types are not equal.",
		misread: facts(isPartial, becomes(ofType(policy.Int64, policy.Double, policy.Decimal), policy.StringValue("other")))},
	{Name: "filter-nan-differs-from-nan", Rule: "mongo.filter-mismatch", Text: "NaN equals nothing, itself included.",
		misread: facts(isPartial, becomes(policy.Value.IsNaN, policy.StringValue("NaN")))},
	{Name: "filter-nan-is-greatest", Rule: "mongo.filter-mismatch", Text: "NaN is greater than all numbers.",
		misread: facts(isPartial, becomes(policy.Value.IsNaN, policy.DoubleValue(math.Inf(1))))},
	{Name: "filter-minus-zero-differs", Rule: "mongo.filter-mismatch", Text: "-0.0 is less than 0.",
		misread: facts(isPartial, becomes(func(v policy.Value) bool {
			f, ok := v.AsDouble()
			return ok && f == 0 && math.Signbit(f)
		}, policy.DoubleValue(-math.SmallestNonzeroFloat64)))},
	{Name: "filter-array-is-one-value", Rule: "mongo.filter-mismatch", Text: "An array is compared as a whole, not by its elements.",
		misread: facts(isPartial, given(func(v policy.Value) bool { return len(policy.AOf(v)) > 0 }, func(v policy.Value) policy.Value { return object("array", v) }))},
	{Name: "filter-array-flattened", Rule: "mongo.filter-mismatch", Text: "The elements of arrays in arrays count.",
		misread: facts(isPartial, flatten)},
	{Name: "filter-same-element", Rule: "mongo.filter-mismatch", Text: "Conditions on an array must be met by one and the same element.",
		misread: only(decide, isPartial, func(q query) conformance.Answer { return earliest(q.withElements()...) })},
	{Name: "filter-array-not-entered", Rule: "mongo.filter-mismatch", Text: "A path of the filter ends at an array of subdocuments.",
		misread: facts(isPartial, turns(beginsWithObject, missing))},
	{Name: "filter-not-dotted", Rule: "mongo.filter-mismatch", Text: "A path of the filter is a field name, dots and all.",
		misread: refilters(renamed(strings.NewReplacer(".", " ").Replace))},
	{Name: "filter-fields-in-any-order", Rule: "mongo.filter-mismatch", Text: "Subdocuments are equal whatever the order of their fields.",
		misread: refacts(sorted)},
	{Name: "filter-ignores-case", Rule: "mongo.filter-mismatch", Text: "Texts compare without regard to case.",
		misread: refacts(lowerCase)},
	{Name: "filter-one-field-suffices", Rule: "mongo.filter-mismatch", Text: "Several fields of a filter are alternatives.",
		misread: anyFilter(isPartial, oneField)},
	{Name: "filter-first-field", Rule: "mongo.filter-mismatch", Text: "Only the first field of a filter counts.",
		misread: anyFilter(isPartial, func(f policy.Value) []policy.Value { return oneField(f)[:1] })},
	{Name: "filter-and-is-or", Rule: "mongo.filter-mismatch", Text: "One clause of $and suffices.",
		misread: anyFilter(says("$and", anyValue), func(f policy.Value) []policy.Value { return policy.AOf(f.Field("$and")) })},
	{Name: "filter-and-first", Rule: "mongo.filter-mismatch", Text: "Only the first clause of $and counts.",
		misread: operand("$and", firstElement)},
	{Name: "filter-or-is-and", Rule: "mongo.filter-mismatch", Text: "All clauses of $or must hold.",
		misread: operator("$or", "$and")},
	{Name: "filter-or-first", Rule: "mongo.filter-mismatch", Text: "Only the first clause of $or counts.",
		misread: operand("$or", firstElement)},
	{Name: "filter-in-first", Rule: "mongo.filter-mismatch", Text: "Only the first value of $in counts.",
		misread: operand("$in", firstElement)},
	{Name: "filter-in-null-needs-null", Rule: "mongo.filter-mismatch", Text: "null in $in matches no document without the field.",
		misread: keeps(decide, every(says("$in", anyValue), func(q query) bool { return len(q.unheld()) > 0 }))},
	{Name: "filter-all-is-in", Rule: "mongo.filter-mismatch", Text: "One of the values of $all suffices.",
		misread: operator("$all", "$in")},
	{Name: "filter-type-of-elements-only", Rule: "mongo.filter-mismatch", Text: `$type: "array" looks at the elements in every release.`,
		misread: atRelease(decide, "3.4.24", every(says("$type", isText("array")), since("3.6.0")))},
	{Name: "filter-type-of-array-itself", Rule: "mongo.filter-mismatch", Text: `$type: "array" has always looked at the field itself.`,
		misread: atRelease(decide, "3.6.23", every(says("$type", isText("array")), until("3.6.0")))},
	{Name: "filter-type-number-is-double", Rule: "mongo.filter-mismatch", Text: `$type: "number" is the type double.`,
		misread: operand("$type", turns(isText("number"), policy.StringValue("double")))},
	{Name: "filter-type-codes-unknown", Rule: "mongo.filter-mismatch", Text: "$type knows names, not codes.",
		misread: operand("$type", turns(isNumeric, policy.StringValue("minKey")))},
})

// unheld returns the fields of filters that the document does not have.
func (q query) unheld() (fields policy.D) {
	for _, x := range policy.AOf(q.get("indexes")) {
		for _, e := range policy.DOf(x.Field(partial)) {
			if q.get("document", e.Key).IsMissing() {
				fields = append(fields, e)
			}
		}
	}
	return fields
}

// hasDefaults tests for a server on which no parameter is set.
func hasDefaults(q query) bool { return len(q.Target.Parameters) == 0 }

func firstElement(v policy.Value) policy.Value { return policy.ListValue(policy.AOf(v)[:1]) }

// oneField returns a filter for each field of a filter.
func oneField(f policy.Value) (all []policy.Value) {
	for _, e := range policy.DOf(f) {
		all = append(all, policy.ObjectValue(policy.D{e}))
	}
	return append(all, f)
}

// refacts changes the values of the document and of the filters alike.
func refacts(edit change) misreading {
	return only(decide, isPartial, func(q query) conformance.Answer {
		return refilters(deep(edit))(q.withFields(false, deep(edit)))
	})
}

// isEmpty matches 0 and documents without fields; beginsWithObject matches
// arrays that begin with a document.
func isEmpty(v policy.Value) bool {
	return equals(0)(v) || v.Kind() == policy.Object && len(policy.DOf(v)) == 0
}

func beginsWithObject(v policy.Value) bool {
	a := policy.AOf(v)
	return len(a) > 0 && a[0].Kind() == policy.Object
}

// anyFilter decides as if one of several filters sufficed.
func anyFilter(when test, choices func(filter policy.Value) []policy.Value) misreading {
	return only(decide, when, func(q query) conformance.Answer { return earliest(q.withFilters(choices)...) })
}

var asDoubles = given(ofType(policy.Int64), func(v policy.Value) policy.Value { return policy.DoubleValue(number(v)) })

// sorted puts the fields of a subdocument in order.
var sorted = given(ofType(policy.Object), func(v policy.Value) policy.Value {
	return policy.ObjectValue(policy.D(slices.SortedStableFunc(slices.Values(policy.DOf(v)), func(a, b policy.E) int { return cmp.Compare(a.Key, b.Key) })))
})

// flatten returns an array without arrays in it.
func flatten(v policy.Value) policy.Value {
	if v.Kind() != policy.List {
		return v
	}
	a := policy.A{}
	for _, e := range policy.AOf(v) {
		if e = flatten(e); e.Kind() == policy.List {
			a = append(a, policy.AOf(e)...)
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

// partial is the name of what makes an index partial.
const partial = "partialFilterExpression"

// refilters decides as if partial filters were others.
func refilters(edit change) misreading { return rewrites(named(partial), within(edit, partial)) }

// operator puts one operator in place of another.
func operator(from, to string) misreading {
	return refilters(renamed(func(name string) string {
		if name == from {
			return to
		}
		return name
	}))
}

// operand puts another operand in place of that of an operator.
func operand(of string, edit change) misreading { return refilters(operands(of, edit)) }

// operands changes the operands of an operator in a filter, renamed all names.
func operands(of string, edit change) change {
	return clauses(func(name string, v policy.Value) (string, policy.Value) {
		if name == of {
			v = edit(v)
		}
		return name, v
	})
}

func renamed(rename func(string) string) change {
	return clauses(func(name string, v policy.Value) (string, policy.Value) { return rename(name), v })
}

// facts decides as if the document held other values in the fields that no
// index is on; what becomes Missing is not there.
func facts(such test, edit change) misreading {
	return only(decide, such, asks(decide, func(q query) query { return q.withFields(false, edit) }))
}

// isPartial tests for a partial filter.
var isPartial = some("indexes", at(ofType(policy.Object), partial))

// says holds for an operator whose operand has a shape.
func says(operator string, such shape) test {
	return some("indexes", at(uses(such, operator), partial))
}

// uses is the shape of filters with one of some operators whose operand has a shape.
func uses(such shape, operators ...string) shape {
	return func(filter policy.Value) (found bool) {
		clauses(func(name string, v policy.Value) (string, policy.Value) {
			found = found || slices.Contains(operators, name) && such(v)
			return name, v
		})(filter)
		return found
	}
}

// withFilters returns q once for each partial filter that choices makes of its
// first index's.
func (q query) withFilters(choices func(filter policy.Value) []policy.Value) (questions []query) {
	all := policy.AOf(q.get("indexes"))
	if len(all) != 1 || !isPartial(q) {
		return []query{q}
	}
	for _, f := range choices(all[0].Field(partial)) {
		questions = append(questions, q.with(policy.ListValue(policy.A{cases.Put(all[0], f, partial)}), "indexes"))
	}
	return questions
}

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
var filters = map[string]misreading{
	"filter-ignored": sets(named(partial), missing, partial),
	"filter-looked-at-before-3.2": keeps(decide, every(until("3.2.0"), some("indexes", named(partial)), func(q query) bool {
		return neverExpires(q.ofRelease("3.2.0"))
	})),
	"filter-stops":            drops(named(partial)),
	"filter-empty-takes-none": drops(every(named(partial), at(func(f policy.Value) bool { return len(policy.DOf(f)) == 0 }, partial))),
	"filter-missing-is-in": asks(decide, func(q query) query {
		for _, e := range q.unheld() {
			if e.Value.Kind() != policy.Object {
				q = q.with(e.Value, "document", e.Key)
			}
		}
		return q
	}),
	"filter-gt-is-gte":           operator("$gt", "$gte"),
	"filter-gte-is-gt":           operator("$gte", "$gt"),
	"filter-lt-is-lte":           operator("$lt", "$lte"),
	"filter-lte-is-lt":           operator("$lte", "$lt"),
	"filter-eq-is-gte":           operator("$eq", "$gte"),
	"filter-null-does-not-exist": facts(isPartial, becomes(isNull, missing)),
	"filter-exists-empty-array":  facts(isPartial, turns(isEmptyList, missing)),
	"filter-null-is-not-missing": refilters(clauses(func(name string, v policy.Value) (string, policy.Value) {
		if isNull(v) && name != "" && name[0] != '$' {
			v = object("$type", policy.Int32Value(int32(policy.Null)))
		}
		return name, v
	})),
	"filter-null-is-missing":          facts(isPartial, becomes(isNull, policy.Int32Value(1))),
	"filter-null-is-zero":             facts(isPartial, turns(isEmpty, policy.NullValue())),
	"filter-extreme-types-always":     atRelease(decide, "4.2.25", every(ordinary, isPartial, since("3.6.0"), until("4.2.0"))),
	"filter-extreme-types-late":       atRelease(decide, "4.0.28", every(ordinary, isPartial, since("4.2.0"))),
	"filter-null-path-early":          atRelease(decide, "9.0.0", every(ordinary, isPartial, since("8.0.0"), until("9.0.0"))),
	"filter-null-path-late":           atRelease(decide, "8.3.13", every(hasDefaults, isPartial, since("9.0.0"))),
	"filter-null-parameter":           asks(decide, query.withDefaults),
	"filter-null-path-empty-only":     atRelease(decide, "8.3.13", every(hasDefaults, isPartial, since("9.0.0"), func(q query) bool { return !holds(isEmptyList)(q.get("document")) })),
	"filter-null-path-documents-save": atRelease(decide, "8.3.13", every(hasDefaults, isPartial, since("9.0.0"), func(q query) bool { return holds(holds(ofType(policy.Object)))(q.get("document")) })),
	"filter-undefined-is-null":        atRelease(decide, "7.3.4", every(ordinary, isPartial, since("8.0.0"))),
	"filter-undefined-is-not-null":    atRelease(decide, "8.0.16", every(ordinary, isPartial, until("8.0.0"), since("6.2.0"))),
	"filter-text-is-a-number":         facts(isPartial, numerals),
	"filter-types-sort-together":      facts(says("$gt", isNumeric), becomes(ofType(policy.String), policy.DoubleValue(math.Inf(1)))),
	"filter-true-is-one":              facts(isPartial, becomes(ofType(policy.Bool), policy.Int32Value(1))),
	"filter-date-is-a-number":         facts(says("$gt", ofType(policy.Date)), dateBy(integerTime(1))),
	"filter-numbers-are-doubles":      refacts(asDoubles),
	"filter-number-types-differ":      facts(isPartial, becomes(ofType(policy.Int64, policy.Double, policy.Decimal), policy.StringValue("other"))),
	"filter-nan-differs-from-nan":     facts(isPartial, becomes(policy.Value.IsNaN, policy.StringValue("NaN"))),
	"filter-nan-is-greatest":          facts(isPartial, becomes(policy.Value.IsNaN, policy.DoubleValue(math.Inf(1)))),
	"filter-minus-zero-differs": facts(isPartial, becomes(func(v policy.Value) bool {
		f, ok := v.AsDouble()
		return ok && f == 0 && math.Signbit(f)
	}, policy.DoubleValue(-math.SmallestNonzeroFloat64))),
	"filter-array-is-one-value":    facts(isPartial, given(func(v policy.Value) bool { return len(policy.AOf(v)) > 0 }, func(v policy.Value) policy.Value { return object("array", v) })),
	"filter-array-flattened":       facts(isPartial, flatten),
	"filter-same-element":          only(decide, isPartial, func(q query) conformance.Answer { return earliest(q.withElements()...) }),
	"filter-array-not-entered":     facts(isPartial, turns(beginsWithObject, missing)),
	"filter-not-dotted":            refilters(renamed(strings.NewReplacer(".", " ").Replace)),
	"filter-fields-in-any-order":   refacts(sorted),
	"filter-ignores-case":          refacts(lowerCase),
	"filter-one-field-suffices":    anyFilter(isPartial, oneField),
	"filter-first-field":           anyFilter(isPartial, func(f policy.Value) []policy.Value { return oneField(f)[:1] }),
	"filter-and-is-or":             anyFilter(says("$and", anyValue), func(f policy.Value) []policy.Value { return policy.AOf(f.Field("$and")) }),
	"filter-and-first":             operand("$and", firstElement),
	"filter-or-is-and":             operator("$or", "$and"),
	"filter-or-first":              operand("$or", firstElement),
	"filter-in-first":              operand("$in", firstElement),
	"filter-in-null-needs-null":    keeps(decide, every(says("$in", anyValue), func(q query) bool { return len(q.unheld()) > 0 })),
	"filter-all-is-in":             operator("$all", "$in"),
	"filter-type-of-elements-only": atRelease(decide, "3.4.24", every(says("$type", isText("array")), since("3.6.0"))),
	"filter-type-of-array-itself":  atRelease(decide, "3.6.23", every(says("$type", isText("array")), until("3.6.0"))),
	"filter-type-number-is-double": operand("$type", turns(isText("number"), policy.StringValue("double"))),
	"filter-type-codes-unknown":    operand("$type", turns(isNumeric, policy.StringValue("minKey"))),
}

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

// isEmpty is the shape of 0 and of documents without fields, beginsWithObject of
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

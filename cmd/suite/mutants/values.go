package mutants

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A shape reports whether a misreading affects an index, or another value.
type shape = func(policy.Value) bool

// at is the shape of values whose part at a path has the shape such.
func at(such shape, path ...string) shape {
	return func(v policy.Value) bool { return such(cases.At(v, path...)) }
}

// holds returns the shape of values that have an element or a field of the given shape.
func holds(such shape) shape {
	return func(v policy.Value) bool {
		return slices.ContainsFunc(policy.AOf(v), such) ||
			slices.ContainsFunc(policy.DOf(v), func(e policy.E) bool { return such(e.Value) })
	}
}

func isThere(v policy.Value) bool { return !v.IsMissing() }
func isNull(v policy.Value) bool  { return v.Kind() == policy.Null }

func isText(s string) shape {
	return func(v policy.Value) bool { have, ok := v.AsString(); return ok && have == s }
}

// ofType is the shape of values of one of these types.
func ofType(kinds ...policy.Kind) shape {
	return func(v policy.Value) bool { return slices.Contains(kinds, v.Kind()) }
}

// equals, below and above are shapes of numbers.
func equals(n float64) shape {
	return func(v policy.Value) bool { return v.Kind().IsNumber() && number(v) == n }
}
func below(n float64) shape { return func(v policy.Value) bool { return number(v) < n } }
func above(n float64) shape { return func(v policy.Value) bool { return number(v) > n } }

func isEmptyList(v policy.Value) bool { return v.Kind() == policy.List && len(policy.AOf(v)) == 0 }

// isLarge is the shape of integers beyond 32 bits.
var isLarge = every(ofType(policy.Int32, policy.Int64), above(math.MaxInt32))

// isInt32Of is the shape of the int32 with the value n.
func isInt32Of(n float64) shape { return every(ofType(policy.Int32), equals(n)) }

// missing removes the value that it replaces.
var missing policy.Value

// A change turns one value into another.
type change = func(policy.Value) policy.Value

// put makes a change that puts a value at a path.
func put(v policy.Value, path ...string) change {
	return func(x policy.Value) policy.Value { return cases.Put(x, v, path...) }
}

// drop turns every value into Missing.
var drop = put(missing)

// becomes returns a change that replaces each value of a shape, at any depth.
func becomes(such shape, to policy.Value) change { return leaves(turns(such, to)) }

// turns returns a change that replaces a value of a shape.
func turns(such shape, to policy.Value) change {
	return given(such, func(policy.Value) policy.Value { return to })
}

// given restricts a change to values of a shape.
func given(such shape, edit change) change {
	return func(v policy.Value) policy.Value {
		if such(v) {
			return edit(v)
		}
		return v
	}
}

// dateBy returns a change that replaces a value by a date if read can convert it.
func dateBy(read func(policy.Value) (policy.Instant, bool)) change {
	return func(v policy.Value) policy.Value {
		if i, ok := read(v); ok {
			return policy.DateValue(i)
		}
		return v
	}
}

// numerals turns texts of digits into numbers.
func numerals(v policy.Value) policy.Value {
	s, ok := v.AsString()
	if n, err := strconv.ParseInt(s, 10, 64); ok && err == nil {
		return policy.Int64Value(n)
	}
	return v
}

// low32 keeps the low 32 bits of an integer.
func low32(v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int32Value(int32(n)) }

// object returns a document with one field.
func object(name string, v policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{{Key: name, Value: v}})
}

// number returns a number of any type as a double, 0 if v is none.
func number(v policy.Value) float64 {
	if n, ok := v.AsInt64(); ok {
		return float64(n)
	}
	if v.Kind() == policy.Decimal {
		v = asDouble(v)
	}
	f, _ := v.AsDouble()
	return f
}

// asDouble returns a Decimal128 as the nearest double.
func asDouble(v policy.Value) policy.Value {
	text := strings.Trim(strings.TrimPrefix(string(policy.AppendExtJSON(nil, v)), `{"$numberDecimal":`), `"}`)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return v
	}
	return policy.DoubleValue(f)
}

// leaves returns a change that applies edit to each value that is not a document or an
// array.
func leaves(edit change) change {
	edit = given(not(ofType(policy.Object, policy.List)), edit)
	return clauses(func(name string, v policy.Value) (string, policy.Value) { return name, edit(v) })
}

// clauses changes every name and value in a filter or another value, the innermost first.
// Elements of lists, and the value itself, have no name.
func clauses(edit func(name string, v policy.Value) (string, policy.Value)) change {
	return func(v policy.Value) policy.Value {
		_, v = edit("", parts(v, edit))
		return v
	}
}

// parts returns a value with its elements or fields changed.
func parts(v policy.Value, edit func(string, policy.Value) (string, policy.Value)) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.D{}
		for _, e := range policy.DOf(v) {
			e.Key, e.Value = edit(e.Key, parts(e.Value, edit))
			d = append(d, e)
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for _, e := range policy.AOf(v) {
			_, e = edit("", parts(e, edit))
			a = append(a, e)
		}
		return policy.ListValue(a)
	}
	return v
}

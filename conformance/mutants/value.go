package mutants

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A change makes one value of another.
type change = func(policy.Value) policy.Value

// becomes changes the values at any depth that are such, turns a value as a whole.
func becomes(such shape, to policy.Value) change {
	return func(v policy.Value) policy.Value { return leaves(v, turns(such, to)) }
}

func turns(such shape, to policy.Value) change {
	return given(such, func(policy.Value) policy.Value { return to })
}

// given makes a change of values that are such, dateBy of those that a date is read
// from.
func given(such shape, edit change) change {
	return func(v policy.Value) policy.Value {
		if such(v) {
			return edit(v)
		}
		return v
	}
}

func dateBy(read func(policy.Value) (policy.Instant, bool)) change {
	return func(v policy.Value) policy.Value {
		if i, ok := read(v); ok {
			return policy.DateValue(i)
		}
		return v
	}
}

// numerals makes numbers of texts of digits.
func numerals(v policy.Value) policy.Value {
	s, ok := v.AsString()
	if n, err := strconv.ParseInt(s, 10, 64); ok && err == nil {
		return policy.Int64Value(n)
	}
	return v
}

var lowerCase = given(ofType(policy.String), func(v policy.Value) policy.Value {
	s, _ := v.AsString()
	return policy.StringValue(strings.ToLower(s))
})

// low32 keeps the low 32 bits of an integer.
func low32(v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int32Value(int32(n)) }

// ofType is the shape of values of one of these types, equals, below and above of
// numbers.
func ofType(kinds ...policy.Kind) shape {
	return func(v policy.Value) bool { return slices.Contains(kinds, v.Kind()) }
}

func equals(n float64) shape {
	return func(v policy.Value) bool { return v.Kind().IsNumber() && number(v) == n }
}
func below(n float64) shape { return func(v policy.Value) bool { return number(v) < n } }
func above(n float64) shape { return func(v policy.Value) bool { return number(v) > n } }

func isNumeric(v policy.Value) bool   { return v.Kind().IsNumber() }
func isInfinite(v policy.Value) bool  { return math.IsInf(number(v), 1) }
func isTrue(v policy.Value) bool      { b, _ := v.AsBool(); return b }
func isFalse(v policy.Value) bool     { b, ok := v.AsBool(); return ok && !b }
func isNegative(v policy.Value) bool  { return asFloat(v) < 0 }
func isFraction(v policy.Value) bool  { return asFloat(v) != math.Trunc(asFloat(v)) }
func isEmptyList(v policy.Value) bool { return v.Kind() == policy.List && len(policy.AOf(v)) == 0 }

// isLarge is the shape of integers beyond 32 bits, wrapsTo of those whose low 32
// bits are a number from least on.
var isLarge = every(ofType(policy.Int32, policy.Int64), above(math.MaxInt32))

func wrapsTo(least int32) shape {
	return func(v policy.Value) bool { n, ok := v.AsInt64(); return ok && int32(n) >= least }
}

// isInt32Of is the shape of one int32.
func isInt32Of(n float64) shape { return every(ofType(policy.Int32), equals(n)) }

// object returns a document with one field.
func object(name string, v policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{{Key: name, Value: v}})
}

// number returns a number as a double, 0 if v is none.
func number(v policy.Value) float64 {
	if n, ok := v.AsInt64(); ok {
		return float64(n)
	}
	f, _ := v.AsDouble()
	return f
}

// deep changes every value in v, the innermost first and v last.
func deep(v policy.Value, edit change) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.D{}
		for _, e := range policy.DOf(v) {
			d = append(d, policy.E{Key: e.Key, Value: deep(e.Value, edit)})
		}
		v = policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for _, e := range policy.AOf(v) {
			a = append(a, deep(e, edit))
		}
		v = policy.ListValue(a)
	}
	return edit(v)
}

// leaves changes every value in v that is no document or array.
func leaves(v policy.Value, edit change) policy.Value {
	return deep(v, given(func(v policy.Value) bool { return v.Kind() != policy.Object && v.Kind() != policy.List }, edit))
}

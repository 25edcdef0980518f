package value

import (
	"cmp"
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/base/decimal128"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// WholeSeconds returns the number of whole seconds that MongoDB reads from v, or 0 if v
// is not a number. Doubles are truncated towards zero, decimals are rounded half to even,
// and a number beyond 64 bits becomes the nearest integer that fits. NaN becomes 0
// (mongodb/mongo: src/mongo/bson/bsonelement.h, safeNumberLong, and
// src/mongo/platform/decimal128.h, toLong).
func WholeSeconds(v policy.Value) int64 {
	if n, ok := v.AsInt64(); ok {
		return n
	}
	if f, ok := v.AsDouble(); ok {
		return truncate(f)
	}
	high, low, ok := v.AsDecimal()
	if !ok {
		return 0
	}
	return decimal128.Int64(high, low)
}

// truncate rounds f towards zero, and saturates beyond 64 bits; NaN becomes 0.
func truncate(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f >= math.MaxInt64: // math.MaxInt64 as a float64 is 2^63
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// ExactInt64 returns the number v as an int64. It reports false if v is not a whole
// number that fits 64 bits.
func ExactInt64(v policy.Value) (int64, bool) {
	n := WholeSeconds(v)
	return n, v.Kind().IsNumber() && CompareNumbers(v, policy.Int64Value(n)) == 0
}

func InSeconds(n int64) bool { return n >= 0 && n <= int64(policy.MaxSeconds) }

// Saturates reports whether WholeSeconds gives a double or a decimal the largest or the
// smallest int64, as for every number beyond 64 bits.
func Saturates(v policy.Value) bool {
	n := WholeSeconds(v)
	_, isInteger := v.AsInt64()
	return !isInteger && (n == math.MaxInt64 || n == math.MinInt64)
}

// CompareNumbers compares numbers of all kinds exactly. NaN comes before all other
// numbers and equals itself; zeros of both signs are equal.
func CompareNumbers(v, w policy.Value) int {
	a, aInt := v.AsInt64()
	b, bInt := w.AsInt64()
	if aInt && bInt {
		return cmp.Compare(a, b)
	}
	if v.Kind() == policy.Decimal || w.Kind() == policy.Decimal {
		return compareAsDecimals(v, w)
	}
	f, _ := v.AsDouble()
	g, _ := w.AsDouble()
	switch {
	case aInt:
		return -compareDoubleToInt(g, a)
	case bInt:
		return compareDoubleToInt(f, b)
	}
	return cmp.Compare(f, g) // cmp.Compare puts NaN first, as MongoDB does
}

// compareDoubleToInt compares without rounding f or n.
func compareDoubleToInt(f float64, n int64) int {
	switch {
	case f != f || f < math.MinInt64:
		return -1
	case f >= math.MaxInt64: // 2^63
		return +1
	}
	whole := int64(f) // the exact whole part
	return cmp.Or(cmp.Compare(whole, n), cmp.Compare(f, float64(whole)))
}

// compareAsDecimals compares two numbers, if one is a Decimal.
func compareAsDecimals(v, w policy.Value) int {
	// Most numbers are whole and small: for them this short cut takes less than a fifth
	// of the time.
	a, wholeV := wholeInt32(v)
	b, wholeW := wholeInt32(w)
	if wholeV && wholeW {
		return cmp.Compare(a, b)
	}
	if c := cmp.Compare(extremeOf(v), extremeOf(w)); c != 0 || extremeOf(v) != finite {
		return c
	}
	return compareFinite(v, w)
}

// An extreme classifies a number: NaN, an infinity, or finite.
type extreme int

const (
	notANumber extreme = iota
	minusInfinity
	finite
	plusInfinity
)

func extremeOf(v policy.Value) extreme {
	if v.IsNaN() {
		return notANumber
	}
	sign := 0
	if high, _, ok := v.AsDecimal(); ok {
		sign = decimal128.InfinitySign(high)
	}
	if f, ok := v.AsDouble(); ok && math.IsInf(f, 0) {
		sign = cmp.Compare(f, 0)
	}
	return finite + extreme(sign)
}

// compareFinite compares two finite numbers. At most one may be a double.
func compareFinite(v, w policy.Value) int {
	if f, ok := v.AsDouble(); ok {
		return -numberOf(w).CompareFloat64(f)
	}
	if f, ok := w.AsDouble(); ok {
		return numberOf(v).CompareFloat64(f)
	}
	return numberOf(v).Compare(numberOf(w))
}

// numberOf returns a finite number that is not a double.
func numberOf(v policy.Value) decimal128.Number {
	if n, ok := v.AsInt64(); ok {
		return decimal128.NumberOfInt64(n)
	}
	high, low, _ := v.AsDecimal()
	return decimal128.NumberOf(high, low)
}

// wholeInt32 returns the number v, of any kind, as an int32. It reports false if v is not
// a whole number that fits.
func wholeInt32(v policy.Value) (int32, bool) {
	if high, low, ok := v.AsDecimal(); ok {
		return decimal128.Int32(high, low)
	}
	if f, ok := v.AsDouble(); ok {
		n := int32(max(min(f, math.MaxInt32), math.MinInt32)) // a NaN differs from every n
		return n, float64(n) == f
	}
	n, ok := v.AsInt64()
	return int32(n), ok && n == int64(int32(n))
}

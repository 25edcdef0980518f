package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/decimal128"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// compareFinite compares two numbers that are neither NaN nor infinite, of which
// one at most is a double.
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

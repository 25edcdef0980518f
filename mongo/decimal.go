package mongo

import (
	"math"
	"math/big"

	"github.com/shopspring/decimal"

	"github.com/ttlpolicy/ttlpolicy/internal/decimal128"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// compareFinite compares two numbers that are neither NaN nor infinite. Only a
// double of more digits than a decimal128 has needs more than two words, and even
// then the digits are those of one decimal128 and one double at most.
func compareFinite(v, w policy.Value) int {
	a, shortA := shortNumber(v)
	b, shortB := shortNumber(w)
	if shortA && shortB {
		return a.Compare(b)
	}
	return longNumber(v).Cmp(longNumber(w))
}

// shortNumber returns a finite number exactly. It reports false for a double of
// more digits than a decimal128 has.
func shortNumber(v policy.Value) (decimal128.Number, bool) {
	if n, ok := v.AsInt64(); ok {
		return decimal128.NumberOfInt64(n), true
	}
	if f, ok := v.AsDouble(); ok {
		return decimal128.NumberOfFloat64(f)
	}
	high, low, _ := v.AsDecimal()
	return decimal128.NumberOf(high, low), true
}

// longNumber returns a finite number exactly, whatever its digits.
func longNumber(v policy.Value) decimal.Decimal {
	if f, ok := v.AsDouble(); ok {
		return longDouble(f)
	}
	if n, ok := v.AsInt64(); ok {
		return decimal.NewFromInt(n)
	}
	top, bottom, _ := v.AsDecimal()
	high, low, exponent := decimal128.Split(top, bottom)
	c := new(big.Int).SetUint64(high)
	c.Lsh(c, 64).Or(c, new(big.Int).SetUint64(low))
	if decimal128.IsNegative(top) {
		c.Neg(c)
	}
	return decimal.NewFromBigInt(c, int32(exponent))
}

// longDouble returns a finite f exactly: f is m * 2^e, and for a negative e that
// is m * 5^-e * 10^e.
func longDouble(f float64) decimal.Decimal {
	fraction, exponent := math.Frexp(f)
	m, e := big.NewInt(int64(math.Ldexp(fraction, 53))), exponent-53
	if e >= 0 {
		return decimal.NewFromBigInt(m.Lsh(m, uint(e)), 0)
	}
	five := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e)), nil)
	return decimal.NewFromBigInt(m.Mul(m, five), int32(e))
}

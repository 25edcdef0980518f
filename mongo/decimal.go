package mongo

import (
	"math"
	"math/big"

	"github.com/shopspring/decimal"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The layout of a decimal128 in binary integer encoding (IEEE 754-2008, 3.5.2).
const (
	decimalNaN       = 0x7C << 56
	decimalInfinity  = 0x78 << 56
	decimalSign      = 1 << 63
	decimalLarge     = 0x60 << 56 // a coefficient beyond 34 digits, which counts as 0
	exponentBias     = 6176
	exponentMask     = 1<<14 - 1
	coefficientShift = 49
)

// decimalToInt64 rounds a decimal128 half to even, saturating; NaN is 0
// (mongodb/mongo: src/mongo/platform/decimal128.h, toLong).
func decimalToInt64(high, low uint64) int64 {
	if sign, ok := infinitySign(high); ok {
		return saturated(sign)
	}
	if high&decimalNaN == decimalNaN {
		return 0
	}
	d := finiteDecimal(high, low)
	// The magnitude is settled before any arithmetic, so that no exponent
	// costs more than a few digits.
	switch magnitude := int64(d.NumDigits()) + int64(d.Exponent()); {
	case d.IsZero() || magnitude < 0:
		return 0
	case magnitude > 19:
		return saturated(d.Sign())
	}
	n := d.RoundBank(0).BigInt()
	if !n.IsInt64() {
		return saturated(n.Sign())
	}
	return n.Int64()
}

func saturated(sign int) int64 {
	if sign < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// infinitySign returns the sign of an infinity. It reports false for any other
// decimal128.
func infinitySign(high uint64) (int, bool) {
	if high&decimalNaN != decimalInfinity {
		return 0, false
	}
	if high&decimalSign != 0 {
		return -1, true
	}
	return +1, true
}

// maxCoefficient is the greatest of 34 digits; a greater one counts as 0.
var maxCoefficient, _ = new(big.Int).SetString("9999999999999999999999999999999999", 10)

// finiteDecimal returns the value of a decimal128 that is neither NaN nor an
// infinity.
func finiteDecimal(high, low uint64) decimal.Decimal {
	if high&decimalLarge == decimalLarge {
		return decimal.Decimal{}
	}
	exponent := int32(high>>coefficientShift&exponentMask) - exponentBias
	c := new(big.Int).SetUint64(high & (1<<coefficientShift - 1))
	c.Lsh(c, 64).Or(c, new(big.Int).SetUint64(low))
	if c.Cmp(maxCoefficient) > 0 {
		return decimal.Decimal{}
	}
	if high&decimalSign != 0 {
		c.Neg(c)
	}
	return decimal.NewFromBigInt(c, exponent)
}

// decimalOfDouble returns a finite f exactly: f is m * 2^e, and for a negative
// e that is m * 5^-e * 10^e.
func decimalOfDouble(f float64) decimal.Decimal {
	fraction, exponent := math.Frexp(f)
	m, e := big.NewInt(int64(math.Ldexp(fraction, 53))), exponent-53
	if e >= 0 {
		return decimal.NewFromBigInt(m.Lsh(m, uint(e)), 0)
	}
	five := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e)), nil)
	return decimal.NewFromBigInt(m.Mul(m, five), int32(e))
}

// compareFinite compares two numbers that are neither NaN nor infinite. What
// has a short decimal form is compared in place; only a decimal beside a double
// that has none takes more than two words, and even then the digits are those
// of one decimal128 and one double at most.
func compareFinite(v, w policy.Value) int {
	a, shortA := scaledOf(v)
	b, shortB := scaledOf(w)
	if shortA && shortB {
		return a.compare(b)
	}
	return decimalOf(v).Cmp(decimalOf(w))
}

// decimalOf returns a finite number exactly.
func decimalOf(v policy.Value) decimal.Decimal {
	if n, ok := v.AsInt64(); ok {
		return decimal.NewFromInt(n)
	}
	if f, ok := v.AsDouble(); ok {
		return decimalOfDouble(f)
	}
	high, low, _ := v.AsDecimal()
	return finiteDecimal(high, low)
}

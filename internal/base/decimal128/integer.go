package decimal128

import (
	"math"
	"math/bits"
)

// Int32 returns a decimal128 as an int32. It reports false for a fraction, a number
// outside int32, an infinity and NaN. No value costs more than two divisions, because
// documents may be hostile.
func Int32(high, low uint64) (int32, bool) {
	if high&infinity == infinity { // a NaN has these bits too
		return 0, false
	}
	magnitude, ok := wholeMagnitude(Split(high, low))
	if !ok || magnitude > 1<<31 {
		return 0, false
	}
	n := int64(magnitude)
	if isNegative(high) {
		n = -n
	}
	return int32(n), n == int64(int32(n))
}

// powersOfTen are the powers of ten that fit 64 bits.
var powersOfTen = [...]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// wholeMagnitude returns a coefficient times ten to the exponent. It reports false for a
// fraction, and for numbers well above 1<<31.
func wholeMagnitude(high, low uint64, exponent int) (uint64, bool) {
	switch {
	case high|low == 0:
		return 0, true // 0 with any exponent
	case exponent > 9, exponent < 1-Digits:
		return 0, false // at least 10^10, or less than 1
	case exponent < 0:
		return wholeQuotient(high, low, -exponent)
	}
	return low * powersOfTen[exponent], high == 0 && low <= 1<<31 // so that the product fits
}

// wholeQuotient returns a coefficient divided by ten to the power of zeros, 1
// to 33. It reports false if that is a fraction or does not fit 64 bits.
func wholeQuotient(high, low uint64, zeros int) (uint64, bool) {
	// A multiple of a power of ten is a multiple of the same power of two, so the
	// last bits show most fractions without a division.
	if bits.TrailingZeros64(low) < zeros {
		return 0, false
	}
	if most := len(powersOfTen) - 1; zeros > most {
		quotient, remainder := bits.Div64(high, low, powersOfTen[most]) // fits: at most 15 digits, 34 less 19
		if remainder != 0 {
			return 0, false
		}
		high, low, zeros = 0, quotient, zeros-most
	}
	divisor := powersOfTen[zeros]
	if high >= divisor {
		return 0, false
	}
	quotient, remainder := bits.Div64(high, low, divisor)
	return quotient, remainder == 0
}

// Int64 returns a decimal128 rounded half to even. It returns the nearest int64
// for numbers beyond the range, and 0 for NaN.
func Int64(high, low uint64) int64 {
	if sign := InfinitySign(high); sign != 0 {
		return saturated(sign < 0)
	}
	if IsNaN(high) {
		return 0
	}
	n := NumberOf(high, low)
	switch magnitude := n.magnitude(); {
	case n.sign() == 0 || magnitude < 0: // below a tenth
		return 0
	case magnitude > 19:
		return saturated(n.negative)
	}
	whole := n.round()
	switch {
	case whole > math.MaxInt64:
		return saturated(n.negative)
	case n.negative:
		return -int64(whole)
	}
	return int64(whole)
}

func saturated(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// round returns the magnitude of n, which has at most 19 digits before the point,
// rounded half to even.
func (n Number) round() uint64 {
	high, low := n.high, n.low
	var digit, below uint64 // the first digit after the point, and whether nonzero digits follow
	for range -n.exponent {
		below |= digit
		high, low, digit = divideByTen(high, low)
	}
	for range n.exponent {
		low *= 10
	}
	if digit > 5 || digit == 5 && (below != 0 || low%2 == 1) {
		low++
	}
	return low
}

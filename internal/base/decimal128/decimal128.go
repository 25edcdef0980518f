// Package decimal128 reads, writes, rounds and compares the decimal128 of IEEE 754-2008
// in the binary integer encoding, which BSON stores: from the top, 1 bit of sign, 14 bits
// of biased exponent, and 113 bits of coefficient. A number is passed as two words.
package decimal128

import "math/bits"

const (
	Digits      = 34    // the maximum number of digits of a coefficient
	minExponent = -6176 // the smallest exponent of the last digit of a coefficient
	maxExponent = 6111

	signBit  = 1 << 63
	infinity = 0x1E << 58
	nan      = 0x1F << 58
)

// IsNaN reports whether a decimal128 is not a number.
func IsNaN(high uint64) bool { return high&nan == nan }

// isNegative reports whether the sign bit is set.
func isNegative(high uint64) bool { return high&signBit != 0 }

// InfinitySign returns -1 or +1 for an infinity, 0 for any other decimal128.
func InfinitySign(high uint64) int {
	switch {
	case high&nan != infinity:
		return 0
	case isNegative(high):
		return -1
	}
	return +1
}

// Split returns the coefficient and the exponent of a finite number. A
// coefficient above the largest of 34 digits stands for zero, as IEEE 754-2008
// has it (3.5.2).
func Split(high, low uint64) (coefficientHigh, coefficientLow uint64, exponent int) {
	if high>>61&3 == 3 {
		return 0, 0, int(high>>47&(1<<14-1)) + minExponent
	}
	exponent = int(high>>49&(1<<14-1)) + minExponent
	high &= 1<<49 - 1
	if high > maxCoefficientHigh || high == maxCoefficientHigh && low > maxCoefficientLow {
		return 0, 0, exponent
	}
	return high, low, exponent
}

// The two words of 10^34 - 1, the largest coefficient.
const (
	maxCoefficientHigh = 0x0001_ED09_BEAD_87C0
	maxCoefficientLow  = 0x378D_8E63_FFFF_FFFF
)

// divideByTen returns a number of two words divided by ten, and the remainder.
func divideByTen(high, low uint64) (quotientHigh, quotientLow, remainder uint64) {
	quotientHigh, remainder = high/10, high%10
	quotientLow, remainder = bits.Div64(remainder, low, 10)
	return quotientHigh, quotientLow, remainder
}

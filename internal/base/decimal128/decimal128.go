// Package decimal128 reads, writes, rounds and compares the decimal128 of IEEE 754-2008
// in the binary integer encoding, which BSON stores: from the top, 1 bit of sign, 14 bits
// of biased exponent, and 113 bits of coefficient. A number is passed as two words.
package decimal128

import (
	"cmp"
	"math/bits"
)

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

// A Number is a number of at most 34 decimal digits: a coefficient times ten to the
// exponent. The zero Number is 0.
type Number struct {
	negative  bool
	high, low uint64 // the coefficient
	exponent  int64
}

// NumberOf returns the Number of a decimal128, which must be finite.
func NumberOf(high, low uint64) Number {
	n := Number{negative: isNegative(high)}
	var exponent int
	n.high, n.low, exponent = Split(high, low)
	n.exponent = int64(exponent)
	return n
}

// NumberOfInt64 returns the Number of an int64.
func NumberOfInt64(n int64) Number {
	if n < 0 {
		return Number{negative: true, low: -uint64(n)}
	}
	return Number{low: uint64(n)}
}

// timesTen multiplies the coefficient by ten. The product must fit two words.
func (n *Number) timesTen() {
	carry, low := bits.Mul64(n.low, 10)
	n.high, n.low = n.high*10+carry, low
}

// powers are 10^0 to 10^34.
var powers = func() (p [Digits + 1]Number) {
	p[0].low = 1
	for i := 1; i <= Digits; i++ {
		p[i] = p[i-1]
		p[i].timesTen()
	}
	return p
}()

// digits returns the number of digits of the coefficient: 0 for 0, and 35 for more than
// 34 digits. The length in bits leaves two possible numbers of digits.
func (n Number) digits() int {
	digits := n.bits() * 1233 / 4096 // approximates log10(2) well enough for 128 bits
	if digits <= Digits && n.compareCoefficient(powers[digits]) < 0 {
		return digits
	}
	return min(digits, Digits) + 1
}

// magnitude returns the number of digits of n before the point.
func (n Number) magnitude() int64 { return int64(n.digits()) + n.exponent }

// push appends one digit to the coefficient.
func (n *Number) push(digit uint64) {
	n.timesTen()
	low, carry := bits.Add64(n.low, digit, 0)
	n.high, n.low = n.high+carry, low
}

func (n Number) compareCoefficient(t Number) int {
	return cmp.Or(cmp.Compare(n.high, t.high), cmp.Compare(n.low, t.low))
}

// sign returns -1, 0 or +1.
func (n Number) sign() int {
	switch {
	case n.high|n.low == 0:
		return 0
	case n.negative:
		return -1
	}
	return +1
}

// Compare returns -1, 0 or +1 as n is less than, equal to or greater than t.
func (n Number) Compare(t Number) int {
	if n.sign() != t.sign() || n.sign() == 0 {
		return cmp.Compare(n.sign(), t.sign())
	}
	return n.sign() * n.compareMagnitude(t)
}

// compareMagnitude compares the magnitudes of n and t. Numbers of one order of magnitude
// differ in their exponents by less than 34, so the one with the greater exponent can be
// scaled to the other.
func (n Number) compareMagnitude(t Number) int {
	if c := cmp.Compare(n.magnitude(), t.magnitude()); c != 0 {
		return c
	}
	for ; n.exponent > t.exponent; n.exponent-- {
		n.timesTen()
	}
	for ; t.exponent > n.exponent; t.exponent-- {
		t.timesTen()
	}
	return n.compareCoefficient(t)
}

package mongo

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A scaled is a number of at most 34 decimal digits, as a decimal128 holds it:
// the coefficient times ten to the exponent.
type scaled struct {
	negative  bool
	high, low uint64 // the coefficient
	exponent  int
}

// scaledOf returns a finite number exactly. It reports false for a double with
// more digits.
func scaledOf(v policy.Value) (scaled, bool) {
	if n, ok := v.AsInt64(); ok {
		return scaledInt(n), true
	}
	if f, ok := v.AsDouble(); ok {
		return scaledDouble(f)
	}
	high, low, _ := v.AsDecimal()
	return scaledDecimal(high, low), true
}

func scaledInt(n int64) scaled {
	if n < 0 {
		return scaled{negative: true, low: -uint64(n)}
	}
	return scaled{low: uint64(n)}
}

// scaledDecimal reads a decimal128 that is neither NaN nor infinite. A
// coefficient of more than 34 digits counts as 0 (IEEE 754-2008, 3.5.2).
func scaledDecimal(high, low uint64) scaled {
	s := scaled{
		negative: high&decimalSign != 0,
		high:     high & (1<<coefficientShift - 1),
		low:      low,
		exponent: int(high>>coefficientShift&exponentMask) - exponentBias,
	}
	if high&decimalLarge == decimalLarge || s.digits() > maxDigits {
		return scaled{}
	}
	return s
}

// maxDigits is how many digits a decimal128 has.
const maxDigits = 34

// scaledDouble returns a double exactly: m * 2^e, and for a negative e that is
// m * 5^-e * 10^e.
func scaledDouble(f float64) (scaled, bool) {
	fraction, exponent := math.Frexp(math.Abs(f))
	m, e := uint64(math.Ldexp(fraction, 53)), exponent-53
	if m == 0 {
		return scaled{}, true
	}
	shift := bits.TrailingZeros64(m)
	s := scaled{negative: f < 0, low: m >> shift}
	e += shift
	factor := uint64(2)
	if e < 0 {
		factor, s.exponent = 5, e
	}
	for range max(e, -e) {
		if !s.times(factor) {
			return scaled{}, false
		}
	}
	return s, s.digits() <= maxDigits
}

// times multiplies the coefficient. It reports false if that does not fit two
// words.
func (s *scaled) times(factor uint64) bool {
	carry, low := bits.Mul64(s.low, factor)
	over, high := bits.Mul64(s.high, factor)
	high, c := bits.Add64(high, carry, 0)
	s.high, s.low = high, low
	return over == 0 && c == 0
}

// powers are 10^0 to 10^34.
var powers = func() (p [maxDigits + 1]scaled) {
	p[0].low = 1
	for i := 1; i <= maxDigits; i++ {
		p[i] = p[i-1]
		p[i].times(10)
	}
	return p
}()

// digits returns how many digits the coefficient has: 0 for 0, and 35 for any
// number beyond 34. The number of bits leaves two powers of ten to choose from.
func (s scaled) digits() int {
	length := bits.Len64(s.low)
	if s.high > 0 {
		length = 64 + bits.Len64(s.high)
	}
	n := length * 1233 / 4096 // log10(2), which is enough for 128 bits
	if n <= maxDigits && s.compareCoefficient(powers[n]) < 0 {
		return n
	}
	return min(n, maxDigits) + 1
}

func (s scaled) compareCoefficient(t scaled) int {
	return cmp.Or(cmp.Compare(s.high, t.high), cmp.Compare(s.low, t.low))
}

// sign returns -1, 0 or +1.
func (s scaled) sign() int {
	switch {
	case s.high|s.low == 0:
		return 0
	case s.negative:
		return -1
	}
	return +1
}

// compare returns -1, 0 or +1 as s is less than, equal to or greater than t.
func (s scaled) compare(t scaled) int {
	if s.sign() != t.sign() || s.sign() == 0 {
		return cmp.Compare(s.sign(), t.sign())
	}
	return s.sign() * s.compareMagnitude(t)
}

// compareMagnitude compares without signs. Numbers of one order of magnitude
// differ in their exponents by less than 34, so the one with the greater
// exponent can be scaled to the other.
func (s scaled) compareMagnitude(t scaled) int {
	if c := cmp.Compare(s.digits()+s.exponent, t.digits()+t.exponent); c != 0 {
		return c
	}
	for ; s.exponent > t.exponent; s.exponent-- {
		s.times(10)
	}
	for ; t.exponent > s.exponent; t.exponent-- {
		t.times(10)
	}
	return s.compareCoefficient(t)
}

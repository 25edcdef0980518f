package decimal128

import (
	"cmp"
	"math"
	"math/bits"
)

// CompareFloat64 returns -1, 0 or +1 as n is less than, equal to or greater than a
// finite f, exactly. It does not allocate.
func (n Number) CompareFloat64(f float64) int {
	sign := cmp.Compare(f, 0)
	if n.sign() != sign || sign == 0 {
		return cmp.Compare(n.sign(), sign)
	}
	return sign * n.compareMagnitudeFloat64(math.Abs(f))
}

// compareMagnitudeFloat64 compares n's magnitude with f, which is above 0 and equals
// fraction * 2^exponent. For most pairs an estimate of their binary orders of magnitude
// decides.
func (n Number) compareMagnitudeFloat64(f float64) int {
	fraction, exponent := math.Frexp(f) // f is less than 2^exponent, and at least half of that
	// n is between 2^(order-2) and 2^(order+2), because the product differs from the
	// logarithm of 10^n.exponent by less than one for every exponent of a decimal128.
	order := n.bits() + int(n.exponent*log2Of10>>16)
	switch {
	case order-2 >= exponent: // n is at least 2^(order-2)
		return +1
	case order+2 < exponent: // n is less than 2^(order+2)
		return -1
	}
	return n.compareExactly(uint64(math.Ldexp(fraction, 53)), exponent-53)
}

// log2Of10 is the binary logarithm of ten, times 2^16.
const log2Of10 = 217706

// bits returns the length of the coefficient in bits.
func (n Number) bits() int {
	if n.high > 0 {
		return 64 + bits.Len64(n.high)
	}
	return bits.Len64(n.low)
}

// compareExactly compares n with m * 2^e, if both are of the same order of magnitude. Ten
// to a power is a power of five times a power of two: one side is multiplied by the power
// of five, and the power of two is a shift.
func (n Number) compareExactly(m uint64, e int) int {
	a, b := wide{words: [wideWords]uint64{n.low, n.high}, n: 2}, wide{words: [wideWords]uint64{m}, n: 1}
	if n.exponent >= 0 {
		a.timesPowerOfFive(int(n.exponent))
	} else {
		b.timesPowerOfFive(-int(n.exponent))
	}
	shift := int(n.exponent) - e
	if c := cmp.Compare(a.bits()+shift, b.bits()); c != 0 {
		return c
	}
	a.shift(max(shift, 0))
	b.shift(max(-shift, 0))
	return a.compare(&b)
}

// A wide is a natural number of up to wideWords words, the lowest first; n words are
// in use. compareExactly needs less than 1,040 bits, because n.exponent is between
// -360 and +310 at the order of magnitude of a double.
type wide struct {
	words [wideWords]uint64
	n     int
}

const wideWords = 20

// fives are the powers of five that fit 64 bits.
var fives = func() (p [28]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 5
	}
	return p
}()

func (w *wide) timesPowerOfFive(power int) {
	for most := len(fives) - 1; power > 0; power -= most {
		w.times(fives[min(power, most)])
	}
}

func (w *wide) times(factor uint64) {
	var over uint64
	for i, word := range w.words[:w.n] {
		high, low := bits.Mul64(word, factor)
		sum, carry := bits.Add64(low, over, 0)
		w.words[i], over = sum, high+carry
	}
	if over > 0 {
		w.words[w.n] = over
		w.n++
	}
}

// shift multiplies w by 2^power.
func (w *wide) shift(power int) {
	whole, rest := power/64, uint(power%64)
	for i := wideWords - 1; i >= 0; i-- {
		w.words[i] = w.word(i-whole)<<rest | w.word(i-whole-1)>>(64-rest)
	}
	w.n = wideWords
}

// word returns word i, 0 below the first.
func (w *wide) word(i int) uint64 {
	if i < 0 {
		return 0
	}
	return w.words[i]
}

// bits returns the length in bits.
func (w *wide) bits() int {
	for i := w.n - 1; i >= 0; i-- {
		if w.words[i] > 0 {
			return 64*i + bits.Len64(w.words[i])
		}
	}
	return 0
}

func (w *wide) compare(v *wide) int {
	for i := wideWords - 1; i >= 0; i-- {
		if c := cmp.Compare(w.words[i], v.words[i]); c != 0 {
			return c
		}
	}
	return 0
}

package decimal128

import (
	"math"
	"math/big"

	"pgregory.net/rapid"
)

// tenTo34 is one more than the largest coefficient of a decimal128.
var tenTo34 = new(big.Int).Exp(big.NewInt(10), big.NewInt(34), nil)

// coefficients draws from 0 to 10^34-1, of all lengths.
func coefficients() *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		n := new(big.Int).SetUint64(rapid.Uint64().Draw(t, "high"))
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(rapid.Uint64().Draw(t, "low")))
		digits := rapid.Int64Range(0, Digits).Draw(t, "digits")
		n.Mod(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(digits), nil))
		if rapid.IntRange(0, 3).Draw(t, "end") == 0 {
			n.Sub(tenTo34, big.NewInt(1)) // the largest
		}
		return n
	})
}

func exponents() *rapid.Generator[int] {
	return rapid.Map(rapid.OneOf(rapid.Int64Range(minExponent, maxExponent), rapid.Int64Range(-40, 8),
		rapid.SampledFrom([]int64{minExponent, maxExponent})), func(n int64) int { return int(n) })
}

// twoWords are a decimal128.
type twoWords [2]uint64

func (w twoWords) words() (high, low uint64) { return w[0], w[1] }

// compose returns the decimal128 of the parts, composed apart from the code.
func compose(negative bool, coefficient *big.Int, exponent int) twoWords {
	bits := new(big.Int).Lsh(big.NewInt(int64(exponent+6176)), 113)
	bits.Or(bits, coefficient)
	if negative {
		bits.SetBit(bits, 127, 1)
	}
	low := new(big.Int).And(bits, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return twoWords{bits.Rsh(bits, 64).Uint64(), low}
}

// anyBits draws finite numbers of all lengths, numbers with zeros at their ends,
// what is not finite, and any 128 bits.
func anyBits() *rapid.Generator[twoWords] {
	any128 := rapid.Custom(func(t *rapid.T) twoWords {
		return twoWords{rapid.Uint64().Draw(t, "high"), rapid.Uint64().Draw(t, "low")}
	})
	finite := rapid.Custom(func(t *rapid.T) twoWords {
		return compose(rapid.Bool().Draw(t, "negative"), coefficients().Draw(t, "coefficient"), exponents().Draw(t, "exponent"))
	})
	others := rapid.SampledFrom([]twoWords{{infinity, 0}, {infinity | signBit, 0}, {nan, 0}})
	return rapid.OneOf(any128, finite, others, trailingZeros())
}

// trailingZeros draws a short number times ten to a power as the coefficient,
// and an exponent that takes about as many zeros away.
func trailingZeros() *rapid.Generator[twoWords] {
	return rapid.Custom(func(t *rapid.T) twoWords {
		short := rapid.OneOf(rapid.Int64Range(0, 1<<33), near("short", 2, 0, 1<<31, 1<<32)).Draw(t, "number")
		zeros := rapid.Int64Range(0, Digits).Draw(t, "zeros")
		coefficient := new(big.Int).Exp(big.NewInt(10), big.NewInt(zeros), nil)
		coefficient.Mul(coefficient, new(big.Int).Abs(big.NewInt(short)))
		coefficient.Add(coefficient, big.NewInt(rapid.SampledFrom([]int64{0, 0, 0, 1, 1 << 40}).Draw(t, "more")))
		coefficient.Mod(coefficient, tenTo34)
		exponent := rapid.Int64Range(-2, 2).Draw(t, "exponent") - zeros
		return compose(short < 0, coefficient, int(exponent))
	})
}

// near draws what lies within reach of one of the anchors, wrapping around.
func near(label string, reach int64, anchors ...int64) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		anchor := rapid.SampledFrom(anchors).Draw(t, label)
		return anchor + rapid.Int64Range(-reach, reach).Draw(t, label+" offset")
	})
}

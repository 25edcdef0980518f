package decimal128

import (
	"math"
	"math/big"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
)

// anyBits draws finite numbers of all lengths, numbers with zeros at their ends,
// infinities and NaN, and any 128 bits.
func anyBits() *rapid.Generator[draw.Decimal] {
	any128 := rapid.Custom(func(t *rapid.T) draw.Decimal {
		return draw.Decimal{rapid.Uint64().Draw(t, "high"), rapid.Uint64().Draw(t, "low")}
	})
	return rapid.OneOf(any128, draw.Decimals, trailingZeros())
}

// trailingZeros draws decimals whose coefficients mostly end in zeros. The exponent is
// about minus the number of these zeros.
func trailingZeros() *rapid.Generator[draw.Decimal] {
	return rapid.Custom(func(t *rapid.T) draw.Decimal {
		short := rapid.OneOf(rapid.Int64Range(0, 1<<33), draw.Near(2, 0, 1<<31, 1<<32, math.MaxInt64)).Draw(t, "number")
		zeros := rapid.Int64Range(0, Digits).Draw(t, "zeros")
		coefficient := new(big.Int).Exp(big.NewInt(10), big.NewInt(zeros), nil)
		coefficient.Mul(coefficient, new(big.Int).Abs(big.NewInt(short)))
		coefficient.Add(coefficient, big.NewInt(rapid.SampledFrom([]int64{0, 0, 0, 1, 1 << 40}).Draw(t, "more")))
		coefficient.Mod(coefficient, draw.TenTo34)
		exponent := rapid.Int64Range(-2, 2).Draw(t, "exponent") - zeros
		return draw.DecimalOf(rapid.Bool().Draw(t, "negative"), coefficient, int(exponent))
	})
}

// Package draw is for tests alone: numbers and texts to draw with rapid. Each generator
// prefers the ends of ranges, where errors are likely.
package draw

import (
	"math"
	"math/big"

	"pgregory.net/rapid"
)

// Near draws a number within reach of one of the anchors. It wraps around at the ends.
func Near(reach int64, anchors ...int64) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		return rapid.SampledFrom(anchors).Draw(t, "anchor") + rapid.Int64Range(-reach, reach).Draw(t, "offset")
	})
}

// Int64s draws any int64.
var Int64s = rapid.OneOf(rapid.Int64(), Near(2, 0, math.MinInt32, math.MaxInt32, 1<<53, math.MinInt64, math.MaxInt64))

// Anchors are the milliseconds since 1970 around which arithmetic or a rule changes.
var Anchors = []int64{
	0, math.MinInt64, math.MaxInt64, math.MaxInt32 * 1000, math.MinInt32 * 1000, math.MaxUint32 * 1000, (math.MaxInt32 - 3600) * 1000,
	math.MaxInt64 - math.MaxInt32*1000, math.MinInt64 + math.MaxInt32*1000, 1_511_828_489_000, 253_402_300_799_999, -62_135_596_800_000, 1 << 53,
}

// Milliseconds draws any instant, as milliseconds since 1970.
var Milliseconds = rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 4e12), Near(2, Anchors...), Near(2000, Anchors...), Near(3e12, Anchors...))

// Doubles draws any double, and only one NaN, because Extended JSON has only one.
var Doubles = rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Uint64(), func(bits uint64) float64 {
	if f := math.Float64frombits(bits); !math.IsNaN(f) {
		return f
	}
	return math.NaN()
}), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
	math.SmallestNonzeroFloat64, 1 << 53, 1<<63 - 1024, 1 << 63, 0x1p-1022, 20.5, 1e21, 1e-7, 123456789}))

// TenTo34 is one more than the largest coefficient of a decimal128.
var TenTo34 = new(big.Int).Exp(big.NewInt(10), big.NewInt(34), nil)

// Coefficients draws from 0 to 10^34-1, of all lengths.
var Coefficients = rapid.Custom(func(t *rapid.T) *big.Int {
	n := new(big.Int).SetUint64(rapid.Uint64().Draw(t, "high"))
	n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(rapid.Uint64().Draw(t, "low")))
	digits := rapid.Int64Range(0, 34).Draw(t, "digits")
	n.Mod(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(digits), nil))
	if rapid.IntRange(0, 3).Draw(t, "end") == 0 {
		n.Sub(TenTo34, big.NewInt(1)) // the largest
	}
	return n
})

// Exponents draws the exponents of decimal128.
var Exponents = rapid.OneOf(rapid.IntRange(-6176, 6111), rapid.IntRange(-40, 8), rapid.SampledFrom([]int{-6176, 6111}))

// A Decimal is a decimal128, as its upper and its lower half.
type Decimal [2]uint64

// DecimalOf composes a decimal128 by IEEE 754-2008 (3.5.2), independently of the code
// under test.
func DecimalOf(negative bool, coefficient *big.Int, exponent int) Decimal {
	bits := new(big.Int).Lsh(big.NewInt(int64(exponent+6176)), 113)
	bits.Or(bits, coefficient)
	if negative {
		bits.SetBit(bits, 127, 1)
	}
	low := new(big.Int).And(bits, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return Decimal{bits.Rsh(bits, 64).Uint64(), low}
}

// Decimals draws finite decimals in their canonical form, the infinities and NaN.
var Decimals = rapid.OneOf(rapid.Custom(func(t *rapid.T) Decimal {
	return DecimalOf(rapid.Bool().Draw(t, "negative"), Coefficients.Draw(t, "coefficient"), Exponents.Draw(t, "exponent"))
}), rapid.SampledFrom([]Decimal{{0x78 << 56, 0}, {0xF8 << 56, 0}, {0x7C << 56, 0}}))

// IDs draws the 12 bytes of an ObjectId.
var IDs = rapid.Map(rapid.SliceOfN(rapid.Byte(), 12, 12), func(b []byte) [12]byte { return [12]byte(b) })

// Names draws text without NUL. It never draws the name of a type wrapper of Extended JSON.
var Names = rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "0", "$gt", "$type", "$ref", "$id", "a.b", "é\u2028\"\\\n"}), rapid.StringMatching(`[^\x00$]{0,5}`))

// Texts draws any text.
var Texts = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\x00", "\x7f\u2028\u2029\ufffd😀", `"\/`}))

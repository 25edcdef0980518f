package decimal128

import (
	"math"
	"math/big"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
)

// doubles draws doubles of all orders of magnitude, and doubles that are hard to tell
// from n: the nearest one and its neighbours.
func doubles(n Number) *rapid.Generator[float64] {
	nearest, _ := new(big.Float).SetPrec(200).SetRat(exactNumber(n)).Float64()
	if math.IsInf(nearest, 0) {
		nearest = math.Copysign(math.MaxFloat64, nearest)
	}
	beside := rapid.SampledFrom([]float64{nearest, math.Nextafter(nearest, 0), math.Nextafter(nearest, math.Copysign(math.MaxFloat64, nearest)), -nearest})
	any64 := rapid.Map(rapid.Uint64(), func(bits uint64) float64 {
		if f := math.Float64frombits(bits); f-f == 0 {
			return f
		}
		return 0
	})
	return rapid.OneOf(beside, any64, rapid.SampledFrom([]float64{0, math.SmallestNonzeroFloat64, math.MaxFloat64, 1, 0.1}))
}

func exactNumber(n Number) *big.Rat {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(n.exponent, -n.exponent)), nil)
	c := new(big.Int).SetUint64(n.high)
	r := new(big.Rat).SetInt(c.Lsh(c, 64).Or(c, new(big.Int).SetUint64(n.low)))
	if n.exponent < 0 {
		ten := new(big.Rat).SetInt(ten)
		r.Quo(r, ten)
	} else {
		r.Mul(r, new(big.Rat).SetInt(ten))
	}
	if n.negative {
		r.Neg(r)
	}
	return r
}

func inPackageDecimal(n Number) decimal.Decimal {
	c := new(big.Int).SetUint64(n.high)
	d := decimal.NewFromBigInt(c.Lsh(c, 64).Or(c, new(big.Int).SetUint64(n.low)), int32(n.exponent))
	if n.negative {
		return d.Neg()
	}
	return d
}

// closeExponents draws exponents of decimals, mostly near the range of doubles.
func closeExponents() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(-380, 320), rapid.IntRange(-40, 8), rapid.IntRange(minExponent, maxExponent))
}

// TestModelCompareFloat64: CompareFloat64 agrees with exact fractions, and with package
// decimal.
func TestModelCompareFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw.DecimalOf(rapid.Bool().Draw(t, "negative"), draw.Coefficients.Draw(t, "coefficient"), closeExponents().Draw(t, "exponent"))
		n := NumberOf(d[0], d[1])
		f := doubles(n).Draw(t, "double")
		want := exactNumber(n).Cmp(new(big.Rat).SetFloat64(f))
		if got := n.CompareFloat64(f); got != want {
			t.Fatalf("%v compared with %v = %d, want %d", n, f, got, want)
		}
		double, err := decimal.NewFromString(new(big.Float).SetFloat64(f).Text('f', 1074))
		if err != nil {
			t.Fatal(err)
		}
		if got := inPackageDecimal(n).Cmp(double); got != want {
			t.Fatalf("package decimal compares %v with %v = %d, want %d", n, f, got, want)
		}
	})
}

// TestCompareFloat64Orders compares the decimal and the double of each power of ten,
// including those for which comparing powers of two is not enough.
func TestCompareFloat64Orders(t *testing.T) {
	for exponent := -360; exponent <= 310; exponent++ {
		for _, coefficient := range []uint64{1, 9, 1<<53 - 1, 1 << 63, math.MaxUint64} {
			n := Number{low: coefficient, exponent: int64(exponent)}
			f, _ := exactNumber(n).Float64()
			for _, f := range []float64{f, math.Nextafter(f, 0), math.Nextafter(f, math.MaxFloat64), f / 2, f / 4, f / 8, f / 16, f * 2, f * 4, f * 8, f * 16} {
				if math.IsInf(f, 0) {
					continue
				}
				if got, want := n.CompareFloat64(f), exactNumber(n).Cmp(new(big.Rat).SetFloat64(f)); got != want {
					t.Errorf("%de%d compared with %v = %d, want %d", coefficient, exponent, f, got, want)
				}
			}
		}
	}
}

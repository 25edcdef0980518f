package policy

import (
	"math"
	"math/big"

	"pgregory.net/rapid"
)

// Generators are biased to the ends of ranges, where errors are likely.

// near draws a number close to one of the anchors, wrapping around.
func near(label string, reach int64, anchors ...int64) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		anchor := rapid.SampledFrom(anchors).Draw(t, label)
		return anchor + rapid.Int64Range(-reach, reach).Draw(t, label+" offset")
	})
}

func instants() *rapid.Generator[Instant] {
	ends := near("instant", 3_000_000_000_000, math.MinInt64, math.MaxInt64, 0, 1<<31*1000)
	return rapid.Map(rapid.OneOf(ends, near("instant", 2, math.MinInt64, math.MaxInt64, 0), rapid.Int64()),
		func(n int64) Instant { return Instant(n) })
}

func seconds() *rapid.Generator[Seconds] {
	return rapid.Map(rapid.OneOf(rapid.Int32(), rapid.SampledFrom([]int32{math.MinInt32, -1, 0, 1, math.MaxInt32})),
		func(n int32) Seconds { return Seconds(n) })
}

func int64s() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), near("int64", 2, 0, math.MinInt32, math.MaxInt32, 1<<53, math.MinInt64, math.MaxInt64))
}

func doubles() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Uint64(), func(bits uint64) float64 {
		if f := math.Float64frombits(bits); !math.IsNaN(f) {
			return f
		}
		return math.NaN() // Extended JSON has one NaN
	}), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
		math.SmallestNonzeroFloat64, 1 << 53, 1<<63 - 1024, 1 << 63, 0x1p-1022, 20.5}))
}

// tenTo34 is one more than the largest coefficient of a decimal128.
var tenTo34 = new(big.Int).Exp(big.NewInt(10), big.NewInt(34), nil)

// coefficients draws from 0 to 10^34-1, of all lengths.
func coefficients() *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		n := new(big.Int).SetUint64(rapid.Uint64().Draw(t, "high"))
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(rapid.Uint64().Draw(t, "low")))
		digits := rapid.Int64Range(0, 34).Draw(t, "digits")
		n.Mod(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(digits), nil))
		if rapid.IntRange(0, 3).Draw(t, "end") == 0 {
			n.Sub(tenTo34, big.NewInt(1)) // the largest
		}
		return n
	})
}

func exponents() *rapid.Generator[int] {
	return rapid.Map(rapid.OneOf(rapid.Int64Range(-6176, 6111), rapid.Int64Range(-40, 8),
		rapid.SampledFrom([]int64{-6176, 6111})), func(n int64) int { return int(n) })
}

// decimalOf returns the decimal128 of the parts, without using the code under
// test.
func decimalOf(negative bool, coefficient *big.Int, exponent int) Value {
	bits := new(big.Int).Lsh(big.NewInt(int64(exponent+6176)), 113)
	bits.Or(bits, coefficient)
	if negative {
		bits.SetBit(bits, 127, 1)
	}
	low := new(big.Int).And(bits, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return DecimalValue(bits.Rsh(bits, 64).Uint64(), low)
}

func decimals() *rapid.Generator[Value] {
	finite := rapid.Custom(func(t *rapid.T) Value {
		return decimalOf(rapid.Bool().Draw(t, "negative"), coefficients().Draw(t, "coefficient"), exponents().Draw(t, "exponent"))
	})
	return rapid.OneOf(finite, rapid.SampledFrom([]Value{DecimalValue(0x7800_0000_0000_0000, 0),
		DecimalValue(0xF800_0000_0000_0000, 0), DecimalValue(0x7C00_0000_0000_0000, 0)}))
}

func objectIDs() *rapid.Generator[[12]byte] {
	return rapid.Map(rapid.SliceOfN(rapid.Byte(), 12, 12), func(b []byte) [12]byte { return [12]byte(b) })
}

// names draws text without NUL, none of it the name of a type wrapper.
func names() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "0", "$gt", "$type", "a.b", "é\u2028\"\\\n"}), rapid.StringMatching(`[^\x00$]{0,5}`))
}

func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\x00", "\x7f\u2028\u2029\ufffd😀", `"\/`}))
}

// scalars draws values of every kind that holds no document.
func scalars() *rapid.Generator[Value] {
	return rapid.OneOf(
		rapid.SampledFrom([]Value{NullValue(), UndefinedValue(), MinKeyValue(), MaxKeyValue(), BoolValue(true), BoolValue(false)}),
		rapid.Map(rapid.Int32(), Int32Value), rapid.Map(int64s(), Int64Value), rapid.Map(doubles(), DoubleValue),
		rapid.Map(instants(), DateValue), decimals(), rapid.Map(objectIDs(), ObjectIDValue),
		rapid.Map(texts(), StringValue), rapid.Map(texts(), SymbolValue), rapid.Map(texts(), CodeValue),
		rapid.Custom(func(t *rapid.T) Value {
			return TimestampValue(rapid.Uint32().Draw(t, "seconds"), rapid.Uint32().Draw(t, "ordinal"))
		}),
		rapid.Custom(func(t *rapid.T) Value {
			return BinaryValue(rapid.Byte().Draw(t, "subtype"), rapid.SliceOf(rapid.Byte()).Draw(t, "data"))
		}),
		rapid.Custom(func(t *rapid.T) Value {
			return RegexValue(names().Draw(t, "pattern"), names().Draw(t, "options"))
		}),
		rapid.Custom(func(t *rapid.T) Value {
			return DBPointerValue(texts().Draw(t, "namespace"), objectIDs().Draw(t, "id"))
		}))
}

// values draws values of every kind, documents nested a few levels.
func values(levels int) *rapid.Generator[Value] {
	if levels == 0 {
		return scalars()
	}
	return rapid.OneOf(scalars(),
		rapid.Map(documents(levels-1), func(d D) Value { return ObjectValue(d) }),
		rapid.Map(rapid.SliceOfN(values(levels-1), 0, 4), func(a []Value) Value { return ListValue(A(a)) }),
		rapid.Custom(func(t *rapid.T) Value {
			return CodeWithScopeValue(texts().Draw(t, "code"), documents(levels-1).Draw(t, "scope"))
		}))
}

func documents(levels int) *rapid.Generator[D] {
	fields := rapid.Custom(func(t *rapid.T) E {
		return E{names().Draw(t, "name"), values(levels).Draw(t, "value")}
	})
	return rapid.Map(rapid.SliceOfN(fields, 0, 5), func(fields []E) D { return D(fields) })
}

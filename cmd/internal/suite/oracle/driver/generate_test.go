package driver

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func doubles() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(),
		1 << 53, 1e21, 1e-7, 123456789, math.MaxFloat64, math.SmallestNonzeroFloat64}))
}

// decimals draws canonical decimals: a coefficient below ten to the 34.
func decimals() *rapid.Generator[policy.Value] {
	return rapid.Custom(func(t *rapid.T) policy.Value {
		high := rapid.Uint64Range(0, 0x1ED09BEAD87BF).Draw(t, "high") >> rapid.IntRange(0, 63).Draw(t, "shift")
		low := rapid.Uint64().Draw(t, "low") >> rapid.IntRange(0, 63).Draw(t, "shift low")
		exponent := rapid.OneOf(rapid.Uint64Range(0, 12287), rapid.Uint64Range(6136, 6182)).Draw(t, "exponent")
		sign := rapid.Uint64Range(0, 1).Draw(t, "sign")
		return policy.DecimalValue(sign<<63|exponent<<49|high, low)
	})
}

// names draws text without NUL, none of it the name of a type wrapper.
func names() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "0", "$gt", "$ref", "$id", "a.b", "é\"\\\n"}), rapid.StringMatching(`[^\x00$]{0,5}`))
}

// options draws regular expression options in the order that the driver gives
// them.
func options() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfDistinct(rapid.SampledFrom([]rune("ilmsux")), rapid.ID), func(letters []rune) string {
		slices.Sort(letters)
		return string(letters)
	})
}

func ids() *rapid.Generator[[12]byte] {
	return rapid.Map(rapid.SliceOfN(rapid.Byte(), 12, 12), func(b []byte) [12]byte { return [12]byte(b) })
}

func scalars() *rapid.Generator[policy.Value] {
	return rapid.OneOf(
		rapid.SampledFrom([]policy.Value{policy.NullValue(), policy.UndefinedValue(), policy.MinKeyValue(), policy.MaxKeyValue(),
			policy.BoolValue(true), policy.BoolValue(false)}),
		rapid.Map(rapid.Int32(), policy.Int32Value), rapid.Map(rapid.Int64(), policy.Int64Value), rapid.Map(doubles(), policy.DoubleValue),
		rapid.Map(rapid.Int64(), func(n int64) policy.Value { return policy.DateValue(policy.Instant(n)) }),
		decimals(), rapid.Map(ids(), policy.ObjectIDValue),
		rapid.Map(rapid.String(), policy.StringValue), rapid.Map(rapid.String(), policy.SymbolValue), rapid.Map(rapid.String(), policy.CodeValue),
		rapid.Custom(func(t *rapid.T) policy.Value {
			return policy.TimestampValue(rapid.Uint32().Draw(t, "seconds"), rapid.Uint32().Draw(t, "ordinal"))
		}),
		rapid.Custom(func(t *rapid.T) policy.Value {
			subtypes := rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 2, 4, 0x80})) // the driver is wrong about no data of subtype 2
			return policy.BinaryValue(subtypes.Draw(t, "subtype"), rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "data"))
		}),
		rapid.Custom(func(t *rapid.T) policy.Value {
			return policy.RegexValue(names().Draw(t, "pattern"), options().Draw(t, "options"))
		}),
		rapid.Custom(func(t *rapid.T) policy.Value { // the driver does not escape a namespace
			return policy.DBPointerValue(rapid.StringMatching(`[a-z.]{0,5}`).Draw(t, "namespace"), ids().Draw(t, "id"))
		}))
}

func values(levels int) *rapid.Generator[policy.Value] {
	if levels == 0 {
		return scalars()
	}
	return rapid.OneOf(scalars(),
		rapid.Map(documents(levels-1), func(d policy.D) policy.Value { return policy.ObjectValue(d) }),
		rapid.Map(rapid.SliceOfN(values(levels-1), 0, 4), func(a []policy.Value) policy.Value { return policy.ListValue(policy.A(a)) }),
		rapid.Custom(func(t *rapid.T) policy.Value {
			return policy.CodeWithScopeValue(rapid.String().Draw(t, "code"), documents(levels-1).Draw(t, "scope"))
		}))
}

func documents(levels int) *rapid.Generator[policy.D] {
	fields := rapid.Custom(func(t *rapid.T) policy.E {
		return policy.E{Key: names().Draw(t, "name"), Value: values(levels).Draw(t, "value")}
	})
	return rapid.Map(rapid.SliceOfN(fields, 0, 5), func(fields []policy.E) policy.D { return policy.D(fields) })
}

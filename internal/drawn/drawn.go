// Package drawn is for tests alone: values and documents to draw with rapid.
package drawn

import (
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Kinds says which values are drawn.
type Kinds struct {
	Scalars  *rapid.Generator[policy.Value]
	Names    *rapid.Generator[string] // draws names of fields
	Repeated bool                     // whether a document may have a name twice
	Code     *rapid.Generator[string] // draws code with variables; nil to draw no such code
}

// Values draws values in which arrays and documents nest at most depth deep.
func (k Kinds) Values(depth int) *rapid.Generator[policy.Value] {
	if depth == 0 {
		return k.Scalars
	}
	documents := k.Documents(depth - 1)
	all := []*rapid.Generator[policy.Value]{
		k.Scalars, rapid.Map(documents, func(d policy.D) policy.Value { return policy.ObjectValue(d) }),
		rapid.Map(rapid.SliceOfN(k.Values(depth-1), 0, 4), func(a []policy.Value) policy.Value { return policy.ListValue(policy.A(a)) }),
	}
	if k.Code != nil {
		all = append(all, rapid.Custom(func(t *rapid.T) policy.Value {
			return valuefunc.F.CodeWithScopeValue(k.Code.Draw(t, "code"), documents.Draw(t, "scope"))
		}))
	}
	return rapid.OneOf(all...)
}

// Documents draws documents whose fields are values that Values draws.
func (k Kinds) Documents(depth int) *rapid.Generator[policy.D] {
	const most = 5 // the maximum number of fields
	names := rapid.SliceOfN(k.Names, 0, most)
	if !k.Repeated {
		names = rapid.SliceOfNDistinct(k.Names, 0, most, rapid.ID)
	}
	values := k.Values(depth)
	return rapid.Custom(func(t *rapid.T) (d policy.D) {
		for _, name := range names.Draw(t, "names") {
			d = append(d, policy.E{Key: name, Value: values.Draw(t, "value")})
		}
		return d
	})
}

// Instants draws any instant, often near the end of a range.
var Instants = rapid.Map(draw.Milliseconds, func(n int64) policy.Instant { return policy.Instant(n) })

// Any draws values of every kind.
var Any = Kinds{
	Scalars: rapid.OneOf(
		rapid.SampledFrom([]policy.Value{policy.NullValue(), valuefunc.F.RareValue(policy.Undefined, ""), valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MaxKey, ""), policy.BoolValue(true), policy.BoolValue(false)}),
		rapid.Map(rapid.Int32(), policy.Int32Value), rapid.Map(draw.Int64s, policy.Int64Value), rapid.Map(draw.Doubles, policy.DoubleValue),
		rapid.Map(Instants, policy.DateValue), rapid.Map(draw.IDs, policy.ObjectIDValue),
		rapid.Map(draw.Decimals, func(d draw.Decimal) policy.Value { return policy.DecimalValue(d[0], d[1]) }),
		rapid.Map(draw.Texts, policy.StringValue), rapid.Map(draw.Texts, func(s string) policy.Value { return valuefunc.F.RareValue(policy.Symbol, s) }),
		rapid.Map(draw.Texts, func(s string) policy.Value { return valuefunc.F.RareValue(policy.Code, s) }),
		rapid.Custom(func(t *rapid.T) policy.Value {
			return policy.TimestampValue(rapid.Uint32().Draw(t, "seconds"), rapid.Uint32().Draw(t, "ordinal"))
		}),
		rapid.Custom(func(t *rapid.T) policy.Value {
			subtypes := rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 2, 4, 0x80}))
			return policy.BinaryValue(subtypes.Draw(t, "subtype"), rapid.SliceOf(rapid.Byte()).Draw(t, "data"))
		}),
		rapid.Custom(func(t *rapid.T) policy.Value {
			return policy.RegexValue(draw.Names.Draw(t, "pattern"), draw.Names.Draw(t, "options"))
		}),
		rapid.Custom(func(t *rapid.T) policy.Value {
			return valuefunc.F.DBPointerValue(draw.Texts.Draw(t, "namespace"), draw.IDs.Draw(t, "id"))
		})),
	Names:    draw.Names,
	Repeated: true,
	Code:     draw.Texts,
}

package plainjson

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// values draws what BSON can hold, nested depth deep. Names in a document differ.
func values(depth int) *rapid.Generator[policy.Value] {
	scalars := rapid.OneOf(
		rapid.Map(rapid.String(), policy.StringValue), rapid.Map(rapid.Int32(), policy.Int32Value), rapid.Map(rapid.Int64(), policy.Int64Value),
		rapid.Map(rapid.Float64(), policy.DoubleValue), rapid.Map(rapid.Bool(), policy.BoolValue),
		rapid.Map(rapid.Int64(), func(n int64) policy.Value { return policy.DateValue(policy.Instant(n)) }),
		rapid.SampledFrom([]policy.Value{
			policy.NullValue(), policy.UndefinedValue(), policy.MinKeyValue(), policy.MaxKeyValue(), policy.ObjectIDValue([12]byte{1, 255}), policy.DoubleValue(math.NaN()),
			policy.TimestampValue(1, 2), policy.SymbolValue("s\n"), policy.CodeValue("c"), policy.CodeWithScopeValue("c", policy.D{{Key: "a", Value: policy.NullValue()}}),
			policy.RegexValue("p", "i"), policy.DBPointerValue("a.b", [12]byte{}), policy.BinaryValue(4, []byte("x")), policy.DecimalValue(0x3040_0000_0000_0000, 5),
			policy.StringValue("\u2028\x00\"\\"), policy.DoubleValue(math.Copysign(0, -1)),
		}),
	)
	if depth == 0 {
		return scalars
	}
	return rapid.OneOf(scalars, scalars,
		rapid.Map(rapid.SliceOfN(values(depth-1), 0, 4), func(list []policy.Value) policy.Value { return policy.ListValue(policy.A(list)) }),
		rapid.Map(rapid.SliceOfN(values(depth-1), 0, 40), func(list []policy.Value) policy.Value {
			var d policy.D
			for i, v := range list {
				d = append(d, policy.E{Key: fmt.Sprintf("ä%d", i*i), Value: v})
			}
			return policy.ObjectValue(d)
		}))
}

// TestPropertyWriter: a Writer writes bytes as Append writes values.
func TestPropertyWriter(t *testing.T) {
	var w Writer
	rapid.Check(t, func(t *rapid.T) {
		doc := policy.ObjectValue(policy.D{{Key: "a", Value: values(2).Draw(t, "a")}, {Key: "b\"", Value: values(1).Draw(t, "b")}})
		raw, err := policy.AppendBSON(nil, doc)
		if err != nil {
			t.Fatal(err)
		}
		bson, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.AppendFields([]byte("{"), bson)
		if want := Append(nil, doc); err != nil || string(got)+"}" != string(want) {
			t.Fatalf("wrote %s}, %v, want %s", got, err, want)
		}
	})
}

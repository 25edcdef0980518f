package plainjson

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestAppend(t *testing.T) {
	tests := []struct {
		value policy.Value
		want  string
	}{
		{policy.Int32Value(-5), `-5`},
		{policy.Int64Value(math.MaxInt64), `9223372036854775807`},
		{policy.DoubleValue(20), `20.0`},
		{policy.DoubleValue(1.5), `1.5`},
		{policy.DoubleValue(30000000), `30000000.0`},
		{policy.DoubleValue(1e15), `1e+15`},
		{policy.DoubleValue(1e-7), `1e-07`},
		{policy.DoubleValue(1e300), `1e+300`},
		{policy.DoubleValue(math.Copysign(0, -1)), `-0.0`},
		{policy.DoubleValue(math.Inf(-1)), `{"$numberDouble":"-Infinity"}`},
		{policy.StringValue("a\"\u2028<"), `"a\"\u2028<"`},
		{policy.NullValue(), `null`},
		{policy.BoolValue(true), `true`},
		{policy.DateValue(5), `{"$date":{"$numberLong":"5"}}`},
		{policy.ListValue(policy.A{}), `[]`},
		{policy.ObjectValue(policy.D{{Key: "a\n", Value: policy.ListValue(policy.A{policy.Int32Value(1), policy.ObjectValue(policy.D{})})}, {Key: "b", Value: policy.NullValue()}}), `{"a\n":[1,{}],"b":null}`},
	}
	for _, tt := range tests {
		got := Append([]byte("x"), tt.value)[1:]
		if string(got) != tt.want || !json.Valid(got) {
			t.Errorf("Append(%s) = %s, want %s", tt.value, got, tt.want)
		}
	}
}

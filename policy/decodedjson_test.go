package policy

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

func TestDecodedJSON(t *testing.T) {
	type text string
	minusZero := math.Copysign(0, -1)
	tests := []struct {
		why  string
		v    any
		want Value
	}{
		{"a ttl", 10.0, Int32Value(10)},
		{"1e3", 1e3, Int32Value(1000)},
		{"-1", -1.0, Int32Value(-1)},
		{"zero", 0.0, Int32Value(0)},
		{"zero with a sign", minusZero, DoubleValue(minusZero)},
		{"a fraction", 20.5, DoubleValue(20.5)},
		{"the longest ttl", 2147483647.0, Int32Value(math.MaxInt32)},
		{"one more", 2147483648.0, Int64Value(2147483648)},
		{"the last that float64 tells from others", 9007199254740991.0, Int64Value(9007199254740991)},
		{"the next may be another", 9007199254740992.0, DoubleValue(1 << 53)},
		{"and below", -9007199254740992.0, DoubleValue(-1 << 53)},
		{"far off", 1e300, DoubleValue(1e300)},
		{"an infinity", math.Inf(1), DoubleValue(math.Inf(1))},
		{"no number", math.NaN(), DoubleValue(math.NaN())},
		{"a short float", float32(0.1), DoubleValue(0.1)},
		{"a short integer", float32(16777216), Int32Value(16777216)},
		{"json.Number", json.Number("10"), Int32Value(10)},
		{"json.Number with a point", json.Number("10.0"), DoubleValue(10)},
		{"json.Number with an exponent", json.Number("1e1"), DoubleValue(10)},
		{"json.Number, exact", json.Number("9007199254740993"), Int64Value(9007199254740993)},
		{"json.Number of -0", json.Number("-0"), DoubleValue(minusZero)},
		{"json.Number beyond", json.Number("9223372036854775808"), DoubleValue(1 << 63)},
		{"int", int(-5), Int32Value(-5)},
		{"int8", int8(-5), Int32Value(-5)},
		{"int16", int16(-5), Int32Value(-5)},
		{"int32", int32(math.MinInt32), Int32Value(math.MinInt32)},
		{"int64", int64(math.MinInt64), Int64Value(math.MinInt64)},
		{"a small int64", int64(5), Int32Value(5)},
		{"uint", uint(5), Int32Value(5)},
		{"uint8", uint8(255), Int32Value(255)},
		{"uint16", uint16(65535), Int32Value(65535)},
		{"uint32", uint32(math.MaxUint32), Int64Value(math.MaxUint32)},
		{"uint64", uint64(math.MaxInt64), Int64Value(math.MaxInt64)},
		{"a uint64 beyond", uint64(math.MaxUint64), DoubleValue(1 << 64)},
		{"null", nil, NullValue()},
		{"true", true, BoolValue(true)},
		{"text", "10", StringValue("10")},
		{"no map", map[string]any(nil), NullValue()},
		{"no array", []any(nil), NullValue()},
		{"an array", []any{1.0, []any{}, "x", nil}, ListValue(A{Int32Value(1), ListValue(A{}), StringValue("x"), NullValue()})},
		{"a time", time.Unix(0, 0), OpaqueValue()},
		{"a type of one's own", text("10"), OpaqueValue()},
		{"a number of a type of its own", time.Second, OpaqueValue()},
		{"raw text", json.RawMessage("10"), OpaqueValue()},
		{"a pointer", new(float64), OpaqueValue()},
		{"strings", []string{"a"}, OpaqueValue()},
		{"a complex number", complex(10, 0), OpaqueValue()},
		{"json.Number of none", json.Number("ten"), OpaqueValue()},
		{"json.Number of nothing", json.Number(""), OpaqueValue()},
		{"json.Number with a rest", json.Number("10 "), OpaqueValue()},
	}
	for _, tt := range tests {
		if got := (DecodedJSON{"v": tt.v}).Field("v"); show(got) != show(tt.want) {
			t.Errorf("%s: %T(%v) is %s, want %s", tt.why, tt.v, tt.v, show(got), show(tt.want))
		}
	}
	nested := DecodedJSON{"a": map[string]any{"b": DecodedJSON{"c": 7.0}}}
	if got := nested.Field("a").Field("b").Field("c"); !got.Equal(Int32Value(7)) {
		t.Errorf("a.b.c is %s, want 7", got)
	}
	for why, got := range map[string]Value{
		"another name": nested.Field("A"), "the zero DecodedJSON": DecodedJSON(nil).Field("a"), "what an object lacks": nested.Field("a").Field("c"),
	} {
		if !got.IsMissing() {
			t.Errorf("%s: %s, want missing", why, got)
		}
	}
}

// TestDecodedJSONModel: a map has the same fields as JSON reads from the text
// that encoding/json writes for the map.
func TestDecodedJSONModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := fuzzing.Drawn.Draw(t, "choices").JSON(2, "ttl", "_ts", "a")
		var decoded, exact map[string]any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&exact); err != nil {
			t.Fatal(err)
		}
		checkDecoded(t, exact)
		if err := json.Unmarshal(text, &decoded); err == nil { // fails only if a number is beyond float64
			checkDecoded(t, decoded)
		}
	})
}

// checkDecoded compares the fields of a decoded object with the fields that JSON reads
// from its text.
func checkDecoded(t *rapid.T, decoded map[string]any) {
	text, err := json.Marshal(decoded)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	for name := range decoded {
		got, want := DecodedJSON(decoded).Field(name), raw.Field(name)
		checkSame(t, string(text), got, want)
	}
}

func checkSame(t *rapid.T, text string, got, want Value) {
	switch want.Kind() {
	case Object:
		for f := want.Fields(); f.Next(); {
			checkSame(t, text, got.Field(f.Name()), f.Value())
		}
		return
	case List:
		g, w := AOf(got), AOf(want)
		if len(g) != len(w) {
			t.Fatalf("%s: %s, want %s", text, got, want)
		}
		for i := range w {
			checkSame(t, text, g[i], w[i])
		}
		return
	}
	if n, ok := want.AsInt64(); ok && (n >= 1<<53 || n <= -1<<53) && got.Kind() == Double {
		return // several integers have the same float64
	}
	if !got.Equal(want) {
		t.Fatalf("%s: %s, want %s", text, got, want)
	}
}

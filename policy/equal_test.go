package policy

import (
	"math"
	"testing"
)

// TestEqualKinds: a value of each kind, in memory or raw, equals itself and no other
// value.
func TestEqualKinds(t *testing.T) {
	b, err := AppendBSON(nil, ObjectValue(everything))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := ParseBSON(b)
	if err != nil {
		t.Fatal(err)
	}
	raw := DOf(doc.Value())
	for i, x := range everything {
		for j, y := range everything {
			for _, pair := range [][2]Value{{x.Value, y.Value}, {x.Value, raw[j].Value}, {raw[i].Value, y.Value}, {raw[i].Value, raw[j].Value}} {
				if got := pair[0].Equal(pair[1]); got != (i == j) {
					t.Errorf("%s.Equal(%s) = %v, want %v", pair[0], pair[1], got, i == j)
				}
			}
		}
		if x.Value.Equal(Value{}) || (Value{}).Equal(x.Value) {
			t.Errorf("%s equals Missing", x.Value)
		}
	}
	if !(Value{}).Equal(Value{}) {
		t.Error("Missing does not equal itself")
	}
}

func TestEqual(t *testing.T) {
	item, err := ParseJSON([]byte(`{"a": 1, "b": ["\u0078", null], "c": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	list := func(v ...Value) Value { return ListValue(A(v)) }
	one, two := D{{"a", Int32Value(1)}}, D{{"a", Int32Value(1)}, {"b", Int32Value(2)}}
	tests := []struct {
		why  string
		v, w Value
		want bool
	}{
		{"numbers of two kinds", Int32Value(1), Int64Value(1), false},
		{"an integer and a double", Int32Value(1), DoubleValue(1), false},
		{"zero and the zero with a sign", DoubleValue(0), DoubleValue(math.Copysign(0, -1)), false},
		{"a NaN and itself", DoubleValue(math.NaN()), DoubleValue(math.NaN()), true},
		{"two NaNs", DoubleValue(math.NaN()), DoubleValue(math.Float64frombits(0x7FF8<<48 | 2)), false},
		{"decimals of one value", DecimalValue(0x3040<<48, 10), DecimalValue(0x3042<<48, 1), false},
		{"the high half", DecimalValue(1, 0), DecimalValue(2, 0), false},
		{"a string and a symbol", StringValue("a"), hidden.RareValue(Symbol, "a"), false},
		{"subtypes", BinaryValue(0, nil), BinaryValue(4, nil), false},
		{"no data", BinaryValue(0, nil), BinaryValue(0, []byte{}), true},
		{"options", RegexValue("a", "i"), RegexValue("a", ""), false},
		{"pointers' identifiers", hidden.DBPointerValue("n", [12]byte{1}), hidden.DBPointerValue("n", [12]byte{2}), false},
		{"pointers' namespaces", hidden.DBPointerValue("n", [12]byte{1}), hidden.DBPointerValue("m", [12]byte{1}), false},
		{"scopes", hidden.CodeWithScopeValue("f", one), hidden.CodeWithScopeValue("f", two), false},
		{"one scope", hidden.CodeWithScopeValue("f", one), hidden.CodeWithScopeValue("f", one), true},
		{"code", hidden.CodeWithScopeValue("f", one), hidden.CodeWithScopeValue("g", one), false},
		{"the order of fields", ObjectValue(two), ObjectValue(D{two[1], two[0]}), false},
		{"one field less", ObjectValue(two), ObjectValue(one), false},
		{"one field more", ObjectValue(one), ObjectValue(two), false},
		{"names", ObjectValue(one), ObjectValue(D{{"b", Int32Value(1)}}), false},
		{"no document is empty", ObjectValue(nil), ObjectValue(D{}), true},
		{"one that cannot list its fields", ObjectValue(opaque{}), ObjectValue(opaque{}), false},
		{"nor is it empty", ObjectValue(opaque{}), ObjectValue(D{}), false},
		{"nor is another", ObjectValue(D{}), ObjectValue(opaque{}), false},
		{"the order of elements", list(Int32Value(1), Int32Value(2)), list(Int32Value(2), Int32Value(1)), false},
		{"one element less", list(Int32Value(1), NullValue()), list(Int32Value(1)), false},
		{"one element more", list(Int32Value(1)), list(Int32Value(1), NullValue()), false},
		{"JSON and memory", item.Value(), ObjectValue(D{{"a", Int32Value(1)}, {"b", list(StringValue("x"), NullValue())}, {"c", ObjectValue(D{})}}), true},
		{"a kind that is not one", Value{kind: 0x60}, Value{kind: 0x60}, false},
	}
	for _, tt := range tests {
		if v, w := tt.v.Equal(tt.w), tt.w.Equal(tt.v); v != tt.want || w != tt.want {
			t.Errorf("%s: %s.Equal(%s) = %v, the other way round %v, want %v", tt.why, tt.v, tt.w, v, w, tt.want)
		}
	}
}

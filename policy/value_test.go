package policy

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// TestValueAccessors calls every accessor on a value of every kind: each
// accepts its own kinds and refuses the others.
func TestValueAccessors(t *testing.T) {
	for _, field := range everything {
		v := field.Value
		want := accepted[v.Kind()]
		_, date := v.AsDate()
		_, integer := v.AsInt64()
		_, double := v.AsDouble()
		_, _, decimal := v.AsDecimal()
		_, boolean := v.AsBool()
		_, _, timestamp := v.AsTimestamp()
		_, id := v.AsObjectID()
		_, text := v.AsString()
		_, _, binary := v.AsBinary()
		_, _, regex := v.AsRegex()
		got := accepts{date, integer, double, decimal, boolean, timestamp, id, text, binary, regex, !v.scope().IsMissing(),
			!v.Field("a").IsMissing(), func() bool { e := v.Elements(); return e.Next() }()}
		if got != want {
			t.Errorf("%s answers to %+v, want %+v", v.Kind(), got, want)
		}
	}
}

type accepts struct {
	date, integer, double, decimal, boolean, timestamp, id, text, binary, regex, scope, field, elements bool
}

var accepted = map[Kind]accepts{
	Date: {date: true}, Int32: {integer: true}, Int64: {integer: true}, Double: {double: true}, Decimal: {decimal: true},
	Bool: {boolean: true}, Timestamp: {timestamp: true}, ObjectID: {id: true}, DBPointer: {id: true, text: true},
	String: {text: true}, Symbol: {text: true}, Code: {text: true}, CodeWithScope: {text: true, scope: true},
	Binary: {binary: true}, Regex: {regex: true}, Object: {field: true}, List: {elements: true},
}

func TestValueContent(t *testing.T) {
	if got, _ := DateValue(-5).AsDate(); got != -5 {
		t.Errorf("AsDate() = %d, want -5", got)
	}
	if got, _ := Int32Value(math.MinInt32).AsInt64(); got != math.MinInt32 {
		t.Errorf("AsInt64() = %d, want %d", got, math.MinInt32)
	}
	if got, _ := Int64Value(math.MinInt64).AsInt64(); got != math.MinInt64 {
		t.Errorf("AsInt64() = %d, want %d", got, int64(math.MinInt64))
	}
	if got, _ := DoubleValue(math.Copysign(0, -1)).AsDouble(); got != 0 || !math.Signbit(got) {
		t.Errorf("AsDouble() = %v, want -0", got)
	}
	if high, low, _ := DecimalValue(1, 2).AsDecimal(); high != 1 || low != 2 {
		t.Errorf("AsDecimal() = %d, %d, want 1, 2", high, low)
	}
	if sec, ordinal, _ := TimestampValue(math.MaxUint32, 7).AsTimestamp(); sec != math.MaxUint32 || ordinal != 7 {
		t.Errorf("AsTimestamp() = %d, %d, want %d, 7", sec, ordinal, uint32(math.MaxUint32))
	}
	if got, _ := hidden.DBPointerValue("c", oid).AsObjectID(); got != oid {
		t.Errorf("AsObjectID() = %x, want %x", got, oid)
	}
	if got, _ := BoolValue(true).AsBool(); !got {
		t.Error("AsBool() = false, want true")
	}
	if got, ok := Int32Value(1).AsBool(); got || ok {
		t.Errorf("AsBool() of 1 = %t, %t, want false twice", got, ok)
	}
	if subtype, data, _ := BinaryValue(3, []byte("x")).AsBinary(); subtype != 3 || string(data) != "x" {
		t.Errorf("AsBinary() = %d, %q, want 3, x", subtype, data)
	}
}

func TestRegexValueLosesWhatFollowsANUL(t *testing.T) {
	pattern, options, ok := RegexValue("a\x00b", "i\x00m").AsRegex()
	if pattern != "a" || options != "i" || !ok {
		t.Errorf("AsRegex() = %q, %q, %t, want a, i", pattern, options, ok)
	}
}

func TestCompareText(t *testing.T) {
	for _, test := range []struct {
		value Value
		text  string
		want  int
	}{
		{StringValue("a"), "a", 0}, {StringValue("a"), "b", -1}, {StringValue("b"), "a", +1},
		{StringValue(""), "", 0}, {hidden.RareValue(Symbol, "a"), "ab", -1}, {StringValue("é"), "z", +1},
		{NullValue(), "", 0}, {Int32Value(5), "5", -1}, {RegexValue("a", ""), "a", +1}, {RegexValue("a", ""), "a\x00", 0}, {BinaryValue(0, []byte("a")), "", 0},
	} {
		if got := hidden.CompareText(test.value, StringValue(test.text)); got != test.want {
			t.Errorf("compareText(%s, %q) = %d, want %d", test.value, test.text, got, test.want)
		}
	}
}

func TestObjectValueKeepsRawDocumentsRaw(t *testing.T) {
	raw, err := ParseBSON(mustBSON(t, everything))
	if err != nil {
		t.Fatal(err)
	}
	text := parseJSON(t, `{"a":1,"a":2}`)
	for _, test := range []struct {
		doc   Document
		field string
		want  Value
	}{
		{raw, "double", DoubleValue(1.5)}, {&raw, "double", DoubleValue(1.5)}, {text, "a", Int32Value(2)}, {*text, "a", Int32Value(2)},
		{D{{"a", NullValue()}}, "a", NullValue()}, {opaque{}, "a", NullValue()}, {nil, "a", Value{}},
	} {
		if got := ObjectValue(test.doc).Field(test.field); !identical(got, test.want) {
			t.Errorf("ObjectValue(%T).Field(%s) = %s, want %s", test.doc, test.field, got, test.want)
		}
	}
}

func TestKindNames(t *testing.T) {
	byName := map[string]int{}
	for k := range 256 {
		name := Kind(k).String()
		if other, taken := byName[name]; taken && name != "invalid" {
			t.Errorf("%#x and %#x are both called %s", other, k, name)
		}
		byName[name] = k
	}
	if got := Kind(0x14).String() + Kind(0x7e).String() + Kind(0xfd).String(); got != "invalidinvalidinvalid" {
		t.Errorf("the neighbours of kinds are %s", got)
	}
	for k, want := range map[Kind]bool{Double: true, Int32: true, Int64: true, Decimal: true, Date: false, Timestamp: false,
		Bool: false, String: false, Missing: false} {
		if got := k.IsNumber(); got != want {
			t.Errorf("%s.IsNumber() = %t, want %t", k, got, want)
		}
	}
}

// TestIdentical: the function identical distinguishes different values.
func TestIdentical(t *testing.T) {
	values := []Value{
		{}, NullValue(), hidden.RareValue(Undefined, ""), Int32Value(0), Int64Value(0), DateValue(0), BoolValue(false), DoubleValue(0),
		DoubleValue(math.Copysign(0, -1)), DoubleValue(math.NaN()), DoubleValue(math.Float64frombits(0xFFF8_0000_0000_0000)),
		TimestampValue(0, 0), TimestampValue(1, 0), TimestampValue(0, 1), DecimalValue(0, 0), DecimalValue(1, 0), DecimalValue(0, 1),
		ObjectIDValue([12]byte{}), ObjectIDValue([12]byte{1}), ObjectIDValue([12]byte{11: 1}),
		StringValue(""), StringValue("a"), hidden.RareValue(Symbol, "a"), hidden.RareValue(Code, "a"), hidden.CodeWithScopeValue("a", D{}), hidden.CodeWithScopeValue("a", D{{"a", NullValue()}}),
		BinaryValue(0, nil), BinaryValue(1, nil), BinaryValue(0, []byte{0}), RegexValue("a", ""), RegexValue("", "a"), RegexValue("a", "a"),
		hidden.DBPointerValue("a", [12]byte{}), hidden.DBPointerValue("b", [12]byte{}), hidden.DBPointerValue("a", [12]byte{1}), hidden.RareValue(MinKey, ""), hidden.RareValue(MaxKey, ""),
		ListValue(A{}), ListValue(A{NullValue()}), ListValue(A{NullValue(), NullValue()}), ObjectValue(D{}),
		ObjectValue(D{{"a", NullValue()}}), ObjectValue(D{{"b", NullValue()}}), ObjectValue(D{{"a", NullValue()}, {"b", NullValue()}}),
		ObjectValue(D{{"b", NullValue()}, {"a", NullValue()}}), ObjectValue(D{{"a", ObjectValue(D{})}}),
	}
	for i, v := range values {
		for j, w := range values {
			if got := identical(v, w); got != (i == j) {
				t.Errorf("identical(%s, %s) = %t", show(v), show(w), got)
			}
		}
	}
}

func TestDateOf(t *testing.T) {
	for _, e := range append(D{{"missing", Value{}}}, everything...) {
		want, isDate := e.Value.AsDate()
		got, ok := hidden.DateOf(&e.Value)
		if ok != isDate || ok && got != want || isDate != (e.Value.Kind() == Date) {
			t.Errorf("DateOf(%s) = %d, %v, want %d, %v", show(e.Value), got, ok, want, isDate)
		}
	}
}

// TestOpaque: a value of an unknown type exists, and cannot be written as BSON.
func TestOpaque(t *testing.T) {
	v := D{{"a", OpaqueValue()}}
	if b, err := AppendBSON(nil, ObjectValue(v)); err == nil {
		t.Errorf("AppendBSON of an opaque value = %x, want an error", b)
	}
	if got := ObjectValue(v).String(); got != `{"a":{"$opaque":true}}` {
		t.Errorf("an opaque value is written as %s; as null a filter would match what has no such field", got)
	}
}

func TestIsNaNAndIsAbsent(t *testing.T) {
	for _, tt := range []struct {
		v           Value
		nan, absent bool
	}{
		{DoubleValue(math.NaN()), true, false}, {DecimalValue(0x7C<<56, 0), true, false}, {DecimalValue(0xFE<<56, 1), true, false},
		{DoubleValue(math.Inf(1)), false, false}, {DecimalValue(0x78<<56, 0), false, false}, {Int64Value(math.MinInt64), false, false},
		{DateValue(0x7C << 56), false, false}, {StringValue("NaN"), false, false}, {OpaqueValue(), false, false},
		{NullValue(), false, true}, {Value{}, false, true}, {hidden.RareValue(Undefined, ""), false, false},
	} {
		if got := tt.v.IsNaN(); got != tt.nan {
			t.Errorf("%s.IsNaN() = %t, want %t", tt.v, got, tt.nan)
		}
		if got := tt.v.IsMissingOrNull(); got != tt.absent {
			t.Errorf("%s.IsMissingOrNull() = %t, want %t", tt.v, got, tt.absent)
		}
	}
}

// TestFieldBy: fieldBy returns the same value as Field with the Finder's name, for
// documents in every form.
func TestFieldBy(t *testing.T) {
	fields := D{{"a", Int32Value(1)}, {"long name", Int32Value(2)}, {"a", Int32Value(3)}}
	raw, err := AppendBSON(nil, ObjectValue(fields))
	if err != nil {
		t.Fatal(err)
	}
	bson, err := ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	json, err := ParseJSON([]byte(`{"a":1,"long name":2,"a":3}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "long name", "none", "", "long name\x00"} {
		f := rawbson.NewFinder(name)
		for why, v := range map[string]Value{"memory": ObjectValue(fields), "BSON": bson.Value(), "JSON": json.Value(), "no document": StringValue("a")} {
			if got, want := hidden.FieldBy(v, &f), v.Field(name); !got.Equal(want) {
				t.Errorf("%s: fieldBy(%q) = %v, want %v", why, name, got, want)
			}
		}
	}
}

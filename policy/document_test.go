package policy

import (
	"strings"
	"testing"
)

func TestDField(t *testing.T) {
	d := D{{"a", Int32Value(1)}, {"b", NullValue()}, {"a", Int32Value(2)}}
	for name, want := range map[string]Value{"a": Int32Value(1), "b": NullValue(), "c": {}, "": {}} {
		if got := d.Field(name); !identical(got, want) {
			t.Errorf("Field(%q) = %s, want %s", name, got, want)
		}
	}
	if got := D(nil).Field("a"); !got.IsMissing() {
		t.Errorf("Field of the zero D = %s", got)
	}
}

// TestCursors walks the same document in memory, in BSON and in JSON.
func TestCursors(t *testing.T) {
	d := D{{"b", Int32Value(1)}, {"", NullValue()}, {"a", ListValue(A{BoolValue(true), StringValue("x")})}, {"b", BoolValue(false)}}
	raw, err := ParseBSON(mustBSON(t, d))
	if err != nil {
		t.Fatal(err)
	}
	text := parseJSON(t, ` { "b" : 1 , "" : null , "a" : [ true , "x" ] , "b" : false } `)
	for _, v := range []Value{ObjectValue(d), raw.Value(), text.Value()} {
		var got []string
		f := v.Fields()
		for f.Next() {
			got = append(got, f.Name()+"="+f.Value().String())
			if f.compareName(f.Name()) != 0 || f.compareName(f.Name()+"\x00") != -1 || f.Name() != "" && f.compareName("") != +1 {
				t.Errorf("CompareName does not agree with Name %q", f.Name())
			}
		}
		if got, want := strings.Join(got, " "), `b={"$numberInt":"1"} =null a=[true,"x"] b=false`; got != want {
			t.Errorf("fields = %s, want %s", got, want)
		}
		if f.Next() || !f.Listed() {
			t.Error("a cursor goes on behind its end, or says that it could not list")
		}
		e := v.Field("a").Elements()
		if n := countElements(v.Field("a")); n != 2 || e.Next() && !identical(e.Value(), BoolValue(true)) {
			t.Errorf("elements of a: %d, the first %s", n, e.Value())
		}
	}
}

func TestCompareNameOfEscapes(t *testing.T) {
	f := parseJSON(t, `{"\u0062":1}`).Value().Fields()
	f.Next()
	for name, want := range map[string]int{"": +1, "a": +1, "b": 0, "ba": -1, "c": -1, `\u0062`: +1} {
		if got := f.compareName(name); got != want {
			t.Errorf("CompareName(%q) of an escaped b = %d, want %d", name, got, want)
		}
	}
}

func TestCursorsOfWhatHasNone(t *testing.T) {
	f := ObjectValue(opaque{}).Fields()
	if f.Next() || f.Listed() {
		t.Error("a document that cannot list its fields lists one, or claims to")
	}
	for _, v := range []Value{{}, NullValue(), StringValue("x"), BinaryValue(0, []byte("\x05\x00\x00\x00\x00")), ListValue(nil), ObjectValue(nil)} {
		f, e := v.Fields(), v.Elements()
		if f.Next() || e.Next() {
			t.Errorf("%s has fields or elements", v)
		}
	}
	f, e := ListValue(A{NullValue()}).Fields(), ObjectValue(D{{"a", NullValue()}}).Elements()
	if f.Next() || f.Listed() || e.Next() {
		t.Error("an array has fields, or a document elements")
	}
}

// TestObjectValueOfValue: a Value used as a document keeps its fields. A Value of another
// kind has no fields.
func TestObjectValueOfValue(t *testing.T) {
	v := ObjectValue(D{{"a", Int32Value(1)}})
	for _, d := range []Document{v, &v} {
		f := ObjectValue(d).Fields()
		if !f.Listed() || !f.Next() || f.Name() != "a" {
			t.Errorf("the fields of a %T are lost", d)
		}
	}
	if got := ObjectValue(Int32Value(5)); got.Kind() != Object || !got.Field("a").IsMissing() {
		t.Errorf("a number as a document is %s, want one without fields", show(got))
	}
}

// TestInMemory: DOf and AOf list the contents of raw documents and of documents of other
// Go types.
func TestInMemory(t *testing.T) {
	fields, elements := D{{"b", Int32Value(1)}, {"a", NullValue()}, {"b", ListValue(A{DateValue(2)})}}, A{Int32Value(1), ObjectValue(D{{"x", NullValue()}})}
	raw, err := AppendBSON(nil, ObjectValue(D{{"d", ObjectValue(fields)}, {"a", ListValue(elements)}}))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []Value{ObjectValue(fields), doc.Field("d")} {
		if got := ObjectValue(DOf(v)).String(); got != ObjectValue(fields).String() {
			t.Errorf("DOf(%s) = %s", v, got)
		}
	}
	for _, v := range []Value{ListValue(elements), doc.Field("a")} {
		if got := ListValue(AOf(v)).String(); got != ListValue(elements).String() {
			t.Errorf("AOf(%s) = %s", v, got)
		}
	}
	for _, v := range []Value{{}, NullValue(), ListValue(elements), ObjectValue(opaque{}), ObjectValue(Map{"a": 1})} {
		if got := DOf(v); got != nil {
			t.Errorf("DOf(%s) = %v, want none", v, got)
		}
	}
	for _, v := range []Value{ObjectValue(nil), ObjectValue(D{})} {
		if got := DOf(v); got == nil || len(got) > 0 {
			t.Errorf("DOf(%s) = %#v, want an empty one that is not nil", v, got)
		}
	}
	for _, v := range []Value{{}, NullValue(), ObjectValue(fields)} {
		if got := AOf(v); got != nil {
			t.Errorf("AOf(%s) = %v, want none", v, got)
		}
	}
}

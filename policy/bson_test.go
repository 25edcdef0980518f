package policy

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

// everything is a document with a value of every kind.
var everything = D{
	{"double", DoubleValue(1.5)}, {"string", StringValue("text")}, {"empty", StringValue("")},
	{"object", ObjectValue(D{{"a", Int32Value(1)}, {"b", ObjectValue(D{})}})},
	{"array", ListValue(A{Int32Value(1), DateValue(2), ListValue(A{NullValue()})})},
	{"binary", BinaryValue(0x80, []byte{1, 2, 3})}, {"old", BinaryValue(2, []byte{4, 5})},
	{"undefined", hidden.RareValue(Undefined, "")}, {"oid", ObjectIDValue(oid)}, {"true", BoolValue(true)},
	{"date", DateValue(-1)}, {"null", NullValue()}, {"regex", RegexValue("^a", "i")},
	{"pointer", hidden.DBPointerValue("d.c", oid)}, {"code", hidden.RareValue(Code, "f()")}, {"symbol", hidden.RareValue(Symbol, "s")},
	{"scoped", hidden.CodeWithScopeValue("g()", D{{"x", ListValue(A{Int32Value(7)})}})},
	{"int", Int32Value(-1)}, {"timestamp", TimestampValue(1, 2)}, {"long", Int64Value(math.MinInt64)},
	{"decimal", DecimalValue(0x303C000000000000, 120)}, {"max", hidden.RareValue(MaxKey, "")}, {"min", hidden.RareValue(MinKey, "")},
}

func mustBSON(t testing.TB, d D) []byte {
	t.Helper()
	b, err := AppendBSON(nil, ObjectValue(d))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestAppendBSON compares the writer's output with bytes written by hand from
// bsonspec.org, so that an error that writer and reader share is found.
func TestAppendBSON(t *testing.T) {
	const id = "\x50\x7f\x1f\x77\xbc\xf8\x6c\xd7\x99\x43\x90\x11"
	for _, test := range []struct {
		value Value
		kind  byte
		body  string
	}{
		{DoubleValue(-2), 0x01, "\x00\x00\x00\x00\x00\x00\x00\xc0"},
		{StringValue("hé"), 0x02, "\x04\x00\x00\x00h\xc3\xa9\x00"},
		{ObjectValue(D{{"x", NullValue()}}), 0x03, "\x08\x00\x00\x00\x0ax\x00\x00"},
		{ListValue(A{NullValue(), BoolValue(true)}), 0x04, "\x0c\x00\x00\x00\x0a0\x00\x081\x00\x01\x00"},
		{BinaryValue(5, []byte("ab")), 0x05, "\x02\x00\x00\x00\x05ab"},
		{BinaryValue(2, []byte("ab")), 0x05, "\x06\x00\x00\x00\x02\x02\x00\x00\x00ab"},
		{hidden.RareValue(Undefined, ""), 0x06, ""},
		{ObjectIDValue(oid), 0x07, id},
		{BoolValue(false), 0x08, "\x00"},
		{DateValue(-2), 0x09, "\xfe\xff\xff\xff\xff\xff\xff\xff"},
		{NullValue(), 0x0a, ""},
		{RegexValue("a", "i"), 0x0b, "a\x00i\x00"},
		{hidden.DBPointerValue("c", oid), 0x0c, "\x02\x00\x00\x00c\x00" + id},
		{hidden.RareValue(Code, "f"), 0x0d, "\x02\x00\x00\x00f\x00"},
		{hidden.RareValue(Symbol, "s"), 0x0e, "\x02\x00\x00\x00s\x00"},
		{hidden.CodeWithScopeValue("f", D{}), 0x0f, "\x0f\x00\x00\x00\x02\x00\x00\x00f\x00\x05\x00\x00\x00\x00"},
		{Int32Value(258), 0x10, "\x02\x01\x00\x00"},
		{TimestampValue(1, 2), 0x11, "\x02\x00\x00\x00\x01\x00\x00\x00"},
		{Int64Value(1 << 32), 0x12, "\x00\x00\x00\x00\x01\x00\x00\x00"},
		{DecimalValue(1, 2), 0x13, "\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"},
		{hidden.RareValue(MaxKey, ""), 0x7f, ""},
		{hidden.RareValue(MinKey, ""), 0xff, ""},
	} {
		want := fmt.Sprintf("%c\x00\x00\x00%sa\x00%s\x00", 8+len(test.body), string([]byte{test.kind}), test.body)
		d := D{{"a", test.value}}
		if got := mustBSON(t, d); string(got) != want {
			t.Errorf("AppendBSON(%s) = %q, want %q", show(test.value), got, want)
		}
		doc, err := ParseBSON([]byte(want))
		if got := doc.Field("a"); err != nil || !identical(got, test.value) {
			t.Errorf("Field(a) of ParseBSON(%q) = %s, %v, want %s", want, show(got), err, show(test.value))
		}
	}
}

func TestAppendBSONRefuses(t *testing.T) {
	deep := ObjectValue(D{})
	for range maxDepth {
		deep = ObjectValue(D{{"a", deep}})
	}
	for _, test := range []struct {
		value Value
		why   string
	}{
		{Value{}, "nothing"},
		{ListValue(A{}), "an array"},
		{ObjectValue(D{{"a\x00", NullValue()}}), "a NUL in a name"},
		{ObjectValue(D{{"a", Value{}}}), "a missing field"},
		{ObjectValue(D{{"a", ListValue(A{{}})}}), "a missing element"},
		{ObjectValue(opaque{}), "a document that cannot list its fields"},
		{ObjectValue(D{{"a", hidden.CodeWithScopeValue("", opaque{})}}), "the same as a scope"},
		{deep, "129 levels"},
	} {
		got, err := AppendBSON([]byte("x"), test.value)
		if err == nil || string(got) != "x" {
			t.Errorf("AppendBSON of %s = %q, %v, want an error and nothing appended", test.why, got, err)
		}
	}
}

func TestAppendBSONOfRawJSON(t *testing.T) {
	doc := parseJSON(t, `{"a":[1,{"b":"\u00e9","b":2.5}],"n":null}`)
	got, err := AppendBSON(nil, doc.Value())
	want := mustBSON(t, D{{"a", ListValue(A{Int32Value(1), ObjectValue(D{{"b", StringValue("é")}, {"b", DoubleValue(2.5)}})})},
		{"n", NullValue()}})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("AppendBSON of JSON = %q, %v, want %q", got, err, want)
	}
}

func TestParseBSONRefusesTruncation(t *testing.T) {
	raw := mustBSON(t, everything)
	if _, err := ParseBSON(raw); err != nil {
		t.Fatal(err)
	}
	for n := range raw {
		_, err := ParseBSON(raw[:n])
		checkSyntaxError(t, "ParseBSON", string(raw[:n]), err, SyntaxError{"BSON", n, "", ErrTruncated})
		// The same with a wrong length.
		if cut := bytes.Clone(raw[:n]); n >= lengthBytes {
			binary.LittleEndian.PutUint32(cut, uint32(n))
			if _, err := ParseBSON(cut); err == nil {
				t.Errorf("ParseBSON accepts the first %d bytes of %d with the length mended", n, len(raw))
			}
		}
	}
}

// TestParseBSONSurvivesDamage replaces each byte by small lengths, by many element types
// and by other extreme values. ParseBSON refuses a part of the damaged documents. An
// accepted document has at most as many values as bytes.
func TestParseBSONSurvivesDamage(t *testing.T) {
	raw := mustBSON(t, everything)
	refused, total := 0, 0
	for i, original := range raw {
		for _, damage := range damages {
			if damage == original {
				continue
			}
			damaged := bytes.Clone(raw)
			damaged[i] = damage
			total++
			doc, err := ParseBSON(damaged)
			if err != nil {
				refused++
				continue
			}
			if n := countAll(doc.Value()); n > len(raw) {
				t.Fatalf("byte %d = %#x: %d values in %d bytes", i, damaged[i], n, len(raw))
			}
			if text := AppendExtJSON(nil, doc.Value()); !json.Valid(text) {
				t.Fatalf("byte %d = %#x: %s is not JSON", i, damaged[i], text)
			}
		}
	}
	if refused < total/4 || refused == total {
		t.Errorf("%d of %d damages were refused", refused, total)
	}
}

var damages = []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x20a\x7e\x7f\x80\xfe\xff")

// countAll returns the number of values in v, including v.
func countAll(v Value) int {
	n := 1
	for f := v.Fields(); f.Next(); {
		n += countAll(f.Value())
	}
	for e := v.Elements(); e.Next(); {
		n += countAll(e.Value())
	}
	if v.Kind() == CodeWithScope {
		n += countAll(v.scope())
	}
	return n
}

// TestUncheckedCursorsEnd: a cursor over unchecked bytes ends after at most as many steps
// as bytes.
func TestUncheckedCursorsEnd(t *testing.T) {
	raw := mustBSON(t, everything)
	for i := range raw {
		for _, c := range []byte{0, 1, 2, 3, 5, 0x0b, 0x0c, 0x0f, 0x7f, 0x80, 0xff} {
			damaged := bytes.Clone(raw)
			damaged[i] = c
			n := 0
			for e := rawElements(damaged[:i+1]); e.Next(); n++ {
			}
			for e := rawElements(damaged); e.Next(); n++ {
			}
			if n > 2*len(raw) {
				t.Fatalf("byte %d = %#x: %d steps", i, c, n)
			}
		}
	}
}

func TestParseBSONRefuses(t *testing.T) {
	// wrap returns a document: its length, the content and a NUL.
	wrap := func(content string) string {
		return string(binary.LittleEndian.AppendUint32(nil, uint32(len(content)+5))) + content + "\x00"
	}
	nested := wrap("")
	for range maxDepth - 1 {
		nested = wrap("\x03a\x00" + nested)
	}
	if _, err := ParseBSON([]byte(nested)); err != nil {
		t.Fatalf("ParseBSON of %d levels: %v", maxDepth, err)
	}
	for _, test := range []struct {
		bytes  string
		offset int
		path   string
		is     error
	}{
		{"", 0, "", ErrTruncated},
		{"\x05\x00\x00", 3, "", ErrTruncated},
		{"\x05\x00\x00\x00", 4, "", ErrTruncated},
		{"\xff\xff\xff\x7f\x00", 5, "", ErrTruncated},
		{"\x04\x00\x00\x00\x00", 0, "", nil},
		{"\x00\x00\x00\x00", 0, "", nil},
		{"\xff\xff\xff\xff\x00", 0, "", nil},
		{"\x05\x00\x00\x00\x00\x00", 5, "", nil},
		{"\x05\x00\x00\x00\x01", 4, "", nil},
		{wrap("\x00"), 4, "", nil},
		{wrap("\x0a\x00\x00\x0a\x00"), 6, "", nil},
		{wrap("\x0a"), 4, "", nil},
		{wrap("\x0aname"), 4, "", nil},
		{wrap("\x14a\x00"), 4, "a", nil},
		{wrap("\x80a\x00"), 4, "a", nil},
		{wrap("\x10a\x00\x01\x02\x03"), 7, "a", nil},
		{wrap("\x12a\x00\x01\x02\x03\x04\x05\x06\x07"), 7, "a", nil},
		{wrap("\x13a\x00" + strings.Repeat("x", 15)), 7, "a", nil},
		{wrap("\x07a\x00" + strings.Repeat("x", 11)), 7, "a", nil},
		{wrap("\x08a\x00"), 7, "a", nil},
		{wrap("\x08a\x00\x02"), 7, "a", nil},
		{wrap("\x0aa\x00\x08b\x00\xff"), 10, "b", nil},
		// Strings.
		{wrap("\x02a\x00\x00\x00\x00\x00"), 7, "a", nil},
		{wrap("\x02a\x00\x01\x00\x00\x00x"), 11, "a", nil},
		{wrap("\x02a\x00\xff\xff\xff\x7fx\x00"), 7, "a", nil},
		{wrap("\x02a\x00\xff\xff\xff\xffx\x00"), 7, "a", nil},
		{wrap("\x02a\x00\x03\x00\x00\x00x\x00"), 7, "a", nil},
		{wrap("\x0da\x00\x00\x00\x00\x00"), 7, "a", nil},
		{wrap("\x0ea\x00\x01\x00\x00\x00x"), 11, "a", nil},
		// Other kinds with lengths.
		{wrap("\x05a\x00\x02\x00\x00\x00\x00x"), 7, "a", nil},
		{wrap("\x05a\x00\xff\xff\xff\x7f\x00x"), 7, "a", nil},
		{wrap("\x05a\x00\x05\x00\x00\x00\x02\x02\x00\x00\x00x"), 12, "a", nil},
		{wrap("\x05a\x00\x01\x00\x00\x00\x02x"), 12, "a", nil},
		{wrap("\x05a\x00\x05\x00\x00\x00\x02\xff\xff\xff\xffx"), 12, "a", nil},
		{wrap("\x0ba\x00x\x00x"), 7, "a", nil},
		{wrap("\x0ca\x00\x00\x00\x00\x00" + strings.Repeat("x", 12)), 7, "a", nil},
		{wrap("\x0ca\x00\x01\x00\x00\x00\x00" + strings.Repeat("x", 11)), 7, "a", nil},
		{wrap("\x0ca\x00\x01\x00\x00\x00x" + strings.Repeat("x", 12)), 11, "a", nil},
		// Documents in documents.
		{wrap("\x03a\x00\x04\x00\x00\x00"), 7, "a", nil},
		{wrap("\x03a\x00\x00\x00\x00\x00"), 7, "a", nil},
		{wrap("\x03a\x00\xff\xff\xff\xff\x00"), 7, "a", nil},
		{wrap("\x03a\x00\x06\x00\x00\x00\x00"), 7, "a", nil},
		{wrap("\x03a\x00\x05\x00\x00\x00\x01"), 11, "a", nil},
		{wrap("\x04a\x00" + wrap("\x030\x00"+wrap("\x08b\x00\x02"))), 21, "a.0.b", nil},
		{wrap("\x03" + strings.Repeat("x", 150) + "\x00" + wrap("\x08b\x00\x02")), 163, strings.Repeat("x", 100) + "….b", nil},
		// Code with scope.
		{wrap("\x0fa\x00\x03\x00\x00\x00"), 7, "a", nil},
		{wrap("\x0fa\x00\x04\x00\x00\x00"), 11, "a", nil},
		{wrap("\x0fa\x00\x0e\x00\x00\x00\x02\x00\x00\x00x\x00\x05\x00\x00\x00"), 17, "a", nil},
		{wrap("\x0fa\x00\x0f\x00\x00\x00\x03\x00\x00\x00x\x00\x05\x00\x00\x00\x00"), 17, "a", nil},
		{wrap("\x0fa\x00\x10\x00\x00\x00\x02\x00\x00\x00x\x00\x05\x00\x00\x00\x00\x00"), 17, "a", nil},
		{wrap("\x0fa\x00\x0f\x00\x00\x00\x00\x00\x00\x00x\x00\x05\x00\x00\x00\x00"), 11, "a", nil},
		{wrap("\x0fa\x00\x13\x00\x00\x00\x02\x00\x00\x00x\x00" + wrap("\x08b\x00\x02")), 24, "a.b", nil},
		{wrap("\x0fa\x00\x06\x04\x00\x00\x01\x00\x00\x00\x00" + nested), 16 + 7*(maxDepth-1),
			strings.TrimSuffix(strings.Repeat("a.", maxDepth), "."), ErrTooDeep},
		{wrap("\x03a\x00" + nested), 7 * maxDepth, strings.TrimSuffix(strings.Repeat("a.", maxDepth), "."), ErrTooDeep},
	} {
		_, err := ParseBSON([]byte(test.bytes))
		checkSyntaxError(t, "ParseBSON", test.bytes, err, SyntaxError{"BSON", test.offset, test.path, test.is})
	}
}

func TestBSONFieldTakesTheFirstOfAName(t *testing.T) {
	doc, err := ParseBSON(mustBSON(t, D{{"a", Int32Value(1)}, {"ab", Int32Value(2)}, {"a", Int32Value(3)}, {"", Int32Value(4)}}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Value{"a": Int32Value(1), "ab": Int32Value(2), "": Int32Value(4), "b": {}, "a\x00": {}} {
		if got := doc.Field(name); !identical(got, want) {
			t.Errorf("Field(%q) = %s, want %s", name, show(got), show(want))
		}
	}
}

func TestBSONZero(t *testing.T) {
	var doc BSON
	if got := doc.Field("a"); !got.IsMissing() {
		t.Errorf("Field of the zero BSON = %s", show(got))
	}
	if f := doc.Value().Fields(); f.Next() || !f.Listed() {
		t.Error("the zero BSON lists a field, or none can be listed")
	}
}

// FuzzParseBSON: an accepted document can be walked, written as JSON, and
// rebuilt from its values.
func FuzzParseBSON(f *testing.F) {
	f.Add(mustBSON(f, everything))
	f.Add([]byte("\x05\x00\x00\x00\x00"))
	f.Add([]byte("\x0c\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00"))
	f.Add(mustBSON(f, D{{"$oid", StringValue("507f1f77bcf86cd799439011")}, {"a", ListValue(A{ListValue(A{})})}}))
	draw := func(r fuzzing.Random) []byte {
		return r.Damage(r.Document(3, "a", "b", "0"), "\x00\x01\x02\x03\x04\x05\x08\x0f\x10\x7f\xff")
	}
	fuzzing.Texts(f, draw, func(t testing.TB, b []byte) {
		end := 0
		for offset, part := range rawbson.Split(b) {
			if offset != end || !bytes.Equal(part, b[offset:offset+len(part)]) || len(part) == 0 {
				t.Fatalf("rawbson.Split(%q) has %q at %d, behind %d bytes", b, part, offset, end)
			}
			end += len(part)
		}
		found, wrong := lookupBSON(b, "a")
		doc, err := ParseBSON(b)
		if end != len(b) || err == nil && (wrong != nil || !identical(found, doc.Field("a"))) {
			t.Fatalf("%q: %d of %d bytes split; LookupBSON = %s, %v", b, end, len(b), show(found), wrong)
		}
		if err != nil {
			return
		}
		if n := countAll(doc.Value()); n > len(b) {
			t.Fatalf("%d values in %d bytes", n, len(b))
		}
		text := AppendExtJSON(nil, doc.Value())
		if !json.Valid(text) {
			t.Fatalf("AppendExtJSON(%q) = %s, want valid JSON", b, text)
		}
		rebuilt, err := AppendBSON(nil, ObjectValue(DOf(doc.Value())))
		if err != nil {
			t.Fatalf("AppendBSON of the fields of %q: %v", b, err)
		}
		again, err := ParseBSON(rebuilt)
		if err != nil || !identical(again.Value(), doc.Value()) {
			t.Fatalf("rebuilt %q = %s, %v, want %s", b, show(again.Value()), err, show(doc.Value()))
		}
	})
}

// FuzzParseExtJSON: accepted text is strict JSON, and its canonical form is
// read as the same value.
func FuzzParseExtJSON(f *testing.F) {
	for _, test := range extJSONVectors {
		f.Add([]byte(test.canonical))
	}
	f.Add([]byte(`{"a":{"$date":"2020-01-01T00:00:00.5+01:00"},"b":[-0,1e3,{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}]}`))
	f.Add([]byte(`{"$gt":5,"$type":"date","x":{"$ref":"c","$id":1}}`))
	fuzzing.Texts(f, damagedExtJSON, func(t testing.TB, b []byte) {
		v, err := ParseExtJSON(b)
		if err != nil {
			return
		}
		if !json.Valid(b) {
			t.Fatalf("ParseExtJSON accepts %q, which is not JSON", b)
		}
		text := AppendExtJSON(nil, v)
		again, err := ParseExtJSON(text)
		if err != nil || !identical(again, v) {
			t.Fatalf("%q is %s; ParseExtJSON(%s) = %s, %v", b, show(v), text, show(again), err)
		}
		if v.Kind() != Object {
			return
		}
		raw, err := AppendBSON(nil, v)
		if err != nil {
			t.Fatalf("AppendBSON(%s): %v", text, err)
		}
		if _, err := ParseBSON(raw); err != nil {
			t.Fatalf("ParseBSON(AppendBSON(%s)): %v", text, err)
		}
	})
}

// TestLookupBSON: a Finder finds a field in an unchecked document, and checks only that
// field.
func TestLookupBSON(t *testing.T) {
	// {a: 1, s: "x"}, written by hand from https://bsonspec.org/spec.html.
	doc := []byte("\x15\x00\x00\x00" + "\x10a\x00\x01\x00\x00\x00" + "\x02s\x00\x02\x00\x00\x00x\x00" + "\x00")
	damagedLast := []byte("\x15\x00\x00\x00" + "\x10a\x00\x01\x00\x00\x00" + "\x02s\x00\x7f\x00\x00\x00x\x00" + "\x00")
	badText := []byte("\x15\x00\x00\x00" + "\x10a\x00\x01\x00\x00\x00" + "\x02s\x00\x02\x00\x00\x00xx" + "\x00")
	for _, tt := range []struct {
		why, name string
		doc       []byte
		want      Value
		ok        bool
	}{
		{"the first", "a", doc, Int32Value(1), true},
		{"the last", "s", doc, StringValue("x"), true},
		{"none", "b", doc, Value{}, true},
		{"damage behind it", "a", damagedLast, Int32Value(1), true},
		{"damage before it", "z", damagedLast, Value{}, false},
		{"a value that is damaged", "s", badText, Value{}, false},
		{"no document", "a", doc[:3], Value{}, false},
		{"no end", "a", doc[:len(doc)-1], Value{}, false},
	} {
		got, err := lookupBSON(tt.doc, tt.name)
		var syntax *SyntaxError
		if (err == nil) != tt.ok || !got.Equal(tt.want) && !(got.IsMissing() && tt.want.IsMissing()) || err != nil && !errors.As(err, &syntax) {
			t.Errorf("%s: lookupBSON(%q) = %v, %v, want %v, %v", tt.why, tt.name, got, err, tt.want, tt.ok)
		}
	}
}

// lookupBSON returns the first field with this name in an unchecked document, as the evaluators
// look it up.
func lookupBSON(doc []byte, name string) (Value, error) {
	f := rawbson.NewFinder(name)
	found, ok := f.Find(doc)
	switch {
	case !ok:
		return Value{}, &SyntaxError{Format: "BSON", Err: errors.New("damaged before the field")}
	case found.Type == 0:
		return Value{}, nil
	}
	return ParseBSONValue(Kind(found.Type), found.Body)
}

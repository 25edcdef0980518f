package policy

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

var oid = [12]byte{0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11}

// extJSONVectors are values with their canonical Extended JSON, written by
// hand after the specification (mongodb/specifications:
// source/extended-json.md, source/bson-corpus).
var extJSONVectors = []struct {
	canonical string
	value     Value
}{
	{`null`, NullValue()},
	{`true`, BoolValue(true)},
	{`false`, BoolValue(false)},
	{`"a\"b\\c\/d"`, StringValue(`a"b\c/d`)},
	{`"\u0000\b\f\n\r\t\u001fé\u2028"`, StringValue("\x00\b\f\n\r\t\x1fé\u2028")},
	{`{"$numberInt":"-2147483648"}`, Int32Value(math.MinInt32)},
	{`{"$numberLong":"9223372036854775807"}`, Int64Value(math.MaxInt64)},
	{`{"$numberLong":"1"}`, Int64Value(1)},
	{`{"$numberDouble":"1.0"}`, DoubleValue(1)},
	{`{"$numberDouble":"-0.0"}`, DoubleValue(math.Copysign(0, -1))},
	{`{"$numberDouble":"1.2345678921232E+18"}`, DoubleValue(1.2345678921232e18)},
	{`{"$numberDouble":"5E-324"}`, DoubleValue(math.SmallestNonzeroFloat64)},
	{`{"$numberDouble":"Infinity"}`, DoubleValue(math.Inf(1))},
	{`{"$numberDouble":"-Infinity"}`, DoubleValue(math.Inf(-1))},
	{`{"$numberDouble":"NaN"}`, DoubleValue(math.NaN())},
	{`{"$numberDecimal":"1.20"}`, DecimalValue(0x303C_0000_0000_0000, 120)},
	{`{"$date":{"$numberLong":"-1"}}`, DateValue(-1)},
	{`{"$date":{"$numberLong":"253402300800000"}}`, DateValue(253402300800000)},
	{`{"$oid":"507f1f77bcf86cd799439011"}`, ObjectIDValue(oid)},
	{`{"$binary":{"base64":"//8=","subType":"00"}}`, BinaryValue(0, []byte{0xff, 0xff})},
	{`{"$binary":{"base64":"","subType":"80"}}`, BinaryValue(0x80, nil)},
	{`{"$binary":{"base64":"AQ==","subType":"02"}}`, BinaryValue(2, []byte{1})},
	{`{"$code":"f()"}`, hidden.RareValue(Code, "f()")},
	{`{"$code":"f()","$scope":{"x":{"$numberInt":"1"}}}`, hidden.CodeWithScopeValue("f()", D{{"x", Int32Value(1)}})},
	{`{"$timestamp":{"t":4294967295,"i":1}}`, TimestampValue(math.MaxUint32, 1)},
	{`{"$regularExpression":{"pattern":"a/\\d","options":"xi"}}`, RegexValue(`a/\d`, "xi")},
	{`{"$dbPointer":{"$ref":"d.c","$id":{"$oid":"507f1f77bcf86cd799439011"}}}`, hidden.DBPointerValue("d.c", oid)},
	{`{"$symbol":"s"}`, hidden.RareValue(Symbol, "s")},
	{`{"$undefined":true}`, hidden.RareValue(Undefined, "")},
	{`{"$minKey":1}`, hidden.RareValue(MinKey, "")},
	{`{"$maxKey":1}`, hidden.RareValue(MaxKey, "")},
	{`{}`, ObjectValue(D{})},
	{`[]`, ListValue(A{})},
	{`[null,[{"a":{"$numberInt":"1"}}]]`, ListValue(A{NullValue(), ListValue(A{ObjectValue(D{{"a", Int32Value(1)}})})})},
	{`{"a":true,"b":{"":"x"},"a":false}`,
		ObjectValue(D{{"a", BoolValue(true)}, {"b", ObjectValue(D{{"", StringValue("x")}})}, {"a", BoolValue(false)}})},
}

func TestExtJSONCanonical(t *testing.T) {
	for _, test := range extJSONVectors {
		got, err := ParseExtJSON([]byte(test.canonical))
		if err != nil || !identical(got, test.value) {
			t.Errorf("ParseExtJSON(%s) = %s, %v, want %s", test.canonical, show(got), err, show(test.value))
		}
		want := strings.ReplaceAll(test.canonical, `\/`, "/") // \/ is the only escape that is never needed
		if got := string(AppendExtJSON(nil, test.value)); got != want {
			t.Errorf("AppendExtJSON(%s) = %s, want %s", show(test.value), got, want)
		}
		if got := string(AppendExtJSON([]byte("x"), got)); got != "x"+want {
			t.Errorf("AppendExtJSON of what was parsed = %s, want x%s", got, want)
		}
	}
}

func TestParseExtJSONRelaxed(t *testing.T) {
	operators := D{{"$gt", Int32Value(5)}, {"$exists", BoolValue(true)}, {"$type", StringValue("date")},
		{"$regex", StringValue("^a")}, {"$options", StringValue("i")}}
	dbRef := D{{"$ref", StringValue("c")}, {"$id", ObjectIDValue(oid)}, {"$db", StringValue("d")}}
	for _, test := range []struct {
		text string
		want Value
	}{
		{"0", Int32Value(0)},
		{"-0", Int32Value(0)},
		{" 2147483647\n", Int32Value(math.MaxInt32)},
		{"2147483648", Int64Value(1 << 31)},
		{"-9223372036854775808", Int64Value(math.MinInt64)},
		{"9223372036854775808", DoubleValue(1 << 63)},
		{"1.0", DoubleValue(1)},
		{"-0.0", DoubleValue(math.Copysign(0, -1))},
		{"1e3", DoubleValue(1000)},
		{"1e-1000000000", DoubleValue(0)},
		{"0e1000000000", DoubleValue(0)},
		{`"\ud83d\ude00"`, StringValue("😀")},
		{`{"$date":"1970-01-01T00:00:00Z"}`, DateValue(0)},
		{`{"$date":"2020-01-01T00:00:00.5Z"}`, DateValue(1577836800500)},
		{`{"$date":"2020-01-01T00:00:00.123+01:00"}`, DateValue(1577833200123)},
		{`{"$date":"2020-01-01T00:00:00.12-0130"}`, DateValue(1577842200120)},
		{`{"$date":"1969-12-31T23:59:59.999Z"}`, DateValue(-1)},
		{`{"$date":"2020-02-29T23:59:59Z"}`, DateValue(1583020799000)},
		{`{"$date":"0000-01-01T00:00:00Z"}`, DateValue(-62167219200000)},
		{`{"$date":"9999-12-31T23:59:59.999Z"}`, DateValue(253402300799999)},
		{`{ "$date" : { "$numberLong" : "5" } }`, DateValue(5)},
		{`{"\u0024date":{"$number\u004cong":"5"}}`, DateValue(5)},
		{`{"$uuid":"00112233-4455-6677-8899-aabbccddEEFF"}`,
			BinaryValue(4, []byte("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"))},
		{`{"$binary":{"subType":"5","base64":"AAE="}}`, BinaryValue(5, []byte{0, 1})},
		{`{"$timestamp":{"i":0,"t":7}}`, TimestampValue(7, 0)},
		{`{"$regularExpression":{"options":"","pattern":""}}`, RegexValue("", "")},
		{`{"$dbPointer":{"$id":{"$oid":"507f1f77bcf86cd799439011"},"$ref":""}}`, hidden.DBPointerValue("", oid)},
		{`{"$code":"", "$scope": { }}`, hidden.CodeWithScopeValue("", D{})},
		{`{"$numberDouble":"10"}`, DoubleValue(10)},
		{`{"$gt":5,"$exists":true,"$type":"date","$regex":"^a","$options":"i"}`, ObjectValue(operators)},
		{`{"$ref":"c","$id":{"$oid":"507f1f77bcf86cd799439011"},"$db":"d"}`, ObjectValue(dbRef)},
		{`{"$":1,"$dates":2,"date":3,"$Date":4}`,
			ObjectValue(D{{"$", Int32Value(1)}, {"$dates", Int32Value(2)}, {"date", Int32Value(3)}, {"$Date", Int32Value(4)}})},
		{`{"$regex":{"$regularExpression":{"pattern":"a","options":""}}}`, ObjectValue(D{{"$regex", RegexValue("a", "")}})},
	} {
		got, err := ParseExtJSON([]byte(test.text))
		if err != nil || !identical(got, test.want) {
			t.Errorf("ParseExtJSON(%s) = %s, %v, want %s", test.text, show(got), err, show(test.want))
		}
	}
}

func TestParseExtJSONInt32(t *testing.T) {
	for _, test := range []struct {
		text string
		want Value
	}{
		{"2147483647", Int32Value(math.MaxInt32)},
		{"2147483648", DoubleValue(1 << 31)},
		{"-2147483648", Int32Value(math.MinInt32)},
		{"-2147483649", DoubleValue(-1<<31 - 1)},
		{"9007199254740993", DoubleValue(1 << 53)},
		{`{"$numberLong":"2147483648"}`, Int64Value(1 << 31)},
		{`{"$timestamp":{"t":4294967295,"i":4294967295}}`, TimestampValue(math.MaxUint32, math.MaxUint32)},
	} {
		got, err := hidden.ParseExtJSONInt32([]byte(test.text))
		if err != nil || !identical(got, test.want) {
			t.Errorf("ParseExtJSONInt32(%s) = %s, %v, want %s", test.text, show(got), err, show(test.want))
		}
	}
}

// TestParseExtJSONKeepsNoReference: a caller may reuse its line buffer.
func TestParseExtJSONKeepsNoReference(t *testing.T) {
	for _, test := range extJSONVectors {
		b := []byte(test.canonical)
		got, err := ParseExtJSON(b)
		clear(b)
		if err != nil || !identical(got, test.value) {
			t.Errorf("ParseExtJSON(%s), its bytes cleared, = %s, %v, want %s", test.canonical, show(got), err, show(test.value))
		}
	}
}

func TestExtJSONToBSON(t *testing.T) {
	const text = `{"a":[{},"x",{"$code":"c","$scope":{"b":1}}],"d":{"$date":"1970-01-01T00:00:00Z"}}`
	want, err := ParseExtJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	size := len(want.raw)
	for _, dst := range [][]byte{nil, []byte("before"), make([]byte, 3, 1000)} {
		limit := len(dst) + size
		got, err := hidden.ExtJSONToBSON(dst, []byte(text), limit)
		if err != nil || string(got.Bytes()) != string(want.raw) {
			t.Errorf("ExtJSONToBSON behind %q = %x, %v, want %x", dst, got.Bytes(), err, want.raw)
		}
		if _, err := hidden.ExtJSONToBSON(dst, []byte(text), limit-1); err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("ExtJSONToBSON with a limit of %d: %v, want it refused", limit-1, err)
		}
	}
	for text, want := range map[string]string{`[]`: "a document", `{"$oid":"507f1f77bcf86cd799439011"}`: "objectId where", `{} {}`: "the end", ``: "a document"} {
		if _, err := hidden.ExtJSONToBSON(nil, []byte(text), 100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ExtJSONToBSON(%s): %v, want %q in it", text, err, want)
		}
	}
}

// The limit bounds the memory, not the length of the text: an empty object takes 2 bytes
// of text, and 11 or more bytes of BSON.
func TestExtJSONToBSONStopsAtLimit(t *testing.T) {
	text := []byte(`{"a":[` + strings.Repeat(`{},`, 1<<20) + `{}]}`)
	bson, err := hidden.ExtJSONToBSON(make([]byte, 0, 2000), text, 1000)
	if err == nil || bson.Bytes() != nil {
		t.Fatalf("%v, want it refused", err)
	}
	if n := testing.AllocsPerRun(1, func() { hidden.ExtJSONToBSON(make([]byte, 0, 2000), text, 1000) }); n > 20 {
		t.Errorf("%v allocations before the limit is noticed", n)
	}
}

func TestParseExtJSONRefuses(t *testing.T) {
	million := strings.Repeat("9", 1_000_000)
	for _, test := range []struct {
		text   string
		offset int
		path   string
		is     error
	}{
		{``, 0, "", ErrTruncated},
		{`{"a":{"$date":`, 14, "a.$date", ErrTruncated},
		{`{"a":1`, 6, "", ErrTruncated},
		{`1 2`, 2, "", nil},
		{`{"a":01}`, 6, "", nil},
		{`1e400`, 0, "", nil},
		{`[1e1000000000]`, 1, "0", nil},
		{million, 0, "", nil},
		{`{"a\u0000":1}`, 1, "", nil},
		// Fields before or after the wrapper's, and missing fields.
		{`{"a":{"$oid":"507f1f77bcf86cd799439011","x":1}}`, 40, "a", nil},
		{`{"a":{"x":1,"$oid":"507f1f77bcf86cd799439011"}}`, 12, "a", nil},
		{`{"a":{"x":1,"\u0024oid":"507f1f77bcf86cd799439011"}}`, 12, "a", nil},
		{`{"$numberInt":"1","$numberLong":"1"}`, 18, "", nil},
		{`{"$binary":{"base64":""}}`, 23, "$binary", nil},
		{`{"$binary":{"base64":"","base64":""}}`, 24, "$binary", nil},
		{`{"$binary":{"base64":"","subType":"00","x":1}}`, 39, "$binary", nil},
		{`{"$binary":{"base64":"","subType":"00"},"x":1}`, 40, "", nil},
		{`{"$binary":{}}`, 12, "$binary", nil},
		{`{"$code":"","$scop":{}}`, 12, "$code", nil},
		{`{"$code":"","$scope":{},"x":1}`, 24, "", nil},
		{`{"$scope":{},"$code":""}`, 1, "$scope", nil},
		{`{"$date":{}}`, 10, "$date", nil},
		{`{"$date":{"$numberInt":"1"}}`, 10, "$date", nil},
		{`{"$date":{"$numberLong":"1","x":1}}`, 28, "$date", nil},
		// Wrong types.
		{`{"$oid":5}`, 8, "$oid", nil},
		{`{"$symbol":null}`, 11, "$symbol", nil},
		{`{"$numberInt":5}`, 14, "$numberInt", nil},
		{`{"$numberLong":5}`, 15, "$numberLong", nil},
		{`{"$numberDouble":5.0}`, 17, "$numberDouble", nil},
		{`{"$numberDecimal":5}`, 18, "$numberDecimal", nil},
		{`{"$binary":"AAA="}`, 11, "$binary", nil},
		{`{"$binary":{"base64":1,"subType":"00"}}`, 21, "$binary.base64", nil},
		{`{"$binary":{"base64":"","subType":0}}`, 34, "$binary.subType", nil},
		{`{"$code":1}`, 9, "$code", nil},
		{`{"$code":"","$scope":[]}`, 21, "$code.$scope", nil},
		{`{"$code":"","$scope":{"x":{"$oid":1}}}`, 34, "$code.$scope.x.$oid", nil},
		{`{"$code":"","$scope":{"$numberInt":"1"}}`, 22, "$code.$scope", nil},
		{`{"$date":1577836800000}`, 9, "$date", nil},
		{`{"$date":{"$numberLong":5}}`, 24, "$date.$numberLong", nil},
		{`{"$timestamp":5}`, 14, "$timestamp", nil},
		{`{"$timestamp":{"t":"1","i":1}}`, 19, "$timestamp.t", nil},
		{`{"$regularExpression":"a"}`, 22, "$regularExpression", nil},
		{`{"$regularExpression":{"pattern":"a\u0000","options":""}}`, 33, "$regularExpression.pattern", nil},
		{`{"$dbPointer":{"$ref":"","$id":"507f1f77bcf86cd799439011"}}`, 31, "$dbPointer.$id", nil},
		{`{"$minKey":2}`, 11, "$minKey", nil},
		{`{"$maxKey":"1"}`, 11, "$maxKey", nil},
		{`{"$maxKey":10}`, 12, "", nil},
		{`{"$maxKey":1.0}`, 12, "", nil},
		{`{"$undefined":false}`, 14, "$undefined", nil},
		// Malformed content.
		{`{"$oid":"507f1f77bcf86cd79943901"}`, 8, "$oid", nil},
		{`{"$oid":"507f1f77bcf86cd79943901g"}`, 8, "$oid", nil},
		{`{"$numberInt":"2147483648"}`, 14, "$numberInt", nil},
		{`{"$numberInt":""}`, 14, "$numberInt", nil},
		{`{"$numberInt":"1.0"}`, 14, "$numberInt", nil},
		{`{"$numberInt":"+1"}`, 14, "$numberInt", nil},
		{`{"$numberInt":" 1"}`, 14, "$numberInt", nil},
		{`{"$numberLong":"9223372036854775808"}`, 15, "$numberLong", nil},
		{`{"$numberLong":"-9223372036854775809"}`, 15, "$numberLong", nil},
		{`{"$numberLong":"` + million + `"}`, 15, "$numberLong", nil},
		{`{"$numberDouble":"1e400"}`, 17, "$numberDouble", nil},
		{`{"$numberDouble":"inf"}`, 17, "$numberDouble", nil},
		{`{"$numberDouble":"0x1p3"}`, 17, "$numberDouble", nil},
		{`{"$numberDouble":"1_0"}`, 17, "$numberDouble", nil},
		{`{"$numberDouble":""}`, 17, "$numberDouble", nil},
		{`{"$numberDecimal":"` + million + `"}`, 18, "$numberDecimal", nil},
		{`{"$numberDecimal":"1E1000000000"}`, 18, "$numberDecimal", nil},
		{`{"$binary":{"base64":"AA","subType":"00"}}`, 21, "$binary.base64", nil},
		{`{"$binary":{"base64":"AA=\n=","subType":"00"}}`, 21, "$binary.base64", nil},
		{`{"$binary":{"base64":"AB==","subType":"00"}}`, 21, "$binary.base64", nil},
		{`{"$binary":{"base64":"","subType":""}}`, 34, "$binary.subType", nil},
		{`{"$binary":{"base64":"","subType":"100"}}`, 34, "$binary.subType", nil},
		{`{"$uuid":"00112233445566778899aabbccddeeff"}`, 9, "$uuid", nil},
		{`{"$uuid":"0011223-34455-6677-8899-aabbccddeeff"}`, 9, "$uuid", nil},
		{`{"$uuid":"00112233-4455-6677-8899-aabbccddeeff-"}`, 9, "$uuid", nil},
		{`{"$uuid":"0011223g-4455-6677-8899-aabbccddeeff"}`, 9, "$uuid", nil},
		{`{"$timestamp":{"t":4294967296,"i":0}}`, 19, "$timestamp.t", nil},
		{`{"$timestamp":{"t":0,"i":-1}}`, 25, "$timestamp.i", nil},
		{`{"$timestamp":{"t":0,"i":1.0}}`, 25, "$timestamp.i", nil},
		{`{"$date":"2020-01-01"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01 00:00:00Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00z"}`, 9, "$date", nil},
		{`{"$date":"2020-13-01T00:00:00Z"}`, 9, "$date", nil},
		{`{"$date":"2020-00-01T00:00:00Z"}`, 9, "$date", nil},
		{`{"$date":"2021-02-29T00:00:00Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-00T00:00:00Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T24:00:00Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:60:00Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:60Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00.Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00,5Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00.1234Z"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00+24:00"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00+00:60"}`, 9, "$date", nil},
		{`{"$date":"2020-01-01T00:00:00+01"}`, 9, "$date", nil},
		{`{"$date":"+2020-01-01T00:00:00Z"}`, 9, "$date", nil},
	} {
		_, err := ParseExtJSON([]byte(test.text))
		checkSyntaxError(t, "ParseExtJSON", test.text, err, SyntaxError{"Extended JSON", test.offset, test.path, test.is})
	}
}

// TestExtJSONDateRefusals: the error for a date that is a number names the
// right form and the place.
func TestExtJSONDateRefusals(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":{"$date":0}}`:                   `malformed Extended JSON at byte 14, field "a.$date": found '0', want a string such as "2026-11-20T08:30:00.000Z" or {"$numberLong": "milliseconds since 1970"}`,
		`{"a":{"$date":{"$numberInt":"0"}}}`:  `malformed Extended JSON at byte 15, field "a.$date": found field "$numberInt", want $numberLong`,
		`{"a":{"$date":{"$numberLong":0}}}`:   `malformed Extended JSON at byte 29, field "a.$date.$numberLong": found '0', want a string`,
		`{"a":{"$date":"2026-11-20 08:30Z"}}`: `malformed Extended JSON at byte 14, field "a.$date": want a date such as 2026-11-20T08:30:00.000Z`,
	} {
		if _, err := ParseExtJSON([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("ParseExtJSON(%s) = %v, want %s", text, err, want)
		}
	}
}

// TestExtJSONDepth: type wrappers add no level, so that every document that
// ParseBSON accepts can be written and read again.
func TestExtJSONDepth(t *testing.T) {
	const leaf = `{"$dbPointer":{"$ref":"c","$id":{"$oid":"507f1f77bcf86cd799439011"}}}`
	nest := func(n int) []byte {
		return []byte(strings.Repeat(`{"a":[`, n/2) + leaf + strings.Repeat("]}", n/2))
	}
	v, err := ParseExtJSON(nest(maxDepth))
	if err != nil {
		t.Fatalf("ParseExtJSON of %d levels: %v", maxDepth, err)
	}
	b, err := AppendBSON(nil, v)
	if err != nil {
		t.Fatalf("AppendBSON of %d levels: %v", maxDepth, err)
	}
	if _, err := ParseBSON(b); err != nil {
		t.Errorf("ParseBSON of %d levels: %v", maxDepth, err)
	}
	_, err = ParseExtJSON(nest(maxDepth + 2))
	path := strings.TrimSuffix(strings.Repeat("a.0.", maxDepth/2), ".")
	checkSyntaxError(t, "ParseExtJSON", "129 levels", err, SyntaxError{"Extended JSON", 6 * maxDepth / 2, path, ErrTooDeep})
}

func TestAppendExtJSONIsAlwaysJSON(t *testing.T) {
	for _, test := range []struct {
		value Value
		want  string
	}{
		{Value{}, `null`},
		{ListValue(A{{}, BoolValue(true)}), `[null,true]`},
		{ObjectValue(D{{"a", Value{}}, {"b", NullValue()}, {"c", Value{}}}), `{"b":null}`},
		{ObjectValue(opaque{}), `{}`},
		{StringValue("a\xff\xc3"), `"a\ufffd\ufffd"`},
		{ObjectValue(D{{"\xed\xa0\x80", NullValue()}}), `{"\ufffd\ufffd\ufffd":null}`},
		{RegexValue("\xff", "\xff"), `{"$regularExpression":{"pattern":"\ufffd","options":"\ufffd"}}`},
		{hidden.DBPointerValue("\"\xff", oid), `{"$dbPointer":{"$ref":"\"\ufffd","$id":{"$oid":"507f1f77bcf86cd799439011"}}}`},
		{DoubleValue(math.Float64frombits(0xFFF8_0000_0000_0001)), `{"$numberDouble":"NaN"}`},
		{hidden.CodeWithScopeValue("", nil), `{"$code":"","$scope":{}}`},
	} {
		got := AppendExtJSON(nil, test.value)
		if string(got) != test.want || !json.Valid(got) {
			t.Errorf("AppendExtJSON(%s) = %s, want %s", show(test.value), got, test.want)
		}
	}
}

// opaque is a Document that cannot list its fields.
type opaque struct{}

func (opaque) Field(string) Value { return NullValue() }

func TestValueString(t *testing.T) {
	if got, want := (Value{}).String(), "missing"; got != want {
		t.Errorf("String of a missing value = %q, want %q", got, want)
	}
	if got, want := NullValue().String(), "null"; got != want {
		t.Errorf("String of null = %q, want %q", got, want)
	}
}

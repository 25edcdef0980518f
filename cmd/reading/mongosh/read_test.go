package mongosh

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const now policy.Instant = 1_795_132_800_000 // 2026-11-20T00:00:00Z

func TestParseValue(t *testing.T) {
	for _, tc := range []struct{ why, text, want string }{
		{"Extended JSON", `{"a":{"$date":{"$numberLong":"5"}},"n":3000000000}`, `{"a":{"$date":{"$numberLong":"5"}},"n":{"$numberLong":"3000000000"}}`},
		{"the shell's numbers", `{n: 3000000000, i: 20, d: 20.0, e: 1e3, h: 0x10, m: -0, p: +1, f: .5}`,
			`{"n":{"$numberDouble":"3E+09"},"i":{"$numberInt":"20"},"d":{"$numberDouble":"20.0"},"e":{"$numberDouble":"1000.0"},"h":{"$numberInt":"16"},"m":{"$numberDouble":"-0.0"},"p":{"$numberInt":"1"},"f":{"$numberDouble":"0.5"}}`},
		{"a product", `{s: 60 * 60*24, big: 90 * 60 * 60 * 24 * 1000}`, `{"s":{"$numberInt":"86400"},"big":{"$numberDouble":"7.776E+09"}}`},
		{"quotes, names, commas, comments", "{a: 'it\\'s', \"b.c\": `x`, // one\n 7: 1, /* two */ $x: [1,],}", `{"a":"it's","b.c":"x","7":{"$numberInt":"1"},"$x":[{"$numberInt":"1"}]}`},
		{"escapes", `'\x41\u0042\u{1F44B}\ud83d\udc4b\n\
\q'`, `"AB👋👋\nq"`},
		{"dates", `[ISODate("2026-11-20T08:00:00.5Z"), new Date("2026-11-20"), new Date(5), ISODate(), new Date(2013, 6, 22, 14), new Date('July 22, 2013 14:00:00'), ISODate("2026-11-20T08:00:00+02:00"), new Date(Date.now()), new Date(Date()), ISODate("2026-11-20 12:00")]`,
			`[{"$date":{"$numberLong":"1795161600500"}},{"$date":{"$numberLong":"1795132800000"}},{"$date":{"$numberLong":"5"}},{"$date":{"$numberLong":"1795132800000"}},{"$date":{"$numberLong":"1374501600000"}},{"$date":{"$numberLong":"1374501600000"}},{"$date":{"$numberLong":"1795154400000"}},{"$date":{"$numberLong":"1795132800000"}},{"$date":{"$numberLong":"1795132800000"}},{"$date":{"$numberLong":"1795176000000"}}]`},
		{"numbers with a type", `[NumberInt(20), NumberInt("20"), NumberLong(20), NumberLong("9007199254740993"), Long(-1), Double(5), NumberDecimal("1.50"), NumberDecimal(2), Int32(1)]`,
			`[{"$numberInt":"20"},{"$numberInt":"20"},{"$numberLong":"20"},{"$numberLong":"9007199254740993"},{"$numberLong":"-1"},{"$numberDouble":"5.0"},{"$numberDecimal":"1.50"},{"$numberDecimal":"2"},{"$numberInt":"1"}]`},
		{"what is not a number", `[NaN, -Infinity, Infinity, -NaN]`, `[{"$numberDouble":"NaN"},{"$numberDouble":"-Infinity"},{"$numberDouble":"Infinity"},{"$numberDouble":"NaN"}]`},
		{"the other types", `[true, false, null, undefined, MinKey, MaxKey(), /a[/]b\/c/i, Timestamp(7, 8), Timestamp({t: 7, i: 8}), BinData(0, "AQI="), ObjectId("6ad0cf085f3a91c200000059"), UUID("00112233-4455-6677-8899-aabbccddeeff"), RegExp("x")]`,
			`[true,false,null,{"$undefined":true},{"$minKey":1},{"$maxKey":1},{"$regularExpression":{"pattern":"a[/]b\\/c","options":"i"}},{"$timestamp":{"t":7,"i":8}},{"$timestamp":{"t":7,"i":8}},{"$binary":{"base64":"AQI=","subType":"00"}},{"$oid":"6ad0cf085f3a91c200000059"},{"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}},{"$regularExpression":{"pattern":"x","options":""}}]`},
		{"wrappers of numbers", `[{$minKey: 1}, {$maxKey: 1}, {"$timestamp": {t: 1, "i": 2}}]`, `[{"$minKey":1},{"$maxKey":1},{"$timestamp":{"t":1,"i":2}}]`},
		{"Extended JSON within", `{a: {$date: "2026-11-20T00:00:00Z"}, b: {$gt: NumberLong(1)}, c: {'$numberLong': '5'}}`,
			`{"a":{"$date":{"$numberLong":"1795132800000"}},"b":{"$gt":{"$numberLong":"1"}},"c":{"$numberLong":"5"}}`},
		{"a name that needs brackets", `{["__proto__"]: 1}`, `{"__proto__":{"$numberInt":"1"}}`},
		{"a Map", `new Map([["b", 1], ["0", 2]])`, `{"b":{"$numberInt":"1"},"0":{"$numberInt":"2"}}`},
		{"a Map with a name twice", `new Map([["b", 1], ["c", 2], ["b", 3]])`, `{"b":{"$numberInt":"3"},"c":{"$numberInt":"2"}}`},
		{"a year of two digits", `[new Date(70, 0), new Date(100, 0)]`, `[{"$date":{"$numberLong":"0"}},{"$date":{"$numberLong":"-59011459200000"}}]`},
		{"constants of Python", `{'a': True, 'b': False, 'c': None}`, `{"a":true,"b":false,"c":null}`},
		{"zeros in front of one digit", `new Date(2026, 01, 08)`, `{"$date":{"$numberLong":"1770508800000"}}`},
		{"a semicolon after it", `{a: 1};`, `{"a":{"$numberInt":"1"}}`},
	} {
		v, notes, err := ParseValue(tc.text, now)
		if err != nil || len(notes) > 0 {
			t.Errorf("%s: %v, notes %v", tc.why, err, notes)
			continue
		}
		if diff := cmp.Diff(tc.want, string(policy.AppendExtJSON(nil, v))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.why, diff)
		}
	}
}

// TestParseNotes: a value that differs from what its author may expect has a note with
// its place, and other values have none.
func TestParseNotes(t *testing.T) {
	for _, tc := range []struct {
		text, want string // the value, in Extended JSON
		at         int    // of the note
		note       string // "" for none
	}{
		{`Date()`, `"Fri Nov 20 2026 00:00:00 GMT+0000 (Coordinated Universal Time)"`, 0, "Date() without new is a string; a TTL index ignores it"},
		{`{a: Date('July 22, 2013 14:00:00')}`, `{"a":"Fri Nov 20 2026 00:00:00 GMT+0000 (Coordinated Universal Time)"}`, 4, "Date() without new is a string"},
		{`{a: 1, b: 2, a: 3}`, `{"a":{"$numberInt":"3"},"b":{"$numberInt":"2"}}`, 13, `"a" is written twice; the last counts, as in the shell.`},
		{`{a: Date ( 5 )}`, `{"a":"Fri Nov 20 2026 00:00:00 GMT+0000 (Coordinated Universal Time)"}`, 4, "Date() without new is a string"},
		{`{a: new Date()}`, `{"a":{"$date":{"$numberLong":"1795132800000"}}}`, 0, ""},
		{`{a: new  ISODate()}`, `{"a":{"$date":{"$numberLong":"1795132800000"}}}`, 0, ""},
		{`{a: new Date("Fri Nov 20 2026 01:00:00 GMT+0100 (Central European Standard Time)")}`, `{"a":{"$date":{"$numberLong":"1795132800000"}}}`, 0, ""},
		{`{a: Date.now()}`, `{"a":{"$numberDouble":"1.7951328E+12"}}`, 4, "Date.now() is a number; a TTL index of MongoDB ignores it"},
		{`{a: new Date().toISOString()}`, `{"a":"2026-11-20T00:00:00.000Z"}`, 4, "toISOString() makes a string of the Date; a TTL index ignores it"},
		{`{a: ISODate("2026-11-20").getTime()}`, `{"a":{"$numberDouble":"1.7951328E+12"}}`, 4, "getTime() makes a number of the Date"},
		{`{"a": {"$date": 1700000000000}}`, `{"a":{"$date":{"$numberLong":"1700000000000"}}}`, 0, ""},
		{`{"a": {"$date": 1700000000}}`, `{"a":{"$date":{"$numberLong":"1700000000"}}}`, 6, "this is 1970-01-20T16:13:20.000Z"},
		{`{"a": {"$date": "2026-11-20 12:00"}}`, `{"a":{"$date":{"$numberLong":"1795176000000"}}}`, 0, ""},
	} {
		v, notes, err := ParseValue(tc.text, now)
		if got := string(policy.AppendExtJSON(nil, v)); err != nil || got != tc.want {
			t.Errorf("ParseValue(%s) = %s, %v, want %s", tc.text, got, err, tc.want)
		}
		switch {
		case tc.note == "" && len(notes) > 0:
			t.Errorf("ParseValue(%s): notes %v, want none", tc.text, notes)
		case tc.note != "" && (len(notes) != 1 || notes[0].At != tc.at || !strings.Contains(notes[0].Text, tc.note)):
			t.Errorf("ParseValue(%s): notes %v, want %q at %d", tc.text, notes, tc.note, tc.at)
		}
	}
}

func TestParseCalls(t *testing.T) {
	text := "db.logs.createIndex( { \"createdAt\": 1 }, { expireAfterSeconds: 10 } );\n// and\ndb.getSiblingDB('x').getCollection(\"y\").insertOne({a: 1}); db.z.drop()"
	script, err := Parse(text, now)
	if err != nil {
		t.Fatal(err)
	}
	calls := script.Calls
	var got []string
	for _, c := range calls {
		line := c.Method
		for _, a := range c.Args {
			line += " " + string(policy.AppendExtJSON(nil, a))
		}
		got = append(got, line)
	}
	want := []string{`createIndex {"createdAt":{"$numberInt":"1"}} {"expireAfterSeconds":{"$numberInt":"10"}}`, `insertOne {"a":{"$numberInt":"1"}}`, "drop"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if calls[1].At != strings.Index(text, "db.getSibling") {
		t.Errorf("the second call is at %d", calls[1].At)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tc := range []struct {
		why, text string
		offset    int
		want      string
	}{
		{"nothing", "  // only a comment", 19, "the text holds no value"},
		{"two values", `{} {a: 1}`, 3, "want one value, found a second"},
		{"a call", `db.a.drop()`, 0, "not a call of drop"},
		{"no name", `{`, 1, "the text ends here; want the name"},
		{"no end", `{a: 1`, 5, "the text ends here"},
		{"no value", `{a: }`, 4, `want a value, not '}'`},
		{"no colon", `{a 1}`, 3, `want ":", not '1'`},
		{"no comma", `{a: 1 b: 2}`, 6, `want "," or "}", not 'b'`},
		{"a number in base 8", `{a: 0100}`, 4, `"0100" is in base 8 for JavaScript; write it without the leading zero`},
		{"a date of Python", `{a: datetime(2026, 11, 20)}`, 4, "datetime cannot be read here"},
		{"a method that is not known", `{a: new Date().getDay()}`, 4, "getDay() of a Date is not read here"},
		{"an unknown word", `{a: ISODat("x")}`, 4, "cannot be read here: put text between quotes"},
		{"a case", `{a: IsoDate("2026-11-20")}`, 4, "did you mean ISODate?"},
		{"a date", `{a: ISODate("soon")}`, 4, `cannot read the date "soon"`},
		{"a date of a number", `{a: ISODate(5)}`, 4, "want a string"},
		{"an identifier", `ObjectId("6ad0")`, 0, "want 24 hexadecimal digits"},
		{"32 bits", `{a: NumberInt(2147483648)}`, 4, "does not fit 32 bits"},
		{"64 bits", `NumberLong("9223372036854775808")`, 0, "not a whole number of 64 bits"},
		{"a fraction", `NumberLong(1.5)`, 0, "not a whole number"},
		{"a wrapper", `{a: {$date: true}}`, 4, `$date: found 't', want a string such as "2026-11-20T08:30:00.000Z" or {"$numberLong": "milliseconds since 1970"}`},
		{"a wrapped date", `{a: {$date: "soon"}}`, 4, "$date: "},
		{"a wrapped fraction", `{a: {$date: 1.5}}`, 4, "$date: "},
		{"a wrapper of a number", `{a: {$oid: 5}}`, 4, "$oid: found '5', want a string"},
		{"a wrapper that is not one", `{a: {$minKey: 2}}`, 4, "$minKey: found '2', want 1"},
		{"a string without end", `{a: "x`, 4, "this string has no end"},
		{"a string over lines", "{a: 'x\n'}", 4, "does not end on its line"},
		{"a comment without end", `{} /*`, 3, "this comment has no end"},
		{"a slash after the beginning of a comment", `{} /*/`, 3, "this comment has no end"},
		{"half a character", `'\ud83d'`, 1, "half a character"},
		{"no escape", `'\u{110000}'`, 1, "not an escape"},
		{"an expression", `{a: 1 + 1}`, 6, `want ","`},
		{"a number", `1.2.3`, 0, `"1.2.3" is not a number`},
		{"a sign", `[-]`, 1, "is not a number"},
		{"arguments", `Timestamp(1)`, 0, "arguments"},
		{"a template", "`${x}`", 1, "expression"},
		{"a regular expression", `/x`, 0, "no end"},
		{"too deep", strings.Repeat("[", 200), 128, "nested deeper"},
		{"too deep, by constructors", strings.Repeat("new Map(", 200), 128 * len("new Map("), "nested deeper"},
		{"too deep, by dates", strings.Repeat("Date(", 200), 128 * len("Date("), "nested deeper"},
		{"too long", strings.Repeat(" ", MaxText+1), MaxText, "longer than 256 KiB"},
		{"no call", `db.logs`, 7, "want a call"},
		{"no text", "{a: '\xff'}", 5, "UTF-8"},
	} {
		_, _, err := ParseValue(tc.text, now)
		var s *SyntaxError
		if !errors.As(err, &s) || s.Offset != tc.offset || !strings.Contains(s.Error(), tc.want) {
			t.Errorf("%s: %v, want %q at %d", tc.why, err, tc.want, tc.offset)
		}
	}
	if _, _, err := ParseValue(strings.Repeat("[", 200), now); !errors.Is(err, policy.ErrTooDeep) {
		t.Errorf("200 levels: %v, want ErrTooDeep", err)
	}
}

// written draws values that mongosh can write.
var written = drawn.Kinds{Scalars: rapid.OneOf(
	rapid.Map(rapid.Int32(), policy.Int32Value), rapid.Map(draw.Int64s, policy.Int64Value), rapid.Map(rapid.Float64(), policy.DoubleValue),
	rapid.Map(words, policy.StringValue), rapid.Map(rapid.Bool(), policy.BoolValue), rapid.Just(policy.NullValue()),
	rapid.Map(rapid.Int64Range(-8_640_000_000_000_000, 8_640_000_000_000_000), func(n int64) policy.Value { return policy.DateValue(policy.Instant(n)) }),
	rapid.Map(rapid.Uint32(), func(n uint32) policy.Value { return policy.TimestampValue(n, n/2) }),
	rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) policy.Value { return policy.BinaryValue(5, b) }),
	rapid.SampledFrom([]policy.Value{valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MaxKey, "")}),
), Names: words}

var words = rapid.OneOf(rapid.StringMatching(`[a-z_$.0-9" \\]{0,6}`), rapid.SampledFrom([]string{"__proto__", "", "0", "$x", "ä", "\u2028", "new"}))

// TestRoundTripProperty: written values are read unchanged.
func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := written.Values(3).Draw(t, "value")
		text, ok := Literal(v)
		if !ok {
			return
		}
		script, err := Parse(text, 0)
		calls := script.Calls
		if err != nil || len(calls) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		want, got := string(policy.AppendExtJSON(nil, v)), string(policy.AppendExtJSON(nil, calls[0].Args[0]))
		if got != want {
			t.Fatalf("%s is read as %s, want %s", text, got, want)
		}
	})
}

// tokens are the parts of drawn scripts.
var tokens = []string{
	"{", "}", "[", "]", "(", ")", ",", ":", ".", ";", "\n", "a", "$gt", "'b'", `"c"`, "`d`", "/x/i", "-", "+", "5", "-1.5", "0x1f", "1e400", "01", "NaN", "Infinity", "null", "true", "undefined",
	"ISODate(", "NumberLong(", "NumberInt(", "NumberDecimal(", "Double(", "ObjectId(", "BinData(0, 'AA==')", "Timestamp({t: 1, i: 2})", "new ", "Date(", "Map([[", "]])", "MinKey()", "UUID(",
	"db", ".x", ".createIndex(", ".runCommand(", "expireAfterSeconds: ", "partialFilterExpression: ", "// c\n", "/* c */", "\\", "\u2028", "=>", "=", "...", "$date", "'2020-01-01'", `"5"`, " ",
}

// script draws a call with an argument, and replaces some of its tokens.
func script(r fuzzing.Random) []byte {
	text := fuzzing.Pick(r, "", "db.c.createIndex(", "db.getSiblingDB('d').runCommand(") + expression(r, 3)
	for range r.IntN(4) {
		i := r.IntN(len(text) + 1)
		text = text[:i] + fuzzing.Pick(r, tokens...) + text[i:]
	}
	return []byte(text + fuzzing.Pick(r, "", ")", ");"))
}

func expression(r fuzzing.Random, depth int) string {
	several := func(each func() string) string {
		var parts []string
		for range r.IntN(4) {
			parts = append(parts, each())
		}
		return strings.Join(parts, fuzzing.Pick(r, ", ", ",", ",\n"))
	}
	switch n := r.IntN(8); {
	case n < 3 && depth > 0:
		return "{" + several(func() string {
			return fuzzing.Pick(r, "a", "'b.c'", `"$gt"`, "$in", "expireAfterSeconds", "[x]", "5") + ": " + expression(r, depth-1)
		}) + "}"
	case n < 5 && depth > 0:
		return "[" + several(func() string { return expression(r, depth-1) }) + "]"
	case n < 6:
		return fuzzing.Pick(r, "ISODate('2020-01-01T00:00:00Z')", "new Date(", "NumberLong(", "NumberDecimal('", "Double(") + r.Numeral() + fuzzing.Pick(r, ")", "')", "")
	}
	return fuzzing.Pick(r, r.Numeral(), "'a'", `"b\u00e9"`, "null", "true", "/x/", "ObjectId('507f1f77bcf86cd799439011')", "MaxKey()", "undefined", "NaN", "-Infinity")
}

// FuzzParse: no text makes Parse panic, an error's offset is within the text, and every
// value that it reads can be written as BSON, unless it has a name that BSON cannot hold.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{a: 1}`, `db.x.createIndex({a: 1}, {expireAfterSeconds: NumberLong("5")})`, `[/x/i, 'a\u{41}', 0x1p3]`, `new Map([["a", 1]])`, "{`a`: -", `{$date: 1}`, `Date(1,2,3)`} {
		f.Add([]byte(seed))
	}
	fuzzing.Texts(f, script, func(t testing.TB, b []byte) {
		text := string(b)
		script, err := Parse(text, now)
		var s *SyntaxError
		if err != nil && (!errors.As(err, &s) || s.Offset < 0 || s.Offset > len(text)) {
			t.Fatalf("%q: %v", text, err)
		}
		for _, c := range script.Calls {
			for _, a := range c.Args {
				if _, err := policy.ParseExtJSON(policy.AppendExtJSON(nil, a)); err != nil && !strings.Contains(text, "$") {
					t.Fatalf("%q holds %v: %v", text, a, err)
				}
			}
		}
	})
}

package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

func parseJSON(t *testing.T, text string) *JSON {
	t.Helper()
	doc, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("ParseJSON(%s): %v", text, err)
	}
	return &doc
}

func TestJSONFieldNumbers(t *testing.T) {
	for _, test := range []struct {
		text string
		want Value
	}{
		{"0", Int32Value(0)},
		{"-1", Int32Value(-1)},
		{"2147483647", Int32Value(math.MaxInt32)},
		{"2147483648", Int64Value(1 << 31)},
		{"-2147483648", Int32Value(math.MinInt32)},
		{"-2147483649", Int64Value(-1<<31 - 1)},
		{"9223372036854775807", Int64Value(math.MaxInt64)},
		{"9223372036854775808", DoubleValue(1 << 63)},
		{"-9223372036854775808", Int64Value(math.MinInt64)},
		{"-9223372036854775809", DoubleValue(-1 << 63)},
		{"99999999999999999999", DoubleValue(1e20)},
		{"-0", DoubleValue(math.Copysign(0, -1))},
		{"20.0", DoubleValue(20)},
		{"2e1", DoubleValue(20)},
		{"2E+1", DoubleValue(20)},
		{"20.00000000000000000001", DoubleValue(20)},
		{"1e400", DoubleValue(math.Inf(1))},
		{"-1e1000000000", DoubleValue(math.Inf(-1))},
		{"1e-1000000000", DoubleValue(0)},
		{"0e1000000000", DoubleValue(0)},
		{strings.Repeat("9", 1_000_000), DoubleValue(math.Inf(1))},
		{"0." + strings.Repeat("0", 1_000_000) + "1", DoubleValue(0)},
	} {
		got := parseJSON(t, `{"n": `+test.text+` }`).Field("n")
		if !identical(got, test.want) {
			t.Errorf("number %.30s = %s, want %s", test.text, show(got), show(test.want))
		}
	}
}

func TestJSONFieldScalars(t *testing.T) {
	doc := parseJSON(t, ` { "t":true,"f" : false , "z":null,"s":"text","e":"","u":"\u00e9\ud83d\ude00\ud800\n\"",
		"in \"quotes\"":1}
`)
	for name, want := range map[string]Value{
		"t": BoolValue(true), "f": BoolValue(false), "z": NullValue(), "s": StringValue("text"), "e": StringValue(""),
		"u": StringValue("é😀\ufffd\n\""), `in "quotes"`: Int32Value(1), "absent": {}, "in": {}, "": {}, "n": {},
	} {
		if got := doc.Field(name); !identical(got, want) {
			t.Errorf("Field(%q) = %s, want %s", name, show(got), show(want))
		}
	}
}

func TestJSONFieldTakesTheLastOfANameHoweverSpelled(t *testing.T) {
	for _, test := range []struct {
		text  string
		want  int64
		count int
	}{
		{`{"ttl":5,"ttl":10}`, 10, 2},
		{`{"\u0074tl":20}`, 20, 1},
		{`{"\u0074tl":5,"ttl":10}`, 10, 2},
		{`{"ttl":5,"\u0074\u0074\u006C":10}`, 10, 2},
		{`{"a":{"ttl":1},"ttl":2,"b":[{"ttl":3},"ttl",["ttl"]]}`, 2, 1},
		{`{"\"ttl":1,"ttl\\":2,"ttl":3,"ttlx":4,"tt":5,"TTL":6,"\u0074tlx":7,"\u0074t":8}`, 3, 1},
	} {
		doc := parseJSON(t, test.text)
		if got, _ := doc.Field("ttl").AsInt64(); got != test.want {
			t.Errorf("%s: Field(ttl) = %d, want %d", test.text, got, test.want)
		}
		if got := countFields(doc.Value(), "ttl"); got != test.count {
			t.Errorf("%s: %d members are named ttl, want %d", test.text, got, test.count)
		}
	}
}

// TestJSONFieldWithABackslash: a name with an escape does not match the
// spelling of the escape.
func TestJSONFieldWithABackslash(t *testing.T) {
	const name = `\u0074tl`
	for _, test := range []struct {
		text string
		want int64
	}{
		{`{"\\u0074tl":1,"\u0074tl":2}`, 1},
		{`{"\u0074tl":2,"\\u0074tl":1}`, 1},
		{`{"\\u0074tl":1,"ttl":2, "\u0074tl" : 3}`, 1},
		{`{"\u005cu0074tl":1,"\u0074tl":2}`, 1},
		{`{"\u0074tl":2}`, 0},
	} {
		doc := parseJSON(t, test.text)
		if got, _ := doc.Field(name).AsInt64(); got != test.want {
			t.Errorf("%s: Field(%s) = %d, want %d", test.text, name, got, test.want)
		}
	}
}

func TestJSONNested(t *testing.T) {
	doc := parseJSON(t, `{"o":{"a":1,"a":{"b":[ ]},"c":"x"},"l":[1, [2,{"d":3}] ,"]",{}],"e":{}}`)
	if got := doc.Field("o").Field("a").Field("b").Kind(); got != List {
		t.Errorf("o.a.b is %s, want array", got)
	}
	var names []string
	for f := doc.Field("o").Fields(); f.Next(); {
		names = append(names, f.Name())
	}
	if got, want := strings.Join(names, " "), "a a c"; got != want {
		t.Errorf("names of o = %q, want %q", got, want)
	}
	var kinds []string
	for e := doc.Field("l").Elements(); e.Next(); {
		kinds = append(kinds, e.Value().Kind().String())
	}
	if got, want := strings.Join(kinds, " "), "int array string object"; got != want {
		t.Errorf("kinds in l = %q, want %q", got, want)
	}
	if f := doc.Field("e").Fields(); f.Next() || !f.Listed() {
		t.Error("an empty object lists a field, or none can be listed")
	}
}

func TestJSONZero(t *testing.T) {
	var doc JSON
	if got := doc.Field("ttl"); !got.IsMissing() || countFields(doc.Value(), "ttl") != 0 {
		t.Errorf("the zero JSON has a field: %s", show(got))
	}
	if f := doc.Value().Fields(); f.Next() || !f.Listed() {
		t.Error("the zero JSON lists a field, or none can be listed")
	}
}

func TestParseJSONRefuses(t *testing.T) {
	deep := func(n int) string {
		return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}"
	}
	parseJSON(t, deep(maxDepth))
	for _, test := range []struct {
		text   string
		offset int
		path   string
		is     error
	}{
		{"", 0, "", ErrTruncated},
		{"  ", 2, "", ErrTruncated},
		{"\ufeff{}", 0, "", nil},
		{"[]", 0, "", nil},
		{"1", 0, "", nil},
		{"{} {}", 3, "", nil},
		{"{}\x00", 2, "", nil},
		{"{", 1, "", ErrTruncated},
		{`{"a"`, 4, "", ErrTruncated},
		{`{"a":`, 5, "a", ErrTruncated},
		{`{"a":1`, 6, "", ErrTruncated},
		{`{"a":1,`, 7, "", ErrTruncated},
		{`{"a":1,}`, 7, "", nil},
		{`{,}`, 1, "", nil},
		{`{a:1}`, 1, "", nil},
		{`{'a':1}`, 1, "", nil},
		{`{"a" 1}`, 5, "", nil},
		{`{"a":1 "b":2}`, 7, "", nil},
		{`{"a":tru}`, 8, "a", nil},
		{`{"a":True}`, 5, "a", nil},
		{`{"a":nul`, 8, "a", ErrTruncated},
		{`{"a":NaN}`, 5, "a", nil},
		{`{"a":01}`, 6, "", nil},
		{`{"a":+1}`, 5, "a", nil},
		{`{"a":-}`, 6, "a", nil},
		{`{"a":.5}`, 5, "a", nil},
		{`{"a":5.}`, 7, "a", nil},
		{`{"a":5e}`, 7, "a", nil},
		{`{"a":5e+}`, 8, "a", nil},
		{`{"a":0x10}`, 6, "", nil},
		{`{"a":1 /* c */}`, 7, "", nil},
		{`{"a":"` + "\n" + `"}`, 6, "a", nil},
		{`{"a":"` + "\xff" + `"}`, 6, "a", nil},
		{`{"a":"` + "\xed\xa0\x80" + `"}`, 6, "a", nil},
		{`{"` + "\xc0\x80" + `":1}`, 2, "", nil},
		{`{"a":"\x"}`, 6, "a", nil},
		{`{"a\:1,"b":2}`, 3, "", nil},
		{"{\"a\x01:1,\"b\":2}", 3, "", nil},
		{`{"a":"\u12g4"}`, 6, "a", nil},
		{`{"a":"\u12`, 10, "a", ErrTruncated},
		{`{"a":"\`, 7, "a", ErrTruncated},
		{`{"a":"b`, 7, "a", ErrTruncated},
		{`{"a":{"\u0062":[1,{"c":x}]}}`, 23, "a.b.1.c", nil},
		{deep(maxDepth + 1), 5 + maxDepth - 1, "a" + strings.Repeat(".0", maxDepth-1), ErrTooDeep},
		{strings.Repeat(`{"a":`, 1_000_000), 5 * maxDepth, "a" + strings.Repeat(".a", maxDepth-1), ErrTooDeep},
	} {
		_, err := ParseJSON([]byte(test.text))
		checkSyntaxError(t, "ParseJSON", test.text, err, SyntaxError{"JSON", test.offset, test.path, test.is})
	}
}

// TestParseJSONStringsOfAllLengths puts special characters at every place of a string,
// because the parser reads strings 8 bytes at a time, and long strings 32 bytes at a
// time.
func TestParseJSONStringsOfAllLengths(t *testing.T) {
	for at := range 140 {
		before, after := strings.Repeat("a", at), strings.Repeat("b", 19+at%50)
		for _, test := range []struct{ special, want string }{
			{`\"`, `"`}, {`\\`, `\`}, {`\n`, "\n"}, {"é", "é"}, {`\u00e9`, "é"}, {"\x7f", "\x7f"}, {" ", " "}, {"!", "!"}, {"#", "#"},
			{"[", "["}, {"]", "]"}, {"\x00", ""}, {"\x1f", ""}, {"\x80", ""}, {"\xff", ""}, {`\x`, ""}, {"\xc3", ""},
		} {
			text := `{"` + before + test.special + after + `":"` + before + test.special + after + `","x":"` + after + `"}`
			doc, err := ParseJSON([]byte(text))
			if test.want == "" {
				checkSyntaxError(t, "ParseJSON", text, err, SyntaxError{"JSON", 2 + at, "", nil})
				continue
			}
			got, _ := doc.Field(before + test.want + after).AsString()
			if x := doc.Field("x"); err != nil || got != before+test.want+after || hidden.CompareText(x, StringValue(after)) != 0 {
				t.Errorf("ParseJSON(%s): %v, its fields are %q and %s", text, err, got, x)
			}
		}
	}
}

// TestParseJSONSpecialsEverywhere puts special characters at every place of
// strings of all short lengths that end near the end of the text.
func TestParseJSONSpecialsEverywhere(t *testing.T) {
	letters := strings.Repeat("abcdefg", 16)
	for n := range 100 {
		for at := range n + 1 {
			for _, special := range []string{`\"`, `\\`, "é", `\u00e9`, "\x7f", "!", "\x1f", "\x80", `\x`, "\xc3", `"`} {
				checkLikeEncodingJSON(t, `{"a":"`+letters[:at]+special+letters[at:n]+`"}`)
			}
		}
	}
}

// TestParseJSONNumbersEverywhere puts special characters at every place of numbers. The
// special characters include the neighbours of the digits.
func TestParseJSONNumbersEverywhere(t *testing.T) {
	digits := strings.Repeat("1234567890", 3)
	for n := range 25 {
		for at := range n + 1 {
			for _, special := range []string{"", "0", "-", ".", "e", "E+", "e-", ".0e", "/", ":", "a", " ", "\x00", "\xb1"} {
				number := digits[:at] + special + digits[at:n]
				checkLikeEncodingJSON(t, `{"a":`+number+`}`)
				checkLikeEncodingJSON(t, `{"a":[0,`+number+`,-`+number+` ],"b":""}`)
			}
		}
	}
}

// checkLikeEncodingJSON compares ParseJSON and uncheckedJSON with encoding/json.
func checkLikeEncodingJSON(t *testing.T, text string) {
	t.Helper()
	doc, err := ParseJSON([]byte(text))
	if valid := json.Valid([]byte(text)) && utf8.ValidString(text); (err == nil) != valid || errors.Is(err, jsontext.ErrNotJSON) {
		t.Fatalf("ParseJSON(%q) = %v, want validity %t", text, err, valid)
	}
	if err != nil {
		return
	}
	for name, want := range membersByEncodingJSON(t, []byte(text)) {
		trusted := hidden.UncheckedJSON([]byte(text))
		if got := trusted.Field(name); !matchesJSON(got, want) || !identical(got, doc.Field(name)) {
			t.Errorf("%s: trusted, %q is %s, want %s", text, name, show(got), want)
		}
	}
}

// checkSyntaxError compares err with want. A nil want.Err matches any error that is
// neither ErrTruncated nor ErrTooDeep.
func checkSyntaxError(t *testing.T, f, input string, err error, want SyntaxError) {
	t.Helper()
	var got *SyntaxError
	if !errors.As(err, &got) {
		t.Errorf("%s(%.80q) = %v, want a *SyntaxError", f, input, err)
		return
	}
	if got.Format != want.Format || got.Offset != want.Offset || got.Path != want.Path {
		t.Errorf("%s(%.80q) = %v, want %s at byte %d, path %.80q", f, input, err, want.Format, want.Offset, want.Path)
	}
	for _, sentinel := range []error{ErrTruncated, ErrTooDeep} {
		if got, want := errors.Is(err, sentinel), want.Err == sentinel; got != want {
			t.Errorf("%s(%.80q) = %v; is it %q? %t, want %t", f, input, err, sentinel, got, want)
		}
	}
}

// FuzzParseJSON compares ParseJSON with encoding/json for objects. They differ in text
// that is not UTF-8: ParseJSON refuses it, and encoding/json repairs it.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"id":"a","ttl":20,"_ts":1700000000}`, `{"\u0074tl":1e3,"ttl":[{"a":"\ud83d\ude00"}]}`, ` {"ttl":-0.0e-7 , "x":null}`,
		`{"ttl":"\ud800\u0041"}`, `{"ttl":01}`, "{\"\xff\":1}", `{"":{"":{}}}`, `{"ttl":9223372036854775808}`, `[1]`, `{"ttl":tru}`,
	} {
		f.Add([]byte(seed))
	}
	fuzzing.Texts(f, damagedJSON, func(t testing.TB, b []byte) {
		doc, err := ParseJSON(b)
		trimmed := bytes.TrimLeft(b, " \t\r\n")
		valid := json.Valid(b) && utf8.Valid(b) && trimmed[0] == '{'
		if errors.Is(err, ErrTooDeep) {
			return
		}
		if got := err == nil; got != valid || errors.Is(err, jsontext.ErrNotJSON) {
			t.Fatalf("ParseJSON(%q) = %v, want validity %t", b, err, valid)
		}
		if !valid {
			return
		}
		for name, want := range membersByEncodingJSON(t, b) {
			if got := doc.Field(name); !matchesJSON(got, want) {
				t.Errorf("%s: Field(%q) = %s, want %s", b, name, show(got), want)
			}
		}
	})
}

// damagedJSON draws JSON, often with damage.
func damagedJSON(r fuzzing.Random) []byte {
	return r.Damage(r.JSON(3, "ttl", "_ts", "a", "é", ""), "{}[],:\"\\-+.eE0\x00\x1f\xff u")
}

func membersByEncodingJSON(t testing.TB, b []byte) (members map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(b, &members); err != nil {
		t.Fatal(err)
	}
	return members
}

// matchesJSON reports whether v agrees with the value that encoding/json reads from raw.
func matchesJSON(v Value, raw json.RawMessage) bool {
	var s string
	switch v.Kind() {
	case String:
		got, _ := v.AsString()
		return json.Unmarshal(raw, &s) == nil && got == s && hidden.CompareText(v, StringValue(s)) == 0
	case Int32, Int64:
		var n int64
		got, _ := v.AsInt64()
		return json.Unmarshal(raw, &n) == nil && got == n
	case Double:
		var f float64
		got, _ := v.AsDouble()
		err := json.Unmarshal(raw, &f)
		return err == nil && math.Float64bits(got) == math.Float64bits(f) || err != nil && math.IsInf(got, 0)
	case Bool:
		got, _ := v.AsBool()
		return string(raw) == map[bool]string{true: "true", false: "false"}[got]
	case Null:
		return string(raw) == "null"
	case List:
		return raw[0] == '[' && countElements(v) == lengthByEncodingJSON(raw)
	}
	return v.Kind() == Object && raw[0] == '{'
}

func countElements(v Value) (n int) {
	for e := v.Elements(); e.Next(); {
		n++
	}
	return n
}

func lengthByEncodingJSON(raw json.RawMessage) int {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return -1
	}
	return len(list)
}

// TestPropertyParseJSONDamaged: text with a byte or two changed, removed or inserted is
// refused exactly if the scanner, which describes errors, finds an error.
func TestPropertyParseJSONDamaged(t *testing.T) {
	texts := rapid.SampledFrom([]string{
		`{"id":"item-1","pk":"a","ttl":20,"name":"some text, and some more of it, so that it is long enough","nested":{"ttl":5},"_ts":1700000000}`,
		`{"a":[1,-2.5e+10,0.0,true,false,null,{"":[]},"\u00e9\ud83d\ude00\n"],"b":{}}`,
		" {\t\"é\" : \"ü\" , \"x\":[ ] }\r\n",
	})
	odd := rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("{}[]\":,\\0e.- \x00\x1f\x7f\x80\xff")))
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(texts.Draw(t, "text"))
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				b[i] = odd.Draw(t, "byte")
			case 1:
				b = slices.Delete(b, i, i+1)
			case 2:
				b = slices.Insert(b, i, odd.Draw(t, "byte"))
			}
		}
		_, err := ParseJSON(b)
		if scanned := syntaxError("JSON", jsontext.Explain(b)); (err == nil) != errors.Is(scanned, jsontext.ErrNotJSON) {
			t.Fatalf("ParseJSON(%q) = %v, but the scanner says %v", b, err, scanned)
		}
		readAll(hidden.UncheckedJSON(b).Value(), len(b)) // must not panic
		jsontext.Find(hidden.UncheckedJSON(b).Bytes(), []jsontext.Pick{{Name: "ttl"}, {Name: "é"}})
	})
}

// FuzzUncheckedJSON: reading the result of uncheckedJSON ends for any text, and equals
// the result of ParseJSON for text that ParseJSON accepts.
func FuzzUncheckedJSON(f *testing.F) {
	for _, seed := range []string{`{"ttl":20,"a":{"b":["\u00e9",{}]}}`, ` {"a" : "b" } `, `{"a`, `{"a":"`, `{"\u1":1}`, `{"a":"\`, `{"a":[}`, `{:,]`, `{"a""b"}`, `{`} {
		f.Add([]byte(seed))
	}
	fuzzing.Texts(f, damagedJSON, func(t testing.TB, b []byte) {
		trusted := hidden.UncheckedJSON(b)
		read := readAll(trusted.Value(), 4*len(b)+4)
		picks := []jsontext.Pick{{Name: "ttl"}, {Name: ""}, {Name: "é"}}
		jsontext.Find(trusted.Bytes(), picks)
		for _, p := range picks {
			read += readAll(jsonValue(p.Text()), len(b)+1)
		}
		found := slices.Clone(picks)
		if checked, ok := jsontext.Check(b, found); ok && !bytes.Equal(trusted.Bytes(), checked) {
			t.Errorf("hidden.UncheckedJSON(%q) = %q, ParseJSON %q", b, trusted.Bytes(), checked)
		} else if ok && !reflect.DeepEqual(picks, found) {
			t.Errorf("%q holds %v, checked it holds %v", b, picks, found)
		}
		if read > 100*len(b)+100 {
			t.Errorf("%d values in %q", read, b)
		}
	})
}

// readAll calls the methods that read v, and returns the number of values in v, at most
// max.
func readAll(v Value, max int) int {
	v.AsString()
	v.AsInt64()
	hidden.CompareText(v, StringValue("a"))
	n := 1
	for f := v.Fields(); n < max && f.Next(); {
		f.Name()
		f.compareName("a")
		n += readAll(f.Value(), max-n)
	}
	for e := v.Elements(); n < max && e.Next(); {
		n += readAll(e.Value(), max-n)
	}
	return n
}

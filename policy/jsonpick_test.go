package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

func TestPick(t *testing.T) {
	long := strings.Repeat("x", 200)
	tests := []struct {
		text  string
		ttl   Value
		count int
	}{
		{`{}`, Value{}, 0},
		{` { "ttl" : 5 } `, Int32Value(5), 1},
		{`{"a":{"ttl":1},"b":[{"ttl":2}],"TTL":3,"ttl ":4}`, Value{}, 0},
		{`{"ttl":5,"ttl":null}`, NullValue(), 2},
		{`{"ttl":-0}`, DoubleValue(math.Copysign(0, -1)), 1},
		{`{"ttl":-9223372036854775808}`, Int64Value(math.MinInt64), 1},
		{`{"ttl":9223372036854775808}`, DoubleValue(1 << 63), 1},
		{`{"ttl":20.0}`, DoubleValue(20), 1},
		{`{"ttl":"5"}`, StringValue("5"), 1},
		{`{"ttl":true}`, BoolValue(true), 1},
		{`{"\u0074tl":5}`, Int32Value(5), 1},
		{`{"ttl":5,"t\u0074l":6,"\u0074":7}`, Int32Value(6), 2},
		{`{"s":"\"ttl\":1","ttl":2}`, Int32Value(2), 1},
		{`{"s":"` + long + `\"","ttl":2}`, Int32Value(2), 1},
		{`{"s":"` + long + `\\","ttl":2}`, Int32Value(2), 1},
		{`{"` + long + `\"":1,"ttl":2,"o":{"` + long + `":"\"}"}}`, Int32Value(2), 1},
		{`{"` + long + `":1,"ttl":{"` + long + `":[]}}`, ObjectValue(D{{long, ListValue(A{})}}), 1},
	}
	for _, test := range tests {
		checked := []jsontext.Pick{{Name: "other"}, {Name: "ttl"}}
		doc, ok := jsontext.Check([]byte(test.text), checked)
		if !ok {
			t.Fatalf("Check(%s) = false", test.text)
		}
		walked := []jsontext.Pick{{Name: "ttl", Count: 7}, {Name: "other"}}
		jsontext.Find(doc, walked)
		for _, p := range []jsontext.Pick{checked[1], walked[0]} {
			wantInt, isInt := test.ttl.AsInt64()
			if n, ok := p.AsInt64(); ok != isInt || ok && n != wantInt || p.IsNull() != (test.ttl.Kind() == Null) {
				t.Errorf("%s: AsInt64 = %d, %v, IsNull = %v, want those of %s", test.text, n, ok, p.IsNull(), show(test.ttl))
			}
			if p.Count != test.count || !identical(jsonValue(p.Text()), test.ttl) {
				t.Errorf("%s: ttl is %s, %d times, want %s, %d times", test.text, show(jsonValue(p.Text())), p.Count, show(test.ttl), test.count)
			}
		}
	}
}

// TestPickAtEveryDistance picks members after names, values and spaces of many lengths,
// because the scanner reads a word at a time.
func TestPickAtEveryDistance(t *testing.T) {
	checkPick(t, `{"ttl":5,"x:y":1}`, "x:y", "1")
	letters := strings.Repeat("abcdefg", 12)
	for n := range 70 {
		long := letters[:n]
		for _, value := range []string{
			`1`, `-1.5e10`, `123456789012345678901234567890`, `true`, `null`, `""`, `"` + long + `"`, `"` + long + `\""`, `"` + long + `\\"`, `"\\` + long + `"`,
			`[]`, `{}`, `[1,"` + long + `\"]",{"x":[` + strings.Repeat("1,", n) + `2]}]`, `{"` + long + `":"` + long + `","a\\":{"]":"}"}}`,
		} {
			for _, space := range []string{"", " ", "\n\t  ", strings.Repeat(" ", n)} {
				for _, name := range []string{long, `\"` + long, long + `\\`} {
					member := `"` + name + `x"` + space + `:` + space + value + space
					checkPick(t, `{`+member+`,`+space+`"ttl":5}`, name+"x", value)
					checkPick(t, `{`+space+`"ttl":5,`+space+member+`}`, name+"x", value)
				}
			}
		}
	}
}

// checkPick picks two members of text: ttl, whose value must be 5, and the member with
// the given name and value. It picks once with a check of the text and once without.
func checkPick(t *testing.T, text, name, value string) {
	t.Helper()
	checked := []jsontext.Pick{{Name: "ttl"}, {Name: jsontext.Text([]byte(name))}, {Name: "_ts"}}
	trusted := slices.Clone(checked)
	if _, ok := jsontext.Check([]byte(text), checked); !ok {
		t.Fatalf("Check(%s) = false", text)
	}
	jsontext.Find(jsontext.Trim([]byte(text)), trusted)
	for _, picks := range [][]jsontext.Pick{checked, trusted} {
		ttl, other, ts := picks[0], picks[1], picks[2]
		if string(ttl.Text()) != "5" || ttl.Count != 1 || string(other.Text()) != value || other.Count != 1 || ts.Count != 0 {
			t.Fatalf("%s\npicked %s and %s, want 5 and %s", text, ttl.Text(), other.Text(), value)
		}
	}
}

// TestPropertyPick compares the picks with a walk by a cursor, which decodes each name.
func TestPropertyPick(t *testing.T) {
	names := rapid.SampledFrom([]string{`ttl`, `\u0074tl`, `_ts`, `tt`, `ttl\n`, ``, `\"ttl`})
	texts := rapid.SampledFrom([]string{`1`, `-0.5e3`, `null`, `"ttl"`, `"\\"`, `"` + strings.Repeat(`é\"`, 40) + `"`, `{"ttl":[1]}`, `[{"_ts":"]"}]`})
	rapid.Check(t, func(t *rapid.T) {
		var members []string
		for range rapid.IntRange(0, 6).Draw(t, "members") {
			members = append(members, fmt.Sprintf(`"%s" :%s`, names.Draw(t, "name"), texts.Draw(t, "value")))
		}
		text := "{" + strings.Join(members, ", ") + "}"
		picks := []jsontext.Pick{{Name: "ttl"}, {Name: "_ts"}, {Name: ""}}
		object, ok := jsontext.Check([]byte(text), picks)
		if !ok {
			t.Fatalf("Check(%s) = false", text)
		}
		again := []jsontext.Pick{{Name: "ttl"}, {Name: "_ts"}, {Name: ""}}
		jsontext.Find(object, again)
		for i, p := range picks {
			count, last := 0, Value{}
			f := hidden.UncheckedJSON(object).Value().Fields()
			for f.Next() {
				if f.Name() == p.Name {
					count, last = count+1, f.Value()
				}
			}
			if p.Count != count || !identical(jsonValue(p.Text()), last) || again[i].Count != count || !identical(jsonValue(again[i].Text()), last) {
				t.Fatalf("%s: %q picked %d times, last %s; walked %d times, %s; want %d, %s",
					text, p.Name, p.Count, show(jsonValue(p.Text())), again[i].Count, show(jsonValue(again[i].Text())), count, show(last))
			}
		}
	})
}

package policy

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
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
		checked := []Pick{{Name: "other"}, {Name: "ttl"}}
		doc, err := ParseJSONPick([]byte(test.text), checked)
		if err != nil {
			t.Fatalf("ParseJSONPick(%s): %v", test.text, err)
		}
		walked := []Pick{{Name: "ttl", Count: 7}, {Name: "other"}}
		doc.Pick(walked)
		for _, p := range []Pick{checked[1], walked[0]} {
			wantInt, isInt := test.ttl.AsInt64()
			if n, ok := p.AsInt64(); ok != isInt || ok && n != wantInt || p.IsNull() != (test.ttl.Kind() == Null) {
				t.Errorf("%s: AsInt64 = %d, %v, IsNull = %v, want those of %s", test.text, n, ok, p.IsNull(), show(test.ttl))
			}
			if p.Count != test.count || !identical(p.Value(), test.ttl) {
				t.Errorf("%s: ttl is %s, %d times, want %s, %d times", test.text, show(p.Value()), p.Count, show(test.ttl), test.count)
			}
		}
	}
}

// TestPropertyPick compares with a walk by cursor, which decodes each name.
func TestPropertyPick(t *testing.T) {
	names := rapid.SampledFrom([]string{`ttl`, `\u0074tl`, `_ts`, `tt`, `ttl\n`, ``, `\"ttl`})
	texts := rapid.SampledFrom([]string{`1`, `-0.5e3`, `null`, `"ttl"`, `"\\"`, `"` + strings.Repeat(`é\"`, 40) + `"`, `{"ttl":[1]}`, `[{"_ts":"]"}]`})
	rapid.Check(t, func(t *rapid.T) {
		var members []string
		for range rapid.IntRange(0, 6).Draw(t, "members") {
			members = append(members, fmt.Sprintf(`"%s" :%s`, names.Draw(t, "name"), texts.Draw(t, "value")))
		}
		text := "{" + strings.Join(members, ", ") + "}"
		picks := []Pick{{Name: "ttl"}, {Name: "_ts"}, {Name: ""}}
		doc, err := ParseJSONPick([]byte(text), picks)
		if err != nil {
			t.Fatal(err)
		}
		again := []Pick{{Name: "ttl"}, {Name: "_ts"}, {Name: ""}}
		doc.Pick(again)
		for i, p := range picks {
			count, last := 0, Value{}
			f := doc.Value().Fields()
			for f.Next() {
				if f.Name() == p.Name {
					count, last = count+1, f.Value()
				}
			}
			if p.Count != count || !identical(p.Value(), last) || again[i].Count != count || !identical(again[i].Value(), last) {
				t.Fatalf("%s: %q picked %d times, last %s; walked %d times, %s; want %d, %s",
					text, p.Name, p.Count, show(p.Value()), again[i].Count, show(again[i].Value()), count, show(last))
			}
		}
	})
}

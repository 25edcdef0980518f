package dump

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

// elements returns the elements that a framer finds in an array.
func elements(text []byte) (docs []string) {
	f := &valueFramer{array: true}
	spans, settled, bad := f.frame(text, true, nil)
	for _, s := range spans {
		docs = append(docs, string(text[s.Start:s.End]))
	}
	if bad == nil && settled < len(text) {
		_, _, bad = f.frame(text[settled:], true, nil)
	}
	if bad != nil {
		docs = append(docs, "damaged")
	}
	return docs
}

// TestElements: elements end at their closing brackets, with any text between them.
func TestElements(t *testing.T) {
	for _, list := range [][]string{
		{`{"a":1}`, `{"a":2}`, `{"a":3}`, `{}`, `{"":1}`, `{"b":1}`},
		{`{"a":1}`, `{"a":"},{"}`, `{"a":"},{\"a"}`, `{"a":"x},{"}`, `{"a":"},{"}`, `{"a":"\\"}`, `{"a":"\\\""}`},
		{`{"a":1}`, `{"a":[{"a":1},{"a":2}]}`, `{"a":"[","b":{"c":1}}`, `{"a":["]",{"a":1},{"a":2}]}`, `{"x":{"y":{"a":1}}}`},
		{`{ "a" : 1 }`, `{ "a" : {"b":1} , "c":2 }`, `{ "a" : [1] }`},
		{`{"a":1}`, `{"k":"` + strings.Repeat("long", 1000) + `"}`, `{"a":1}`},
		{`{"a":{"$oid":"x"}}`, `{"a":{"$oid":"y"},"b":{"$date":"z"}}`, `{"a":{}}`},
	} {
		for _, between := range [][]string{{","}, {",\n"}, {", "}, {" ,\r\n  "}, {",", ",\n", " , "}, {",\n", ",\n", ","}} {
			text := "["
			for i, element := range append(list, list...) {
				if i > 0 {
					text += between[i%len(between)]
				}
				text += element
			}
			text += "]"
			got := elements([]byte(text))
			if want := append(list, list...); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s has the elements\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// FuzzElements: an array has the elements that encoding/json finds in it. In a damaged
// array they are the same up to the damage.
func FuzzElements(f *testing.F) {
	f.Add([]byte(`[{"a":1},{"a":"},{"},{"a":[{},{}]}]`))
	draw := func(r fuzzing.Random) []byte {
		return r.Damage(append(append([]byte("["), bytes.Repeat(append(r.ExtJSON(2, "a", "b"), ','), 3)...), `{"a":1}]`...), `{}[],:"\ `)
	}
	fuzzing.Texts(f, draw, func(t testing.TB, text []byte) {
		d := json.NewDecoder(bytes.NewReader(text))
		if open, err := d.Token(); err != nil || open != json.Delim('[') {
			return
		}
		var want []string
		for one := json.RawMessage(nil); d.More() && d.Decode(&one) == nil && one[0] == '{'; {
			want = append(want, string(one))
		}
		got := elements(text)
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) || json.Valid(text) && len(got) > len(want) && got[len(want)] != "damaged" {
			t.Fatalf("%q: elements %q, want %q", text, got, want)
		}
	})
}

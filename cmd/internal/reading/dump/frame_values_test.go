package dump

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

// elements returns the elements that a framer finds in an array, with guesses or
// without.
func elements(text []byte, guessing bool) (docs []string) {
	f := &valueFramer{array: true}
	if guessing {
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
	for pos := 0; ; {
		if pos = jsontext.SkipSpace(text, pos); pos == len(text) {
			return docs
		}
		size, isDoc, err := f.token(text[pos:], true)
		if err != nil || size == 0 {
			return append(docs, "damaged")
		}
		if isDoc {
			docs = append(docs, string(text[pos:pos+size]))
		}
		pos += size
	}
}

// TestGuess: elements end at their closing brackets, with any text between
// them.
func TestGuess(t *testing.T) {
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
			if !json.Valid([]byte(text)) {
				t.Fatalf("%s is not JSON", text)
			}
			got := elements([]byte(text), true)
			if want := append(list, list...); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s has the elements\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// TestGuessIsUsed: most elements are found without counting brackets, so that TestGuess
// does test guesses.
func TestGuessIsUsed(t *testing.T) {
	first := `{"a":1,"b":{"c":"x"}},`
	for _, tt := range []struct {
		text  string
		found int // the number of elements
		size  int // the size of all elements, with the text that follows each
	}{
		{first + `{"a":2,"b":{}},{"a":3}`, 2, 37},
		{`{"a":2,"b":{}},{"a":3}`, 1, 15},
		{`{"a":[2],"b":{}},{"a":3}`, 0, 0},
		{first + `{"a":[2],"b":{}},{"a":3}`, 1, 22},
		{`{"a":{"b":1}, {"a":2},{"a":3}`, 0, 0},
		{`{"a":2},{"`, 0, 0},
		{`{"a":2},{"":1}`, 0, 0},
		{`{"a":2}`, 0, 0},
		{`{"a":"},{"},{"a":3}`, 0, 0},
		{`{"a":"` + strings.Repeat("x", MaxText) + `"},{"a":3}`, 0, 0},
	} {
		g := guess{bracket: -1}
		if spans, pos := g.elements([]byte(tt.text), 0, nil); len(spans) != 0 || pos != 0 {
			t.Errorf("before it has learned, elements(%.50s) = %d up to %d, want none", tt.text, len(spans), pos)
		}
		g.learn([]byte(first+"{\"a\":1}"), len(first)-1)
		if spans, pos := g.elements([]byte(tt.text), 0, nil); len(spans) != tt.found || pos != tt.size {
			t.Errorf("elements(%.50s) = %d up to %d, want %d up to %d", tt.text, len(spans), pos, tt.found, tt.size)
		}
	}
}

// FuzzElements: an array has the same elements with guesses and without. Elements may
// differ after damage, but both ways find each element that is JSON.
func FuzzElements(f *testing.F) {
	f.Add([]byte(`[{"a":1},{"a":"},{"},{"a":[{},{}]}]`))
	draw := func(r fuzzing.Random) []byte {
		return r.Damage(append(append([]byte("["), bytes.Repeat(append(r.ExtJSON(2, "a", "b"), ','), 3)...), `{"a":1}]`...), `{}[],:"\ `)
	}
	fuzzing.Texts(f, draw, func(t testing.TB, text []byte) {
		got, want := elements(text, true), elements(text, false)
		for i := range got {
			if !json.Valid([]byte(got[i])) {
				break
			}
			if i >= len(want) || got[i] != want[i] {
				t.Fatalf("%q: element %d is %q, without guesses %q", text, i, got[i], want)
			}
		}
		if json.Valid(text) && !slices.Equal(got, want) {
			t.Fatalf("%q: elements %q, without guesses %q", text, got, want)
		}
	})
}

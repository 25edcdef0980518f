package dump

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

// elements returns those that a framer finds in an array, with guesses or without.
func elements(text []byte, guessing bool) (docs []string) {
	f := &valueFramer{array: true}
	for len(text) > 0 {
		if !guessing {
			f.guess = guess{}
		}
		// one at a time, so that a guess can be forgotten
		data := text
		pos := skipSpace(data, 0)
		if pos == len(data) {
			break
		}
		size, isDoc, err := f.token(data[pos:], true)
		if err != nil || size == 0 {
			return append(docs, "damaged")
		}
		if isDoc {
			docs = append(docs, string(data[pos:pos+size]))
		}
		text = data[pos+size:]
	}
	return docs
}

// TestGuess: elements end where their brackets do, whatever lies between them.
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

// TestGuessIsUsed: most elements are found without a look at their brackets, so that the
// test above is about something.
func TestGuessIsUsed(t *testing.T) {
	g := guess{}
	text := []byte(`{"a":1,"b":{"c":"x"}},{"a":2,"b":{}},{"a":3}`)
	if n := g.find(text); n != 0 {
		t.Errorf("find before any element = %d, want 0", n)
	}
	g.scan(text)
	for _, tt := range []struct {
		text string
		want int
	}{
		{string(text), 21},
		{`{"a":2,"b":{}},{"a":3}`, 14},
		{`{"a":[2],"b":{}},{"a":3}`, 0},
		{`{"a":{"b":1}, {"a":2},{"a":3}`, 0},
		{`{"a":2},{"`, 0},
		{`{"a":2},{"":1}`, 0},
		{`{"a":2}`, 0},
		{`{"a":"` + strings.Repeat("x", minReach) + `"},{"a":3}`, 0},
	} {
		if n := g.find([]byte(tt.text)); n != tt.want {
			t.Errorf("find(%.50s) = %d, want %d", tt.text, n, tt.want)
		}
	}
}

// FuzzElements: with guesses an array has the elements that it has without. Behind
// damage that may differ, but what is JSON is an element in both.
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

package jsonfile

import (
	"slices"
	"strings"
	"testing"
)

func parsed(t *testing.T, text string) Node {
	t.Helper()
	var found Problems
	n, ok := found.Parse("file", []byte(text))
	if !ok {
		t.Fatal(found)
	}
	return n
}

func TestDifferences(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{`{"a":1}`, `{ "a" : 1 }`, 0},
		{`{"a":1,"b":2}`, `{"a":1}`, 1},
		{`{"a":1}`, `{"a":1,"b":2}`, 1},
		{`{"a":1,"b":2}`, `{"a":3,"b":4}`, 2},
		{`{"a":1}`, `{"b":1}`, 1}, // renamed
		{`{"a":1}`, `{"b":2}`, 2}, // renamed, and another value
		{`{"a":1,"b":1}`, `{"b":1,"c":1}`, 2},
		{`{"a":{"$date":{"$numberLong":"1"}}}`, `{"a":{"$date":{"$numberLong":"2"}}}`, 1},
		{`{"a":{"$date":{"$numberLong":"1"}}}`, `{"a":null}`, 1},
		{`{"a":{"$gt":1}}`, `{"a":{"$lte":2}}`, 1},
		{`{"a":[1,2,3]}`, `{"a":[1,5,4]}`, 2},
		{`{"a":[1,2,3]}`, `{"a":[1]}`, 1},
		{`{"a":[{"b":1},{"b":2}]}`, `{"a":[{"b":1},{"b":3}]}`, 1},
		{`{"a":{"b":{"c":1,"d":2}}}`, `{"a":{"b":{"c":2,"d":2}}}`, 1},
		{`{"a":{}}`, `{"a":[]}`, 1},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, 1},
		{`{"a":1,"a":2}`, `{"a":2}`, 1},
	} {
		if got := parsed(t, tt.a).Differences(parsed(t, tt.b)); got != tt.want {
			t.Errorf("(%s).Differences(%s) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestParseRefuses: a problem names the line.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]Problem{
		"{\n\n\"a\": }": {Place{"file", 3}, "found '}', want a value"},
		"[\n1":          {Place{"file", 2}, "the input ends inside the document: want a comma or ']'"},
		"[\n\"\xff\"]":  {Place{"file", 2}, "the text is not UTF-8"},
	} {
		var found Problems
		if _, ok := found.Parse("file", []byte(text)); ok || !slices.Equal(found, Problems{want}) {
			t.Errorf("Parse(%q) finds %v, want %v", text, found, want)
		}
	}
}

// TestRead reads an object with a fault of each sort.
func TestRead(t *testing.T) {
	const text = `{"text": "a", "empty": "",
		"number": 0, "truth": false,
		"list": [], "texts": ["a", "a"],
		"choice": "c", "extra": 1, "extra": 2}`
	var o struct {
		Node
		Text    string   `json:"text"`
		Empty   string   `json:"empty"`
		Missing string   `json:"missing"`
		Absent  string   `json:"absent,omitempty"`
		Number  int      `json:"number"`
		Truth   bool     `json:"truth,omitempty"`
		List    []int    `json:"list,omitempty"`
		Texts   []string `json:"texts"`
		Choice  string   `json:"choice" choice:"a b"`
	}
	var found Problems
	found.Read(parsed(t, text), &o)
	if o.Text != "a" || !slices.Equal(o.Texts, []string{"a", "a"}) || o.Line != 1 {
		t.Errorf("read %+v", o)
	}
	got := strings.Split(found.Err().Error(), "\n")
	want := []string{
		`file:1: "empty" is "", want a text`, `file:1: "missing" is missing`,
		`file:2: "number" is 0, want a whole number from 1 on`, `file:2: "truth" is false, want true, or no such field`,
		`file:3: "list" is [], want an array that is not empty`, `file:3: "texts" is "a", want no text twice`,
		`file:4: "extra" stands twice`, `file:4: "choice" is "c", want one of ["a" "b"]`,
		`file:4: unknown field "extra"`, `file:4: unknown field "extra"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the problems are %q, want %q", got, want)
	}
}

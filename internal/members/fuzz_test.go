package members

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCut: Cut finds the same members as encoding/json in an object that encoding/json
// reads. In any text, each member that Cut finds is a part of the text.
func FuzzCut(f *testing.F) {
	for _, seed := range []string{`{"a":1,"a":[2,{"b":"}\""}], "\u0061" : null}`, `{"seq":1,"in":{"now":`, ` { } `, `{"a":["x","y"],"b":"\ud83d\ude00"}`, `{"a":1]`, `{"a":[1,,2}}`} {
		f.Add([]byte(seed))
	}
	f.Add([]byte(`{"a":` + strings.Repeat("[", 140) + strings.Repeat("]", 140) + `}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Cut(text)
		for _, name := range got.Names() {
			raw := got.Raw(name)
			if len(raw) == 0 || !strings.Contains(string(text), string(raw)) {
				t.Fatalf("Cut(%q): the member %q is %q", text, name, raw)
			}
			got.Object(name)
			got.Texts(name)
			var want string
			isText := utf8.Valid(raw) && raw[0] == '"' && json.Unmarshal(raw, &want) == nil
			if s, err := got.Text(name); (err == nil) != isText || s != want {
				t.Fatalf("Cut(%q): the text of %q is %q, %v, want %q", text, name, s, err, want)
			}
			if number := got.Number(name); json.Valid(raw) && strings.ContainsRune("-0123456789", rune(raw[0])) != (number != nil) {
				t.Fatalf("Cut(%q): the number of %q is %q", text, name, number)
			}
		}
		var want map[string]json.RawMessage
		if !utf8.Valid(text) || json.Unmarshal(text, &want) != nil || want == nil || err == errNesting {
			return
		}
		if err != nil || len(want) != len(got.Names()) {
			t.Fatalf("Cut(%q) has the members %q, %v; want %d", text, got.Names(), err, len(want))
		}
		for name, raw := range want {
			if !slices.Equal(got.Raw(name), raw) {
				t.Fatalf("Cut(%q): the member %q is %q, want %q", text, name, got.Raw(name), raw)
			}
		}
	})
}

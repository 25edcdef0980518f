package jsonfile

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzParse: Parse accepts a file if encoding/json accepts it, it is UTF-8, and it is not
// nested too deeply. Each value is a part of the file, the lines of the values ascend,
// and a file does not differ from itself.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":null}],"a":"\u00e9"}`, "[\n1,\n\n{}]", "\"\xff\"", `{"$date":{"$numberLong":"1"}}`, `{"a":{"$gt":1}} x`, `[[[[`, `-0.5e+7`} {
		f.Add([]byte(seed), []byte(`{"a":[1]}`))
	}
	f.Fuzz(func(t *testing.T, text, other []byte) {
		var found Problems
		n, ok := found.Parse("file", text)
		lines := 1 + bytes.Count(text, []byte("\n"))
		if ok != (len(found) == 0) {
			t.Fatalf("Parse(%q) = %t with the problems %v", text, ok, found)
		}
		if !ok {
			if found[0].Line < 1 || found[0].Line > lines {
				t.Fatalf("Parse(%q) finds a problem in line %d of %d", text, found[0].Line, lines)
			}
			if json.Valid(text) && utf8.Valid(text) && bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) < ownDepth {
				t.Fatalf("Parse(%q) finds %v, and encoding/json nothing", text, found)
			}
			return
		}
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("Parse(%q) finds nothing, and encoding/json a problem", text)
		}
		last := 1
		var check func(n Node)
		check = func(n Node) {
			if n.Line < last || n.Line > lines || !bytes.Contains(text, n.Raw) {
				t.Fatalf("Parse(%q) has %q in line %d, behind line %d", text, n.Raw, n.Line, last)
			}
			last = n.Line
			for _, p := range n.Nodes {
				check(p)
			}
		}
		check(n)
		if got := n.Differences(n); got != 0 {
			t.Fatalf("%q differs from itself %d times", text, got)
		}
		if m, ok := new(Problems).Parse("file", other); ok && n.Differences(m) < 0 {
			t.Fatalf("(%q).Differences(%q) < 0", text, other)
		}
	})
}

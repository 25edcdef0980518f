package catalog

import (
	"strings"
	"testing"
)

// TestWrittenNames: an option that is misspelt is refused where somebody wrote it, and
// kept where a server lists it, which ignores it.
func TestWrittenNames(t *testing.T) {
	for _, tt := range []struct {
		text   string
		listed bool
	}{
		{`db.c.createIndex({a: 1}, {expireAfterSeconds: 5, partialFilterExpresion: {b: 1}})`, false},
		{`c.create_index("a", expireAfterSeconds=5, partialFilterExpresion={"b": 1})`, false},
		{`[{v: 2, key: {a: 1}, name: 'a_1', expireAfterSeconds: 5, partialFilterExpresion: {b: 1}}]`, true},
		{`{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5,"partialFilterExpresion":{"b":1}}]}`, true},
		{`db.c.createIndex({a: 1}, {expireAfterSeconds: 5, commitQuorum: 1, background: true, comment: "x"})`, true},
	} {
		list, err := Read("policies", strings.NewReader(tt.text))
		if err == nil && !tt.listed {
			err = list[0].Err()
		}
		switch {
		case tt.listed && (err != nil || len(list) != 1):
			t.Errorf("Read(%s) = %d, %v, want a collection", tt.text, len(list), err)
		case !tt.listed && (err == nil || !strings.Contains(err.Error(), `did you mean "partialFilterExpression"?`)):
			t.Errorf("Read(%s) = %v, want the right name", tt.text, err)
		}
	}
}

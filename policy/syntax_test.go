package policy

import (
	"errors"
	"strings"
	"testing"
)

func TestSyntaxErrorText(t *testing.T) {
	_, err := ParseJSON([]byte(`{"a\nb":{"c":tru}}`))
	if got, want := err.Error(), `malformed JSON at byte 16, field "a\nb.c": found '}', want true`; got != want {
		t.Errorf("Error() = %s, want %s", got, want)
	}
	_, err = ParseBSON(nil)
	if got, want := err.Error(), `malformed BSON at byte 0: the input ends inside the document`; got != want {
		t.Errorf("Error() = %s, want %s", got, want)
	}
	if !errors.Is(err, ErrTruncated) || errors.Is(err, ErrTooDeep) {
		t.Errorf("errors.Is does not tell what %v is", err)
	}
}

// TestSyntaxErrorPathIsBounded: the path of an error holds at most 100 bytes of each
// name, so that deeply nested long names do not need much memory.
func TestSyntaxErrorPathIsBounded(t *testing.T) {
	name := strings.Repeat("é", 60_000)
	_, err := ParseJSON([]byte(strings.Repeat(`{"`+name+`":`, 20)))
	var got *SyntaxError
	if !errors.As(err, &got) || len(got.Path) != 20*(100+len("…"))+19 {
		t.Errorf("the path has %d bytes", len(got.Path))
	}
}

package dump

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestWithoutText: the new error keeps the place, the text of wrapping errors and the
// identity for errors.Is, and repeats no input.
func TestWithoutText(t *testing.T) {
	_, truncated := policy.ParseExtJSON([]byte(`{"a":{"b"`))
	_, malformed := policy.ParseExtJSON([]byte(`{"a":{"b":secret}}`))
	_, _, shell := mongosh.ParseValue(`{a: secret()}`, 0)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{malformed, "malformed Extended JSON at byte 10"},
		{truncated, "malformed Extended JSON at byte 9: the input ends inside the document"},
		{fmt.Errorf("in.json: %w; read on", malformed), "in.json: malformed Extended JSON at byte 10; read on"},
		{&Error{Name: "in.json", Offset: 7, Err: malformed}, "in.json: document at byte 7: malformed Extended JSON at byte 10"},
		{fmt.Errorf("the document: %w", shell), "the document: at byte 4"},
		{fmt.Errorf("in: %w", &quotation{errors.New(`it begins with "secret"`), "it is no text"}), "in: it is no text"},
		{WithoutText(malformed), "malformed Extended JSON at byte 10"},
		{fs.ErrNotExist, "file does not exist"},
		{hiding{malformed}, "malformed Extended JSON at byte 10"},
	} {
		got := WithoutText(tt.err)
		if got.Error() != tt.want || !errors.Is(got, tt.err) {
			t.Errorf("WithoutText(%v) = %v, want %s", tt.err, got, tt.want)
		}
	}
	if err := WithoutText(nil); err != nil {
		t.Errorf("WithoutText(nil) = %v", err)
	}
}

// hiding is an error whose text leaves out the error that it wraps.
type hiding struct{ err error }

func (hiding) Error() string   { return "trouble with secret" }
func (h hiding) Unwrap() error { return h.err }

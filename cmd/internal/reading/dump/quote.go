package dump

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// WithoutText returns an error like err that quotes nothing of a document: no value and
// no field name, only the place of a fault. An error without quotations is returned
// unchanged.
func WithoutText(err error) error {
	plain, told := repeating(err)
	if told == nil {
		return err
	}
	before, after, ok := strings.Cut(err.Error(), told.Error())
	if !ok {
		return &withoutText{plain, err}
	}
	return &withoutText{before + plain + after, err}
}

// withoutText is an error whose quotations are replaced.
type withoutText struct {
	text string
	error
}

func (e *withoutText) Error() string { return e.text }
func (e *withoutText) Unwrap() error { return e.error }

// repeating returns told, the part of err that repeats input, and plain, the text that
// replaces it; told is nil if no part repeats input.
func repeating(err error) (plain string, told error) {
	var done *withoutText
	var malformed *policy.SyntaxError
	var shell *mongosh.SyntaxError
	var q *quotation
	switch {
	case errors.As(err, &done):
		return "", nil
	case errors.As(err, &malformed):
		return fmt.Sprintf("malformed %s at byte %d%s", malformed.Format, malformed.Offset, cause(malformed)), malformed
	case errors.As(err, &shell):
		return fmt.Sprintf("at byte %d%s", shell.Offset, cause(shell)), shell
	case errors.As(err, &q):
		return q.plain, q
	}
	return "", nil
}

// cause returns a colon and the text of the fault if the input is truncated or nested too
// deeply, "" for any other fault.
func cause(err error) string {
	for _, fault := range []error{policy.ErrTruncated, policy.ErrTooDeep} {
		if errors.Is(err, fault) {
			return ": " + fault.Error()
		}
	}
	return ""
}

// A quotation is an error that quotes input. plain is its text without the quotation.
type quotation struct {
	error
	plain string
}

func (q *quotation) Unwrap() error { return q.error }

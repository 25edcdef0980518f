package policy

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// A SyntaxError reports malformed input and its position. Format, Offset and Path are
// stable; the text of Err is for readers and may change.
type SyntaxError struct {
	Format string // "BSON", "JSON" or "Extended JSON"
	Offset int    // bytes from the start of the document to the error
	Path   string // dotted path of the enclosing field, with long names cut; empty at the top level
	Err    error  // what is wrong; [ErrTruncated] and [ErrTooDeep] can be matched
}

// Errors that a [SyntaxError] may wrap.
var (
	// ErrTruncated means that the input ends before the document does.
	ErrTruncated = syntax.ErrTruncated
	// ErrTooDeep means that documents and arrays nest deeper than 128 levels.
	ErrTooDeep = syntax.ErrTooDeep
)

// Error returns the format, the place and the fault.
func (e *SyntaxError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("malformed %s at byte %d: %v", e.Format, e.Offset, e.Err)
	}
	return fmt.Sprintf("malformed %s at byte %d, field %q: %v", e.Format, e.Offset, e.Path, e.Err)
}

// MarshalText returns the text of Error, because encoding/json would leave out e.Err.
func (e *SyntaxError) MarshalText() ([]byte, error) { return []byte(e.Error()), nil }

// Unwrap returns e.Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// syntaxError returns e as the error of a format, or nil if e is nil.
func syntaxError(format string, e *syntax.Error) error {
	if e == nil {
		return nil
	}
	return &SyntaxError{Format: format, Offset: e.Offset, Path: e.Path, Err: e.Err}
}

// ErrUnspecified is wrapped by the error of a Validate function if no source establishes
// whether the engine accepts the definition or the document, or the engine's reply. The
// error's Rule describes the unspecified outcome; its identifier ends in -unspecified.
//
// If the error is about a definition (an index, a collection, a setting, or a change of
// one of these), a store that implements the engine should refuse it with that rule as
// the reason: a refused policy deletes nothing, and an accepted policy might delete
// documents that the engine would keep. If the error is about a document, the store
// should accept it: the decision keeps the document if the outcome is unspecified, and a
// refusal would lose it. Definitions that are in the catalog already stay there, and the
// evaluators handle them. A tool that reports should say that the outcome is unspecified,
// and count it neither as accepted nor as refused.
var ErrUnspecified = errors.New("the outcome is unspecified")

package policy

import (
	"errors"
	"fmt"
	"strings"
)

// A SyntaxError says that input is malformed, and where. Err and Reason may be
// reworded for people; Format, Offset and Path are stable.
type SyntaxError struct {
	Format string // "BSON", "JSON" or "Extended JSON"
	Offset int    // bytes from the start of the document to the trouble
	Path   string // dotted path of the enclosing field, long names cut; empty at the top
	Err    error  // what is wrong; [ErrTruncated] and [ErrTooDeep] can be matched
}

// What a [SyntaxError] may wrap.
var (
	// ErrTruncated means that the input ends before the document does.
	ErrTruncated = errors.New("the input ends inside the document")
	// ErrTooDeep means that documents and arrays nest deeper than [MaxDepth].
	ErrTooDeep = fmt.Errorf("nested deeper than %d levels", MaxDepth)
)

// Error returns the format, the place and what is wrong there.
func (e *SyntaxError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("malformed %s at byte %d: %v", e.Format, e.Offset, e.Err)
	}
	return fmt.Sprintf("malformed %s at byte %d, field %q: %v", e.Format, e.Offset, e.Path, e.Err)
}

// Unwrap returns e.Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// under returns e as seen from the document that holds it as field name. A
// path of hostile names must not cost more than their document.
func (e *SyntaxError) under(name string) *SyntaxError {
	if len(name) > maxPathName {
		name = strings.ToValidUTF8(name[:maxPathName], "") + "…"
	}
	if e.Path == "" {
		e.Path = strings.Clone(name)
	} else {
		e.Path = name + "." + e.Path
	}
	return e
}

// maxPathName is how many bytes of a field name a path shows.
const maxPathName = 100

// Package syntax holds the errors that readers of bytes return for malformed input.
package syntax

import (
	"errors"
	"fmt"
	"strings"
)

// MaxDepth is the maximum nesting of documents and arrays.
const MaxDepth = 128

var (
	// ErrTruncated means that the input ends before the document does.
	ErrTruncated = errors.New("the input ends inside the document")
	// ErrTooDeep means that documents and arrays nest deeper than [MaxDepth].
	ErrTooDeep = fmt.Errorf("nested deeper than %d levels", MaxDepth)
)

// An Error says that input is malformed, and where.
type Error struct {
	Offset int    // bytes from the start of the document to the fault
	Path   string // dotted path of the enclosing field, long names cut; empty at the top
	Err    error  // what is wrong
}

// Fail returns err as an Error at an offset.
func Fail(offset int, err error) *Error { return &Error{Offset: offset, Err: err} }

// Under returns e for the enclosing document, whose field name holds the faulty document.
// It cuts a long name, so that a path cannot become as long as a hostile document.
func (e *Error) Under(name string) *Error {
	name = Clip(name, maxPathName)
	if e.Path == "" {
		e.Path = strings.Clone(name)
	} else {
		e.Path = name + "." + e.Path
	}
	return e
}

// Behind returns e with its offset counted from n bytes earlier.
func (e *Error) Behind(n int) *Error {
	e.Offset += n
	return e
}

// maxPathName is the maximum number of bytes of a field name that a path shows.
const maxPathName = 100

// Clip returns text, cut to n bytes if it is longer. Errors about text of any
// length use it.
func Clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

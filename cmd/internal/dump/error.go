package dump

import "fmt"

// An Error says that a document, or all that follows it, cannot be read.
type Error struct {
	Name   string // the input, a file's path as it was given or "standard input"
	Offset int64  // where the document begins, in bytes of uncompressed input
	Err    error  // what is wrong; often a [*policy.SyntaxError], whose own offset counts from there
	// Skippable reports whether the place where the next document begins is
	// known, so that reading can go on behind this one.
	Skippable bool
}

// Error returns the input, the place and what is wrong there, in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: document at byte %d: %v", e.Name, e.Offset, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

package cli

import (
	"fmt"
	"io"
)

// An Output is standard output, which remembers whether all of it was written.
type Output struct {
	w   io.Writer
	err error
}

// NewOutput returns the Output to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w} }

// Write writes to the output. After an error it writes nothing more.
func (o *Output) Write(b []byte) (n int, err error) {
	if o.err == nil {
		if n, err = o.w.Write(b); err != nil {
			o.err = fmt.Errorf("standard output: %w", err)
		}
	}
	return n, o.err
}

// Err returns the first error of writing.
func (o *Output) Err() error { return o.err }

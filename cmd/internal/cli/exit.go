package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// An ExitCode is the exit status of the process.
type ExitCode int

// Exit codes of commands without codes of their own.
const (
	ExitOK          ExitCode = 0   // done
	ExitInput       ExitCode = 1   // the input is missing, malformed or refused, or the output cannot be written
	ExitUsage       ExitCode = 2   // the command line is wrong
	ExitIncomplete  ExitCode = 3   // the result is incomplete, because documents or collections were left out
	ExitFindings    ExitCode = 4   // the audit has findings, or the condition of --fail-if holds
	ExitInterrupted ExitCode = 130 // stopped by Ctrl-C or SIGTERM
)

// Exit codes that only ttl conform uses.
const (
	ExitNonconformant ExitCode = 1 // the implementation does not do what it claims
	ExitUnable        ExitCode = 3 // the implementation did not answer
	ExitStale         ExitCode = 4 // a check that is listed as a known failure passes
)

// ExitDifferences is the code of ttl plan for a database that differs from its policy
// file, the code that terraform plan -detailed-exitcode uses. A wrong command line of ttl
// plan gives [ExitInput], as with terraform, so that a misspelt flag does not look like a
// difference.
const ExitDifferences ExitCode = 2

// A coded is an error with its own exit code.
type coded struct {
	error
	code ExitCode
}

func (e coded) Unwrap() error { return e.error }

// WithExit returns err with the exit code c. WithExit(c, nil) is nil.
func WithExit(c ExitCode, err error) error {
	if err == nil {
		return nil
	}
	return coded{err, c}
}

// Usagef returns an error about the command line.
func Usagef(format string, args ...any) error {
	return WithExit(ExitUsage, fmt.Errorf(format, args...))
}

// ExitSilently returns an error without a text. A command that has written all its output
// returns the error to end the process with c.
func ExitSilently(c ExitCode) error { return WithExit(c, errors.New("")) }

// ExitCodeOf returns the code for err: [ExitOK] for nil, and [ExitInput] unless err, or an
// error that it wraps, was made by [WithExit].
func ExitCodeOf(err error) ExitCode {
	var c coded
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &c):
		return c.code
	}
	return ExitInput
}

// maxErrorLine is the maximum length of the line of an error, in bytes.
const maxErrorLine = 16 << 10

// ErrorLine returns err's text as one line. It shortens a text of more than maxErrorLine
// bytes. Treat the line as text from outside, because the error may quote such text.
func ErrorLine(err error) string {
	return strings.Join(strings.Fields(syntax.Clip(err.Error(), maxErrorLine)), " ")
}

// Package exit is the one place that knows what the tool's exit codes mean.
//
// A command returns an error made here when it knows better than the code that
// any error gets, [Input].
package exit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/words"
)

// A Code is what the process ends with.
type Code int

// The codes.
const (
	OK          Code = 0   // done
	Input       Code = 1   // something given to read is missing, malformed or refused
	Usage       Code = 2   // the command line is wrong
	Incomplete  Code = 3   // done, but documents were skipped: the result is not the whole
	Findings    Code = 4   // done, and the audit found what is wrong
	Interrupted Code = 130 // stopped by Ctrl-C or SIGTERM
)

// The codes of ttl conform.
const (
	Nonconformant Code = 1 // the implementation does not do what it claims
	Unable        Code = 3 // the implementation could not be asked
	Stale         Code = 4 // a known failure passes
)

// A meaning is what a code says.
type meaning struct {
	code Code
	text string
}

// codes are all codes with their meaning, for the help.
var codes = []meaning{
	{OK, "done"},
	{Input, "a file, a document or a policy cannot be read or is refused"},
	{Usage, "the command line is wrong"},
	{Incomplete, "done, but documents were skipped: the result is not the whole"},
	{Findings, "done, and the audit found something graver than harmless"},
	{Interrupted, "stopped by Ctrl-C or SIGTERM"},
}

var conformCodes = []meaning{
	{OK, "done; what was judged does what it claims, or nothing but its known failures"},
	{Nonconformant, "what was judged does not do what it claims, or a file cannot be read"},
	{Usage, "the command line is wrong"},
	{Unable, "the program could not be asked, so nothing can be said"},
	{Stale, "a known failure passes; take it off the ledger"},
	{Interrupted, "stopped by Ctrl-C or SIGTERM"},
}

// Help returns the codes and what they mean, a line each.
func Help() string { return help(codes) }

// ConformHelp is [Help] for ttl conform.
func ConformHelp() string { return help(conformCodes) }

func help(codes []meaning) string {
	var b strings.Builder
	for _, c := range codes {
		fmt.Fprintf(&b, "  %3d  %s\n", c.code, c.text)
	}
	return b.String()
}

// coded is an error that chose its code.
type coded struct {
	error
	code Code
}

func (e coded) Unwrap() error { return e.error }

// With returns err with a code of its own. With(c, nil) is nil.
func With(c Code, err error) error {
	if err == nil {
		return nil
	}
	return coded{err, c}
}

// Usagef returns an error about the command line.
func Usagef(format string, args ...any) error {
	return With(Usage, fmt.Errorf(format, args...))
}

// Quietly returns an error that ends the process with c and has nothing to say
// beyond what was written already: its text is empty.
func Quietly(c Code) error { return With(c, errors.New("")) }

// CodeOf returns the code for err: [OK] for nil, [Input] unless err, or what it
// wraps, came with another.
func CodeOf(err error) Code {
	var c coded
	switch {
	case err == nil:
		return OK
	case errors.As(err, &c):
		return c.code
	}
	return Input
}

// Line returns err's text as one line, however many it has. Names from outside
// may be in it, so nothing of it is for a terminal to obey.
func Line(err error) string {
	return words.Visible(strings.Join(strings.Fields(err.Error()), " "))
}

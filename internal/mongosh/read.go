package mongosh

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Call is one statement of a script: a method with its arguments, or a value
// by itself, which has no Method and one argument.
type Call struct {
	Method string // "createIndex" of db.logs.createIndex(…)
	On     string // "db.logs", what the method is called on
	Args   []policy.Value
	// Keywords are the arguments with a name, as Python has them; only
	// [ParseProgram] reads such.
	Keywords policy.D
	At, End  int // where it begins and ends, in bytes
}

// A Script is what Parse reads.
type Script struct {
	Calls []Call
	Notes []Note // in the order of the text
	// Unread is what [ParseProgram] passed over.
	Unread []Unread
}

// An Unread is a part of a program that was passed over.
type Unread struct {
	Text string
	At   int // where it begins, in bytes
	// IsValue tells that it stands where a value may, and was taken for Code.
	IsValue bool
}

// A Note says that a value is another than who wrote it may think.
type Note struct {
	At   int // where the value begins, in bytes
	Text string
}

// A SyntaxError says what Parse could not read, and where.
type SyntaxError struct {
	Offset int // in bytes
	Err    error
}

// Error returns the offset and the reason.
func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %v", e.Offset, e.Err) }

// Unwrap returns e.Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// ErrTooLong is wrapped by the error for a text of more than MaxText bytes.
var ErrTooLong = fmt.Errorf("longer than %d KiB", MaxText>>10)

// MaxText is how much Parse reads.
const MaxText = 256 << 10

// Parse reads values as people write them in the shell of MongoDB, and calls
// of methods with such values: unquoted names, either kind of quotes, comments,
// ISODate("…"), NumberLong("…"), new Date(…) and their like. It reads no
// expressions beyond products of numbers, and runs nothing. Extended JSON, also
// within, is read as such.
//
// A whole number is an int32 if it fits and a double if not, as JavaScript has
// it; one with a point or an exponent is a double. A time without a zone is in
// UTC, whatever the machine's is, and new Date() is now; Date() without new is a
// string, which a [Note] says. The error is a [*SyntaxError].
func Parse(text string, now policy.Instant) (Script, error) {
	r := &reader{src: text, now: now}
	calls, err := r.script()
	if err != nil {
		return Script{}, err
	}
	return Script{Calls: calls, Notes: r.notes}, nil
}

// ParseValue is Parse for one value. Text that is Extended JSON as a whole is
// read by its rules, which tell an int64 from a double.
func ParseValue(text string, now policy.Instant) (policy.Value, []Note, error) {
	if len(text) <= MaxText {
		if v, err := policy.ParseExtJSON([]byte(text)); err == nil {
			return v, nil, nil
		}
	}
	s, err := Parse(text, now)
	switch calls := s.Calls; {
	case err != nil:
	case len(calls) == 0:
		err = &SyntaxError{len(text), errors.New("nothing is written here")}
	case len(calls) > 1:
		err = &SyntaxError{calls[1].At, errors.New("one value is enough")}
	case calls[0].Method != "":
		err = &SyntaxError{calls[0].At, fmt.Errorf("want a value, not a call of %s", calls[0].Method)}
	default:
		return calls[0].Args[0], s.Notes, nil
	}
	return policy.Value{}, nil, err
}

// A reader reads a script from src[at:].
type reader struct {
	src   string
	at    int
	depth int
	now   policy.Instant
	notes []Note
	// program is for the syntax beyond the shell's; calls and unread are then
	// what was found, and what was passed over, and again counts the bytes that
	// were read in vain.
	program bool
	again   int
	calls   []Call
	unread  []Unread
}

func (r *reader) note(at int, text string) { r.notes = append(r.notes, Note{at, text}) }

func (r *reader) fail(at int, format string, args ...any) error {
	return &SyntaxError{at, fmt.Errorf(format, args...)}
}

// check returns an error if the text is too long, or none.
func (r *reader) check() error {
	if len(r.src) > MaxText {
		return &SyntaxError{MaxText, ErrTooLong}
	}
	if i := strings.IndexFunc(r.src, func(c rune) bool { return c == utf8.RuneError }); i >= 0 && !utf8.ValidString(r.src) {
		return r.fail(i, "no text in UTF-8")
	}
	return nil
}

// script reads statements up to the end.
func (r *reader) script() (calls []Call, err error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	for {
		if err := r.space(); err != nil {
			return nil, err
		}
		switch {
		case r.at == len(r.src):
			return calls, nil
		case r.next(";"):
			continue
		}
		call, err := r.statement()
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
}

// statement reads db.name.method(…) or a value.
func (r *reader) statement() (Call, error) {
	at := r.at
	if !r.nextWord("db") {
		v, err := r.value()
		return Call{Args: []policy.Value{v}, At: at, End: r.at}, err
	}
	call := Call{At: at}
	for {
		if err := r.space(); err != nil {
			return call, err
		}
		switch dot := r.at; {
		case r.next("."):
			if err := r.space(); err != nil {
				return call, err
			}
			call.On = strings.TrimSpace(r.src[at:dot])
			if call.Method = r.identifier(); call.Method == "" {
				return call, r.unexpected("a name")
			}
			call.Args = nil
		case r.next("("):
			args, err := r.list(")")
			if err != nil {
				return call, err
			}
			if call.Args, call.End = args, r.at; args == nil {
				call.Args = []policy.Value{}
			}
		case call.Args == nil:
			return call, r.unexpected("a call such as db.logs.createIndex(…)")
		default:
			return call, nil
		}
	}
}

// list reads values up to the end of an array or of arguments, whose beginning
// is read. A comma may follow the last.
func (r *reader) list(end string) (values []policy.Value, err error) {
	for {
		if err := r.space(); err != nil {
			return nil, err
		}
		if r.next(end) {
			return values, nil
		}
		v, err := r.element()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
		if err := r.separator(end); err != nil {
			return nil, err
		}
	}
}

// element reads a value within another.
func (r *reader) element() (policy.Value, error) {
	if r.program {
		return r.expression()
	}
	return r.value()
}

// separator reads a comma, or looks at the end of what it separates.
func (r *reader) separator(end string) error {
	if err := r.space(); err != nil {
		return err
	}
	if r.next(",") || strings.HasPrefix(r.src[r.at:], end) {
		return nil
	}
	return r.unexpected(`"," or "` + end + `"`)
}

// unexpected says what stands where something else was wanted.
func (r *reader) unexpected(want string) error {
	if r.at == len(r.src) {
		return r.fail(r.at, "the text ends here; want %s", want)
	}
	c, _ := utf8.DecodeRuneInString(r.src[r.at:])
	return r.fail(r.at, "want %s, not %q", want, c)
}

// next reads a token if it is there.
func (r *reader) next(token string) bool {
	if !strings.HasPrefix(r.src[r.at:], token) {
		return false
	}
	r.at += len(token)
	return true
}

// nextWord reads a word if it is there as a whole.
func (r *reader) nextWord(word string) bool {
	start := r.at
	if r.identifier() == word {
		return true
	}
	r.at = start
	return false
}

// identifier reads a name of JavaScript, "" if there is none.
func (r *reader) identifier() string {
	start := r.at
	for r.at < len(r.src) && isNamePart(r.src[r.at], r.at > start) {
		r.at++
	}
	return r.src[start:r.at]
}

func isNamePart(c byte, digit bool) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80 || digit && '0' <= c && c <= '9'
}

// space skips white space and comments.
func (r *reader) space() error {
	for r.at < len(r.src) {
		rest := r.src[r.at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.at++
		case strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\u2028"), strings.HasPrefix(rest, "\ufeff"):
			_, n := utf8.DecodeRuneInString(rest)
			r.at += n
		case strings.HasPrefix(rest, "//"), r.program && c == '#':
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			r.at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				return r.fail(r.at, "this comment has no end")
			}
			r.at += n + 2
		default:
			return nil
		}
	}
	return nil
}

package mongosh

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Call is a statement of a script: a method with its arguments, or a single value,
// which is the only argument of a Call without a Method.
type Call struct {
	Method string // "createIndex" of db.logs.createIndex(…)
	On     string // "db.logs", the expression before the method
	Args   []policy.Value
	// Keywords are named arguments of Python, which only [Calls] reads.
	Keywords policy.D
	// IsLiteral means that the call holds no expression: no part of it is evaluated elsewhere.
	// The calls that [Parse] returns are literal, and do not set it.
	IsLiteral bool
	At, End   int // offsets of its start and end, in bytes
}

// A Script is the result of Parse.
type Script struct {
	Calls []Call
	Notes []Note // in the order of the text
}

// A Note says that a value differs from the value that its author may expect.
type Note struct {
	At   int // offset of the value, in bytes
	Text string
}

// A SyntaxError says which text Parse could not read, and where.
type SyntaxError struct {
	Offset int // in bytes
	Err    error
}

// Error returns the offset and the reason.
func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %v", e.Offset, e.Err) }

// Unwrap returns e.Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Shift adds a number of bytes to the offset of a [*SyntaxError], for an error about a
// part of a text. It returns any other error unchanged.
func Shift(err error, by int) error {
	if s := (*SyntaxError)(nil); errors.As(err, &s) {
		return &SyntaxError{max(s.Offset+by, 0), s.Err}
	}
	return err
}

// ErrTooLong is wrapped by the error for a text of more than MaxText bytes.
var ErrTooLong = fmt.Errorf("the text is longer than %d KiB", MaxText>>10)

// MaxText is the maximum length of a text that Parse reads, in bytes.
const MaxText = 256 << 10

// Parse reads values as people write them in the shell of MongoDB, and calls of methods
// with such values: unquoted names, either kind of quotes, comments, ISODate("…"),
// NumberLong("…"), new Date(…) and their like. It reads no expressions beyond products
// of numbers, and runs nothing. Extended JSON is read as such, also within other
// values. If a name is repeated the last member counts, and a [Note] says so.
//
// A whole number is an int32 if it fits and a double if not, as in JavaScript; a number
// with a point or an exponent is a double. A time without a zone is in UTC, whatever the
// machine's zone is, and new Date() is now; Date() without new is a string, which a
// [Note] says. The error is a [*SyntaxError].
func Parse(text string, now policy.Instant) (s Script, err error) {
	r := &reader{src: text, now: now}
	err = r.try(func() {
		r.check()
		for r.space(); r.at < len(r.src); r.space() {
			if !r.next(";") {
				r.calls = append(r.calls, r.statement())
			}
		}
		s = Script{Calls: r.calls, Notes: r.notes}
	})
	return s, err
}

// ParseValue is Parse for a single value. If the whole text is Extended JSON, ParseValue
// follows the rules of Extended JSON, which distinguish an int64 from a double.
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
		err = &SyntaxError{len(text), errors.New("the text holds no value")}
	case len(calls) > 1:
		err = &SyntaxError{calls[1].At, errors.New("want one value, found a second")}
	case calls[0].Method != "":
		err = &SyntaxError{calls[0].At, fmt.Errorf("want a value, not a call of %s", calls[0].Method)}
	default:
		return calls[0].Args[0], s.Notes, nil
	}
	return policy.Value{}, nil, err
}

// A reader reads a script from src[at:]. If the text is wrong, its methods panic with a
// [*SyntaxError], which [reader.try] returns.
type reader struct {
	src   string
	at    int
	depth int
	now   policy.Instant
	notes []Note
	calls []Call
	// program means that the syntax goes beyond the shell's, as [Calls] reads it. Then left is
	// the number of bytes that may still be looked at, and the rest is about the present call.
	program   bool
	left      int
	isLoose   bool // an expression was read
	isPHP     bool // an array of PHP was read
	hasDollar bool // a text holds a sign that PHP replaces by a variable
}

func (r *reader) note(at int, text string) { r.notes = append(r.notes, Note{at, text}) }

// try calls read. If read panics with a [*SyntaxError], try returns that error.
func (r *reader) try(read func()) (err error) {
	defer func() {
		switch wrong := recover().(type) {
		case nil:
		case *SyntaxError:
			err = wrong
		default:
			panic(wrong)
		}
	}()
	read()
	return nil
}

func (r *reader) fail(at int, format string, args ...any) {
	panic(&SyntaxError{at, fmt.Errorf(format, args...)})
}

// check fails if the text is too long, or not UTF-8.
func (r *reader) check() {
	if len(r.src) > MaxText {
		panic(&SyntaxError{MaxText, ErrTooLong})
	}
	if i := strings.IndexFunc(r.src, func(c rune) bool { return c == utf8.RuneError }); i >= 0 && !utf8.ValidString(r.src) {
		r.fail(i, "this is not text in UTF-8")
	}
}

// enter increments the depth, and fails at the limit, beyond which BSON cannot nest
// either.
func (r *reader) enter(at int) {
	if r.depth++; r.depth > policy.MaxDepth {
		panic(&SyntaxError{at, policy.ErrTooDeep})
	}
}

// statement reads db.name.method(…) or a value.
func (r *reader) statement() Call {
	call := Call{At: r.at}
	if !r.nextWord("db") {
		call.Args = []policy.Value{r.value()}
		call.End = r.at
		return call
	}
	for {
		r.space()
		switch dot := r.at; {
		case r.next("."):
			r.space()
			call.On = strings.TrimSpace(r.src[call.At:dot])
			if call.Method = r.identifier(); call.Method == "" {
				r.unexpected("a name")
			}
			call.Args = nil
		case r.next("("):
			call.Args = append([]policy.Value{}, r.list(")")...)
			call.End = r.at
		case call.Args == nil:
			r.unexpected("a call such as db.logs.createIndex(…)")
		default:
			return call
		}
	}
}

// list reads values up to the end of an array or of arguments, after the
// opening bracket. A comma may follow the last value.
func (r *reader) list(end string) (values []policy.Value) {
	for r.space(); !r.next(end); r.space() {
		if r.program {
			values = append(values, r.expression())
		} else {
			values = append(values, r.value())
		}
		r.separator(end)
	}
	return values
}

// separator reads a comma, or stops before the closing bracket.
func (r *reader) separator(end string) {
	if r.space(); !r.next(",") && !strings.HasPrefix(r.src[r.at:], end) {
		r.unexpected(`"," or "` + end + `"`)
	}
}

func (r *reader) want(token string) {
	if !r.next(token) {
		r.unexpected(`"` + token + `"`)
	}
}

// unexpected fails with the text found in place of the wanted one.
func (r *reader) unexpected(want string) {
	if r.at == len(r.src) {
		r.fail(r.at, "the text ends here; want %s", want)
	}
	c, _ := utf8.DecodeRuneInString(r.src[r.at:])
	r.fail(r.at, "want %s, not %q", want, c)
}

// next reads a token if it is the next one, and reports whether it is.
func (r *reader) next(token string) bool {
	if !strings.HasPrefix(r.src[r.at:], token) {
		return false
	}
	r.at += len(token)
	return true
}

// nextWord reads a word if it is the next whole word, and reports whether it is.
func (r *reader) nextWord(word string) bool {
	start := r.at
	if r.identifier() == word {
		return true
	}
	r.at = start
	return false
}

// identifier reads a name of JavaScript; "" if there is none.
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
func (r *reader) space() {
	for r.at < len(r.src) {
		rest := r.src[r.at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.at++
		case strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\u2028"), strings.HasPrefix(rest, "\ufeff"):
			_, n := utf8.DecodeRuneInString(rest)
			r.at += n
		case strings.HasPrefix(rest, "//"), r.program && c == '#':
			line, _, _ := strings.Cut(rest, "\n")
			r.at += len(line)
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				r.left -= len(rest)
				r.fail(r.at, "this comment has no end")
			}
			r.at += 2 + n + 2
		default:
			return
		}
	}
}

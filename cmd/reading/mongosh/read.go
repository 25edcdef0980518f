package mongosh

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
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
	if r.depth++; r.depth > syntax.MaxDepth {
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

// ErrTooMuch is returned by [Calls] for a text that would have to be read many times.
var ErrTooMuch = errors.New("too much to read: calls are nested too often")

// maxTouched bounds the bytes that [Calls] looks at, for each byte of the text.
const maxTouched = 16

// Calls returns the calls of the given methods in a program of JavaScript, TypeScript,
// Python or PHP, wherever they stand outside of comments and texts. Arguments are read as by
// [Parse], and also in the notation of Python, (1, 2) and name=value, and in that of PHP,
// ['name' => 1]. It evaluates no names and no expressions: such a value is of kind Code, with
// its text, and [Call.IsLiteral] is false. It runs nothing.
//
// The error is a [*SyntaxError] for a text that is too long, or that is not text, and wraps
// [ErrTooMuch] if the reader gives up.
func Calls(text string, now policy.Instant, isRead func(method string) bool) (Script, error) {
	r := &reader{src: text, now: now, program: true, left: maxTouched * (len(text) + 1)}
	if err := r.try(r.check); err != nil {
		return Script{}, err
	}
	for r.at < len(r.src) && r.left > 0 {
		r.pass(isRead)
	}
	if r.left <= 0 {
		return Script{}, &SyntaxError{min(r.at, len(text)), ErrTooMuch}
	}
	return Script{r.calls, r.notes}, nil
}

// Loose reads one object or array, or several values with commas between them, that may hold
// expressions, as a schema of mongoose does. An expression is a value of kind Code.
func Loose(text string, now policy.Instant) (c Call, notes []Note, err error) {
	r := &reader{src: text, now: now, program: true, left: maxTouched * (len(text) + 1)}
	err = r.try(func() {
		r.check()
		r.space()
		if strings.IndexByte("{[\"'", r.peek()) < 0 {
			r.unexpected("an object or an array")
		}
		for c.At = r.at; r.at < len(r.src); r.space() {
			c.Args = append(c.Args, r.value())
			c.End = r.at
			if r.space(); !r.next(",") {
				break
			}
		}
		r.next(";")
		if r.space(); r.at < len(r.src) {
			r.unexpected("the end")
		}
	})
	c.IsLiteral = !r.isLoose
	return c, r.notes, err
}

// pass reads one chain of names and calls, or skips a comment, a text, or one character.
func (r *reader) pass(isRead func(string) bool) {
	start := r.at
	switch c := r.src[r.at]; {
	case c == '"' || c == '\'' || c == '`':
		r.skipText()
	case isNamePart(c, false):
		r.chain(isRead)
	case '0' <= c && c <= '9':
		for r.at < len(r.src) && isNamePart(r.src[r.at], true) {
			r.at++
		}
	default:
		if r.try(r.space) != nil { // a comment without an end
			r.at = len(r.src)
		} else if r.at == start {
			r.at++
		}
	}
	r.left -= r.at - start
}

// skipText skips a text between quotes, or between three quotes of Python. A text that does
// not end on its line ends with the line, unless its quotes are those of a text of several
// lines: then it ends with the program.
func (r *reader) skipText() {
	quote := r.src[r.at : r.at+1]
	if long := strings.Repeat(quote, 3); quote != "`" && strings.HasPrefix(r.src[r.at:], long) {
		quote = long
	}
	for r.at += len(quote); r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\\':
			r.at = min(r.at+1, len(r.src)-1)
		case c == '\n' && len(quote) == 1 && quote != "`":
			return
		case strings.HasPrefix(r.src[r.at:], quote):
			r.at += len(quote)
			return
		}
	}
}

// accessors are the methods that name a database or a collection by their first argument.
var accessors = []string{"db", "getSiblingDB", "getDB", "selectDatabase", "get_database", "collection", "getCollection", "selectCollection", "get_collection"}

// chain reads names that are joined by dots, as in db.getCollection("logs").createIndex, and
// the calls of accessors and of methods that are read. It stops before anything else, so that
// it never evaluates an expression.
func (r *reader) chain(isRead func(string) bool) {
	start, dot := r.at, r.at
	method := r.identifier()
	for {
		name := r.at
		if isRead(method) || slices.Contains(accessors, method) {
			r.typeArguments()
		}
		at := r.at
		switch {
		case r.try(r.space) != nil:
			r.at = len(r.src)
			return
		case r.next("("):
			on := ""
			if dot > start {
				on = strings.TrimSpace(r.src[start:dot])
			}
			if !r.call(Call{Method: method, On: on, At: start}, isRead) {
				return
			}
			method = ""
		case at == r.at && method != "" && r.peek() == '[' && r.index():
			method = ""
		case r.next("?."), r.next("->"), r.next("."):
			dot = name
			if r.try(r.space) != nil {
				r.at = len(r.src)
				return
			}
			if method = r.identifier(); method == "" {
				return
			}
		default:
			r.at = at
			return
		}
	}
}

// index reads ["name"], and reports whether it did.
func (r *reader) index() bool {
	begin := r.mark()
	err := r.try(func() { r.bracketed() })
	if err != nil {
		r.reset(begin)
	}
	return err == nil
}

// call reads the arguments of a call, after the opening parenthesis. It reports false if the
// chain ends here: then the calls among the arguments come next.
func (r *reader) call(c Call, isRead func(string) bool) bool {
	wanted := isRead(c.Method)
	if c.Method == "" || !wanted && !slices.Contains(accessors, c.Method) {
		return false
	}
	begin := r.mark()
	r.isLoose, r.isPHP, r.hasDollar = false, false, false
	err := r.try(func() { c.Args, c.Keywords = r.arguments() })
	c.End, c.IsLiteral = r.at, !r.isLoose && !(r.isPHP && r.hasDollar)
	if err == nil && !wanted && c.IsLiteral {
		r.notes = r.notes[:begin.notes]
		return true
	}
	if err == nil && wanted {
		r.calls = append(r.calls, c)
		if c.IsLiteral {
			return true
		}
	}
	r.left -= r.at - begin.at
	r.at, r.depth = begin.at, 0
	return false
}

// A mark is a place to which a reader may return.
type mark struct{ at, depth, notes int }

func (r *reader) mark() mark { return mark{r.at, r.depth, len(r.notes)} }

func (r *reader) reset(m mark) {
	r.left -= r.at - m.at
	r.at, r.depth, r.notes = m.at, m.depth, r.notes[:m.notes]
}

// expression reads a value that ends with a comma or a bracket. Any other text in its
// place is Code.
func (r *reader) expression() policy.Value { return r.expressionBefore("") }

// expressionBefore is expression for a value that may also end before a sign.
func (r *reader) expressionBefore(sign string) (v policy.Value) {
	r.space()
	begin := r.mark()
	err := r.try(func() {
		if r.peek() == '(' {
			v = r.tuple()
		} else {
			v = r.value()
		}
		r.space()
	})
	if err == nil && (r.at == len(r.src) || isEnd(r.src[r.at]) || sign != "" && strings.HasPrefix(r.src[r.at:], sign)) {
		return v
	}
	r.reset(begin)
	end := r.endOfExpression()
	text := strings.TrimSpace(r.src[r.at:end])
	r.at = end
	if name := strings.TrimPrefix(text, "pymongo."); name != "ASCENDING" && name != "DESCENDING" { // either makes the same TTL index
		r.isLoose = true
	}
	return valuefunc.F.RareValue(policy.Code, text)
}

func isEnd(c byte) bool { return strings.IndexByte(",;)]}", c) >= 0 }

// endOfExpression returns the place of the comma or bracket that ends an
// expression.
func (r *reader) endOfExpression() int {
	begin := r.mark()
	defer func() { r.reset(begin) }()
	for depth := 0; ; {
		r.space()
		if r.at == len(r.src) {
			r.unexpected(`","`)
		}
		if r.at-begin.at > r.left {
			panic(&SyntaxError{r.at, ErrTooMuch})
		}
		switch c := r.src[r.at]; {
		case c == '"' || c == '\'' || c == '`':
			r.skipText()
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case isEnd(c) && depth == 0:
			if r.at == begin.at {
				r.unexpected("a value")
			}
			return r.at
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		_, n := utf8.DecodeRuneInString(r.src[r.at:])
		r.at += n
	}
}

// tuple reads values between parentheses. It returns a single value without a comma
// unchanged.
func (r *reader) tuple() policy.Value {
	r.at++
	r.enter(r.at)
	values := r.list(")")
	r.depth--
	before := strings.TrimRight(r.src[:r.at-1], " \t\r\n")
	if len(values) == 1 && !strings.HasSuffix(before, ",") {
		return values[0]
	}
	return policy.ListValue(policy.A(values))
}

// members reads the elements of an array of a program up to its end. Elements with names make
// an object, as in PHP: ['name' => 1].
func (r *reader) members(end string) policy.Value {
	var o object
	var list policy.A
	for r.space(); !r.next(end); r.space() {
		at := r.at
		v := r.expressionBefore("=>")
		if r.space(); r.next("=>") {
			name, ok := v.AsString()
			if !ok {
				r.fail(at, "want a string before =>")
			}
			r.isPHP = true
			o.set(policy.E{Key: name, Value: r.expression()})
		} else {
			list = append(list, v)
		}
		r.separator(end)
	}
	switch {
	case o.fields == nil:
		return policy.ListValue(list)
	case list != nil:
		r.fail(r.at, "this array has elements with and without names")
	}
	return policy.ObjectValue(o.fields)
}

// typeArguments skips type arguments of TypeScript before a call, such as <T>.
func (r *reader) typeArguments() {
	rest := r.src[r.at:min(r.at+200, len(r.src))]
	if !strings.HasPrefix(rest, "<") {
		return
	}
	if end := strings.IndexAny(rest, "(){};\n"); end > 0 && rest[end] == '(' && strings.HasSuffix(strings.TrimSpace(rest[:end]), ">") {
		r.at += end
	}
}

// arguments reads the arguments of a call after its opening parenthesis. It returns named
// arguments separately.
func (r *reader) arguments() (args []policy.Value, keywords policy.D) {
	r.enter(r.at)
	args = []policy.Value{}
	for r.space(); !r.next(")"); r.space() {
		name := r.keyword()
		v := r.expression()
		if name == "" {
			args = append(args, v)
		} else {
			keywords = append(keywords, policy.E{Key: name, Value: v})
		}
		r.separator(")")
	}
	r.depth--
	return args, keywords
}

// keyword reads the name of an argument of Python and the sign after it.
func (r *reader) keyword() string {
	at := r.at
	name := r.identifier()
	if name != "" && r.try(r.space) == nil && !strings.HasPrefix(r.src[r.at:], "==") && !strings.HasPrefix(r.src[r.at:], "=>") && r.next("=") {
		return name
	}
	r.at = at
	return ""
}

// looseMember reads a member of an object in a program. A name alone has the value of the
// variable of this name, which is not evaluated. Anything else is skipped: ...rest, a method.
func (r *reader) looseMember() (e policy.E, ok bool) {
	begin := r.mark()
	if r.try(func() { e.Key = r.name() }) == nil {
		e.Value = r.expression()
		return e, true
	}
	r.reset(begin)
	if e.Key = r.identifier(); e.Key != "" && r.try(r.space) == nil && (r.peek() == ',' || r.peek() == '}') {
		r.reset(begin)
		e.Value = r.expression()
		return e, true
	}
	r.reset(begin)
	r.isLoose = true
	r.at = r.endOfExpression()
	return e, false
}

package mongosh

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

package mongosh

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ParseProgram reads the calls of methods in a program of JavaScript,
// TypeScript or Python, such as schema.index({at: 1}, {expireAfterSeconds: 5})
// or c.create_index("at", expireAfterSeconds=5), wherever they stand. Objects,
// lists and tuples are read as by [Parse]; an expression that is not read is a
// value of kind Code with its text. It runs nothing.
//
// Skipped parts of a program are in Script.Unread. The error is a [*SyntaxError] for a
// text that is too long, or that is not text.
func ParseProgram(text string, now policy.Instant) (Script, error) {
	r := &reader{src: text, now: now, program: true}
	if err := r.try(r.check); err != nil {
		return Script{}, err
	}
	for r.at < len(r.src) {
		if r.isSpent() || r.try(r.space) != nil {
			r.skipTo(len(r.src), false)
		} else if r.at < len(r.src) && !r.next(";") {
			r.passStatement()
		}
	}
	slices.SortStableFunc(r.calls, func(a, b Call) int { return a.At - b.At })
	return Script{r.calls, r.notes, r.unread}, nil
}

// passStatement reads the calls of one statement, or skips the line if the statement
// cannot be read.
func (r *reader) passStatement() {
	start := r.at
	r.declaration()
	begin := r.mark()
	var v policy.Value
	if r.try(func() { v = r.part() }) == nil && r.at > start {
		if v.Kind() == policy.Object || v.Kind() == policy.List {
			r.calls = append(r.calls, Call{Args: []policy.Value{v}, At: start, End: r.at})
		}
		return
	}
	r.reset(begin)
	line, _, _ := strings.Cut(r.src[r.at:], "\n")
	r.skipTo(max(r.at+len(line), start+1), false)
}

// declaration skips the words before the value of a statement: const, await, and the name
// to which the value is assigned.
func (r *reader) declaration() {
	words := []string{"const", "let", "var", "await", "return", "export", "default"}
	at := r.at
	for slices.Contains(words, r.identifier()) && r.try(r.space) == nil {
		at = r.at
	}
	r.at = at
	if r.path() != "" && r.try(r.space) == nil && r.nextSign("=", "==") && r.try(r.space) == nil {
		return
	}
	r.at = at
}

// nextSign reads a sign, unless it is the beginning of a longer sign.
func (r *reader) nextSign(sign string, others ...string) bool {
	begins := func(other string) bool { return strings.HasPrefix(r.src[r.at:], other) }
	return !slices.ContainsFunc(others, begins) && r.next(sign)
}

// A mark is a place to which a reader may return.
type mark struct{ at, depth, notes, calls, unread int }

func (r *reader) mark() mark {
	return mark{r.at, r.depth, len(r.notes), len(r.calls), len(r.unread)}
}

func (r *reader) reset(m mark) {
	r.again += r.at - m.at
	r.at, r.depth = m.at, m.depth
	r.notes, r.calls, r.unread = r.notes[:m.notes], r.calls[:m.calls], r.unread[:m.unread]
}

// isSpent reports whether too much text was read more than once. The remaining text is
// then skipped, because deeply nested text without an end could take hours.
func (r *reader) isSpent() bool { return r.again > 4*MaxText }

// skipTo skips the text up to end and notes it as unread.
func (r *reader) skipTo(end int, isValue bool) {
	if text := strings.TrimSpace(r.src[r.at:end]); text != "" {
		r.unread = append(r.unread, Unread{text, r.at, isValue})
	}
	r.at = end
}

// expression reads a value that ends with a comma or a bracket. Any other text in its
// place is Code.
func (r *reader) expression() (v policy.Value) {
	r.space()
	begin := r.mark()
	err := r.try(func() {
		v = r.part()
		r.space()
	})
	if err == nil && (r.at == len(r.src) || isEnd(r.src[r.at])) {
		return v
	}
	r.reset(begin)
	end := r.endOfExpression()
	r.skipTo(end, true)
	return policy.CodeValue(strings.TrimSpace(r.src[begin.at:end]))
}

// isEnd reports whether an expression ends before a character.
func isEnd(c byte) bool { return strings.IndexByte(",;)]}", c) >= 0 }

// endOfExpression returns the place of the comma or bracket that ends an
// expression.
func (r *reader) endOfExpression() int {
	if r.isSpent() {
		r.fail(r.at, "too much before this cannot be read")
	}
	begin := r.mark()
	defer r.reset(begin)
	for depth := 0; ; {
		r.space()
		if r.at == len(r.src) {
			r.unexpected(`","`)
		}
		switch c := r.src[r.at]; {
		case c == '"' || c == '\'':
			r.text()
			continue
		case c == '`':
			end := strings.IndexByte(r.src[r.at+1:], '`')
			if end < 0 {
				r.fail(r.at, "this string has no end")
			}
			r.at += end + 2
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

// part reads one value of a program: a value of [reader.value], a tuple, or a
// chain of names and calls, which is Code.
func (r *reader) part() policy.Value {
	switch {
	case r.peek() == '(':
		return r.tuple()
	case isNamePart(r.peek(), false):
		return r.chain()
	}
	return r.value()
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

// chain reads a constant, a constructor of the shell, or a name with the calls and
// members that follow it. It notes each call. It never reads a call in a second way, or
// nested calls would be read very often.
func (r *reader) chain() policy.Value {
	start := r.at
	if r.nextWord("new") && r.try(r.space) != nil {
		r.unexpected("a name")
	}
	at := r.at
	name := r.identifier()
	if r.isConstructor(name) {
		r.at = start
		v := r.word()
		if r.continues() {
			r.unexpected(`","`)
		}
		return v
	}
	r.at = at
	method := r.path()
	if method == "" {
		r.unexpected("a name")
	}
	for r.link(start, &method) {
	}
	return policy.CodeValue(strings.TrimSpace(r.src[start:r.at]))
}

// isConstructor reports whether a name is a constant, or the constructor in a call.
func (r *reader) isConstructor(name string) bool {
	if _, ok := constants[name]; ok {
		return !r.continues()
	}
	rest := strings.TrimLeft(r.src[r.at:], " \t\r\n")
	return makers[name] != nil && (strings.HasPrefix(rest, "(") || name == "MinKey" || name == "MaxKey") || name == "Date" && strings.HasPrefix(rest, ".now(")
}

// continues reports whether a call or a member follows.
func (r *reader) continues() bool {
	return r.at < len(r.src) && strings.IndexByte(".([", r.src[r.at]) >= 0
}

// link reads the next call or the next name of a chain. It reports false at the
// end of the chain.
func (r *reader) link(start int, method *string) bool {
	r.typeArguments()
	at := r.at
	r.space()
	switch {
	case r.next("("):
		on := strings.TrimSpace(r.src[start:at])
		on = strings.TrimRight(strings.TrimSuffix(on, *method), " \t\r\n.?")
		args, keywords := r.arguments()
		r.calls = append(r.calls, Call{Method: *method, On: on, Args: args, Keywords: keywords, At: start, End: r.at})
		return true
	case r.next("?."), r.next("."):
		r.space()
		*method = r.path()
		return *method != ""
	case at == r.at && r.peek() == '[':
		r.nested('[')
		return true
	}
	r.at = at
	return false
}

// typeArguments skips type arguments of TypeScript before a call, such as <T>.
func (r *reader) typeArguments() {
	rest := r.src[r.at:]
	if !strings.HasPrefix(rest, "<") {
		return
	}
	if end := strings.IndexAny(rest, "(){};\n"); end > 0 && rest[end] == '(' && strings.HasSuffix(strings.TrimSpace(rest[:end]), ">") {
		r.at += end
	}
}

// path reads names joined by dots and returns the last one.
func (r *reader) path() (last string) {
	for {
		last = r.identifier()
		if last == "" || !strings.HasPrefix(r.src[r.at:], ".") || r.at+1 == len(r.src) || !isNamePart(r.src[r.at+1], false) {
			return last
		}
		r.at++
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
	if name != "" && r.try(r.space) == nil && r.nextSign("=", "==", "=>") {
		return name
	}
	r.at = at
	return ""
}

// looseMember reads a member of an object in a program. A name alone has the value of the
// variable of this name. Anything else is skipped: ...rest, a method.
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
	r.skipTo(r.endOfExpression(), false)
	return e, false
}

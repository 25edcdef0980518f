package mongosh

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func (r *reader) value() policy.Value {
	r.space()
	if r.at == len(r.src) {
		r.unexpected("a value")
	}
	switch c := r.src[r.at]; {
	case c == '{' || c == '[':
		return r.nested(c)
	case c == '"' || c == '\'' || c == '`':
		return policy.StringValue(r.text())
	case c == '/':
		return r.regex()
	case c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9':
		return r.product()
	case isNamePart(c, false):
		return r.word()
	}
	r.unexpected("a value")
	return policy.Value{}
}

func (r *reader) nested(open byte) (v policy.Value) {
	at := r.at
	r.enter(at)
	r.at++
	switch {
	case open == '{':
		v = r.object(at)
	case r.program:
		v = r.members("]")
	default:
		v = policy.ListValue(policy.A(r.list("]")))
	}
	r.depth--
	return v
}

// object reads an object after its opening brace, which is at the offset at. Only type
// wrappers are read again as Extended JSON. Otherwise deep objects would be read very
// often.
func (r *reader) object(at int) policy.Value {
	var o object
	isWrapper := false
	for r.space(); !r.next("}"); r.space() {
		start := r.at
		var member policy.E
		ok := true
		if r.program {
			member, ok = r.looseMember()
		} else {
			member.Key = r.name()
			member.Value = r.value()
		}
		if r.separator("}"); !ok {
			continue
		}
		if again := o.set(member); again {
			r.note(start, fmt.Sprintf("%q is written twice; the last counts, as in the shell.", syntax.Clip(member.Key, 40)))
		}
		isWrapper = isWrapper || slices.Contains(jsontext.WrapperNames, member.Key)
	}
	if isWrapper {
		return r.wrapper(o.fields, at)
	}
	return policy.ObjectValue(o.fields)
}

// An object collects the members of a document. If a name is repeated, the last value
// counts, in the place of the first, as in JavaScript and Python.
type object struct {
	fields policy.D
	places map[string]int // the positions of names in fields
}

// set sets a member. It reports whether the member was set before.
func (o *object) set(member policy.E) (again bool) {
	i, again := o.places[member.Key]
	if again {
		o.fields[i] = member
		return true
	}
	if o.places == nil {
		o.places = map[string]int{}
	}
	o.places[member.Key] = len(o.fields)
	o.fields = append(o.fields, member)
	return false
}

func (r *reader) wrapper(d policy.D, at int) policy.Value {
	v, err := policy.ParseExtJSON(appendWrapper(nil, policy.ObjectValue(d)))
	if err == nil {
		return v
	}
	if len(d) == 1 && d[0].Key == "$date" {
		if date, ok := r.looseDate(d[0].Value, at); ok {
			return date
		}
	}
	r.fail(at, "%s: %w", d[0].Key, withoutPlace(err))
	return v
}

// looseDate reads the value of a $date in the first version of Extended JSON: a
// number of milliseconds, or a time as [dateOf] reads it.
func (r *reader) looseDate(v policy.Value, at int) (date policy.Value, ok bool) {
	if text, isText := v.AsString(); isText {
		date, err := dateOf(text)
		return date, err == nil
	}
	n, err := whole([]policy.Value{v})
	if err != nil {
		return date, false
	}
	i := policy.Instant(n)
	if n > -earliestMillis && n < earliestMillis && n != 0 {
		r.note(at, fmt.Sprintf("The number of a $date counts milliseconds since 1970, so this is %s. If it was meant in seconds, add three zeros.", i))
	}
	return policy.DateValue(i), true
}

// earliestMillis is 1973 in milliseconds and the year 5138 in seconds: a smaller number
// of milliseconds is more likely to be seconds.
const earliestMillis = 100_000_000_000

// appendWrapper appends v as Extended JSON with plain int32 numbers: wrappers hold such
// numbers in this form, and errors should show this form.
func appendWrapper(dst []byte, v policy.Value) []byte {
	if n, ok := v.AsInt64(); ok && v.Kind() == policy.Int32 {
		return strconv.AppendInt(dst, n, 10)
	}
	if v.Kind() != policy.Object {
		return policy.AppendExtJSON(dst, v)
	}
	return plainjson.AppendObject(dst, v, appendWrapper)
}

// name reads the name of a property and the colon after it.
func (r *reader) name() (name string) {
	switch c := r.peek(); {
	case c == '"' || c == '\'':
		name = r.text()
	case c == '[': // ["__proto__"]: this name cannot be written without brackets
		name = r.bracketed()
	case '0' <= c && c <= '9':
		start := r.at
		for isNamePart(r.peek(), true) {
			r.at++
		}
		name = r.src[start:r.at]
	default:
		if name = r.identifier(); name == "" {
			r.unexpected("the name of a field")
		}
	}
	r.space()
	r.want(":")
	return name
}

// bracketed reads a string between brackets.
func (r *reader) bracketed() string {
	r.at++
	r.space()
	if c := r.peek(); c != '"' && c != '\'' {
		r.unexpected("a string")
	}
	name := r.text()
	r.space()
	r.want("]")
	return name
}

// peek returns the next byte, 0 at the end.
func (r *reader) peek() byte {
	if r.at == len(r.src) {
		return 0
	}
	return r.src[r.at]
}

func (r *reader) text() string {
	start, quote := r.at, r.src[r.at]
	var b strings.Builder
	for r.at++; r.at < len(r.src); {
		switch c := r.src[r.at]; {
		case c == quote:
			r.at++
			r.checkVariables(r.src[start:r.at])
			return b.String()
		case c == '\n' && quote != '`':
			r.fail(start, "this string does not end on its line")
		case c == '\\':
			r.escape(&b)
		case c == '$' && quote == '`' && strings.HasPrefix(r.src[r.at:], "${"):
			r.fail(r.at, "an expression in a string is not read here")
		default:
			b.WriteByte(c)
			r.at++
		}
	}
	r.fail(start, "this string has no end")
	return ""
}

// checkVariables fails if a text in a program may hold an expression, as "${a}" does in PHP
// and Kotlin, and "#{a}" in Ruby.
func (r *reader) checkVariables(quoted string) {
	if !r.program || quoted[0] != '"' {
		return
	}
	if strings.Contains(quoted, "${") || strings.Contains(quoted, "{$") || strings.Contains(quoted, "#{") {
		r.fail(r.at-len(quoted), "an expression in a string is not read here")
	}
	r.hasDollar = r.hasDollar || strings.Contains(quoted, "$")
}

// simple are the escapes for a single character.
var simple = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v", '0': "\x00", '\n': ""}

func (r *reader) escape(b *strings.Builder) {
	at := r.at
	r.at++
	if r.at == len(r.src) {
		r.fail(at, "the text ends in an escape")
	}
	c := r.src[r.at]
	if c == 'x' || c == 'u' {
		r.hexEscape(b, at)
		return
	}
	_, n := utf8.DecodeRuneInString(r.src[r.at:])
	if s, ok := simple[c]; ok {
		b.WriteString(s)
	} else {
		b.WriteString(r.src[r.at : r.at+n])
	}
	r.at += n
}

// hexEscape reads \x41, \u0041 or \u{41}; the two halves of a character beyond 16 bits
// are joined.
func (r *reader) hexEscape(b *strings.Builder, at int) {
	c := r.hexDigits(at)
	if utf16.IsSurrogate(c) {
		low := rune(0)
		if strings.HasPrefix(r.src[r.at:], `\u`) {
			r.at++
			low = r.hexDigits(at)
		}
		if c = utf16.DecodeRune(c, low); c == utf8.RuneError {
			r.fail(at, `this escape is half a character; write both halves, as in \ud83d\udc4b`)
		}
	}
	b.WriteRune(c)
}

func (r *reader) hexDigits(at int) rune {
	digits, rest := 4, r.src[r.at+1:]
	if r.src[r.at] == 'x' {
		digits = 2
	} else if strings.HasPrefix(rest, "{") {
		digits = strings.IndexByte(rest, '}') - 1
		rest = rest[1:]
		r.at += 2
	}
	if digits < 1 || digits > 8 || digits > len(rest) {
		r.fail(at, "this is not an escape")
	}
	n, err := strconv.ParseUint(rest[:digits], 16, 32)
	if err != nil || n > utf8.MaxRune {
		r.fail(at, "this is not an escape")
	}
	r.at += 1 + digits
	return rune(n)
}

// product reads a number, or a product of several.
func (r *reader) product() policy.Value {
	v := r.number()
	for r.space(); r.next("*"); r.space() {
		r.space()
		v = NumberValue(floatOf(v) * floatOf(r.number()))
	}
	return v
}

func (r *reader) number() policy.Value {
	start := r.at
	sign := 1.0
	if r.next("-") {
		sign = -1
	} else {
		r.next("+")
	}
	digits := r.at
	switch {
	case r.nextWord("Infinity"):
		return policy.DoubleValue(math.Inf(int(sign)))
	case r.nextWord("NaN"):
		return policy.DoubleValue(math.NaN())
	}
	for r.at < len(r.src) && isNumberPart(r.src, r.at) {
		r.at++
	}
	f, isWhole, err := parseNumber(r.src[digits:r.at])
	switch {
	case err != nil:
		r.fail(start, "%q is %w", r.src[start:max(r.at, min(start+1, len(r.src)))], err)
	case isWhole:
		return NumberValue(sign * f)
	}
	return policy.DoubleValue(sign * f)
}

var (
	errNoNumber = errors.New("not a number")
	errOctal    = errors.New("in base 8 for JavaScript; write it without the leading zero")
)

// parseNumber returns the number that text denotes, and whether it is written as a
// whole number. The text has no sign.
func parseNumber(text string) (f float64, isWhole bool, err error) {
	hex, isHex := strings.CutPrefix(strings.ToLower(text), "0x")
	if isHex {
		n, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			return 0, false, errNoNumber
		}
		return float64(n), true, nil
	}
	if len(text) > 2 && text[0] == '0' && strings.Trim(text, "01234567") == "" {
		return 0, false, errOctal
	}
	f, err = strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "_xXpP") || text[0] > '9' {
		return 0, false, errNoNumber
	}
	return f, !strings.ContainsAny(text, ".eE"), nil
}

// isNumberPart reports whether src[i] belongs to a number; a sign belongs to it after the
// e of an exponent.
func isNumberPart(src string, i int) bool {
	c := src[i]
	if c == '+' || c == '-' {
		return src[i-1]|0x20 == 'e' && !strings.Contains(src[max(i-3, 0):i], "0x")
	}
	return c == '.' || isNamePart(c, true)
}

func floatOf(v policy.Value) float64 {
	if n, ok := v.AsInt64(); ok {
		return float64(n)
	}
	f, _ := v.AsDouble()
	return f
}

// NumberValue returns the value that the shell, and drivers of JavaScript, store for a
// number without a type: an int32 if the number is one, else a double. Minus zero is a
// double.
func NumberValue(f float64) policy.Value {
	if n := int32(f); f == float64(n) && (n != 0 || !math.Signbit(f)) {
		return policy.Int32Value(n)
	}
	return policy.DoubleValue(f)
}

func (r *reader) regex() policy.Value {
	start := r.at
	class := false
	for r.at++; r.at < len(r.src) && r.src[r.at] != '\n'; r.at++ {
		switch c := r.src[r.at]; {
		case c == '\\' && r.at+1 < len(r.src):
			r.at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			pattern := r.src[start+1 : r.at]
			r.at++
			return policy.RegexValue(pattern, r.identifier())
		}
	}
	r.fail(start, "this regular expression has no end")
	return policy.Value{}
}

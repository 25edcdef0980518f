package mongosh

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// value reads one value.
func (r *reader) value() (policy.Value, error) {
	if err := r.space(); err != nil {
		return policy.Value{}, err
	}
	if r.at == len(r.src) {
		return policy.Value{}, r.unexpected("a value")
	}
	switch c := r.src[r.at]; {
	case c == '{' || c == '[':
		return r.nested(c)
	case c == '"' || c == '\'' || c == '`':
		s, err := r.text()
		return policy.StringValue(s), err
	case c == '/':
		return r.regex()
	case c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9':
		return r.product()
	case isNamePart(c, false):
		return r.word()
	}
	return policy.Value{}, r.unexpected("a value")
}

// nested reads an object or an array. What nests too deep would not fit BSON
// either.
func (r *reader) nested(open byte) (v policy.Value, err error) {
	at := r.at
	if r.depth++; r.depth > policy.MaxDepth {
		return v, &SyntaxError{at, policy.ErrTooDeep}
	}
	r.at++
	if open == '[' {
		var list []policy.Value
		list, err = r.list("]")
		v = policy.ListValue(policy.A(list))
	} else {
		v, err = r.object(at)
	}
	r.depth--
	return v, err
}

// object reads an object whose brace is read and stands at a place.
func (r *reader) object(at int) (policy.Value, error) {
	var d policy.D
	wrapper := false
	for {
		if err := r.space(); err != nil {
			return policy.Value{}, err
		}
		if r.next("}") {
			break
		}
		member, ok, err := r.member()
		if err != nil {
			return policy.Value{}, err
		}
		if err := r.separator("}"); err != nil {
			return policy.Value{}, err
		}
		if ok {
			d = append(d, member)
			wrapper = wrapper || wrappers[member.Key]
		}
	}
	if !wrapper {
		return policy.ObjectValue(d), nil
	}
	return r.wrapper(d, at)
}

// member reads a name and its value. It reports false for what is passed over.
func (r *reader) member() (e policy.E, ok bool, err error) {
	if r.program {
		return r.looseMember()
	}
	if e.Key, err = r.name(); err != nil {
		return e, false, err
	}
	e.Value, err = r.value()
	return e, err == nil, err
}

// wrappers are the names of the type wrappers of Extended JSON. Other objects
// are not read twice, or deep ones would be read often.
var wrappers = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq("$oid $symbol $numberInt $numberLong $numberDouble $numberDecimal $binary $uuid $code $scope $timestamp $regularExpression $dbPointer $date $minKey $maxKey $undefined") {
		names[name] = true
	}
	return names
}()

// wrapper returns what a type wrapper holds.
func (r *reader) wrapper(d policy.D, at int) (policy.Value, error) {
	v, err := policy.ParseExtJSON(appendWrapper(nil, policy.ObjectValue(d)))
	if err == nil {
		return v, nil
	}
	if len(d) == 1 && d[0].Key == "$date" {
		if date, ok := r.looseDate(d[0].Value, at); ok {
			return date, nil
		}
	}
	if s := (*policy.SyntaxError)(nil); errors.As(err, &s) {
		return v, r.fail(at, "%s: %w", d[0].Key, s.Err)
	}
	return v, r.fail(at, "%s: %w", d[0].Key, err)
}

// looseDate reads what a $date holds in the first version of Extended JSON, a
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

// earliestMillis is 1973 in milliseconds and the year 5138 in seconds: what is
// smaller is likelier to be seconds.
const earliestMillis = 100_000_000_000

// appendWrapper appends v as Extended JSON with its int32 numbers plain: that
// is how wrappers hold them, and how a refusal is to name them.
func appendWrapper(dst []byte, v policy.Value) []byte {
	if n, ok := v.AsInt64(); ok && v.Kind() == policy.Int32 {
		return strconv.AppendInt(dst, n, 10)
	}
	if v.Kind() != policy.Object {
		return policy.AppendExtJSON(dst, v)
	}
	dst = append(dst, '{')
	f := v.Fields()
	for first := true; f.Next(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = append(policy.AppendExtJSON(dst, policy.StringValue(f.Name())), ':')
		dst = appendWrapper(dst, f.Value())
	}
	return append(dst, '}')
}

// name reads the name of a property and the colon after it.
func (r *reader) name() (name string, err error) {
	if r.at == len(r.src) {
		return "", r.unexpected("the name of a field")
	}
	switch c := r.src[r.at]; {
	case c == '"' || c == '\'':
		name, err = r.text()
	case c == '[':
		name, err = r.computedName()
	case '0' <= c && c <= '9':
		for r.at < len(r.src) && isNamePart(r.src[r.at], true) {
			name += string(r.src[r.at])
			r.at++
		}
	default:
		if name = r.identifier(); name == "" {
			err = r.unexpected("the name of a field")
		}
	}
	if err != nil {
		return "", err
	}
	if err := r.space(); err != nil {
		return "", err
	}
	if !r.next(":") {
		return "", r.unexpected(`":"`)
	}
	return name, nil
}

// computedName reads ["__proto__"], which cannot be written without brackets.
func (r *reader) computedName() (string, error) {
	r.at++
	if err := r.space(); err != nil {
		return "", err
	}
	if r.at == len(r.src) || r.src[r.at] != '"' && r.src[r.at] != '\'' {
		return "", r.unexpected("a string")
	}
	name, err := r.text()
	if err != nil {
		return "", err
	}
	if err := r.space(); err != nil {
		return "", err
	}
	if !r.next("]") {
		return "", r.unexpected(`"]"`)
	}
	return name, nil
}

// text reads a string between quotes of either kind.
func (r *reader) text() (string, error) {
	start, quote := r.at, r.src[r.at]
	var b strings.Builder
	for r.at++; r.at < len(r.src); {
		switch c := r.src[r.at]; {
		case c == quote:
			r.at++
			return b.String(), nil
		case c == '\n' && quote != '`':
			return "", r.fail(start, "this string does not end on its line")
		case c == '\\':
			if err := r.escape(&b); err != nil {
				return "", err
			}
		case c == '$' && quote == '`' && strings.HasPrefix(r.src[r.at:], "${"):
			return "", r.fail(r.at, "an expression in a string is not read here")
		default:
			b.WriteByte(c)
			r.at++
		}
	}
	return "", r.fail(start, "this string has no end")
}

// simple are the escapes that stand for one character.
var simple = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v", '0': "\x00", '\n': ""}

// escape reads what stands behind a backslash.
func (r *reader) escape(b *strings.Builder) error {
	at := r.at
	r.at++
	if r.at == len(r.src) {
		return r.fail(at, "the text ends in an escape")
	}
	c := r.src[r.at]
	switch c {
	case 'x', 'u':
		return r.hexEscape(b, at)
	}
	if s, ok := simple[c]; ok {
		b.WriteString(s)
		r.at++
		return nil
	}
	_, n := utf8.DecodeRuneInString(r.src[r.at:])
	b.WriteString(r.src[r.at : r.at+n])
	r.at += n
	return nil
}

// hexEscape reads \x41, \u0041 or \u{41}; two halves of a character beyond 16
// bits make one.
func (r *reader) hexEscape(b *strings.Builder, at int) error {
	digits := 4
	if r.src[r.at] == 'x' {
		digits = 2
	}
	rest := r.src[r.at+1:]
	if digits == 4 && strings.HasPrefix(rest, "{") {
		digits = strings.IndexByte(rest, '}') - 1
		rest = rest[1:]
		r.at += 2
	}
	if digits < 1 || digits > 8 || digits > len(rest) {
		return r.fail(at, "this is no escape")
	}
	n, err := strconv.ParseUint(rest[:digits], 16, 32)
	if err != nil || n > utf8.MaxRune {
		return r.fail(at, "this is no escape")
	}
	r.at += 1 + digits
	if n >= 0xD800 && n < 0xDC00 {
		if low, ok := r.lowHalf(); ok {
			n = 0x10000 + (n-0xD800)<<10 + low - 0xDC00
		}
	}
	if n >= 0xD800 && n < 0xE000 {
		return r.fail(at, "half a character")
	}
	b.WriteRune(rune(n))
	return nil
}

// lowHalf reads the second half of a character, if there is one.
func (r *reader) lowHalf() (uint64, bool) {
	rest := r.src[r.at:]
	if len(rest) < 6 || rest[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(rest[2:6], 16, 32)
	if err != nil || n < 0xDC00 || n > 0xDFFF {
		return 0, false
	}
	r.at += 6
	return n, true
}

// product reads a number, or several that are multiplied.
func (r *reader) product() (policy.Value, error) {
	v, err := r.number()
	for err == nil {
		if err = r.space(); err != nil || !r.next("*") {
			break
		}
		if err = r.space(); err != nil {
			break
		}
		var w policy.Value
		w, err = r.number()
		v = wholeOrDouble(floatOf(v) * floatOf(w))
	}
	return v, err
}

// number reads a number as JavaScript writes it, Infinity and NaN included.
func (r *reader) number() (policy.Value, error) {
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
		return policy.DoubleValue(math.Inf(int(sign))), nil
	case r.nextWord("NaN"):
		return policy.DoubleValue(math.NaN()), nil
	}
	for r.at < len(r.src) && isNumberPart(r.src, r.at) {
		r.at++
	}
	text := r.src[digits:r.at]
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		n, err := strconv.ParseUint(text[2:], 16, 64)
		if err != nil {
			return policy.Value{}, r.fail(start, "%q is no number", r.src[start:r.at])
		}
		return wholeOrDouble(sign * float64(n)), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "_xXpP") || text[0] > '9' {
		return policy.Value{}, r.fail(start, "%q is no number", r.src[start:max(r.at, min(start+1, len(r.src)))])
	}
	if strings.ContainsAny(text, ".eE") {
		return policy.DoubleValue(sign * f), nil
	}
	return wholeOrDouble(sign * f), nil
}

// isNumberPart reports whether src[i] belongs to a number; a sign does behind
// an exponent.
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

// wholeOrDouble is what the shell stores of a number without a type: an int32
// if it is one. Minus zero is none.
func wholeOrDouble(f float64) policy.Value {
	if n := int32(f); f == float64(n) && (n != 0 || !math.Signbit(f)) {
		return policy.Int32Value(n)
	}
	return policy.DoubleValue(f)
}

// regex reads /pattern/options.
func (r *reader) regex() (policy.Value, error) {
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
			return policy.RegexValue(pattern, r.identifier()), nil
		}
	}
	return policy.Value{}, r.fail(start, "this regular expression has no end")
}

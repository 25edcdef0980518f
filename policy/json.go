package policy

import (
	"bytes"
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// JSON is a raw JSON object whose syntax has been checked completely. It implements
// [Document] without decoding: members are found by walking the text. If a name occurs
// twice, the last member counts, as in JavaScript and encoding/json. Names are compared
// after decoding escapes: "\u0074tl" is ttl.
//
// An integer is an [Int32] if it fits, else an [Int64] if it fits. Every other
// number is the nearest [Double]: 20.0 and 2e1 are Doubles, -0 is the Double
// negative zero, and a number beyond the range of a Double is an infinity.
// Embedded objects and arrays are walked on access. Only text with escapes is
// copied.
//
// Decide accepts a *JSON without allocating, so a sweep can use a single variable for all
// documents. The zero JSON is an empty document.
type JSON struct {
	noJSON
	raw []byte
}

// ParseJSON checks b, which must hold exactly one object as RFC 8259 defines it, and
// returns it without copying: b must not change while the document is in use. Text must
// be UTF-8 without a byte order mark; an escape for half of a surrogate pair denotes
// U+FFFD. The error is a [*SyntaxError].
func ParseJSON(b []byte) (JSON, error) {
	object, ok := jsontext.Check(b, nil)
	if !ok {
		return JSON{}, syntaxError("JSON", jsontext.Explain(b))
	}
	return JSON{raw: object}, nil
}

// UncheckedJSON returns the object in b without checking it. Use it for text that
// [ParseJSON] has accepted before, for example when the text was stored. Without the
// check, reading and deciding together take four fifths of the time, and half of the time
// for long texts.
//
// For any other text an item may be deleted wrongly: a truncated text may lack the ttl
// that keeps the item, and a truncated number is smaller. Reading always ends, and does
// not panic. If in doubt use [ParseJSON], or the DecideJSON of an evaluator, which keeps
// malformed items.
func (functions) UncheckedJSON(b []byte) JSON { return JSON{raw: jsontext.Trim(b)} }

// Bytes returns the text from brace to brace, which must not be modified.
func (d JSON) Bytes() []byte { return d.raw }

// Field returns the last member with exactly this name.
func (d JSON) Field(name string) Value { return jsonField(d.raw, name) }

// Value returns the document as an [Object]. Its cursor yields every member,
// even one that Field does not return because a later member has the same name.
func (d JSON) Value() Value { return jsonNested(Object, d.raw) }

// jsonNested returns an Object or a List that reads its parts from checked JSON text.
func jsonNested(k Kind, raw []byte) Value { return Value{kind: k, raw: raw, low: inJSON} }

// jsonField returns the last member of a checked object with the given name.
func jsonField(raw []byte, name string) Value {
	picks := [1]jsontext.Pick{{Name: name}}
	jsontext.Find(raw, picks[:])
	return jsonValue(picks[0].Text())
}

// jsonValue returns the value of checked JSON text without surrounding space. It returns
// Missing for empty text.
func jsonValue(b []byte) Value {
	if len(b) == 0 {
		return Value{}
	}
	switch b[0] {
	case '"':
		return jsonString(b[1:max(len(b)-1, 1)])
	case '{':
		return jsonNested(Object, b)
	case '[':
		return jsonNested(List, b)
	case 'n':
		return NullValue()
	case 't', 'f':
		return BoolValue(b[0] == 't')
	}
	return jsonNumber(b)
}

// jsonString returns the String that b, the text between two quotes, denotes. Only text
// with escapes is copied.
func jsonString(b []byte) Value {
	if bytes.IndexByte(b, '\\') < 0 {
		return Value{kind: String, raw: b}
	}
	return StringValue(jsontext.Text(b))
}

// jsonNumber returns the value of a number; [JSON] describes the conversion.
func jsonNumber(b []byte) Value {
	if string(b) == "-0" {
		return DoubleValue(math.Copysign(0, -1))
	}
	if n, ok := jsontext.ParseInt64(b); ok {
		return intValue(n)
	}
	return doubleOf(b)
}

// intValue returns n as an Int32 if it fits, else as an Int64.
func intValue(n int64) Value {
	if n == int64(int32(n)) {
		return Int32Value(int32(n))
	}
	return Int64Value(n)
}

// doubleOf returns the Double nearest to a decimal number, or an infinity. ParseFloat is
// exact, and takes linear time for every exponent.
func doubleOf(b []byte) Value {
	f, _ := strconv.ParseFloat(string(b), 64)
	return DoubleValue(f)
}

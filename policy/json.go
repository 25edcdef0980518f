package policy

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// JSON is a raw JSON object whose syntax has been checked whole. It implements
// [Document] without decoding: members are found by walking the text. Where a
// name occurs twice the last counts, as for JavaScript and encoding/json.
// Names compare as what they denote: "\u0074tl" is ttl.
//
// An integer is an [Int32] if it fits, else an [Int64] if it fits. Every other
// number is the nearest [Double]: 20.0 and 2e1 are Doubles, -0 is the Double
// with a sign, and what lies beyond the range of a Double is an infinity.
// Embedded objects and arrays are walked as they are asked for. Only text with
// escapes is copied.
//
// Decide takes a *JSON without allocating, so that one variable can serve a
// whole sweep. The zero JSON is an empty document.
type JSON struct{ raw []byte }

// ParseJSON checks b, which must hold exactly one object as RFC 8259 defines
// it, and returns it without copying: b must not change while the document is
// in use. Text must be UTF-8 without a byte order mark; half of a surrogate
// pair, which only an escape can spell, denotes U+FFFD. The error is a
// [*SyntaxError].
func ParseJSON(b []byte) (JSON, error) {
	return ParseJSONPick(b, nil)
}

// ParseJSONPick is [ParseJSON] that finds what picks ask for while it checks.
// It does not allocate. If it returns an error the picks mean nothing.
func ParseJSONPick(b []byte, picks []Pick) (JSON, error) {
	reset(picks)
	s := jsonScanner{src: b, format: "JSON"}
	s.space()
	start := s.at
	if s.peek() != '{' {
		return JSON{}, s.unexpected("an object")
	}
	if err := s.checkObject(1, picks); err != nil {
		return JSON{}, err
	}
	raw := s.src[start:s.at]
	if err := s.end(); err != nil {
		return JSON{}, err
	}
	return JSON{raw}, nil
}

// Bytes returns the text from brace to brace, which must not be modified.
func (d JSON) Bytes() []byte { return d.raw }

// Field returns the last member with exactly this name.
func (d JSON) Field(name string) Value { return jsonField(d.raw, name) }

// Count returns how many members have exactly this name.
func (d JSON) Count(name string) int {
	picks := [1]Pick{{Name: name}}
	d.Pick(picks[:])
	return picks[0].Count
}

// Value returns the document as an [Object]. Its cursor yields every member,
// also those that a later one of the same name hides from Field.
func (d JSON) Value() Value { return jsonNested(Object, d.raw) }

// jsonNested returns an Object or a List that is walked in checked JSON text.
func jsonNested(k Kind, raw []byte) Value { return Value{kind: k, raw: raw, low: inJSON} }

// jsonField returns the last member of a checked object with the given name.
func jsonField(raw []byte, name string) Value {
	picks := [1]Pick{{Name: name}}
	JSON{raw}.Pick(picks[:])
	return picks[0].Value()
}

// jsonCursorOf returns a cursor before the first member or element of raw,
// which begins and ends with a bracket or is empty.
func jsonCursorOf(raw []byte) rawCursor {
	if len(raw) < 2 {
		return rawCursor{json: true}
	}
	return rawCursor{json: true, kind: bracketKind(raw[0]), rest: raw[1 : len(raw)-1]}
}

// bracketKind returns the kind of what opens with c.
func bracketKind(c byte) Kind {
	if c == '[' {
		return List
	}
	return Object
}

// stepJSON moves to the next member or element of checked text. It reports
// false at the end.
func (c *rawCursor) stepJSON() bool {
	b := c.rest
	i := skipSpace(b, 0)
	if i == len(b) {
		return false
	}
	value := i
	if c.kind == Object {
		var nameEnd int
		nameEnd, value = cutName(b, i)
		c.name = b[i+1 : nameEnd]
	}
	end := skipValue(b, value)
	c.body, c.rest = b[value:end], b[skipComma(b, end):]
	return true
}

// cutName finds the name of the member that begins with the quote b[i]: it is
// b[i+1:nameEnd], and the member's value begins at b[value].
func cutName(b []byte, i int) (nameEnd, value int) {
	i = skipText(b, i)
	return i - 1, skipSpace(b, skipSpace(b, i)+len(":"))
}

// The functions below skip a part of b, which is checked JSON text, that
// begins at b[i], and return the index of what follows.

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func skipComma(b []byte, i int) int {
	if i = skipSpace(b, i); i < len(b) && b[i] == ',' {
		i = skipSpace(b, i+1)
	}
	return i
}

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t') }

func skipValue(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipText(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	for i < len(b) && b[i] != ',' && b[i] != ']' && b[i] != '}' && !isSpace(b[i]) {
		i++
	}
	return i
}

func skipText(b []byte, i int) int {
	for i++; ; i += 2 {
		i += indexQuote(b[i:])
		if i >= len(b) || b[i] == '"' {
			return i + 1
		}
	}
}

// indexQuote returns the index of the first quote or backslash. Eight bytes
// are looked at in one go, as most texts are short; what is long is left to
// the vector instructions of package bytes.
func indexQuote(b []byte) (i int) {
	for ; len(b)-i >= 8 && i < shortText; i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		quote, escape := w^'"'*lowBits, w^'\\'*lowBits
		if found := ((quote-lowBits)&^quote | (escape-lowBits)&^escape) & highBits; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	if len(b)-i >= 8 {
		return i + indexLongQuote(b[i:])
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

const shortText = 64

func indexLongQuote(b []byte) int {
	end := bytes.IndexByte(b, '"')
	if end < 0 {
		end = len(b)
	}
	if escape := bytes.IndexByte(b[:end], '\\'); escape >= 0 {
		return escape
	}
	return end
}

func skipNested(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = skipText(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
	return i
}

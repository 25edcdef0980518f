package policy

import "bytes"

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
	s := jsonScanner{src: b, format: "JSON"}
	s.space()
	start := s.at
	if s.peek() != '{' {
		return JSON{}, s.unexpected("an object")
	}
	if err := s.checkValue(1); err != nil {
		return JSON{}, err
	}
	raw := b[start:s.at]
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
	n := 0
	for c := jsonCursorOf(d.raw); c.stepJSON(); {
		if jsonTextIs(c.name, name) {
			n++
		}
	}
	return n
}

// Value returns the document as an [Object]. Its cursor yields every member,
// also those that a later one of the same name hides from Field.
func (d JSON) Value() Value { return jsonNested(Object, d.raw) }

// jsonNested returns an Object or a List that is walked in checked JSON text.
func jsonNested(k Kind, raw []byte) Value { return Value{kind: k, raw: raw, low: inJSON} }

// jsonField returns the last member of a checked object with the given name.
func jsonField(raw []byte, name string) Value {
	var last []byte
	for c := jsonCursorOf(raw); c.stepJSON(); {
		if jsonTextIs(c.name, name) {
			last = c.body
		}
	}
	return jsonValue(last)
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
	b := skipSpace(c.rest)
	if c.kind == Object && len(b) > 0 {
		end := skipText(b)
		c.name = b[1 : end-1]
		b = skipSpace(skipByte(skipSpace(b[end:]), ':'))
	}
	if len(b) == 0 {
		return false
	}
	end := skipValue(b)
	c.body, c.rest = b[:end], skipByte(skipSpace(b[end:]), ',')
	return true
}

func skipSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skipByte returns b without the c it begins with.
func skipByte(b []byte, c byte) []byte {
	if len(b) > 0 && b[0] == c {
		return b[1:]
	}
	return b
}

// skipValue returns the length of the checked value that b begins with.
func skipValue(b []byte) int {
	switch b[0] {
	case '"':
		return skipText(b)
	case '{', '[':
		return skipNested(b)
	}
	for i, c := range b {
		if c == ',' || c == ']' || c == '}' || isSpace(c) {
			return i
		}
	}
	return len(b)
}

// skipText returns the length of the checked string that b begins with,
// quotes included.
func skipText(b []byte) int {
	for end := 1; ; {
		quote := bytes.IndexByte(b[end:], '"')
		if quote < 0 {
			return len(b)
		}
		end += quote + 1
		if !isEscaped(b[:end-1]) {
			return end
		}
	}
}

// isEscaped reports whether b ends with an odd number of backslashes.
func isEscaped(b []byte) bool {
	i := len(b)
	for i > 0 && b[i-1] == '\\' {
		i--
	}
	return (len(b)-i)%2 == 1
}

// skipNested returns the length of the checked object or array that b begins
// with.
func skipNested(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += skipText(b[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(b)
}

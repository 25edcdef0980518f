package policy

import (
	"bytes"
	"errors"

	"github.com/ttlpolicy/ttlpolicy/internal/swar"
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
	lengths, start := reset(picks), skipSpace(b, 0)
	if start < len(b) && b[start] == '{' {
		end := checkJSONObject(b, start, 1, picks, lengths)
		if end > 0 && skipSpace(b, end) == len(b) {
			return JSON{b[start:end]}, nil
		}
	}
	return JSON{}, jsonError(b)
}

// jsonError says what is wrong with b as one JSON object.
func jsonError(b []byte) error {
	s := jsonScanner{src: b, format: "JSON"}
	s.space()
	if s.peek() != '{' {
		return s.unexpected("an object")
	}
	if err := s.checkObject(1); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	return s.fail(0, errNotJSON)
}

// errNotJSON never shows: what checkJSONObject refuses a jsonScanner refuses.
var errNotJSON = errors.New("the text is not JSON")

// UncheckedJSON returns the object that b holds without checking it, for text that
// [ParseJSON] has accepted before, when it was stored, say. Picking from it takes
// four fifths of the time, from long texts half.
//
// Any other text may cost the item: what is cut off may hold the ttl that keeps
// it, and what is left of a number is a smaller number. Reading comes to an end
// even so, and does not panic. If in doubt use [ParseJSON], or the DecideJSON of
// an evaluator, which keeps what is malformed.
func UncheckedJSON(b []byte) JSON {
	start, end := skipSpace(b, 0), len(b)
	for end > start && isSpace(b[end-1]) {
		end--
	}
	if end-start < len("{}") || b[start] != '{' {
		return JSON{}
	}
	return JSON{b[start:end]}
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
		nameEnd, _, value = cutName(b, i+1)
		c.name = b[i+1 : nameEnd]
	}
	end := skipValue(b, value)
	c.body, c.rest = b[value:end], b[skipComma(b, end):]
	return true
}

// cutName finds where a name ends that goes on with b[i], unless b[i] is the
// quote after it, and where the member's value begins. Plain means that it ends
// there.
func cutName(b []byte, i int) (nameEnd int, plain bool, value int) {
	nameEnd = max(skipText(b, i)-1, i)
	return nameEnd, nameEnd == i, skipColon(b, min(nameEnd+1, len(b)))
}

// The functions below skip a part of b, which is JSON text, that begins at
// b[i], and return the index of what follows. Of other text they return some
// index from i to len(b).

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func skipColon(b []byte, i int) int {
	if i = skipSpace(b, i); i < len(b) && b[i] == ':' {
		i = skipSpace(b, i+1)
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
	if i == len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return skipText(b, i+1)
	case '{', '[':
		return skipNested(b, i)
	}
	for i++; i < len(b) && !endsScalar[b[i]]; i++ {
	}
	return i
}

var endsScalar = [256]bool{',': true, ']': true, '}': true, ' ': true, '\n': true, '\r': true, '\t': true}

// skipText skips the rest of a string, from b[i] on.
func skipText(b []byte, i int) int {
	for ; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		if i += n; b[i-1] != '\\' || !isEscaped(b, i) {
			return i + 1
		}
	}
	return len(b)
}

// skipShortText is skipText, a word at a time as far as the first.
func skipShortText(b []byte, i int) int {
	if len(b)-i >= swar.WordBytes {
		if marks := quotesAndEscapes(swar.Load(b, i)); marks != 0 {
			if end := i + swar.FirstMark(marks); b[end] == '"' {
				return end + 1
			}
		}
	}
	return skipText(b, i)
}

// isEscaped reports whether a backslash that is not escaped itself precedes
// b[i], a quote in a string.
func isEscaped(b []byte, i int) bool {
	first := i
	for first > 0 && b[first-1] == '\\' { // as far as the quote before the string
		first--
	}
	return (i-first)%2 == 1
}

func skipNested(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch brackets[b[i]] {
		case 0:
			continue
		case quoteMark:
			i = skipShortText(b, i+1) - 1
			continue
		case opening:
			depth++
		case closing:
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(b)
}

// brackets tells what a byte is to skipNested.
var brackets = [256]uint8{'"': quoteMark, '{': opening, '[': opening, '}': closing, ']': closing}

const (
	quoteMark = 1 + iota
	opening
	closing
)

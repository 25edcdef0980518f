package jsontext

import (
	"bytes"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// cutName finds the end of a name whose rest begins at b[i], and the start of
// the member's value. Plain means that the name ends at b[i].
func cutName(b []byte, i int) (nameEnd int, plain bool, value int) {
	nameEnd = max(skipText(b, i)-1, i)
	return nameEnd, nameEnd == i, skipColon(b, min(nameEnd+1, len(b)))
}

// The functions below skip the part of the JSON text b that begins at b[i], and return
// the index after this part. If b is not JSON text, they return some index from i to
// len(b).

// SkipSpace skips white space.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && IsSpace(b[i]) {
		i++
	}
	return i
}

func skipColon(b []byte, i int) int {
	if i = SkipSpace(b, i); i < len(b) && b[i] == ':' {
		i = SkipSpace(b, i+1)
	}
	return i
}

func skipComma(b []byte, i int) int {
	if i = SkipSpace(b, i); i < len(b) && b[i] == ',' {
		i = SkipSpace(b, i+1)
	}
	return i
}

// IsSpace reports whether c is white space between tokens.
func IsSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t') }

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

// skipShortText is skipText for short strings: it reads the first word in one
// step.
func skipShortText(b []byte, i int) int {
	if len(b)-i >= swar.WordBytes {
		if marks := specials(swar.Load(b, i)); marks != 0 {
			if end := i + swar.FirstMark(marks); b[end] == '"' {
				return end + 1
			}
		}
	}
	return skipText(b, i)
}

// isEscaped reports whether b[i], a quote in a string, follows a backslash that is not
// itself escaped.
func isEscaped(b []byte, i int) bool {
	first := i
	for first > 0 && b[first-1] == '\\' { // ends at the latest at the quote before the string
		first--
	}
	return (i-first)%2 == 1
}

func skipNested(b []byte, i int) int {
	if end := NestedEnd(b, i); end >= 0 {
		return end
	}
	return len(b)
}

// NestedEnd returns the end of the object or the array that begins at b[i], -1 if b ends
// before that. It counts brackets outside of texts, and checks nothing else.
func NestedEnd(b []byte, i int) int {
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
	return -1
}

// brackets classifies bytes for NestedEnd.
var brackets = [256]uint8{'"': quoteMark, '{': opening, '[': opening, '}': closing, ']': closing}

const (
	quoteMark = 1 + iota
	opening
	closing
)

// A Cursor walks the members of a checked object, or the elements of a checked
// array. The zero Cursor is at its end.
type Cursor struct {
	rest   []byte
	name   []byte
	value  []byte
	object bool
}

// CursorOf returns a cursor before the first member or element of raw, which
// begins and ends with a bracket or is empty.
func CursorOf(raw []byte) Cursor {
	if len(raw) < 2 {
		return Cursor{}
	}
	return Cursor{object: raw[0] == '{', rest: raw[1 : len(raw)-1]}
}

// Next moves to the next member or element. It reports false at the end.
func (c *Cursor) Next() bool {
	b := c.rest
	i := SkipSpace(b, 0)
	if i == len(b) {
		return false
	}
	value := i
	if c.object {
		var nameEnd int
		nameEnd, _, value = cutName(b, i+1)
		c.name = b[i+1 : nameEnd]
	}
	end := skipValue(b, value)
	c.value, c.rest = b[value:end], b[skipComma(b, end):]
	return true
}

// Name returns the undecoded text between the quotes of the current name.
func (c *Cursor) Name() []byte { return c.name }

// Value returns the undecoded text of the current value.
func (c *Cursor) Value() []byte { return c.value }

package policy

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// A Finder looks up one field in raw BSON documents that nobody has checked.
// Prepare one for a name and use it often, from any number of goroutines:
// finding does not allocate, takes time in proportion to the fields that stand
// before, and never reads outside the document. The zero Finder finds nothing
// but a field without a name. Make one with [NewFinder].
type Finder struct {
	name string
	// word is how the name and its NUL begin in a document, as far as eight
	// bytes go; mask covers what of it counts.
	word, mask uint64
}

// NewFinder returns a Finder for fields with exactly this name. A name that
// holds a NUL cannot stand in a document.
func NewFinder(name string) Finder {
	if strings.IndexByte(name, 0) >= 0 {
		return Finder{name: name, word: 1} // no word under the empty mask is 1
	}
	var first [wordBytes]byte
	copy(first[:], name)
	return Finder{
		name: name,
		word: binary.LittleEndian.Uint64(first[:]),
		mask: 1<<(8*(len(name)+1)) - 1, // all ones from seven bytes on
	}
}

const wordBytes = 8

// Find returns the first field of that name, of kind [Missing] if there is
// none. It reports false for bytes that are no document, or if it meets damage
// before it finds the field: a length that does not fit its place, an unknown
// type, a name without an end. What the fields before it hold is passed over,
// what follows is not looked at; [ParseBSON] checks a document whole.
func (f *Finder) Find(doc []byte) (Raw, bool) {
	pos := f.seek(doc)
	if pos <= 0 {
		return Raw{}, pos == notThere
	}
	kind, body := Kind(doc[pos]), pos+1+len(f.name)+1
	if kind == Date && len(doc)-body > 8 { // as bodySize says, but nearly always
		return Raw{Date, doc[body : body+8 : body+8]}, true
	}
	rest := doc[body : len(doc)-1]
	size := bodySize(kind, rest)
	if size < 0 || size > len(rest) {
		return Raw{}, false
	}
	return Raw{kind, rest[:size]}, true
}

const (
	notThere = 0
	damaged  = -1
)

// seek returns where the first element of that name begins, or one of the
// above. Between its name, whose NUL is within the document, and the end there
// may be no room for a value.
//
// The loop is long because calls in it would cost a third of its speed. Lengths
// of names and types go through switches rather than tables, so that the
// processor predicts where the next field begins instead of waiting for it.
func (f *Finder) seek(doc []byte) int {
	if !isFramed(doc) {
		return damaged
	}
	word, mask := f.word, f.mask
	pos, end := lengthBytes, len(doc)-1
	for len(doc)-pos > 1+wordBytes {
		w := binary.LittleEndian.Uint64(doc[pos+1:])
		if w&mask == word && f.isAt(doc[pos+1:end]) {
			return pos
		}
		body := pos + 1
		switch firstZero(w) {
		case 0:
			body += 1
		case 1:
			body += 2
		case 2:
			body += 3
		case 3:
			body += 4
		case 4:
			body += 5
		case 5:
			body += 6
		case 6:
			body += 7
		case 7:
			body += 8
		default:
			n := indexNUL(doc[body+wordBytes:])
			if n < 0 {
				return damaged
			}
			body += wordBytes + n + 1
		}
		switch kind := Kind(doc[pos]); kind {
		case Double, Date, Int64, Timestamp:
			pos = body + 8
		case Int32:
			pos = body + 4
		case Bool:
			pos = body + 1
		default:
			size := bodySize(kind, doc[body:])
			if size < 0 || size > end-body {
				return damaged
			}
			pos = body + size
		}
		if pos > end {
			return damaged
		}
	}
	return f.seekNearEnd(doc, pos)
}

// isAt reports whether b, whose first word is that of the name, begins with the
// name and its NUL.
func (f *Finder) isAt(b []byte) bool {
	n := len(f.name)
	return n < wordBytes || n < len(b) && b[n] == 0 && string(b[wordBytes:n]) == f.name[wordBytes:]
}

// seekNearEnd is seek among the last elements, from pos on, which are too near
// the end for a word to be read.
func (f *Finder) seekNearEnd(doc []byte, pos int) int {
	for end := len(doc) - 1; pos < end; {
		nameEnd, size := cutElement(doc[pos:end])
		switch {
		case size == 0:
			return damaged
		case string(doc[pos+1:pos+nameEnd]) == f.name:
			return pos
		}
		pos += size
	}
	return notThere
}

// isFramed reports whether b is as long as it says and ends as a document does.
func isFramed(b []byte) bool {
	return len(b) >= minDocument && int64(documentLength(b)) == int64(len(b)) && b[len(b)-1] == 0
}

// firstZero returns the position of the first byte of w that is zero, 8 if
// none is.
func firstZero(w uint64) int {
	return bits.TrailingZeros64((w-lowBits)&^w&highBits) / 8
}

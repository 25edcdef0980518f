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
//
// The loop is long because calls in it would cost a third of its speed. Lengths
// of names and types go through switches rather than tables, so that the
// processor predicts where the next field begins instead of waiting for it.
func (f *Finder) Find(doc []byte) (Raw, bool) {
	if !isFramed(doc) {
		return Raw{}, false
	}
	word, mask := f.word, f.mask
	for pos, end := lengthBytes, len(doc)-1; pos < end; {
		if len(doc)-pos <= wordBytes {
			return f.findNearEnd(doc[pos:end])
		}
		w := binary.LittleEndian.Uint64(doc[pos+1:])
		found, body := w&mask == word, pos+1
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
				return Raw{}, false
			}
			found = found && string(doc[body:body+wordBytes+n]) == f.name
			body += wordBytes + n + 1
		}
		kind := Kind(doc[pos])
		switch kind {
		case Double, Date, Int64, Timestamp:
			pos = body + 8
		case Int32:
			pos = body + 4
		case Bool:
			pos = body + 1
		default:
			size := bodySize(kind, doc[body:])
			if size < 0 || size > end-body {
				return Raw{}, false
			}
			pos = body + size
		}
		switch {
		case pos > end:
			return Raw{}, false
		case found:
			return Raw{kind, doc[body:pos]}, true
		}
	}
	return Raw{}, true
}

// findNearEnd finds among the last elements of a document, which are too near
// its end for a word to be read.
func (f *Finder) findNearEnd(b []byte) (Raw, bool) {
	for len(b) > 0 {
		nameEnd, next := cutElement(b)
		switch {
		case next == 0:
			return Raw{}, false
		case string(b[1:nameEnd]) == f.name:
			return Raw{Kind(b[0]), b[nameEnd+1 : next]}, true
		}
		b = b[next:]
	}
	return Raw{}, true
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

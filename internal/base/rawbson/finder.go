package rawbson

import (
	"encoding/binary"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// A Finder looks up one field in raw BSON documents that nobody has checked.
// Prepare one for a name and use it often, from any number of goroutines:
// finding does not allocate, takes time in proportion to the fields that precede it,
// and never reads outside the document. The zero Finder finds only a field without
// a name. Make one with [NewFinder].
type Finder struct {
	name string
	// word holds the first eight bytes of the name and its NUL, as a document has
	// them; mask covers the bytes that count.
	word, mask uint64
}

// NewFinder returns a Finder for fields with exactly this name. No document can contain a
// name with a NUL.
func NewFinder(name string) Finder {
	if strings.IndexByte(name, 0) >= 0 {
		return Finder{name: name, word: 1} // no word under the empty mask is 1
	}
	var first [swar.WordBytes]byte
	copy(first[:], name)
	return Finder{
		name: name,
		word: binary.LittleEndian.Uint64(first[:]),
		mask: 1<<(8*(len(name)+1)) - 1, // all ones from seven bytes on
	}
}

// Name returns the name that the Finder was made for.
func (f *Finder) Name() string { return f.name }

// Find returns the first field of that name, of type 0 if there is none. It reports
// false for bytes that are not a document, or if it meets damage before it finds the
// field: a length that does not fit its place, an unknown type, a name without an
// end. It skips the values of earlier fields, and reads nothing after the field;
// ParseBSON of package policy checks a whole document.
func (f *Finder) Find(doc []byte) (Value, bool) {
	if !isFramed(doc) {
		return Value{}, false
	}
	elements := doc[: len(doc)-1 : len(doc)-1]
	pos, mayBe := f.skip(elements, lengthBytes)
	if mayBe && f.isAt(elements, pos) {
		return rawAt(elements, pos, pos+1+len(f.name)+1)
	}
	return f.search(elements, pos)
}

// FindFrom is Find, starting with the element that begins at doc[at]. In a walk over
// [Elements], before the walk moves to this element, the element's index is len(doc)-1
// minus [Elements.Left]. FindFrom reports false for an index outside the document.
func (f *Finder) FindFrom(doc []byte, at int) (Value, bool) {
	if !isFramed(doc) || at < lengthBytes || at > len(doc)-1 {
		return Value{}, false
	}
	return f.search(doc[:len(doc)-1:len(doc)-1], at)
}

// search is Find from the element at pos on, at which skip has stopped.
func (f *Finder) search(elements []byte, pos int) (Value, bool) {
	for pos < len(elements) {
		nameEnd, size := cutElement(elements[pos:])
		switch {
		case size == 0:
			return Value{}, false
		case string(elements[pos+1:pos+nameEnd]) == f.name:
			return rawAt(elements, pos, pos+nameEnd+1)
		}
		pos, _ = f.skip(elements, pos+size)
	}
	return Value{}, true
}

// isAt reports whether the element at pos has the Finder's name. The first word
// of the name is known to match.
func (f *Finder) isAt(elements []byte, pos int) bool {
	n := len(f.name)
	if n < swar.WordBytes {
		return true
	}
	end := pos + 1 + n
	return end < len(elements) && elements[end] == 0 && (n == swar.WordBytes || string(elements[pos+1+swar.WordBytes:end]) == f.name[swar.WordBytes:])
}

// rawAt returns the value of the element at pos, which begins at body.
func rawAt(elements []byte, pos, body int) (Value, bool) {
	if elements[pos] == date && len(elements)-body >= 8 { // the usual case, without a call of rawOf
		return Value{date, elements[body : body+8 : body+8]}, true
	}
	return rawOf(elements[pos], elements[body:])
}

// rawOf returns the value of the given kind at the start of b.
func rawOf(kind byte, b []byte) (Value, bool) {
	size := bodySize(kind, b)
	if size < 0 || size > len(b) {
		return Value{}, false
	}
	return Value{kind, b[:size]}, true
}

// skip passes over easy elements from pos on. It stops at an element that may have the
// name, and then mayBe is true. It also stops at an element that is of a rare kind,
// damaged, or near the end, which the caller must skip.
//
// The loop is long and calls nothing, as a call would cost a third of its
// speed. Most types go through a switch rather than the table, so that the
// processor predicts how long the value is instead of waiting for it.
func (f *Finder) skip(elements []byte, pos int) (at int, mayBe bool) {
	word, mask := f.word, f.mask
	for len(elements)-pos > swar.WordBytes {
		w := swar.Load(elements, pos+1)
		if w&mask == word {
			return pos, true
		}
		body, zeros := pos+1, swar.ZeroBytes(w)
		for ; zeros == 0; zeros = swar.ZeroBytes(swar.Load(elements, body)) {
			if body += swar.WordBytes; len(elements)-body < swar.WordBytes {
				return pos, false
			}
		}
		body += swar.FirstMark(zeros) + 1
		switch elements[pos] {
		case double, date, int64Type:
			body += 8
		case int32Type:
			body += 4
		case boolean:
			body++
		case objectID:
			body += 12
		case text:
			body += lengthBytes + lengthAt(elements, body)
		default: // by bodySize, which costs a call
			switch size := bodySizes[elements[pos]]; {
			case size == 0:
				return pos, false
			case size < hasPrefix:
				body += int(size) - 1
			default:
				body += int(size-hasPrefix) + lengthAt(elements, body)
			}
		}
		if body > len(elements) {
			return pos, false
		}
		pos = body
	}
	return pos, false
}

// lengthAt returns the length prefix at b[i]. If it does not fit b, lengthAt
// returns another length that does not fit either, but is small enough for an
// int of 32 bits.
func lengthAt(b []byte, i int) int {
	if len(b)-i >= lengthBytes {
		n := binary.LittleEndian.Uint32(b[i : i+lengthBytes : i+lengthBytes])
		if uint(n) <= uint(len(b)-i) {
			return int(n)
		}
	}
	return len(b) - i + 1
}

// Package rawbson reads the bytes of unchecked BSON: it finds fields, walks arrays and
// documents, and divides dumps into documents.
//
// A [Finder] looks up one field and passes over all others by their lengths. It
// returns a [Value], which is a type and some bytes; ParseBSONValue of package
// policy checks and decodes it. Nothing here allocates, reads outside the bytes,
// or decodes what it passes over.
package rawbson

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// A Value is a value in unchecked BSON. The zero Value means a missing field.
type Value struct {
	// Type is the number of the element type in BSON, and 0 for no value. The
	// kinds of package policy have the same numbers.
	Type byte
	// Body holds exactly the bytes of the value, with the length prefix if its type has
	// one. They must not be modified.
	Body []byte
}

// AsDate returns the date v holds, in milliseconds since 1970. It reports false if
// v is not a date.
func (v Value) AsDate() (milliseconds int64, ok bool) {
	if v.Type != date || len(v.Body) < 8 {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint64(v.Body)), true
}

// AsString returns the text v holds, which must not be modified. It reports false if v is
// not a string, or lacks the NUL at a string's end.
func (v Value) AsString() ([]byte, bool) {
	end := len(v.Body) - 1
	if v.Type != text || end < lengthBytes || v.Body[end] != 0 {
		return nil, false
	}
	return v.Body[lengthBytes:end], true
}

// EarliestDate returns the earliest element of an array that holds only dates,
// in milliseconds since 1970. It reports false for any other value, and for an
// array that is empty, damaged, or holds anything else.
func (v Value) EarliestDate() (milliseconds int64, ok bool) {
	if v.Type != array || !isFramed(v.Body) {
		return 0, false
	}
	elements := elementsOf(v.Body)
	earliest, n, size := datesOf(elements)
	return earliest, n > 0 && size == len(elements)
}

// Split yields the successive raw documents in b, as in a dump, each with its
// offset. It finds them by their lengths and does not check them. If a length
// does not fit, the rest of b is yielded as one document, so that nothing is
// lost; its reader finds it damaged.
//
// Split must read the length of each document before it knows the next one. A
// caller that has the offsets, as the pages of a database do, decides about
// documents of a kilobyte and more twice as fast without Split.
func Split(b []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for rest := b[:len(b):len(b)]; len(rest) > 0; {
			doc := rest
			if n := int(documentLength(rest)); n >= minDocument && n <= len(rest) {
				doc = rest[:n:n]
			}
			if !yield(len(b)-len(rest), doc) {
				return
			}
			rest = rest[len(doc):]
		}
	}
}

// Element types, by their numbers in BSON (https://bsonspec.org/spec.html).
const (
	double    = 0x01
	text      = 0x02
	object    = 0x03
	array     = 0x04
	objectID  = 0x07
	boolean   = 0x08
	date      = 0x09
	regex     = 0x0B
	int32Type = 0x10
	int64Type = 0x12
)

const (
	lengthBytes = 4
	minDocument = lengthBytes + 1 // a length and the terminating NUL
)

// documentLength returns the length at the start of b; 0 if there is none.
func documentLength(b []byte) int32 {
	if len(b) < lengthBytes {
		return 0
	}
	return int32(binary.LittleEndian.Uint32(b))
}

// isFramed reports whether b has the length of its prefix, and ends with the NUL of a
// document.
func isFramed(b []byte) bool {
	return len(b) >= minDocument && int64(documentLength(b)) == int64(len(b)) && b[len(b)-1] == 0
}

// elementsOf returns the bytes of a framed document or array between its length
// and its NUL.
func elementsOf(raw []byte) []byte { return raw[lengthBytes : len(raw)-1] }

// cutElement finds the element at the start of b: its kind is b[0], its name
// b[1:nameEnd], its value b[nameEnd+1:end]. It returns end 0 if there is none.
// It accepts any bytes.
func cutElement(b []byte) (nameEnd, end int) {
	if len(b) < 2 {
		return 0, 0
	}
	nameEnd = 1 + indexNUL(b[1:])
	if nameEnd == 0 {
		return 0, 0
	}
	size := bodySize(b[0], b[nameEnd+1:])
	if size < 0 || size > len(b)-nameEnd-1 {
		return 0, 0
	}
	return nameEnd, nameEnd + 1 + size
}

// indexNUL is a bytes.IndexByte that is fast for a near NUL, as after most field names:
// it checks eight bytes at once.
func indexNUL(b []byte) int {
	for i := 0; len(b)-i >= 8; i += 8 {
		if zeros := swar.ZeroBytes(swar.Load(b, i)); zeros != 0 {
			return i + swar.FirstMark(zeros)
		}
	}
	return bytes.IndexByte(b, 0)
}

// bodySize returns the number of bytes that a value of type k at the start of b
// takes by its own length prefix. It returns -1 if b is too short to tell or k
// is not an element type. The caller compares the size with the bytes that
// remain.
func bodySize(k byte, b []byte) int {
	switch size := bodySizes[k]; {
	case k == regex:
		return regexSize(b)
	case size < hasPrefix:
		return int(size) - 1
	default:
		return prefixed(b, int(size-hasPrefix))
	}
}

// bodySizes holds a number for each type: 1 plus the fixed size of its values; or
// hasPrefix plus the number of bytes that the length prefix of a value does not count; or
// 0 for a regular expression and for numbers that are not element types.
var bodySizes = [256]uint8{
	double: 1 + 8, date: 1 + 8, int64Type: 1 + 8, int32Type: 1 + 4, boolean: 1 + 1, objectID: 1 + 12,
	0x11:   1 + 8,  // timestamp
	0x13:   1 + 16, // decimal
	0x06:   1,      // undefined
	0x0A:   1,      // null
	0x7F:   1,      // MaxKey
	0xFF:   1,      // MinKey
	object: hasPrefix, array: hasPrefix, text: hasPrefix + lengthBytes,
	0x05: hasPrefix + lengthBytes + 1,  // binary
	0x0C: hasPrefix + lengthBytes + 12, // DBPointer
	0x0D: hasPrefix + lengthBytes,      // code
	0x0E: hasPrefix + lengthBytes,      // a symbol
	0x0F: hasPrefix,                    // code with scope
}

const hasPrefix = 0x80

// prefixed returns the int32 at the start of b plus extra, or -1 if there is
// none or it is negative.
func prefixed(b []byte, extra int) int {
	if len(b) < lengthBytes {
		return -1
	}
	n := int32(binary.LittleEndian.Uint32(b))
	if n < 0 {
		return -1
	}
	return int(min(int64(n)+int64(extra), math.MaxInt32)) // an int may have 32 bits
}

// regexSize returns the size of two NUL-terminated strings, or -1.
func regexSize(b []byte) int {
	pattern := bytes.IndexByte(b, 0)
	if pattern < 0 {
		return -1
	}
	options := bytes.IndexByte(b[pattern+1:], 0)
	if options < 0 {
		return -1
	}
	return pattern + options + 2
}

// Package rawbson reads the bytes of unchecked BSON: it finds fields, walks arrays and
// documents, and divides dumps into documents.
//
// A [Finder] looks up one field and passes over all others by their lengths. It
// returns a [Value], which is a type and some bytes; ParseBSONValue of package
// policy checks and decodes it. Nothing here allocates, reads outside the bytes,
// or decodes what it passes over.
package rawbson

import (
	"encoding/binary"
	"iter"
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

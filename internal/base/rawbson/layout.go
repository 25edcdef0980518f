package rawbson

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

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

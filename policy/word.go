package policy

import (
	"encoding/binary"
	"math/bits"
)

// A word is eight bytes of a document that are looked at in one go, the first of
// them lowest.

const (
	wordBytes = 8
	lowBits   = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// wordAt returns the eight bytes at b[i]. That the slice has no room beyond
// them saves the compiler from providing for an empty one.
func wordAt(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i : i+wordBytes : i+wordBytes])
}

// To mark a byte is to set its top bit, all others being 0. Of several marks in a
// word the lowest is right; higher ones may be set by a borrow.

// zeroBytes marks bytes that are 0.
func zeroBytes(w uint64) uint64 { return (w - lowBits) &^ w & highBits }

// firstMark returns the position of the lowest mark, 8 if there is none.
func firstMark(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

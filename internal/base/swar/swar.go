// Package swar checks eight bytes of a text at once: SIMD within a register.
//
// A byte of a word is marked by its top bit; all other bits are 0. The lowest
// mark in a word is right; a borrow may set higher ones wrongly.
package swar

import (
	"encoding/binary"
	"math/bits"
)

const (
	WordBytes = 8 // the number of bytes in a word

	LowBits  = 0x0101010101010101 // the lowest bit of each byte
	HighBits = 0x8080808080808080 // the top bit of each byte
)

// Load returns the eight bytes at b[i], the first as the lowest byte. The slice has no
// capacity beyond them, so that the compiler need not handle an empty slice.
func Load(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i : i+WordBytes : i+WordBytes])
}

// ZeroBytes marks bytes that are 0.
func ZeroBytes(w uint64) uint64 { return (w - LowBits) &^ w & HighBits }

// FirstMark returns the position of the lowest mark; 8 if there is none.
func FirstMark(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// Package swar checks eight bytes of a text at once: SIMD within a register.
//
// A word marks some of its bytes by their top bits; its other bits are 0. Only the lowest
// mark in a word can be relied on: above it, a borrow may set a mark wrongly.
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

// Load returns the eight bytes from b[i] on, the first as the lowest byte. It limits the
// capacity of the slice: without the limit, the compiler adds instructions for a slice
// that may be empty.
func Load(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i : i+WordBytes : i+WordBytes])
}

// ZeroBytes marks bytes that are 0.
func ZeroBytes(w uint64) uint64 { return (w - LowBits) &^ w & HighBits }

// FirstMark returns the position of the lowest mark; 8 if there is none.
func FirstMark(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

package policy

import (
	"encoding/binary"
	"math/bits"
)

// The functions in this file look at eight bytes of JSON text in one go. Each
// marks bytes of a word by their top bit. The lowest mark is right; higher ones
// may be set by a borrow.

// word returns the first eight bytes of b, the first of them lowest.
func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// quotes marks quotes.
func quotes(w uint64) uint64 {
	quote := w ^ '"'*lowBits
	return (quote - lowBits) &^ quote & highBits
}

// quotesAndEscapes marks quotes and backslashes.
func quotesAndEscapes(w uint64) uint64 {
	quote, escape := w^'"'*lowBits, w^'\\'*lowBits
	return ((quote-lowBits)&^quote | (escape-lowBits)&^escape) & highBits
}

// specials marks what does not stand for itself in a string: a quote, a
// backslash, a control character, or what is not ASCII.
func specials(w uint64) uint64 {
	// With its second bit flipped a quote follows the control characters, so
	// that one subtraction finds both. What is not ASCII keeps its top bit in
	// one of the two differences.
	low, escape := w^('"'-' ')*lowBits, w^'\\'*lowBits
	return ((low - (' '+1)*lowBits) | (escape - lowBits)) & highBits
}

// nonDigits marks all but decimal digits.
func nonDigits(w uint64) uint64 {
	digit := w ^ '0'*lowBits // 0 to 9, which is less than 128 with 118 added
	return (digit + (highBit-10)*lowBits | digit) & highBits
}

const highBit = 0x80

// firstMark returns the position of the lowest mark, from 0 to 7. It goes
// through a switch rather than a shift, so that the processor predicts it
// instead of waiting for it: a win for names, whose lengths repeat.
func firstMark(marks uint64) int {
	switch bits.TrailingZeros64(marks) / 8 {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return 2
	case 3:
		return 3
	case 4:
		return 4
	case 5:
		return 5
	case 6:
		return 6
	case 7:
		return 7
	}
	return 8
}

// gather returns the marks of a word in its lowest eight bits, so that those of
// several words can be joined: a win for texts and numbers, whose lengths no
// processor predicts.
func gather(marks uint64) uint64 {
	return marks >> 7 * 0x0102040810204080 >> 56
}

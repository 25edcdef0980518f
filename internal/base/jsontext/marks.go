package jsontext

import (
	"encoding/binary"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// The functions in this file mark bytes of a word of JSON text.

// quotes marks the bytes that are quotes.
func quotes(w uint64) uint64 { return swar.ZeroBytes(w ^ '"'*swar.LowBits) }

// specials marks the special bytes in a string: quotes, backslashes, control characters,
// and bytes that are not ASCII.
func specials(w uint64) uint64 {
	// If the second bit of each byte is flipped, the quote follows the control
	// characters, so that one subtraction finds both. A byte that is not ASCII
	// keeps its top bit in one of the two differences.
	low, escape := w^('"'-' ')*swar.LowBits, w^'\\'*swar.LowBits
	return ((low - (' '+1)*swar.LowBits) | (escape - swar.LowBits)) & swar.HighBits
}

// nonDigits marks all but decimal digits.
func nonDigits(w uint64) uint64 {
	digit := w ^ '0'*swar.LowBits // 0 to 9 for a digit, which is less than 128 after adding 118
	return (digit + (highBit-10)*swar.LowBits | digit) & swar.HighBits
}

// nonHexDigits marks all but hexadecimal digits.
func nonHexDigits(w uint64) uint64 {
	letter := (w | ' '*swar.LowBits) ^ '`'*swar.LowBits // 1 to 6 for a to f, if the top bit is not set
	nonLetter := letter + (highBit-7)*swar.LowBits | ^((letter | swar.HighBits) - swar.LowBits)
	return (nonDigits(w)&nonLetter | w) & swar.HighBits
}

const highBit = 0x80

// gather returns the marks of a word in the lowest eight bits, so that the marks of
// several words can be joined. For texts and numbers, joined marks are faster than a
// branch after each word, because processors cannot predict the lengths.
func gather(marks uint64) uint64 {
	return marks >> 7 * 0x0102040810204080 >> 56
}

// unplain returns a word with a mark if b has a control character or a byte that is not
// ASCII, and without a mark otherwise. It takes three operations for each word of b. Bits
// other than the marks mean nothing.
func unplain(b *[32]byte) uint64 {
	const space = ' ' * swar.LowBits
	w0, w1 := binary.LittleEndian.Uint64(b[0:]), binary.LittleEndian.Uint64(b[8:])
	w2, w3 := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
	return (w0 - space) | w0 | (w1 - space) | w1 | (w2 - space) | w2 | (w3 - space) | w3
}

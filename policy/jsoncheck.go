package policy

import (
	"encoding/binary"
	"math/bits"
)

// The functions in this file check a part of the JSON text b that begins at
// b[i], and return the index of what follows, or a negative number if the text
// is not what ParseJSON takes. What is wrong with it, and where, a jsonScanner
// says, which reads the same language at a third of the speed: only damaged
// text is read by both. That they agree is held by tests on each other.

const notJSON = -1

// checkJSONObject checks an object on nesting level depth, whose brace is
// b[i], and offers its members to picks, whose names have these lengths.
func checkJSONObject(b []byte, i, depth int, picks []Pick, lengths uint64) int {
	if depth > MaxDepth {
		return notJSON
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	for i < len(b) && b[i] == '"' {
		name := i + 1
		end, plain := checkJSONText(b, name)
		if end < 0 {
			return notJSON
		}
		i = skipSpace(b, end)
		if i == len(b) || b[i] != ':' {
			return notJSON
		}
		value := skipSpace(b, i+1)
		if i = checkJSONValue(b, value, depth+1); i < 0 {
			return notJSON
		}
		if mayPick(lengths, end-1-name, plain) {
			take(picks, b[name:end-1], plain, b[value:i])
		}
		i = skipSpace(b, i)
		switch {
		case i == len(b):
			return notJSON
		case b[i] == '}':
			return i + 1
		case b[i] != ',':
			return notJSON
		}
		i = skipSpace(b, i+1)
	}
	return notJSON
}

// checkJSONArray checks an array on nesting level depth, whose bracket is b[i].
func checkJSONArray(b []byte, i, depth int) int {
	if depth > MaxDepth {
		return notJSON
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i = checkJSONValue(b, i, depth+1); i < 0 {
			return notJSON
		}
		i = skipSpace(b, i)
		switch {
		case i == len(b):
			return notJSON
		case b[i] == ']':
			return i + 1
		case b[i] != ',':
			return notJSON
		}
		i = skipSpace(b, i+1)
	}
}

// checkJSONValue checks a value, which is on nesting level depth if it nests.
func checkJSONValue(b []byte, i, depth int) int {
	if i == len(b) {
		return notJSON
	}
	switch b[i] {
	case '"':
		i, _ = checkJSONText(b, i+1)
		return i
	case '{':
		return checkJSONObject(b, i, depth, nil, 0)
	case '[':
		return checkJSONArray(b, i, depth)
	case 't':
		return checkJSONWord(b, i, "true")
	case 'f':
		return checkJSONWord(b, i, "false")
	case 'n':
		return checkJSONWord(b, i, "null")
	}
	return checkJSONNumber(b, i)
}

func checkJSONWord(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return notJSON
	}
	return i + len(word)
}

// checkJSONText checks a string whose opening quote is b[i-1]. It also reports
// whether the string is sure to be spelled without escapes.
func checkJSONText(b []byte, i int) (end int, plain bool) {
	start := i
	for len(b)-i >= wordBytes {
		if special := specials(binary.LittleEndian.Uint64(b[i:])); special != 0 {
			i += bits.TrailingZeros64(special) / 8
			if b[i] == '"' {
				return i + 1, true
			}
			break
		}
		if i += wordBytes; i-start == shortText {
			i = skipPlain(b, i)
		}
	}
	// More than plain ASCII, or the end is near.
	s := jsonScanner{src: b, at: start - 1}
	if _, err := s.text(); err != nil {
		return notJSON, false
	}
	return s.at, false
}

// skipPlain goes on in a long string as far as blocks of plain text go. Four
// words at a time halve the time of texts of hundreds of bytes.
func skipPlain(b []byte, i int) int {
	for len(b)-i >= 4*wordBytes {
		block := b[i : i+4*wordBytes]
		found := specials(binary.LittleEndian.Uint64(block)) | specials(binary.LittleEndian.Uint64(block[8:])) |
			specials(binary.LittleEndian.Uint64(block[16:])) | specials(binary.LittleEndian.Uint64(block[24:]))
		if found != 0 {
			break
		}
		i += 4 * wordBytes
	}
	return i
}

// specials returns a word in which the lowest of the top bits of the bytes that
// are set belongs to the first byte of w that does not stand for itself in a
// string: a quote, a backslash, a control character, or what is not ASCII.
// Higher ones may be set by a borrow.
func specials(w uint64) uint64 {
	// With its second bit flipped a quote follows the control characters, so
	// that one subtraction finds both. What is not ASCII keeps its top bit in
	// one of the two differences.
	low, escape := w^('"'-' ')*lowBits, w^'\\'*lowBits
	return ((low - (' '+1)*lowBits) | (escape - lowBits)) & highBits
}

// checkJSONNumber checks a number.
func checkJSONNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	digits := skipDigits(b, i)
	if digits == i || b[i] == '0' && digits > i+1 {
		return notJSON
	}
	i = digits
	if i < len(b) && b[i] == '.' {
		if digits = skipDigits(b, i+1); digits == i+1 {
			return notJSON
		}
		i = digits
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if digits = skipDigits(b, i); digits == i {
			return notJSON
		}
		i = digits
	}
	return i
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

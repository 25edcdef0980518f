package policy

import (
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/internal/swar"
)

// The functions in this file check a part of the JSON text b that begins at
// b[i], and return the index of what follows, or a negative number if the text
// is not what ParseJSON takes. What is wrong with it, and where, a jsonScanner
// says, which reads the same language at a fraction of the speed: only damaged
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
		nameEnd := name
		for len(b)-nameEnd >= swar.WordBytes {
			if marks := specials(swar.Load(b, nameEnd)); marks != 0 {
				nameEnd += swar.FirstMark(marks)
				break
			}
			nameEnd += swar.WordBytes
		}
		value, plain := nameEnd+len(`":`), true
		if value >= len(b) || b[nameEnd] != '"' || b[nameEnd+1] != ':' || b[value] <= ' ' {
			if nameEnd, plain, value = checkJSONName(b, nameEnd); value < 0 {
				return notJSON
			}
		}
		if i = checkJSONValue(b, value, depth+1); i < 0 {
			return notJSON
		}
		if mayPick(lengths, nameEnd-name, plain) {
			take(picks, b[name:nameEnd], plain, b[value:i])
		}
		if len(b)-i > 1 && b[i] == ',' && b[i+1] == '"' { // nearly always
			i++
			continue
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

// checkJSONName checks a name that goes on with b[i], unless b[i] is the quote
// after it, and the colon. It returns what cutName does.
func checkJSONName(b []byte, i int) (nameEnd int, plain bool, value int) {
	nameEnd = checkJSONText(b, i) - len(`"`)
	if nameEnd < 0 {
		return 0, false, notJSON
	}
	value = skipSpace(b, nameEnd+1)
	if value == len(b) || b[value] != ':' {
		return 0, false, notJSON
	}
	return nameEnd, nameEnd == i, skipSpace(b, value+1)
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
		return checkJSONText(b, i+1)
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

// checkJSONText checks the rest of a string, from b[i] on.
func checkJSONText(b []byte, i int) int {
	for start := i; i <= len(b)-32; {
		block := b[i : i+32 : i+32]
		first, second := specials(swar.Load(block, 0)), specials(swar.Load(block, 8))
		third, fourth := specials(swar.Load(block, 16)), specials(swar.Load(block, 24))
		if first|second|third|fourth != 0 {
			i += bits.TrailingZeros64(gather(first) | gather(second)<<8 | gather(third)<<16 | gather(fourth)<<24)
			if b[i] == '"' {
				return i + 1
			}
			return checkJSONSpecial(b, i)
		}
		if i += 32; i == start+32 {
			i = skipBlocks(b, i)
		}
	}
	for ; i <= len(b)-swar.WordBytes; i += swar.WordBytes {
		if marks := specials(swar.Load(b, i)); marks != 0 {
			i += swar.FirstMark(marks)
			break
		}
	}
	return checkJSONSpecial(b, i)
}

// checkJSONSpecial is checkJSONText at more than plain ASCII, or near the end.
func checkJSONSpecial(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		return i + 1
	}
	s := jsonScanner{src: b, at: i - 1}
	if _, err := s.text(); err != nil {
		return notJSON
	}
	return s.at
}

// skipBlocks skips blocks of plain text in a long string. Eight words at a time
// take a quarter off the time of texts of hundreds of bytes.
func skipBlocks(b []byte, i int) int {
	for ; i <= len(b)-64; i += 64 {
		block := b[i : i+64 : i+64]
		found := specials(swar.Load(block, 0)) | specials(swar.Load(block, 8)) | specials(swar.Load(block, 16)) | specials(swar.Load(block, 24)) |
			specials(swar.Load(block, 32)) | specials(swar.Load(block, 40)) | specials(swar.Load(block, 48)) | specials(swar.Load(block, 56))
		if found != 0 {
			break
		}
	}
	return i
}

// checkJSONNumber checks a number.
func checkJSONNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	digits := skipInteger(b, i)
	if digits == i {
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

// skipInteger skips digits, after a zero none.
func skipInteger(b []byte, i int) int {
	if i < len(b) && b[i] == '0' {
		return i + 1
	}
	for ; i <= len(b)-swar.WordBytes; i += swar.WordBytes {
		if marks := nonDigits(swar.Load(b, i)); marks != 0 {
			return i + swar.FirstMark(marks)
		}
	}
	return skipDigits(b, i)
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

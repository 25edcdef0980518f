// Package jsontext is the grammar of JSON over raw text (RFC 8259), without making
// values of it.
//
// Three readers share it. [Check] reads text that nobody has checked, fast, and says yes
// or no; a [Scanner] reads the same language at a fraction of the speed, and says what is
// wrong and where; [Find], [Cursor] and the functions that skip pass over text that has
// been checked. For unchecked text the third kind returns some result, and always ends.
package jsontext

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// The functions below check a part of the JSON text b that begins at b[i]. They
// return the index after that part, or a negative number if policy.ParseJSON would refuse
// the text. A Scanner reads the same language at a fraction of the speed, and says what is
// wrong and where. Only damaged text is read by both. Tests compare the two.

const notJSON = -1

// Check reads the one object that b holds, fills picks with the members that they name, and
// returns the object's text from brace to brace. It does not allocate. It reports false if
// b holds anything else. Then the picks mean nothing, and [Explain] returns the reason.
func Check(b []byte, picks []Pick) (object []byte, ok bool) {
	return check(b, &request{picks: picks, lengths: reset(picks)})
}

// CheckExtended is [Check] for Extended JSON, whose type wrappers w checks. It refuses
// names with escapes, and numbers that may be beyond the range of a double.
func CheckExtended(b []byte, picks []Pick, w Wrappers) (object []byte, ok bool) {
	within := request{wrappers: w}
	within.within = &within
	return check(b, &request{picks: picks, lengths: reset(picks), wrappers: w, within: &within})
}

// WrapperNames are the names of the type wrappers of Extended JSON v2
// (mongodb/specifications: source/extended-json.md).
var WrapperNames = []string{
	"$oid", "$symbol", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$binary", "$uuid", "$code",
	"$scope", "$timestamp", "$regularExpression", "$dbPointer", "$date", "$minKey", "$maxKey", "$undefined",
}

// Wrappers are the type wrappers of Extended JSON.
type Wrappers struct {
	// Lengths is the set of the lengths of the wrappers' names, modulo 64.
	Lengths uint64
	// Is reports whether a name is the name of a wrapper. Such names begin with a dollar.
	Is func(name []byte) bool
	// End checks the object b[brace:] if its first member, with the name
	// b[name:nameEnd] and the value b[value:], makes it a type wrapper. It returns the
	// index after the object, 0 if the member is ordinary, and a negative number if
	// the text is refused. Depth is the nesting level of the object.
	End func(b []byte, brace, name, nameEnd, value, depth int) int
}

// A request says what to find in objects. A nil request checks only their syntax.
type request struct {
	picks    []Pick
	lengths  uint64   // set of the lengths of picked names
	wrappers Wrappers // zero for plain JSON
	within   *request // request for the objects in the members
}

// first checks the first name of an object of Extended JSON, if it begins at b[i]. It
// returns the same as [Wrappers.End].
func (r *request) first(b []byte, brace, i, depth int) int {
	if len(b)-i < 2 || b[i] != '"' || b[i+1] != '$' {
		return 0
	}
	name := i + 1
	nameEnd := plainEnd(b, name)
	value := nameEnd + len(`":`)
	if !isNameEnd(b, nameEnd) {
		if nameEnd, _, value = checkName(b, nameEnd); value < 0 {
			return notJSON
		}
	}
	return r.wrappers.End(b, brace, name, nameEnd, value, depth)
}

// matters reports whether r may want a member whose name has n bytes and begins with c.
func (r *request) matters(c byte, n int, plain bool) bool {
	return c == '$' || !plain || mayPick(r.lengths, n, plain)
}

// take offers a member to r. It reports false if the name is refused.
func (r *request) take(name []byte, plain bool, text []byte) bool {
	take(r.picks, name, plain, text)
	if r.wrappers.Is == nil {
		return true
	}
	return (plain || bytes.IndexByte(name, '\\') < 0) && !r.wrappers.Is(name)
}

func check(b []byte, r *request) (object []byte, ok bool) {
	start := SkipSpace(b, 0)
	if start == len(b) || b[start] != '{' {
		return nil, false
	}
	end := checkObject(b, start, 1, r)
	if end < 0 || SkipSpace(b, end) != len(b) {
		return nil, false
	}
	return b[start:end], true
}

// Explain returns what is wrong with b, which [Check] has refused.
func Explain(b []byte) *syntax.Error {
	s := Scanner{Src: b}
	s.Space()
	if s.Peek() != '{' {
		return s.Unexpected("an object")
	}
	if err := s.checkObject(1); err != nil {
		return err
	}
	if err := s.End(); err != nil {
		return err
	}
	return syntax.Fail(0, ErrNotJSON)
}

// ErrNotJSON is the error for a text that [Check] refuses and a [Scanner] accepts. There
// is no such text.
var ErrNotJSON = errors.New("the text is not JSON")

// Trim returns the text from brace to brace of an object that has been checked before. It
// returns nil if b holds no such object.
func Trim(b []byte) []byte {
	start, end := SkipSpace(b, 0), len(b)
	for end > start && IsSpace(b[end-1]) {
		end--
	}
	if end-start < len("{}") || b[start] != '{' {
		return nil
	}
	return b[start:end]
}

// checkObject checks an object on nesting level depth, whose brace is b[brace], and
// offers its members to r.
func checkObject(b []byte, brace, depth int, r *request) int {
	if depth > syntax.MaxDepth {
		return notJSON
	}
	var within *request
	lengths := uint64(0)
	i := SkipSpace(b, brace+1)
	if r != nil {
		within, lengths = r.within, r.lengths|r.wrappers.Lengths
		if r.wrappers.End != nil {
			if end := r.first(b, brace, i, depth); end != 0 {
				return end
			}
		}
	}
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	for i < len(b) && b[i] == '"' {
		name := i + 1
		nameEnd := plainEnd(b, name)
		value, plain := nameEnd+len(`":`), true
		if !isNameEnd(b, nameEnd) {
			if nameEnd, plain, value = checkName(b, nameEnd); value < 0 {
				return notJSON
			}
		}
		if i = checkValue(b, value, depth+1, within); i < 0 {
			return notJSON
		}
		if mayPick(lengths, nameEnd-name, plain) && r.matters(b[name], nameEnd-name, plain) && !r.take(b[name:nameEnd], plain, b[value:i]) {
			return notJSON
		}
		if len(b)-i > 1 && b[i] == ',' && b[i+1] == '"' { // nearly always
			i++
			continue
		}
		i = SkipSpace(b, i)
		switch {
		case i == len(b):
			return notJSON
		case b[i] == '}':
			return i + 1
		case b[i] != ',':
			return notJSON
		}
		i = SkipSpace(b, i+1)
	}
	return notJSON
}

// plainEnd returns the index of the first special byte from b[i] on: a quote, a
// backslash, a control character or a byte that is not ASCII. If it finds none, it
// returns the index at which fewer than eight bytes of b are left; it does not read
// these.
func plainEnd(b []byte, i int) int {
	for len(b)-i >= swar.WordBytes {
		if marks := specials(swar.Load(b, i)); marks != 0 {
			return i + swar.FirstMark(marks)
		}
		i += swar.WordBytes
	}
	return i
}

// isNameEnd reports whether a name ends at b[i] and its value begins just after the
// quote and the colon.
func isNameEnd(b []byte, i int) bool {
	value := i + len(`":`)
	return value < len(b) && b[i] == '"' && b[i+1] == ':' && b[value] > ' '
}

// checkName checks the rest of a name from b[i] on, and the colon; b[i] may be
// the quote after the name. It returns the same as cutName.
func checkName(b []byte, i int) (nameEnd int, plain bool, value int) {
	nameEnd = checkText(b, i) - len(`"`)
	if nameEnd < 0 {
		return 0, false, notJSON
	}
	value = SkipSpace(b, nameEnd+1)
	if value == len(b) || b[value] != ':' {
		return 0, false, notJSON
	}
	return nameEnd, nameEnd == i, SkipSpace(b, value+1)
}

// checkArray checks an array on nesting level depth, whose bracket is b[i]. It offers the
// members of objects in the array to the request within.
func checkArray(b []byte, i, depth int, within *request) int {
	if depth > syntax.MaxDepth {
		return notJSON
	}
	i = SkipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i = checkValue(b, i, depth+1, within); i < 0 {
			return notJSON
		}
		i = SkipSpace(b, i)
		switch {
		case i == len(b):
			return notJSON
		case b[i] == ']':
			return i + 1
		case b[i] != ',':
			return notJSON
		}
		i = SkipSpace(b, i+1)
	}
}

// checkValue checks a value, which is on nesting level depth if it nests. It offers the
// members of objects in the value to the request within.
func checkValue(b []byte, i, depth int, within *request) int {
	if i == len(b) {
		return notJSON
	}
	switch b[i] {
	case '"':
		return checkText(b, i+1)
	case '{':
		return checkObject(b, i, depth, within)
	case '[':
		return checkArray(b, i, depth, within)
	case 't':
		return checkWord(b, i, "true")
	case 'f':
		return checkWord(b, i, "false")
	case 'n':
		return checkWord(b, i, "null")
	}
	if within != nil {
		return checkExtendedNumber(b, i)
	}
	return CheckNumber(b, i)
}

// checkExtendedNumber is CheckNumber, but refuses a number that may be beyond
// the range of a double.
func checkExtendedNumber(b []byte, i int) int {
	end := CheckNumber(b, i)
	if end-i > len("1e99") && MayOverflow(b[i:end]) {
		return notJSON
	}
	return end
}

// MayOverflow reports whether a number has an exponent or very many digits, so that it
// may be beyond the range of a double.
func MayOverflow(number []byte) bool {
	if len(number) > 100 {
		return true
	}
	for _, c := range number { // a number has few bytes, so that a call would take longer
		if c|0x20 == 'e' {
			return true
		}
	}
	return false
}

func checkWord(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return notJSON
	}
	return i + len(word)
}

// checkText checks the rest of a string, from b[i] on.
func checkText(b []byte, i int) int {
	for start := i; i <= len(b)-32; {
		block := b[i : i+32 : i+32]
		first, second := specials(swar.Load(block, 0)), specials(swar.Load(block, 8))
		third, fourth := specials(swar.Load(block, 16)), specials(swar.Load(block, 24))
		if first|second|third|fourth != 0 {
			i += bits.TrailingZeros64(gather(first) | gather(second)<<8 | gather(third)<<16 | gather(fourth)<<24)
			if b[i] == '"' {
				return i + 1
			}
			return checkSpecial(b, i)
		}
		if i += 32; i == start+longText {
			return checkLongText(b, i)
		}
	}
	return checkSpecial(b, plainEnd(b, i))
}

// checkSpecial is checkText for the rest of a string from its first special byte on, or
// from a place near the end of b.
func checkSpecial(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		return i + 1
	}
	s := Scanner{Src: b, At: i}
	if !s.skipText() {
		return notJSON
	}
	return s.At
}

// longText is the number of leading bytes of plain ASCII after which checkLongText
// checks the rest of a text.
const longText = 64

// checkLongText is checkText for the rest of a long text. It takes three passes: one
// finds the quote, one looks for a backslash, one for bytes that are not plain ASCII.
// The first two are vector code of the runtime, so that together they are cheaper than
// a single pass in Go.
func checkLongText(b []byte, i int) int {
	n := bytes.IndexByte(b[i:], '"')
	if n < 0 {
		return notJSON
	}
	text := b[i : i+n]
	if bytes.IndexByte(text, '\\') >= 0 || !isPlainASCII(b[i-longText:i+n]) {
		return checkSpecial(b, i)
	}
	return i + n + 1
}

// isPlainASCII reports whether text is ASCII without control characters. Its first
// longText bytes are known to be plain. The last step reads some bytes again.
func isPlainASCII(text []byte) bool {
	text = text[:len(text):len(text)]
	last := text[len(text)-longText:]
	found := unplain((*[32]byte)(last)) | unplain((*[32]byte)(last[32:]))
	for text = text[longText:]; len(text) > longText; text = text[longText:] { // >= would cost more: the compiler guards the pointer behind the end
		found |= unplain((*[32]byte)(text)) | unplain((*[32]byte)(text[32:]))
	}
	return found&swar.HighBits == 0
}

// CheckNumber checks a number.
func CheckNumber(b []byte, i int) int {
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

// skipInteger skips the digits of an integer: a zero alone, or digits without a
// leading zero.
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
	for i < len(b) && IsDigit(b[i]) {
		i++
	}
	return i
}

// The functions below mark bytes of a word of JSON text.

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

package jsontext

import (
	"bytes"
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// A Pick asks for one member of a JSON object by its name, so that several can
// be found in one walk. The zero Pick asks for a member without a name.
type Pick struct {
	// Name is the member's name with its escapes resolved.
	Name string
	// Count is the number of members with that name.
	Count int
	text  []byte // of the last such member's value
}

// Text returns the undecoded text of the last member with that name.
func (p *Pick) Text() []byte { return p.text }

// AsInt64 returns the integer that the member's value spells. It only reads the
// digits, and evaluates no fraction or exponent.
func (p *Pick) AsInt64() (int64, bool) {
	if string(p.text) == "-0" {
		return 0, false // -0 is a Double, because of its sign
	}
	return ParseInt64(p.text)
}

// IsNull reports whether the member's value is null.
func (p *Pick) IsNull() bool { return len(p.text) > 0 && p.text[0] == 'n' }

// Find finds the members that the picks name in a checked object, in one walk over the
// object. It sets every Count and does not allocate.
func Find(object []byte, picks []Pick) {
	lengths := reset(picks)
	b := object[:max(len(object)-1, 0)] // up to the brace
	for i := nextQuote(b, min(1, len(b))); i < len(b); {
		nameEnd := plainEnd(b, i+1)
		value, plain := nameEnd+len(`":`), true
		if !isNameEnd(b, nameEnd) {
			nameEnd, plain, value = cutName(b, nameEnd)
		}
		next := nextName(b, value)
		if mayPick(lengths, nameEnd-i-1, plain) {
			take(picks, b[i+1:nameEnd], plain, trimComma(b[value:next]))
		}
		i = next
	}
}

// nextName skips the value that begins at b[i] and the comma after it. It
// returns the index of the next member's first quote.
func nextName(b []byte, i int) int {
	if i == len(b) {
		return i
	}
	switch b[i] {
	case '"':
		i = skipText(b, i+1)
	case '{', '[':
		i = skipNested(b, i)
	default: // a number or a word, without quotes
		if len(b)-i >= 2*swar.WordBytes {
			first, second := quotes(swar.Load(b, i)), quotes(swar.Load(b, i+swar.WordBytes))
			if first|second != 0 {
				return i + bits.TrailingZeros64(gather(first)|gather(second)<<8)
			}
		}
		return nextQuote(b, i)
	}
	if len(b)-i > 1 && b[i+1] == '"' { // after a comma
		return i + 1
	}
	return nextQuote(b, i)
}

// nextQuote returns the index of the first quote from b[i] on, len(b) if there
// is none.
func nextQuote(b []byte, i int) int {
	if n := bytes.IndexByte(b[i:], '"'); n >= 0 {
		return i + n
	}
	return len(b)
}

// trimComma removes the comma and the white space after a value.
func trimComma(b []byte) []byte {
	n := len(b)
	for n > 0 && (b[n-1] == ',' || IsSpace(b[n-1])) {
		n--
	}
	return b[:n]
}

// reset prepares picks for another object. It returns a set of the lengths of
// their names, modulo 64.
func reset(picks []Pick) (lengths uint64) {
	for i := range picks {
		picks[i].Count, picks[i].text = 0, nil
		lengths |= 1 << (len(picks[i].Name) % 64)
	}
	return lengths
}

// mayPick reports whether some pick may have a name of n bytes. It saves comparisons for
// most members.
func mayPick(lengths uint64, n int, plain bool) bool {
	return lengths != 0 && (!plain || lengths>>(uint(n)%64)&1 != 0)
}

// take offers a member to the picks. plain means that its name is known to have
// no escapes, so that take does not look for any.
func take(picks []Pick, name []byte, plain bool, text []byte) {
	for i := range picks {
		p := &picks[i]
		if plain && string(name) == p.Name || !plain && TextIs(name, p.Name) {
			p.Count++
			p.text = text
		}
	}
}

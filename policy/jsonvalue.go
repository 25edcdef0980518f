package policy

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonValue returns the value of checked JSON text without surrounding space.
// It is Missing for no text.
func jsonValue(b []byte) Value {
	if len(b) == 0 {
		return Value{}
	}
	switch b[0] {
	case '"':
		return jsonString(b[1:max(len(b)-1, 1)])
	case '{', '[':
		return jsonNested(bracketKind(b[0]), b)
	case 'n':
		return NullValue()
	case 't', 'f':
		return BoolValue(b[0] == 't')
	}
	return jsonNumber(b)
}

// jsonString returns the String that the text between two quotes denotes. It
// copies only text with escapes.
func jsonString(b []byte) Value {
	if bytes.IndexByte(b, '\\') < 0 {
		return Value{kind: String, raw: b}
	}
	return StringValue(jsonText(b))
}

// jsonNumber returns a number's value as [JSON] describes it.
func jsonNumber(b []byte) Value {
	if string(b) == "-0" {
		return DoubleValue(math.Copysign(0, -1))
	}
	if n, ok := parseInt64(b); ok {
		return intValue(n)
	}
	return doubleOf(b)
}

// intValue returns n as an Int32 if it fits, else as an Int64.
func intValue(n int64) Value {
	if n == int64(int32(n)) {
		return Int32Value(int32(n))
	}
	return Int64Value(n)
}

// doubleOf returns the Double nearest to a decimal number. ParseFloat is exact
// in linear time whatever the exponent, and yields an infinity along with its
// range error.
func doubleOf(b []byte) Value {
	f, _ := strconv.ParseFloat(string(b), 64)
	return DoubleValue(f)
}

// parseInt64 returns the integer that b spells. It reports false if b is no
// integer (a point, an exponent, a plus sign) or does not fit.
func parseInt64(b []byte) (int64, bool) {
	if len(b) > len("-9223372036854775808") {
		return 0, false // JSON knows no leading zeros
	}
	digits := bytes.TrimPrefix(b, []byte("-"))
	var n uint64
	for _, c := range digits {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + uint64(c-'0') // at most 20 digits, of which 20 are refused below
	}
	negative := len(digits) < len(b)
	switch {
	case len(digits) == 0 || len(digits) > 19:
		return 0, false
	case negative:
		return -int64(n), n <= -math.MinInt64
	}
	return int64(n), n <= math.MaxInt64
}

// jsonText returns what the text between two quotes denotes.
func jsonText(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	return string(appendJSONText(make([]byte, 0, len(b)), b))
}

// appendJSONText appends what the text between two quotes denotes.
func appendJSONText(dst, b []byte) []byte {
	for {
		plain := bytes.IndexByte(b, '\\')
		if plain < 0 {
			return append(dst, b...)
		}
		r, size := jsonRune(b[plain:])
		dst = utf8.AppendRune(append(dst, b[:plain]...), r)
		b = b[plain+size:]
	}
}

// jsonTextIs reports whether the text between two quotes denotes s. It does
// not allocate.
func jsonTextIs(b []byte, s string) bool {
	return string(b) == s || len(b) > len(s) && compareJSONText(b, s) == 0 // an escape is longer than what it denotes
}

// compareJSONText returns -1, 0 or +1 as what the text between two quotes denotes
// is before, equal to or after s in byte order. It does not allocate.
func compareJSONText(b []byte, s string) int {
	if bytes.IndexByte(b, '\\') < 0 {
		return compareBytes(b, s)
	}
	for len(b) > 0 {
		r, size := jsonRune(b)
		var encoded [utf8.UTFMax]byte
		n := utf8.EncodeRune(encoded[:], r)
		if c := compareBytes(encoded[:n], s[:min(n, len(s))]); c != 0 {
			return c
		}
		b, s = b[size:], s[n:]
	}
	return compareBytes(nil, s)
}

// jsonRune returns the character that b, text between two quotes, begins with,
// and how many bytes spell it.
func jsonRune(b []byte) (r rune, size int) {
	switch {
	case b[0] != '\\':
		return utf8.DecodeRune(b)
	case len(b) < 2 || b[1] == 'u' && len(b) < 6: // trusted in vain
		return utf8.RuneError, len(b)
	case b[1] != 'u':
		return rune(escaped[b[1]]), 2
	}
	r = hexRune(b[2:6])
	if utf16.IsSurrogate(r) {
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if pair := utf16.DecodeRune(r, hexRune(b[8:12])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// escaped maps the letter of a two-byte escape to what it denotes. The letter
// u stands in it too, so that 0 means "no such escape".
var escaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

func hexRune(b []byte) (r rune) {
	for _, c := range b {
		r = r<<4 | rune(hexDigit(c))
	}
	return r
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

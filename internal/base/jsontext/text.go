package jsontext

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// Text returns the decoded form of b, the text between the quotes of a JSON string.
func Text(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	return string(AppendText(make([]byte, 0, len(b)), b))
}

// AppendText appends the decoded form of b, the text between the quotes of a JSON string.
func AppendText(dst, b []byte) []byte {
	for {
		plain := bytes.IndexByte(b, '\\')
		if plain < 0 {
			return append(dst, b...)
		}
		r, size := decodeRune(b[plain:])
		dst = utf8.AppendRune(append(dst, b[:plain]...), r)
		b = b[plain+size:]
	}
}

// TextIs reports whether b, the text between the quotes of a JSON string, denotes s. It
// does not allocate.
func TextIs(b []byte, s string) bool {
	if string(b) == s {
		return strings.IndexByte(s, '\\') < 0 // a backslash begins an escape, so that b denotes a shorter text
	}
	return len(b) > len(s) && CompareText(b, s) == 0 // an escape is longer than what it denotes
}

// CompareText compares the decoded form of b, the text between the quotes of a JSON
// string, with s in byte order. It returns -1, 0 or +1 if the decoded form is before,
// equal to or after s. It does not allocate.
func CompareText(b []byte, s string) int {
	if bytes.IndexByte(b, '\\') < 0 {
		return CompareBytes(b, s)
	}
	for len(b) > 0 {
		r, size := decodeRune(b)
		var encoded [utf8.UTFMax]byte
		n := utf8.EncodeRune(encoded[:], r)
		if c := CompareBytes(encoded[:n], s[:min(n, len(s))]); c != 0 {
			return c
		}
		b, s = b[size:], s[n:]
	}
	return CompareBytes(nil, s)
}

// decodeRune returns the first character of b, which is text between two quotes,
// and the number of bytes that spell it.
func decodeRune(b []byte) (r rune, size int) {
	switch {
	case b[0] != '\\':
		return utf8.DecodeRune(b)
	case len(b) < 2 || b[1] == 'u' && len(b) < 6: // b has not been checked
		return utf8.RuneError, len(b)
	case b[1] != 'u':
		return rune(escapes[b[1]]), 2
	}
	r = HexRune(b[2:6])
	if utf16.IsSurrogate(r) {
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if pair := utf16.DecodeRune(r, HexRune(b[8:12])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// escapes maps the letter of a two-byte escape to its character. It also has an entry for
// the letter u, so that 0 means "no such escape".
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// IsHex reports whether b is hexadecimal digits.
func IsHex(b []byte) bool {
	for ; len(b) >= swar.WordBytes; b = b[swar.WordBytes:] {
		if nonHexDigits(swar.Load(b, 0)) != 0 {
			return false
		}
	}
	for _, c := range b {
		if hexDigit(c) < 0 {
			return false
		}
	}
	return true
}

// HexRune returns the number that hexadecimal digits denote.
func HexRune(b []byte) (r rune) {
	for _, c := range b {
		r = r<<4 | rune(hexDigit(c))
	}
	return r
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case IsDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// CompareBytes is strings.Compare of string(b) and s. The compiler makes its
// comparisons without a conversion.
func CompareBytes(b []byte, s string) int {
	switch {
	case string(b) < s:
		return -1
	case string(b) > s:
		return +1
	}
	return 0
}

// ParseInt64 returns the integer that b spells. It reports false if b is not an
// integer (it has a point, an exponent or a plus sign) or does not fit.
func ParseInt64(b []byte) (int64, bool) {
	if len(b) > len("-9223372036854775808") {
		return 0, false // JSON has no leading zeros
	}
	digits := bytes.TrimPrefix(b, []byte("-"))
	var n uint64
	for _, c := range digits {
		if !IsDigit(c) {
			return 0, false
		}
		n = n*10 + uint64(c-'0') // at most 20 digits; a number of 20 digits is refused below
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

// AppendQuoted appends text as a JSON string. A byte that is not UTF-8 becomes U+FFFD;
// exact is then false.
func AppendQuoted[T string | []byte](dst []byte, text T) (quoted []byte, exact bool) {
	dst, exact = append(dst, '"'), true
	plain := 0 // text[plain:i] needs no escape
	for i := 0; i < len(text); {
		if isPlain[text[i]] {
			i++
			continue
		}
		escape, size := escapeFor(text[i:])
		if escape != "" {
			dst = append(append(dst, text[plain:i]...), escape...)
			plain, exact = i+size, exact && escape != replaced
		}
		i += size
	}
	return append(append(dst, text[plain:]...), '"'), exact
}

// replaced replaces a byte that is not UTF-8.
const replaced = `\ufffd`

// escapeFor returns the escape sequence for the first character of text, if it
// needs one, and the character's length in bytes.
func escapeFor[T string | []byte](text T) (escape string, size int) {
	if text[0] < utf8.RuneSelf {
		return asciiEscapes[text[0]], 1
	}
	r, size := utf8.DecodeRuneInString(string(text[:min(utf8.UTFMax, len(text))]))
	switch {
	case r == utf8.RuneError && size == 1:
		return replaced, 1
	case r == '\u2028': // a line end for JavaScript before 2019
		return `\u2028`, size
	case r == '\u2029':
		return `\u2029`, size
	}
	return "", size
}

var asciiEscapes = func() (table [utf8.RuneSelf]string) {
	for c := range byte(' ') {
		table[c] = `\u00` + hex.EncodeToString([]byte{c})
	}
	for letter, c := range escapes {
		if c != 0 && c != 'u' && c != '/' {
			table[c] = `\` + string(rune(letter))
		}
	}
	return table
}()

// isPlain holds the bytes that need no escape in any context.
var isPlain = func() (table [256]bool) {
	for c := range asciiEscapes {
		table[c] = asciiEscapes[c] == ""
	}
	return table
}()

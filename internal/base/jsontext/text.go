package jsontext

import (
	"bytes"
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

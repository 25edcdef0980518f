package jsontext

import (
	"encoding/hex"
	"unicode/utf8"
)

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

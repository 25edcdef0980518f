package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes text from outside safe for a terminal: an invisible character becomes an
// escape such as \u{1b}, and a byte that is not UTF-8 one such as \x9b. Visible text stays
// as it is.
func Visible(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, isHidden) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case isHidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isHidden reports whether a character is invisible, or moves others: controls, line ends,
// spaces other than the usual one, and marks of direction.
func isHidden(r rune) bool {
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Clip returns s, made [Visible], in at most n characters, the last of them an
// ellipsis if it is longer.
func Clip(s string, n int) string {
	s = Visible(s)
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// A filter writes text to w, and escapes invisible characters except line ends.
type filter struct {
	w      io.Writer
	escape func(string) string
	rest   []byte // the beginning of a character
}

func (f *filter) Write(text []byte) (int, error) {
	f.rest = append(f.rest, text...)
	whole := len(f.rest)
	for back := 1; back < utf8.UTFMax && back <= len(f.rest); back++ {
		if at := len(f.rest) - back; utf8.RuneStart(f.rest[at]) {
			if !utf8.FullRune(f.rest[at:]) {
				whole = at
			}
			break
		}
	}
	err := f.put(f.rest[:whole])
	f.rest = append(f.rest[:0], f.rest[whole:]...)
	return len(text), err
}

func (f *filter) put(text []byte) error {
	lines := strings.Split(string(text), "\n")
	for i := range lines {
		lines[i] = f.escape(lines[i])
	}
	_, err := io.WriteString(f.w, strings.Join(lines, "\n"))
	return err
}

// finish writes the bytes of a character that was cut off.
func (f *filter) finish() error {
	rest := f.rest
	f.rest = nil
	return f.put(rest)
}

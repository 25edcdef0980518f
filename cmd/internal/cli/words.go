package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Number writes n with a comma between thousands.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Documents writes n and the noun.
func Documents(n int64) string {
	if n == 1 {
		return "1 document"
	}
	return Number(n) + " documents"
}

// Size writes a number of bytes in decimal units.
func Size(n int64) string {
	f, unit := float64(n), 0
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	for f >= 999.95 && unit+1 < len(units) {
		f, unit = f/1000, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, units[unit])
}

// Clip returns s in at most n characters, the last of them an ellipsis if it is
// longer.
func Clip(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// Visible makes text from outside safe for a terminal: a character that is not
// printable becomes an escape such as \u{1b}.
func Visible(s string) string {
	if strings.IndexFunc(s, isHidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isHidden(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isHidden(r rune) bool { return !unicode.IsPrint(r) }

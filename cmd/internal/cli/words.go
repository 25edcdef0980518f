package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Number returns n as text, with commas between groups of three digits.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count returns n with a word in the singular or plural.
func Count(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + several
}

// And joins names for a sentence, as in "a", "a and b" or "a, b and c".
func And(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Documents returns n with the noun "document" or "documents".
func Documents(n int64) string { return Count(n, "document", "documents") }

// Size returns a number of bytes as text in decimal units.
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

// SomeOf returns the first three names of a list and the number of the others.
func SomeOf(names []string) string { return FirstOf(names, 3) }

// FirstOf returns the first few names of a list and the number of the others.
func FirstOf(names []string, few int) string {
	if n := len(names) - few; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), n)
	}
	return strings.Join(names, ", ")
}

// A Time is an instant as text and in milliseconds. For years beyond 9999 the text is the
// number of milliseconds too.
type Time struct {
	Time   string `json:"time"`
	Millis int64  `json:"ms"`
}

// TimeOf returns the Time of i.
func TimeOf(i policy.Instant) Time { return Time{i.String(), int64(i)} }

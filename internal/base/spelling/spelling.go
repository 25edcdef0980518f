// Package spelling compares names as people misspell them.
package spelling

import (
	"strings"
	"unicode"
)

// Distance returns how many bytes must be inserted, removed or changed to turn
// a into b.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// Nearest returns the known name that was likely meant by an unknown one, "" if there is
// none. Case and signs between words do not count, and the end may be missing:
// expire_after means expireAfterSeconds.
func Nearest(name string, known []string) string {
	best, least := "", 4 // at most 3 changes make a name a misspelling
	n := Letters(name)
	for _, other := range known {
		o := Letters(other)
		if len(n) > 2*len(o) { // saves comparing with a name of any length
			continue
		}
		d := Distance(n, o)
		if len(n) >= 6 && strings.HasPrefix(o, n) {
			d = min(d, 3)
		}
		if d < least && 2*d < len(o) {
			best, least = other, d
		}
	}
	return best
}

// Letters returns the letters and digits of a name, in lower case, so that
// expire_after_seconds and expireAfterSeconds are equal.
func Letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

package policy

import (
	"errors"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/jsontext"
)

var errNoDate = errors.New("want a date such as 2026-11-20T08:30:00.000Z")

// parseDate reads the text of a relaxed $date: RFC 3339 with at most three
// decimals of a second. The colon in the offset may be left out. It is
// stricter than [time.Parse], which takes a comma for a point, and decimals
// that an Instant would lose.
func parseDate(text string) (Instant, error) {
	const shape = "dddd-dd-ddTdd:dd:dd"
	if len(text) < len(shape) || !hasShape(text[:len(shape)], shape) {
		return 0, errNoDate
	}
	milli, zone, ok := cutMillis(text[len(shape):])
	offset, known := parseOffset(zone)
	n := func(from, to int) int { return int(decimal(text[from:to])) }
	year, month, day, hour, minute, second := n(0, 4), n(5, 7), n(8, 10), n(11, 13), n(14, 16), n(17, 19)
	if !ok || !known || hour > 23 || minute > 59 || second > 59 {
		return 0, errNoDate
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if t.Month() != time.Month(month) {
		return 0, errNoDate // there is no such day: Date has moved on to another month
	}
	return Instant((t.Unix()-offset)*1000 + milli), nil
}

// hasShape reports whether text is shape with a digit for each d.
func hasShape(text, shape string) bool {
	if len(text) != len(shape) {
		return false
	}
	for i := range len(text) {
		if shape[i] == 'd' && !jsontext.IsDigit(text[i]) || shape[i] != 'd' && shape[i] != text[i] {
			return false
		}
	}
	return true
}

// decimal returns the number that a few digits spell.
func decimal(digits string) (n int64) {
	for i := range len(digits) {
		n = n*10 + int64(digits[i]-'0')
	}
	return n
}

// cutMillis reads the point and up to three decimals that text may begin with.
func cutMillis(text string) (milli int64, rest string, ok bool) {
	if text == "" || text[0] != '.' {
		return 0, text, true
	}
	end := 1
	for end < len(text) && jsontext.IsDigit(text[end]) {
		end++
	}
	if end == 1 || end > 4 {
		return 0, text, false
	}
	return decimal((text[1:end] + "00")[:3]), text[end:], true
}

// parseOffset returns the seconds east of UTC that text says.
func parseOffset(text string) (seconds int64, ok bool) {
	switch {
	case text == "Z":
		return 0, true
	case hasShape(text, "+dd:dd"), hasShape(text, "-dd:dd"):
		text = text[:3] + text[4:]
	case !hasShape(text, "+dddd") && !hasShape(text, "-dddd"):
		return 0, false
	}
	hours, minutes := decimal(text[1:3]), decimal(text[3:5])
	seconds = hours*3600 + minutes*60
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, hours < 24 && minutes < 60
}

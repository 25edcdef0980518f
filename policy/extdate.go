package policy

import (
	"errors"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

var errNoDate = errors.New("want a date such as 2026-11-20T08:30:00.000Z")

// parseDate reads the text of a relaxed $date: RFC 3339 with at most three
// decimals of a second. The colon in the offset may be left out. It is stricter
// than [time.Parse], which accepts a comma as the decimal point, and decimals
// that an Instant cannot hold.
func parseDate(text []byte) (Instant, error) {
	i, n := cutDate(text)
	if n == 0 || n < len(text) {
		return 0, errNoDate
	}
	return i, nil
}

// cutDate reads the date at the start of text, as parseDate does, and returns its
// length, or 0 if text does not begin with a date.
func cutDate(text []byte) (Instant, int) {
	const shape = len("2006-01-02T15:04:05")
	if len(text) <= shape || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return 0, 0
	}
	century, years, month, day := pair(text, 0), pair(text, 2), pair(text, 5), pair(text, 8)
	hour, minute, second := pair(text, 11), pair(text, 14), pair(text, 17)
	milli, decimals := cutMillis(text[shape:])
	offset, zone := cutOffset(text[shape+decimals:])
	if zone == 0 || century|years|hour|minute|second < 0 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 {
		return 0, 0
	}
	year := century*100 + years
	if day > 28 && day > daysIn(year, month) {
		return 0, 0
	}
	second += daysSince1970(year, month, day)*86400 + hour*3600 + minute*60 - offset
	return Instant(second*1000 + milli), shape + decimals + zone
}

// daysIn returns the number of days in a month.
func daysIn(year, month int64) int64 {
	isLeap := year%4 == 0 && year%100 != 0 || year%400 == 0
	switch {
	case month != 2:
		return 30 + (month+month/8)%2
	case isLeap:
		return 29
	}
	return 28
}

// daysSince1970 returns the number of days from 1970-01-01 to a date of the years 0 to
// 9999. It takes a quarter of the time of [time.Date].
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 { // the year begins in March, so that the leap day is its last day
		year, month = year-1, month+12
	}
	year += 400                        // the year is not negative, so that quotients are rounded down
	const march400BC = 719468 + 146097 // days from 1 March of the year -400 to 1970-01-01
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 1 - march400BC
}

// pair returns the number that two digits spell, or a negative number for other
// text.
func pair(text []byte, i int) int64 {
	tens, ones := text[i]-'0', text[i+1]-'0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return int64(tens)*10 + int64(ones)
}

// cutMillis reads the point and up to three decimals at the start of text, and returns
// their length, or 0 if there are no decimals.
func cutMillis(text []byte) (milli int64, n int) {
	if len(text) < 2 || text[0] != '.' || !jsontext.IsDigit(text[1]) {
		return 0, 0
	}
	unit := int64(100)
	if len(text) >= len(".000") { // the usual case
		if tens, ones := pair(text, 1), text[3]-'0'; tens >= 0 && ones <= 9 {
			return tens*10 + int64(ones), len(".000")
		}
	}
	for n = 1; n < min(len(text), len(".000")) && jsontext.IsDigit(text[n]); n++ {
		milli += unit * int64(text[n]-'0')
		unit /= 10
	}
	return milli, n
}

// cutOffset reads the offset at the start of text as seconds east of UTC, and
// returns its length, or 0 if there is none.
func cutOffset(text []byte) (seconds int64, n int) {
	switch {
	case len(text) > 0 && text[0] == 'Z':
		return 0, 1
	case len(text) < len("+0000") || text[0] != '+' && text[0] != '-':
		return 0, 0
	}
	n = len("+00")
	if text[n] == ':' {
		n++
	}
	if len(text) < n+2 {
		return 0, 0
	}
	hours, minutes := pair(text, 1), pair(text, n)
	if hours < 0 || hours > 23 || minutes < 0 || minutes > 59 {
		return 0, 0
	}
	seconds = hours*3600 + minutes*60
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, n + 2
}

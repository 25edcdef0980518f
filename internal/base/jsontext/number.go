package jsontext

import (
	"bytes"
	"math"
)

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

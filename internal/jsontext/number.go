package jsontext

import (
	"bytes"
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/swar"
)

// ParseInt64 returns the integer that b spells. It reports false if b is no
// integer (a point, an exponent, a plus sign) or does not fit.
func ParseInt64(b []byte) (int64, bool) {
	if len(b) > len("-9223372036854775808") {
		return 0, false // JSON knows no leading zeros
	}
	digits := bytes.TrimPrefix(b, []byte("-"))
	var n uint64
	rest := digits
	if len(digits) >= swar.WordBytes {
		w := swar.Load(digits, 0)
		if nonDigits(w) != 0 {
			return 0, false
		}
		n, rest = eightDigits(w), digits[swar.WordBytes:]
	}
	for _, c := range rest {
		if !IsDigit(c) {
			return 0, false
		}
		n = n*10 + uint64(c-'0') // at most 20 digits, of which 20 are refused below
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

// eightDigits returns the number that a word of digits spells, the first of them lowest.
func eightDigits(w uint64) uint64 {
	w -= '0' * swar.LowBits
	w = w*10 + w>>8 // in every other byte two digits
	const pairs = 0x0000_00ff_0000_00ff
	return (w&pairs*(1_000_000<<32+100) + w>>16&pairs*(10_000<<32+1)) >> 32
}

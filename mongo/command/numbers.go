package command

import "math"

// plainInt32 truncates f as x86 processors do: NaN, and a number that does not fit,
// become the smallest int32.
func plainInt32(f float64) int32 {
	if !(f > math.MinInt32-1 && f < math.MaxInt32+1) {
		return math.MinInt32
	}
	return int32(f)
}

// plainInt64 is plainInt32 for 64 bits.
func plainInt64(f float64) int64 {
	if !(f >= math.MinInt64 && f < math.MaxInt64) { // math.MaxInt64 as a float64 is 2^63
		return math.MinInt64
	}
	return int64(f)
}

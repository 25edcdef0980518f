package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A delay is what the monitor makes of a stored expireAfterSeconds, in
// milliseconds. Releases before 5.0 use negative and 64-bit values as they
// are, which is why it is wider than policy.Seconds.
type delay int64

// delayOf returns the delay of a stored option, or the rule by which the
// monitor does not use it.
func delayOf(v policy.Value, r StoredReading) (delay, *policy.Rule) {
	switch {
	case !v.Kind().IsNumber():
		return 0, ruleOptionNotNumber
	case isNaN(v):
		return nanDelay(r)
	case r == StoredPlain && !fitsInt64(v):
		return 0, ruleOptionUnspecified // undefined behaviour of the C conversion
	}
	return rangeDelay(wholeSeconds(v), r)
}

// nanDelay returns what each reading makes of NaN.
func nanDelay(r StoredReading) (delay, *policy.Rule) {
	switch r {
	case StoredPlain:
		return 0, ruleNaNAborts
	case StoredConverted:
		return 0, nil
	case StoredNaNSkipped, StoredChecked:
		return 0, ruleNaNSkipped
	}
	return 0, ruleNaNUnspecified
}

// rangeDelay returns the delay of whole seconds.
func rangeDelay(seconds int64, r StoredReading) (delay, *policy.Rule) {
	switch {
	case seconds >= 0 && seconds <= int64(policy.MaxSeconds):
		return delay(seconds * 1000), nil
	case r == StoredChecked:
		return 0, ruleOptionOutOfRange
	case r == StoredNaNSkipped || r == StoredNaNOpen || r == StoredUnread:
		return 0, ruleOptionUnspecified
	case seconds > math.MaxInt64/1000 || seconds <= math.MinInt64/1000:
		return 0, ruleOptionOverflows
	}
	return delay(seconds * 1000), nil
}

// wholeSeconds returns the whole number that a release reads: doubles are
// truncated towards zero, decimals rounded half to even, both saturating
// (mongodb/mongo: src/mongo/bson/bsonelement.h, src/mongo/platform/decimal128.h).
func wholeSeconds(v policy.Value) int64 {
	if n, ok := v.AsInt64(); ok {
		return n
	}
	if f, ok := v.AsDouble(); ok {
		return truncate(f)
	}
	high, low, _ := v.AsDecimal()
	return decimalToInt64(high, low)
}

// truncate returns f towards zero, saturating; NaN is 0.
func truncate(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f >= math.MaxInt64: // 2^63: the constant rounds up as a float64
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// fitsInt64 reports whether a number that is not NaN lies in the range of
// int64.
func fitsInt64(v policy.Value) bool {
	n := wholeSeconds(v)
	_, isInteger := v.AsInt64()
	return isInteger || n != math.MaxInt64 && n != math.MinInt64
}

func isNaN(v policy.Value) bool {
	if f, ok := v.AsDouble(); ok {
		return f != f
	}
	high, _, ok := v.AsDecimal()
	return ok && high&decimalNaN == decimalNaN
}

// deadlineAfter returns the first instant at which a date has expired. It
// reports false if no instant is late enough. A negative delay that would
// reach back before the first instant stops there.
func (d delay) deadlineAfter(date policy.Instant, strict bool) (policy.Instant, bool) {
	sum := date + policy.Instant(d)
	if d < 0 && sum > date {
		return policy.MinInstant, true
	}
	if d > 0 && sum < date || strict && sum == policy.MaxInstant {
		return 0, false
	}
	if strict {
		sum++
	}
	return sum, true
}

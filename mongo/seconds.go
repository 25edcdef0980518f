package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A delay is what the monitor makes of a stored expireAfterSeconds, in
// milliseconds. Releases up to 6.1 use negative and 64-bit values as they are,
// which is why it is wider than policy.Seconds.
type delay int64

// delayOf returns the delay of a stored option that passed optionChecks.
func delayOf(v policy.Value) delay { return delay(wholeSeconds(v) * 1000) }

// optionChecks are what the monitor asks of an index's expireAfterSeconds.
var optionChecks = []check{knowsRelease, isNumeric, isNotNaN, fitsSeconds, fitsMilliseconds, fitsClock}

// knowsRelease fails in the zero Profile only.
func knowsRelease(c *compiling) (*policy.Rule, bool) {
	if c.profile.conversion != conversionUnspecified {
		return nil, true
	}
	return ruleSecondsUnspecified, false
}

// isNumeric looks at the option's type. The first releases did not, and read
// what is no number as 0. A Decimal128 is of a type that they do not know.
func isNumeric(c *compiling) (*policy.Rule, bool) {
	kind := c.spec.ExpireAfterSeconds.Kind()
	switch {
	case kind == policy.Decimal && !c.profile.decimals:
		return ruleSecondsUnspecified, false
	case c.profile.notNumber == notNumberZero:
		return ruleSecondsNotNumberZero, true
	}
	return ruleSecondsNotNumber, kind.IsNumber()
}

var nanRules = [...]*policy.Rule{
	nanAborts: ruleNaNAborts, nanZero: ruleNaNZero, nanSkipped: ruleNaNSkipped,
}

func isNotNaN(c *compiling) (*policy.Rule, bool) {
	return nanRules[c.profile.nan], c.profile.nan == nanZero || !c.spec.ExpireAfterSeconds.IsNaN()
}

// fitsSeconds asks for 0 to 2147483647 where the release does.
func fitsSeconds(c *compiling) (*policy.Rule, bool) {
	inRange := inSeconds(wholeSeconds(c.spec.ExpireAfterSeconds))
	switch c.profile.outOfRange {
	case rangeSkipped:
		return ruleSecondsInvalid, inRange
	case rangeUnspecified:
		return ruleSecondsUnspecified, inRange
	}
	return nil, true
}

// fitsMilliseconds asks whether the pass can compute with the delay: a
// conversion that overflows aborts it, or is undefined behaviour.
func fitsMilliseconds(c *compiling) (*policy.Rule, bool) {
	stored := c.spec.ExpireAfterSeconds
	n := wholeSeconds(stored)
	fits := n <= math.MaxInt64/1000 && n >= math.MinInt64/1000
	undefined := c.profile.byQuery || c.profile.conversion == conversionPlain && saturates(stored)
	switch {
	case c.profile.outOfRange != rangeUsed:
		return nil, true // fitsSeconds has settled it
	case undefined:
		return ruleSecondsUnspecified, fits
	}
	return ruleSecondsOverflow, fits
}

// fitsClock asks whether the pass can compute the cutoff of a negative delay at
// a clock that a server may have.
func fitsClock(c *compiling) (*policy.Rule, bool) {
	last, limited := delayOf(c.spec.ExpireAfterSeconds).lastClock()
	if !limited || c.profile.outOfRange != rangeUsed {
		return nil, true
	}
	return c.lateRule(), last >= firstServerClock
}

// lateRule is the rule of what the pass does when it can no longer compute the
// cutoff.
func (c *compiling) lateRule() *policy.Rule {
	if c.profile.cutoffChecked {
		return ruleSecondsOverflow
	}
	return ruleSecondsUnspecified
}

// The clocks that servers have: none of the releases in the tables is older than
// the first, 2012-01-01, and later ones than the last, the end of 9999, are not
// considered.
const (
	firstServerClock policy.Instant = 1_325_376_000_000
	lastServerClock  policy.Instant = 253_402_300_799_999
)

// lastClock returns the last clock at which the cutoff of a negative delay fits
// 64 bits. It reports false if all clocks do.
func (d delay) lastClock() (policy.Instant, bool) {
	last := policy.MaxInstant + policy.Instant(min(d, 0))
	return last, last < lastServerClock
}

func inSeconds(n int64) bool { return n >= 0 && n <= int64(policy.MaxSeconds) }

// saturates reports whether a stored number lies beyond 64 bits, or so close
// that a double cannot tell.
func saturates(v policy.Value) bool {
	n := wholeSeconds(v)
	_, isInteger := v.AsInt64()
	return !isInteger && (n == math.MaxInt64 || n == math.MinInt64)
}

// WholeSeconds returns the whole number of seconds that MongoDB reads an
// expireAfterSeconds as, and false for what is no number: doubles are truncated
// towards zero, decimals rounded half to even, and what is beyond 64 bits is
// the nearest that fits. NaN is 0; whether a release uses it so, and within
// which range it uses the number at all, its [Profile] tells
// (mongodb/mongo: src/mongo/bson/bsonelement.h, safeNumberLong, and
// src/mongo/platform/decimal128.h, toLong).
func WholeSeconds(v policy.Value) (seconds int64, ok bool) {
	return wholeSeconds(v), v.Kind().IsNumber()
}

// wholeSeconds is [WholeSeconds], 0 for what is no number.
func wholeSeconds(v policy.Value) int64 {
	if n, ok := v.AsInt64(); ok {
		return n
	}
	if f, ok := v.AsDouble(); ok {
		return truncate(f)
	}
	high, low, ok := v.AsDecimal()
	if !ok {
		return 0
	}
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

// deadlineAfter returns the first instant at which a date has expired. It
// reports false if no instant is late enough. A negative delay that would
// reach back before the first instant stops there.
func (d delay) deadlineAfter(date policy.Instant, strict bool) (policy.Instant, bool) {
	sum := date + policy.Instant(d)
	switch {
	case d < 0 && sum > date:
		return policy.MinInstant, true
	case d > 0 && sum < date, strict && sum == policy.MaxInstant:
		return 0, false
	case strict:
		return sum + 1, true
	}
	return sum, true
}

// cutoff returns the latest date that has expired at now, the inverse of
// deadlineAfter. It reports false if no date has.
func (d delay) cutoff(now policy.Instant, strict bool) (policy.Instant, bool) {
	latest := now - policy.Instant(d)
	switch {
	case d < 0 && latest < now: // further ahead than any date
		return policy.MaxInstant, true
	case d > 0 && latest > now, strict && latest == policy.MinInstant:
		return 0, false
	case strict:
		return latest - 1, true
	}
	return latest, true
}

package policy

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// An Instant is a point in time: milliseconds since 1970-01-01T00:00:00Z,
// the resolution and range of a BSON Date (https://bsonspec.org/spec.html).
// Instants before 1970 are negative. Instants compare with ==, < and >.
//
// Instant(n) is n milliseconds after the epoch. Make an Instant from a time with
// [InstantOf], and from seconds or microseconds with [time.Unix] or [time.UnixMicro] first:
// as milliseconds, microseconds would become an instant at which everything has expired.
//
// The zero Instant is 1970-01-01, a real instant. There is no Instant with the meaning
// "none": check [Decision.State] first.
type Instant int64

// The first and the last instant.
const (
	MinInstant Instant = math.MinInt64
	MaxInstant Instant = math.MaxInt64
)

// InstantOf returns the millisecond that contains t. It rounds towards the
// past, so that an instant is never later than t. Times outside the range of
// Instant yield [MinInstant] or [MaxInstant].
func InstantOf(t time.Time) Instant {
	sec, milli := t.Unix(), int64(t.Nanosecond()/1e6) // milli is not negative, even before 1970
	switch i := Instant(sec*1000 + milli); {
	case sec > math.MaxInt64/1000 || sec > 0 && i < 0:
		return MaxInstant
	case sec < math.MinInt64/1000-1 || sec < 0 && i > 0:
		return MinInstant
	default:
		return i
	}
}

// Time returns i as a [time.Time] in UTC.
func (i Instant) Time() time.Time { return time.UnixMilli(int64(i)).UTC() }

// Add returns the instant s seconds after i. If that instant is not representable, Add
// returns the nearest one that is, and reports false.
func (i Instant) Add(s int32) (Instant, bool) {
	sum := i + Instant(s)*1000 // |s| <= 2^31, so the product fits
	switch {
	case s > 0 && sum < i:
		return MaxInstant, false
	case s < 0 && sum > i:
		return MinInstant, false
	}
	return sum, true
}

// String returns i as an RFC 3339 timestamp in UTC with milliseconds, such as
// "2026-11-20T08:30:00.000Z". Years outside 0000 to 9999 have no such form and
// are written as milliseconds, such as "9223372036854775807ms".
func (i Instant) String() string {
	t := i.Time()
	if y := t.Year(); y < 0 || y > 9999 {
		return strconv.FormatInt(int64(i), 10) + "ms"
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

// MaxSeconds is the longest time to live, a little over 68 years: times to live are whole
// numbers of seconds in the range of an int32, as in both databases. They have no type of
// their own, because any integer type would accept a [time.Duration], which counts
// nanoseconds: a conversion would make an hour 26 years, and some durations 0.
const MaxSeconds = math.MaxInt32

// SecondsOf returns a duration as a time to live. It fails for a duration that is not a whole
// number of seconds, is negative, or is longer than [MaxSeconds]; it then returns MaxSeconds,
// because 0 deletes at once.
func SecondsOf(d time.Duration) (int32, error) {
	n := d / time.Second
	if d%time.Second != 0 || n < 0 || n > MaxSeconds {
		return MaxSeconds, fmt.Errorf("policy: %s is not a time to live of 0 to %d whole seconds", d, MaxSeconds)
	}
	return int32(n), nil
}

package cases

import (
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Ends of ranges that dates are kept in somewhere.
const (
	yearOne        policy.Instant = -62_135_596_800_000 // 0001-01-01, the first of many calendars
	endOf9999      policy.Instant = 253_402_300_799_999 // the last millisecond with four digits
	endOfSeconds   policy.Instant = math.MaxInt32 * 1000
	endOfUnsigned  policy.Instant = math.MaxUint32 * 1000
	endOfExactMS   policy.Instant = 1 << 53 // beyond, a double skips milliseconds
	usual          policy.Instant = 1_700_000_000_000
	longestSeconds int64          = math.MaxInt32
)

var (
	nearDates = []policy.Instant{usual, 0, -1, 1, usual + 999, reference.FirstUsualClock, endOfSeconds, endOfSeconds + 1000, endOfUnsigned + 1000, -2_208_988_800_000}
	farDates  = []policy.Instant{
		yearOne, yearOne - 1, endOf9999, endOf9999 + 1, endOfExactMS + 1, -endOfExactMS - 1,
		policy.MaxInstant, policy.MaxInstant - 1000, policy.MinInstant, policy.MinInstant + 1, policy.MaxInstant - policy.Instant(longestSeconds)*1000,
	}
)

// Instant draws a date, one in four from the ends of ranges.
func (s Source) Instant() policy.Instant {
	switch s.Range(0, 7) {
	case 5, 6:
		return Pick(s, nearDates...)
	case 7:
		if s.Knows("far-dates") {
			return s.farInstant()
		}
		return policy.Instant(s.Range(int64(yearOne)+1, int64(endOf9999)))
	}
	return usual + policy.Instant(s.Range(-100_000, 100_000))*policy.Instant(Pick(s, int64(1), 1000, 86_400_000/1000))
}

func (s Source) farInstant() policy.Instant {
	if s.Either() {
		return Pick(s, farDates...)
	}
	return policy.Instant(s.Range(math.MinInt64, math.MaxInt64))
}

// NowNear draws a clock: mostly within a few milliseconds of an instant.
func (s Source) NowNear(i policy.Instant) policy.Instant {
	switch s.Range(0, 3) {
	case 0:
		return s.clock(i)
	case 1:
		return s.clock(Plus(i, s.Range(-2, 2)))
	case 2:
		return s.clock(Plus(i, s.Range(-100_000, 100_000)*1000))
	}
	return s.clock(s.Instant())
}

// clock returns an instant that may be asked about as the clock, the nearest.
func (c *Claim) clock(i policy.Instant) policy.Instant {
	if c.Knows("unusual-clock") {
		return i
	}
	return min(max(i, reference.FirstUsualClock), reference.LastUsualClock)
}

// Shift draws by how many milliseconds a date, its deadline and the clock can
// move together, all of them to instants that can be asked about; often 0 if
// one of them is at the end of its range.
func (s Source) Shift(date, due, now policy.Instant) int64 {
	to := s.Instant()
	ms := int64(to - date)
	for _, i := range []policy.Instant{date, due, now} {
		if moved := Plus(i, ms); moved-i != policy.Instant(ms) || moved == policy.MaxInstant || i == policy.MaxInstant {
			return 0
		}
	}
	if !s.AsksAt(Plus(now, ms)) {
		return 0
	}
	return ms
}

// AsksAt reports whether an instant may be asked about as the clock.
func (c *Claim) AsksAt(i policy.Instant) bool { return c.clock(i) == i }

// Plus returns the instant ms milliseconds after i, or the last or first one
// that there is.
func Plus(i policy.Instant, ms int64) policy.Instant {
	sum := i + policy.Instant(ms)
	switch {
	case ms > 0 && sum < i:
		return policy.MaxInstant
	case ms < 0 && sum > i:
		return policy.MinInstant
	}
	return sum
}

// Seconds draws a time to live that every release of MongoDB takes: before
// 5.0.14 no more than have passed since 1970.
func (s Source) Seconds() int64 {
	longest := longestSeconds
	if !s.Knows("stale-catalog") {
		longest = int64(reference.FirstUsualClock / 1000)
	}
	if s.sometimes(3) {
		return min(longest, Pick(s, 0, 1, longest, longest-1, 2_147_483, 2_147_484, 4_294_967, 4_294_968))
	}
	return s.Range(0, Pick(s, int64(100), 100_000, longest))
}

// Number returns a whole number as one of the types that the claim knows and
// the release had.
func (s Source) Number(n int64, release string) policy.Value {
	return Pick(s, s.Numbers(n, release)...)
}

// Numbers returns a whole number of 32 bits in every type that the claim knows
// and the release had.
func (s Source) Numbers(n int64, release string) []policy.Value {
	list := []policy.Value{policy.Int32Value(int32(n)), policy.Int64Value(n), policy.DoubleValue(float64(n))}
	if s.Knows("decimal128") && !Before(release, "5.0.0") {
		list = append(list, decimal(strconv.FormatInt(n, 10)), decimal(strconv.FormatInt(n, 10)+".00"))
	}
	return list
}

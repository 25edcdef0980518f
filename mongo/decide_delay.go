package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A delay is the number of milliseconds that the monitor computes from a stored
// expireAfterSeconds. It is wider than int32, because releases up to
// 6.1 use negative and 64-bit values as they are.
type delay int64

// delayOf returns the delay of a stored option that passed optionChecks. If the
// product wraps, delayOf keeps its lowest 64 bits, as the server does: 0 for the
// smallest integer, and -1000 for the greatest.
func delayOf(p behaviour.Profile, v policy.Value) delay {
	n := value.WholeSeconds(v)
	if p.Conversion == behaviour.ConversionPlain && value.Saturates(v) {
		n = math.MinInt64
	}
	return delay(n * 1000)
}

// firstServerClock and lastServerClock bound the clocks of servers. No release in the
// tables is older than 2012-01-01. Clocks after the end of the year 9999 are not
// considered.
const (
	firstServerClock policy.Instant = 1_325_376_000_000
	lastServerClock  policy.Instant = 253_402_300_799_999
)

// firstSeriesClock is 2021-07-13, before which no server has time-series
// collections.
const firstSeriesClock policy.Instant = 1_626_134_400_000

// lastClock returns the last clock at which the cutoff of a negative delay fits
// 64 bits. It reports false if the cutoff fits at all clocks.
func (d delay) lastClock() (policy.Instant, bool) {
	last := policy.MaxInstant + policy.Instant(min(d, 0))
	return last, last < lastServerClock
}

// deadlineAfter returns the first instant at which a date has expired. It reports false
// if no instant is late enough. If a negative delay reaches back before
// policy.MinInstant, the result is policy.MinInstant.
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

// keptBy returns the decision that a rule keeps a document.
func keptBy(r policy.Rule) policy.Decision { return policy.Decision{Rule: r} }

// expireAt returns the decision, at the time now, about a document that expires at
// deadline.
func expireAt(deadline policy.Instant, r policy.Rule, now policy.Instant) policy.Decision {
	return policy.DecisionOf(policy.Pending, deadline, r).At(now)
}

// unlessDamaged returns d, unless the record turned out to be damaged.
func unlessDamaged(r *fieldpath.Record, d policy.Decision) policy.Decision {
	if r.Damaged {
		return keptBy(rules.Malformed)
	}
	return d
}

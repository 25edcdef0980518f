package transfer

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Fidelity says how well a policy or a document carries over. Greater is better; the zero
// Fidelity is [Lost].
type Fidelity uint8

// The fidelities.
const (
	Lost        Fidelity = iota // the other system cannot express it; documents are kept
	Approximate                 // documents expire, but later, or only as long as nothing changes
	Rounded                     // documents expire later, by less than a second
	Exact                       // documents expire at the same millisecond, or never in both systems
)

var fidelityNames = []string{Lost: "lost", Approximate: "approximate", Rounded: "rounded", Exact: "exact"}

// String returns "lost", "approximate", "rounded" or "exact".
func (f Fidelity) String() string { return enum.String(f, fidelityNames) }

// MarshalText returns the name of f. It fails for a number that is not a Fidelity.
func (f Fidelity) MarshalText() ([]byte, error) { return enum.MarshalText(f, fidelityNames) }

const second policy.Instant = 1000 // milliseconds

// compare returns how well a translation keeps a document's deadline, and the delay of the
// deadline in milliseconds, from the decisions in the two systems. It reports false if the
// document expires earlier than before, which no translation may bring about.
func compare(before, after policy.Decision) (f Fidelity, delay uint64, ok bool) {
	was, expired := before.Deadline()
	is, expires := after.Deadline()
	switch {
	case !expires && !expired:
		return Exact, 0, true
	case !expires:
		return Lost, 0, true
	case !expired || is < was:
		return Lost, 0, false
	}
	delay = uint64(is) - uint64(was)
	return fidelityOf(delay), delay, true
}

// fidelityOf returns the fidelity of a deadline that is reached later by a delay in
// milliseconds.
func fidelityOf(delay uint64) Fidelity {
	switch {
	case delay == 0:
		return Exact
	case delay < uint64(second):
		return Rounded
	}
	return Approximate
}

// ttlOf returns the ttl by which an item of a container with TTL on and no default expires
// at the deadline of d, if its last write is the import, and the delay of the deadline in
// milliseconds. The parameter imported is the second of the import; see
// [cosmos.TimestampAt]. The deadline is rounded up to the second. A deadline before or in
// the second of the import becomes one second after it, because a ttl is at least 1. The
// item gets no ttl if the deadline is more than 2147483647 seconds after the import and
// cannot be expressed, if the item never expires, or if imported is absent.
func ttlOf(d policy.Decision, imported cosmos.Timestamp) (ttl cosmos.TTL, f Fidelity, delay uint64) {
	deadline, expires := d.Deadline()
	if !expires {
		return cosmos.TTL{}, Exact, 0
	}
	ts, known := imported.Seconds()
	_, isInstant := valuefunc.InstantOfUnix(ts)
	due := max(roundUp(deadline), ts+1) // a ttl is at least 1
	instant, isReachable := valuefunc.InstantOfUnix(due)
	if !known || !isInstant || !isReachable || due-ts > math.MaxInt32 {
		return cosmos.TTL{}, Lost, 0
	}
	delay = uint64(instant) - uint64(deadline)
	return cosmos.TTLSeconds(due - ts), fidelityOf(delay), delay
}

// roundUp returns an instant in whole seconds since 1970, upwards.
func roundUp(i policy.Instant) int64 {
	s := int64(i / second)
	if i%second > 0 {
		s++
	}
	return s
}

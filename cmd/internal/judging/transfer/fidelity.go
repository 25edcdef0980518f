package transfer

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Fidelity says how well a policy or a document carries over. Greater is better; the zero
// Fidelity is [Lost].
type Fidelity uint8

// The fidelities.
const (
	Lost        Fidelity = iota // the other system cannot express it; documents are kept
	Approximate                 // documents expire, but later, or only as long as nothing changes
	Exact                       // documents expire at the same instant, or less than a second later
)

var fidelityNames = []string{Lost: "lost", Approximate: "approximate", Exact: "exact"}

// String returns "lost", "approximate" or "exact".
func (f Fidelity) String() string { return enum.String(f, fidelityNames) }

// MarshalText returns the name of f. It fails for a number that is not a Fidelity.
func (f Fidelity) MarshalText() ([]byte, error) { return enum.MarshalText(f, fidelityNames) }

const second policy.Instant = 1000 // milliseconds

// compare returns how well a translation keeps a document's deadline, from its
// decisions in the two systems. It reports false if the document expires earlier
// than before, which no translation may bring about.
func compare(before, after policy.Decision) (Fidelity, bool) {
	was, expired := before.Deadline()
	is, expires := after.Deadline()
	switch {
	case !expires && !expired:
		return Exact, true
	case !expires:
		return Lost, true
	case !expired || is < was:
		return Lost, false
	case uint64(is)-uint64(was) < uint64(second):
		return Exact, true
	}
	return Approximate, true
}

// ttlOf returns the ttl by which an item of a container with TTL on and no default expires
// at the deadline of d, if its last write is the import. The parameter imported is the
// second of the import; see [cosmos.TimestampAt]. The deadline is rounded up to the
// second. A deadline before or in the second of the import becomes one second after it,
// because a ttl is at least 1. The item gets no ttl if the deadline is more than
// 2147483647 seconds after the import and cannot be expressed, if the item never expires,
// or if imported is absent.
func ttlOf(d policy.Decision, imported cosmos.Timestamp) (cosmos.TTL, Fidelity) {
	deadline, expires := d.Deadline()
	if !expires {
		return cosmos.TTL{}, Exact
	}
	ts, known := imported.Seconds()
	_, isInstant := policy.InstantOfUnix(ts)
	due := max(roundUp(deadline), ts+1) // a ttl is at least 1
	instant, isReachable := policy.InstantOfUnix(due)
	switch {
	case !known || !isInstant || !isReachable || due-ts > math.MaxInt32:
		return cosmos.TTL{}, Lost
	case uint64(instant)-uint64(deadline) >= uint64(second):
		return cosmos.TTLSeconds(due - ts), Approximate
	}
	return cosmos.TTLSeconds(due - ts), Exact
}

// roundUp returns an instant in whole seconds since 1970, upwards.
func roundUp(i policy.Instant) int64 {
	s := int64(i / second)
	if i%second > 0 {
		s++
	}
	return s
}

package reasons

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Distance says how far at is from now: "in 3 d 4 h", "3 d 4 h ago" or "now".
func Distance(at, now policy.Instant) string {
	switch {
	case at > now:
		return "in " + Span(at, now)
	case at < now:
		return Span(now, at) + " ago"
	}
	return "now"
}

// Span returns the time from earlier to later in its two largest units.
func Span(later, earlier policy.Instant) string {
	ms := uint64(later) - uint64(earlier) // two int64 may lie 2^64-1 apart
	for i, u := range spanUnits {
		if ms < u.ms {
			continue
		}
		text := fmt.Sprintf("%d %s", ms/u.ms, u.name)
		if i+1 < len(spanUnits) && ms%u.ms >= spanUnits[i+1].ms {
			next := spanUnits[i+1]
			text += fmt.Sprintf(" %d %s", ms%u.ms/next.ms, next.name)
		}
		return text
	}
	return "0 ms"
}

var spanUnits = []struct {
	name string
	ms   uint64
}{{"d", 86_400_000}, {"h", 3_600_000}, {"min", 60_000}, {"s", 1000}, {"ms", 1}}

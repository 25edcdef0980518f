package explain

import (
	"fmt"
	"math/big"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// distance says how far at is from now: "in 3 d 4 h", "3 d 4 h ago" or "now".
func distance(at, now policy.Instant) string {
	switch {
	case at > now:
		return "in " + span(at, now)
	case at < now:
		return span(now, at) + " ago"
	}
	return "now"
}

// span returns the time from earlier to later in its two largest units.
func span(later, earlier policy.Instant) string {
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

// share returns where at lies between first and last, of n columns: 0 to n-1.
func share(at, first, last policy.Instant, n int) int {
	if last == first {
		return 0
	}
	part := new(big.Int).SetUint64(uint64(at) - uint64(first))
	part.Mul(part, big.NewInt(int64(n-1)))
	part.Div(part, new(big.Int).SetUint64(uint64(last)-uint64(first)))
	return int(part.Int64())
}

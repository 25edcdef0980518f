package forecast

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// intervals divide time into intervals of one width, for histograms of deadlines:
// counts[b.index(deadline)]++. Instants before the first bucket and after the
// last have an index of their own, so that nothing is lost. intervals are a
// value; the zero intervals have index 0 for every instant. Make others with
// [newIntervals].
//
// Finding the index takes a multiplication, and neither a division nor a branch.
// intervals cannot be days of a calendar, which differ in length.
type intervals struct {
	// start is one width before the first bucket; end is just after the last bucket.
	start, end policy.Instant
	// A division by the width is a multiplication by factor/2^(64+shift).
	factor uint64
	shift  uint8
}

// newIntervals returns n buckets of the given width, where the first begins at first. It
// fails for a width below 1 s, a number outside 1 to 2147483645, or buckets beyond the
// range of instants.
func newIntervals(first policy.Instant, width int32, n int) (intervals, error) {
	if width < 1 || n < 1 || n > math.MaxInt32-2 {
		return intervals{}, fmt.Errorf("%d buckets of %d s, want a width of at least 1 s and 1 to %d buckets", n, width, math.MaxInt32-2)
	}
	wide := uint64(width) * 1000
	start, okStart := first.Add(-width)
	// index requires that start and end are less than 2^63 ms apart.
	high, span := bits.Mul64(wide, uint64(n)+1)
	if !okStart || high > 0 || span > math.MaxInt64 || start > policy.MaxInstant-policy.Instant(span) {
		return intervals{}, fmt.Errorf("%d buckets of %d s from %v reach beyond the range of instants", n, width, first)
	}
	// The factor is 2^(64+shift)/wide rounded up, with its top bit set, so
	// that it is precise enough for every dividend below 2^63 (Granlund and
	// Montgomery, "Division by Invariant Integers using Multiplication", 1994).
	shift := bits.Len64(wide-1) - 1
	factor, rest := bits.Div64(1<<shift, 0, wide)
	if rest > 0 {
		factor++
	}
	return intervals{start, start + policy.Instant(span), factor, uint8(shift)}, nil
}

// index returns the index of the bucket that contains at: 1 for the first bucket, 0 for
// an instant before it, and b.len()-1 for an instant after the last bucket.
func (b intervals) index(at policy.Instant) int {
	n, _ := bits.Mul64(uint64(min(max(at, b.start), b.end)-b.start), b.factor)
	return int(n >> (b.shift & 63))
}

// len returns the number of indexes, which is two more than the number of buckets.
func (b intervals) len() int { return b.index(policy.MaxInstant) + 1 }

// startOf returns the instant at which the bucket of index i begins. i is from 1 to
// b.len()-1; startOf(b.len()-1) is the end of the last bucket.
func (b intervals) startOf(i int) policy.Instant {
	if last := b.len() - 1; last > 0 {
		return b.start + policy.Instant(i)*((b.end-b.start)/policy.Instant(last))
	}
	return policy.MinInstant
}

package forecast

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A numberer computes the number of an instant's bucket. For one width, it gives the
// results of [Width.index]. It is faster for near instants, because it multiplies in
// place of dividing. For widths of the calendar it remembers the last bucket. It runs for
// every document, and saves about 8 % of the time of a forecast.
//
// [newNumberer] returns a numberer.
type numberer struct {
	width  Width
	near   intervals
	behind int   // the index that follows those of the near buckets
	first  int64 // the number of the near bucket of index 0
	// The number, start and length of the last bucket outside the near buckets.
	number int64
	start  policy.Instant
	span   uint64
}

// newNumberer returns a numberer of the buckets of width w. The argument around is an
// instant: buckets of a fixed width of up to 68 years are near if they are within decades
// of it.
func newNumberer(w Width, around policy.Instant) *numberer {
	n := &numberer{width: w}
	if w.ms == 0 || w.ms > math.MaxInt32*second { // the maximum of int32
		return n
	}
	const most, longest = 1 << 30, 1 << 60 // these limits keep the product of number and width from overflowing
	count := min(most, longest/w.ms)
	first := w.index(around) - count/2
	near, err := newIntervals(w.start(first), int32(w.ms/second), int(count))
	if err == nil { // an error means that around is near the minimum or maximum instant
		n.near, n.behind, n.first = near, near.len()-1, first-1
	}
	return n
}

// of returns the number of the bucket that contains at.
func (n *numberer) of(at policy.Instant) int64 {
	if i := n.near.index(at); i > 0 && i < n.behind {
		return n.first + int64(i)
	}
	return n.far(at)
}

func (n *numberer) far(at policy.Instant) int64 {
	if at < n.start || uint64(at)-uint64(n.start) >= n.span {
		n.number = n.width.index(at)
		n.start = n.width.start(n.number)
		n.span = uint64(n.width.start(n.number+1)) - uint64(n.start)
	}
	return n.number
}

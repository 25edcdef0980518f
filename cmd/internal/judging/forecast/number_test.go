package forecast

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestNumbererIsWidth: the numbers equal those of Width.index, for any position of the
// near buckets.
func TestNumbererIsWidth(t *testing.T) {
	widths := slices.Concat(levels, shown, widths("10000w", "10000y", "7d", "9999s"))
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(widths).Draw(t, "width")
		around := drawn.Instants.Draw(t, "around")
		n := newNumberer(w, around)
		for range 20 {
			at := drawn.Instants.Draw(t, "at")
			if rapid.Bool().Draw(t, "near") {
				at = around + policy.Instant(rapid.Int64Range(-1<<45, 1<<45).Draw(t, "off")) // the sum may overflow
			}
			if got, want := n.of(at), w.index(at); got != want {
				t.Fatalf("%v is in bucket %d of %v, want %d", at, got, w, want)
			}
		}
	})
}

// TestNumbererAtTheEnds: instants at the ends of the near buckets, and near the minimum
// and maximum instant, are in the right buckets.
func TestNumbererAtTheEnds(t *testing.T) {
	for _, w := range slices.Concat(levels, widths("1w", "3000w")) {
		n := newNumberer(w, 1e12)
		edges := []policy.Instant{policy.MinInstant, policy.MaxInstant, 0}
		if n.long > 0 {
			edges = append(edges, n.near, n.near+policy.Instant(n.long))
		} else if w.months == 0 {
			t.Errorf("%v has no near buckets", w)
		}
		for _, e := range edges {
			for off := policy.Instant(-2); off <= 2; off++ {
				at := e + off
				if (at < e) != (off < 0) {
					continue // the sum has overflowed
				}
				if got, want := n.of(at), w.index(at); got != want {
					t.Errorf("%v is in bucket %d of %v, want %d", at, got, w, want)
				}
			}
		}
	}
	if n := newNumberer(levels[0], math.MinInt64); n.of(5) != 0 || n.of(-5) != -1 {
		t.Error("buckets around the beginning of time count wrongly")
	}
}

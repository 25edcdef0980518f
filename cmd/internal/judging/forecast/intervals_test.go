package forecast

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestIntervals(t *testing.T) {
	hours, err := newIntervals(7_200_000, 3600, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := hours.len(); got != 5 {
		t.Errorf("len() = %d, want 5", got)
	}
	tests := []struct {
		why  string
		at   policy.Instant
		want int
	}{
		{"the first instant of all", policy.MinInstant, 0},
		{"long before", -1, 0},
		{"just before the first bucket", 7_199_999, 0},
		{"the first bucket's first instant", 7_200_000, 1},
		{"its last", 10_799_999, 1},
		{"the second bucket", 10_800_000, 2},
		{"the last bucket's last instant", 17_999_999, 3},
		{"just behind", 18_000_000, 4},
		{"the last instant of all", policy.MaxInstant, 4},
	}
	for _, tt := range tests {
		if got := hours.index(tt.at); got != tt.want {
			t.Errorf("%s: index(%d) = %d, want %d", tt.why, tt.at, got, tt.want)
		}
	}
	for i, want := range []policy.Instant{1: 7_200_000, 2: 10_800_000, 3: 14_400_000, 4: 18_000_000} {
		if got := hours.startOf(i); i > 0 && got != want {
			t.Errorf("startOf(%d) = %d, want %d", i, got, want)
		}
	}
}

func TestIntervalsRefused(t *testing.T) {
	tests := []struct {
		why   string
		first policy.Instant
		width int32
		n     int
	}{
		{"no width", 0, 0, 1},
		{"a negative width", 0, -1, 1},
		{"no buckets", 0, 1, 0},
		{"a negative number of buckets", 0, 1, -1},
		{"no instant before the first", policy.MinInstant + 999, 1, 1},
		{"no instant behind the last", policy.MaxInstant - 1999, 1, 2},
		{"longer than all time", 0, policy.MaxSeconds, math.MaxInt32},
	}
	for _, tt := range tests {
		if b, err := newIntervals(tt.first, tt.width, tt.n); err == nil || b != (intervals{}) {
			t.Errorf("%s: newIntervals(%d, %d, %d) = %v, %v, want an error", tt.why, tt.first, tt.width, tt.n, b, err)
		}
	}
	if _, err := newIntervals(policy.MaxInstant-2000, 1, 2); err != nil {
		t.Errorf("newIntervals refuses buckets that end with the last instant: %v", err)
	}
	var zero intervals
	if zero.len() != 1 || zero.index(5) != 0 || zero.startOf(0) != policy.MinInstant {
		t.Errorf("the zero intervals have length %d, index %d, start %d; want 1, 0, the first instant", zero.len(), zero.index(5), zero.startOf(0))
	}
}

// TestPropertyIntervals: the index equals the result of exact division.
func TestPropertyIntervals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := int32(rapid.OneOf(rapid.Int32Range(1, math.MaxInt32), rapid.SampledFrom([]int32{1, 60, 3600, 86400, 1 << 20, math.MaxInt32})).Draw(t, "width"))
		n := rapid.OneOf(rapid.IntRange(1, 5000), rapid.IntRange(1, math.MaxInt32-2)).Draw(t, "n")
		first := policy.Instant(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 4e12)).Draw(t, "first"))
		b, err := newIntervals(first, width, n)
		if err != nil {
			t.SkipNow()
		}
		at := drawn.Instants.Draw(t, "at")
		if rapid.Bool().Draw(t, "near a border") {
			border := b.startOf(rapid.IntRange(1, n+1).Draw(t, "bucket"))
			at = border + policy.Instant(rapid.Int64Range(-2, 2).Draw(t, "offset"))
		}
		if got, want := int64(b.index(at)), exactIndex(at, first, width, n); got != want {
			t.Fatalf("%d buckets of %d s from %d: index(%d) = %d, want %d", n, width, first, at, got, want)
		}
		if b.len() != n+2 {
			t.Fatalf("len() = %d, want %d", b.len(), n+2)
		}
	})
}

// exactIndex is intervals.index in big integers.
func exactIndex(at, first policy.Instant, width int32, n int) int64 {
	offset := new(big.Int).Sub(big.NewInt(int64(at)), big.NewInt(int64(first)))
	offset.Div(offset, big.NewInt(int64(width)*1000)) // rounds down
	switch {
	case offset.Sign() < 0:
		return 0
	case offset.Cmp(big.NewInt(int64(n))) >= 0:
		return int64(n) + 1
	}
	return offset.Int64() + 1
}

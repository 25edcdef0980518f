package timeline

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestColumn(t *testing.T) {
	for _, tc := range []struct {
		at, first, last policy.Instant
		n, want         int
	}{
		{5, 5, 5, 10, 0},
		{0, 0, 100, 11, 0},
		{50, 0, 100, 11, 5},
		{29, 0, 100, 101, 29}, // not 28: no fraction is cut twice
		{100, 0, 100, 11, 10},
		{-7, 0, 100, 11, 0},
		{101, 0, 100, 11, 10},
		{policy.MaxInstant, policy.MinInstant, policy.MaxInstant, 80, 79},
		{0, policy.MinInstant, policy.MaxInstant, 81, 40},
	} {
		if got := (Scale{tc.first, tc.last}).Column(tc.at, tc.n); got != tc.want {
			t.Errorf("Scale{%d, %d}.Column(%d, %d) = %d, want %d", tc.first, tc.last, tc.at, tc.n, got, tc.want)
		}
	}
}

// TestScaleProperty: a later instant is never further left, and no instant is outside the
// scale.
func TestScaleProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{drawn.Instants.Draw(t, "one"), drawn.Instants.Draw(t, "other")}
		s = Scale{min(s.First, s.Last), max(s.First, s.Last)}
		a, b := drawn.Instants.Draw(t, "a"), drawn.Instants.Draw(t, "b")
		a, b = min(a, b), max(a, b)
		xa, xb := s.X(a, 10, 700), s.X(b, 10, 700)
		if xa > xb || xa < 10 || xb > 700 {
			t.Fatalf("%v: %d lies at %v, %d at %v", s, a, xa, b, xb)
		}
	})
}

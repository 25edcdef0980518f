package report

import (
	"math"
	"testing"
)

// TestWilson compares intervals with values worked out with a calculator.
func TestWilson(t *testing.T) {
	for _, tc := range []struct {
		k, n        int64
		least, most float64
	}{
		{0, 10, 0, 0.27753}, {10, 10, 0.72247, 1}, {5, 10, 0.23659, 0.76341}, {1, 100, 0.00177, 0.05449}, {500, 1000, 0.46907, 0.53093}, {0, 0, 0, 1},
	} {
		least, most := wilson(tc.k, tc.n)
		if math.Abs(least-tc.least) > 1e-5 || math.Abs(most-tc.most) > 1e-5 {
			t.Errorf("wilson(%d, %d) = %.5f, %.5f, want %.5f, %.5f", tc.k, tc.n, least, most, tc.least, tc.most)
		}
	}
}

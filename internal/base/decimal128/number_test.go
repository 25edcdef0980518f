package decimal128

import (
	"math/big"
	"math/bits"
	"testing"
)

// TestDigits checks the least and the greatest number of each length.
func TestDigits(t *testing.T) {
	for n := range Digits + 1 {
		least := powers[n]
		if got := least.digits(); got != n+1 {
			t.Errorf("10^%d has %d digits, want %d", n, got, n+1)
		}
		low, borrow := bits.Sub64(least.low, 1, 0)
		if got := (Number{high: least.high - borrow, low: low}).digits(); got != n {
			t.Errorf("10^%d-1 has %d digits, want %d", n, got, n)
		}
	}
	for bit := range 128 {
		s := Number{low: 1 << bit}
		if bit >= 64 {
			s = Number{high: 1 << (bit - 64)}
		}
		want := min(len(new(big.Int).Lsh(big.NewInt(1), uint(bit)).String()), Digits+1)
		if got := s.digits(); got != want {
			t.Errorf("2^%d has %d digits, want %d", bit, got, want)
		}
	}
}

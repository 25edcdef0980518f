package value

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// number draws a number of any kind.
func number(r fuzzing.Random) policy.Value {
	switch r.IntN(8) {
	case 0:
		return policy.Int32Value(int32(r.Whole()))
	case 1, 2:
		return policy.Int64Value(r.Whole())
	case 3, 4:
		return policy.DoubleValue(r.Double())
	}
	return policy.DecimalValue(r.Decimal())
}

// neighbour draws a number of another kind that is equal to v or next to it.
func neighbour(r fuzzing.Random, v policy.Value) policy.Value {
	n, ok := v.AsInt64()
	f, isDouble := v.AsDouble()
	switch {
	case ok && r.Percent(50):
		return policy.DoubleValue(float64(n))
	case ok:
		low, sign := uint64(n+int64(r.IntN(3)-1)), uint64(0)
		if int64(low) < 0 {
			low, sign = -low, 1<<63
		}
		return policy.DecimalValue(sign|6176<<49, low)
	case isDouble && math.Abs(f) < 1<<62 && r.Percent(50):
		return policy.Int64Value(int64(f) + int64(r.IntN(3)-1))
	case isDouble:
		return policy.DoubleValue(math.Nextafter(f, r.Double()))
	}
	high, low, _ := v.AsDecimal()
	return policy.DecimalValue(high, low+uint64(r.IntN(3)-1))
}

// FuzzNumbers: numbers of every kind are ordered by their exact values, and exchanged
// operands negate the result.
func FuzzNumbers(f *testing.F) {
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		v := number(r)
		w := number(r)
		if r.Percent(50) {
			w = neighbour(r, v)
		}
		got := CompareNumbers(v, w)
		if again := CompareNumbers(w, v); got != -again {
			t.Fatalf("CompareNumbers(%v, %v) = %d, turned around %d", v, w, got, again)
		}
		if want := modelCompare(v, w); got != want {
			t.Fatalf("CompareNumbers(%v, %v) = %d, want %d", v, w, got, want)
		}
	})
}

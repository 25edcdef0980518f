package boltttl

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestNumberText(t *testing.T) {
	for _, tt := range []struct {
		v    policy.Value
		want string
	}{
		{policy.Int32Value(12000), "12e3"},
		{policy.Int64Value(math.MinInt64), "-9223372036854775808e0"},
		{policy.DoubleValue(0.75), "75e-2"},
		{policy.DoubleValue(-1500), "-15e2"},
		{policy.DoubleValue(0.1), "1000000000000000055511151231257827021181583404541015625e-55"},
		{policy.DoubleValue(math.Copysign(0, -1)), "0"},
		{policy.Int32Value(0), "0"},
		{policy.DoubleValue(math.Inf(1)), "Inf"},
		{policy.DoubleValue(math.Inf(-1)), "-Inf"},
		{policy.DoubleValue(math.NaN()), "NaN"},
		{value(`{"$numberDecimal":"Infinity"}`), "Inf"},
		{value(`{"$numberDecimal":"-Infinity"}`), "-Inf"},
		{value(`{"$numberDecimal":"NaN"}`), "NaN"},
		{value(`{"$numberDecimal":"1.10"}`), "11e-1"},
		{value(`{"$numberDecimal":"9.999999999999999999999999999999999E+6144"}`), "9999999999999999999999999999999999e6111"},
		{value(`{"$numberDecimal":"-1E-6176"}`), "-1e-6176"},
		{policy.DecimalValue(0x3041_ed09_bead_87c0, 0x378d_8e64_0000_0000), "0"}, // 10^34 has too many digits
		{policy.DecimalValue(0x6c10_0000_0000_0000, 1), "0"},                     // the coefficient of this form has too many digits, too
	} {
		if got := numberText(tt.v); got != tt.want {
			t.Errorf("numberText(%v) = %s, want %s", tt.v, got, tt.want)
		}
	}
}

// TestNumberTextIsExact: the smallest double has 751 digits, none of which may
// be lost.
func TestNumberTextIsExact(t *testing.T) {
	got := numberText(policy.DoubleValue(math.SmallestNonzeroFloat64))
	if len(got) != 751+len("e-1074") || got[:8] != "49406564" || got[len(got)-10:] != "5625e-1074" {
		t.Errorf("numberText(2^-1074) = %s, want its 751 digits", got)
	}
	next := numberText(policy.DoubleValue(math.Nextafter(math.MaxFloat64, 0)))
	if last := numberText(policy.DoubleValue(math.MaxFloat64)); last == next {
		t.Errorf("the two greatest doubles are both %s", last)
	}
}

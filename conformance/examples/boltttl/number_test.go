package boltttl

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestNumberText(t *testing.T) {
	for _, tt := range []struct {
		v    policy.Value
		want string
	}{
		{policy.Int32Value(12000), "12000"},
		{policy.Int64Value(math.MinInt64), "-9223372036854775808"},
		{policy.DoubleValue(0.75), "3/4"},
		{policy.DoubleValue(-1500), "-1500"},
		{policy.DoubleValue(0.1), "3602879701896397/36028797018963968"},
		{policy.DoubleValue(math.Copysign(0, -1)), "0"},
		{policy.Int32Value(0), "0"},
		{policy.DoubleValue(math.Inf(1)), "Inf"},
		{policy.DoubleValue(math.Inf(-1)), "-Inf"},
		{policy.DoubleValue(math.NaN()), "NaN"},
		{value(`{"$numberDecimal":"Infinity"}`), "Inf"},
		{value(`{"$numberDecimal":"-Infinity"}`), "-Inf"},
		{value(`{"$numberDecimal":"NaN"}`), "NaN"},
		{value(`{"$numberDecimal":"1.10"}`), "11/10"},
		{value(`{"$numberDecimal":"9.999999999999999999999999999999999E+6144"}`), strings.Repeat("9", 34) + strings.Repeat("0", 6111)},
		{value(`{"$numberDecimal":"-1E-6176"}`), "-1/1" + strings.Repeat("0", 6176)},
		{policy.DecimalValue(0x3041_ed09_bead_87c0, 0x378d_8e64_0000_0000), "0"}, // 10^34 has too many digits
		{policy.DecimalValue(0x6c10_0000_0000_0000, 1), "0"},                     // the coefficient of this form has too many digits, too
	} {
		if got := numberText(tt.v); got != tt.want {
			t.Errorf("numberText(%v) = %s, want %s", tt.v, got, tt.want)
		}
	}
}

// TestNumberTextIsExact: no digit of a double is lost, however many there are.
func TestNumberTextIsExact(t *testing.T) {
	want := "1/" + new(big.Int).Lsh(big.NewInt(1), 1074).String()
	if got := numberText(policy.DoubleValue(math.SmallestNonzeroFloat64)); got != want {
		t.Errorf("numberText(2^-1074) = %s, want %s", got, want)
	}
	next := numberText(policy.DoubleValue(math.Nextafter(math.MaxFloat64, 0)))
	if last := numberText(policy.DoubleValue(math.MaxFloat64)); last == next {
		t.Errorf("the two greatest doubles are both %s", last)
	}
}

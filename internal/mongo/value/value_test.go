package value

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
)

// TestIsTrue: a value of any type is read as a flag.
func TestIsTrue(t *testing.T) {
	for text, want := range map[string]bool{
		`true`: true, `false`: false, `1`: true, `0`: false, `-1`: true, `{"$numberLong":"0"}`: false, `{"$numberLong":"5"}`: true,
		`{"$numberDouble":"0.0"}`: false, `{"$numberDouble":"-0.0"}`: false, `{"$numberDouble":"0.5"}`: true,
		`{"$numberDouble":"NaN"}`: true, `{"$numberDecimal":"1"}`: true, `{"$numberDecimal":"0"}`: false, `{"$numberDecimal":"-0E-3"}`: false, `{"$numberDecimal":"NaN"}`: true,
		`null`: false, `{"$undefined":true}`: false, `"true"`: true, `""`: true, `{}`: true, `[]`: true,
	} {
		if got := IsTrue(drawn.Value(t, text)); got != want {
			t.Errorf("IsTrue(%s) = %v, want %v", text, got, want)
		}
	}
}

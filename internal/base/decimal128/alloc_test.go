//go:build !race

package decimal128

import "testing"

func TestAllocs(t *testing.T) {
	whole := 0
	for _, test := range int32s {
		high, low, err := Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(20, func() {
			if n, ok := Int32(high, low); ok && int64(n) == Int64(high, low) {
				whole++
			}
		}); n != 0 {
			t.Errorf("reading %s as an integer allocates %v times, want 0", test.text, n)
		}
	}
	if whole == 0 {
		t.Error("no number was whole")
	}
}

package suite

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// TestEmbeddedSuiteLoads makes the checks that [Embedded] leaves out.
func TestEmbeddedSuiteLoads(t *testing.T) {
	s, err := Load(testdata.Files)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(Embedded().Vectors), len(s.Vectors); got != want || got == 0 {
		t.Errorf("the embedded suite has %d vectors, want %d", got, want)
	}
}

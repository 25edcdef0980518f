package suite

import "testing"

func TestEmbeddedSuiteLoads(t *testing.T) {
	if len(Embedded().Vectors) == 0 { // which panics with what is wrong
		t.Error("the embedded suite has no vectors")
	}
}

package conformance

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/testdata"
)

func TestEmbeddedSuiteLoads(t *testing.T) {
	if _, err := Load(testdata.Files); err != nil {
		t.Fatal(err)
	}
}

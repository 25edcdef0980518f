package properties_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance/properties"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// In a test of an implementation. It is compiled here and not run, for there is
// no *testing.T.
func ExampleTest() {
	TestProperties := func(t *testing.T) {
		properties.Test(t, reference.New())
	}
	_ = TestProperties
}

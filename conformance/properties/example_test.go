package properties_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance/properties"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// Call Test from a test of the implementation. The example is compiled but does
// not run, because an example has no *testing.T.
func ExampleTest() {
	TestProperties := func(t *testing.T) {
		properties.Test(t, reference.New())
	}
	_ = TestProperties
}

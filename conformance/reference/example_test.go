package reference_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// The reference answers any question of the suite with this library.
func ExampleNew() {
	answer := reference.New().Ask(conformance.Question{
		Op:     "cosmos.decide",
		Target: conformance.Target{System: conformance.CosmosNoSQL},
		In:     []byte(`{"now": {"$date": {"$numberLong": "1700003600000"}}, "container": {"defaultTtl": 3600}, "item": {"id": "a", "_ts": 1700000000}}`),
	})
	fmt.Println(string(answer.Out))
	// Output: {"state":"expired","deadline":{"$date":{"$numberLong":"1700003600000"}},"rule":"cosmos.default"}
}

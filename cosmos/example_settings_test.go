package cosmos_test

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A ttl of 0 does not mean "expire now": the service refuses it.
func ExampleValidateItem() {
	container := cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(-1)}
	err := cosmos.ValidateItem(container, policy.D{{Key: "ttl", Value: policy.Int32Value(0)}})
	fmt.Println(errors.Is(err, policy.ErrUnspecified))
	err = cosmos.ValidateItem(container, policy.D{{Key: "ttl", Value: policy.DoubleValue(20.5)}})
	fmt.Println(errors.Is(err, policy.ErrUnspecified))
	// Output:
	// false
	// true
}

// TTL needs an index, even without a default.
func ExampleValidateContainer() {
	_, _, err := cosmos.ValidateContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(-1), IndexingMode: "none"}, nil)
	fmt.Println(err)
	// Output:
	// cosmos: indexingPolicy.indexingMode: Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection: status 400
}

// Every write restarts the time to live, which counts from the whole second of the write.
func ExampleTimestampAt() {
	item := cosmos.Item{TTL: cosmos.TTLSeconds(60), TS: cosmos.TimestampSeconds(1_700_000_000)}
	item.TS = cosmos.TimestampAt(1_700_000_030_999)
	fmt.Println(item.TS)
	// Output:
	// 1700000030
}

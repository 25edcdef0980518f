package gates

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// One deadline, two engines: MongoDB shows an expired document until a pass
// has removed it, Azure Cosmos DB hides it at once and purges it later.
func Example_visibility() {
	profile, err := mongo.ProfileOf(mongo.Latest())
	if err != nil {
		panic(err)
	}
	collection, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(10),
	}}}, profile)
	if err != nil {
		panic(err)
	}
	container, err := cosmos.CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(10)})
	if err != nil {
		panic(err)
	}
	document := policy.D{{Key: "createdAt", Value: policy.DateValue(0)}}
	for _, now := range []policy.Instant{9_999, 10_000} {
		m, c := collection.Decide(document, now), container.DecideItem(cosmos.Item{TS: cosmos.TimestampSeconds(0)}, now)
		fmt.Printf("%5d ms  MongoDB: %s and visible  Cosmos: visible %v, removable %v\n",
			now, m.State, c.State != policy.Expired, c.State == policy.Expired)
	}
	// Output:
	//  9999 ms  MongoDB: pending and visible  Cosmos: visible true, removable false
	// 10000 ms  MongoDB: expired and visible  Cosmos: visible false, removable true
}

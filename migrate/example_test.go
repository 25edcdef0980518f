package migrate_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/migrate"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A session expires 3600 seconds after its last use. It moves to Cosmos DB 1000 seconds
// after its last use, so that its ttl is 2600 seconds.
func ExampleToItem() {
	profile, err := mongo.ProfileOf(mongo.Latest)
	if err != nil {
		panic(err)
	}
	collection, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                policy.D{{Key: "lastUse", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(3600),
	}}}, profile)
	if err != nil {
		panic(err)
	}
	session := policy.D{{Key: "id", Value: policy.StringValue("s1")}, {Key: "lastUse", Value: policy.DateValue(1_700_000_000_000)}}
	imported := cosmos.TimestampSeconds(1_700_001_000)
	item, fidelity, err := migrate.ToItem(policy.ObjectValue(session), collection.Decide(session, 0), imported)
	fmt.Println(policy.ObjectValue(item[2:]), fidelity, err)
	// Output:
	// {"ttl":{"$numberInt":"2600"}} exact <nil>
}

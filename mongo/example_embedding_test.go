package mongo_test

import (
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The most common policy, and a document in Go's own types.
func ExampleTTLIndex() {
	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", 3600)}}, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	d := sessions.Decide(policy.Map{"createdAt": time.UnixMilli(0)}, 3_600_000)
	fmt.Println(sessions.SourceOf(d), d.State, d.Rule)
	// Output: createdAt_1 expired mongo.date
}

// A store that keeps the date of each document in its own index scans that index
// between the bounds.
func ExampleCollection_Key() {
	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", 3600)}}, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	key, ok := sessions.Key(0, policy.Map{"createdAt": time.UnixMilli(5000)})
	from, to := sessions.Bounds(0, 3_605_000)
	fmt.Println(key, ok, from <= key && key <= to)
	// Output: 1970-01-01T00:00:05.000Z true true
}

// A store that keeps documents in columns needs to read only two columns here.
func ExampleCollection_Reads() {
	index := mongo.TTLIndex("session.end", 0)
	index.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "kind", Value: policy.StringValue("guest")}})
	guests, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{index}}, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	fmt.Println(guests.Reads())
	// Output: [kind session]
}

package mongo_test

import (
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The commonest policy, and a document as a program holds it.
func ExampleTTLIndex() {
	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", 3600)}}, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	d := sessions.Decide(policy.Map{"createdAt": time.UnixMilli(0)}, 3_600_000)
	fmt.Println(sessions.SourceOf(d), d.State, d.Rule)
	// Output: createdAt_1 expired mongo.date
}

// A store that keeps the date of each document in an index of its own scans that
// between the bounds.
func ExampleCollection_Key() {
	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", 3600)}}, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	key, ok := sessions.Key(0, policy.Map{"createdAt": time.UnixMilli(5000)})
	fmt.Println(key, ok, sessions.Bounds(0, 3_605_000).Contains(key))
	// Output: 1970-01-01T00:00:05.000Z true true
}

// A store that reads documents by columns needs two of these.
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

// A raised delay needs no walk over the documents, and a lowered one a walk over those
// that were due within the difference.
func ExampleAssessChange() {
	collection := func(seconds policy.Seconds) mongo.CollectionSpec {
		return mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", seconds)}}
	}
	for _, seconds := range []policy.Seconds{7200, 60} {
		change, err := mongo.AssessChange(collection(3600), collection(seconds), profileOf("8.0.4"))
		fmt.Println(change.Effect, change.Bounded, change.Earlier, err)
	}
	// Output:
	// deletes fewer documents true 0s <nil>
	// deletes more documents true 59m0s <nil>
}

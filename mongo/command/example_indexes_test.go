package command_test

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createIndex makes one index in an empty collection with the given indexes.
func createIndex(release string, index policy.D, existing ...mongo.IndexSpec) {
	c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: existing}, profileOf(release))
	if err != nil {
		panic(err)
	}
	_, reply, err := command.CreateIndexes(c, []policy.D{index}, 1_700_000_000_000)
	var refused *mongo.SpecError
	if errors.As(err, &refused) {
		fmt.Println(release, refused.Code, refused.CodeName, refused.Rule)
		return
	}
	fmt.Println(release, policy.ObjectValue(reply))
}

// One index, two releases: 2147483647 seconds reach back before 1970, which
// 5.0.13 refuses.
func ExampleCreateIndexes() {
	index := document(`{"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":2147483647}`)
	createIndex("5.0.13", index)
	createIndex("5.0.14", index)
	// Output:
	// 5.0.13 67 CannotCreateIndex mongo.createindexes-seconds-before-1970
	// 5.0.14 {"numIndexesBefore":{"$numberInt":"1"},"numIndexesAfter":{"$numberInt":"2"}}
}

// An index that exists already is no conflict, but an index on the same key with another
// delay is.
func ExampleCreateIndexes_conflict() {
	for _, seconds := range []string{"3600", "7200"} {
		index := command.WithDefaultName(document(`{"key":{"createdAt":1},"expireAfterSeconds":` + seconds + `}`))
		createIndex("8.2.11", index, mongo.TTLIndex("createdAt", 3600))
	}
	// Output:
	// 8.2.11 {"numIndexesBefore":{"$numberInt":"2"},"numIndexesAfter":{"$numberInt":"2"},"note":"all indexes already exist"}
	// 8.2.11 85 IndexOptionsConflict mongo.createindexes-conflict
}

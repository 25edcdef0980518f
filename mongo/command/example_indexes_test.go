package command_test

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
)

// One index, two releases: 2147483647 seconds reach back before 1970, which
// 5.0.13 refuses.
func ExampleValidateCreateIndexes() {
	index := document(`{"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":2147483647}`)
	for _, version := range []string{"5.0.13", "5.0.14"} {
		made, err := command.ValidateCreateIndexes(mongo.CollectionSpec{}, index, profileOf(version), 1_700_000_000_000)
		fmt.Println(version, made.Created, errors.Is(err, mongo.ErrorCode(codes.CannotCreateIndex)))
	}
	// Output:
	// 5.0.13 false true
	// 5.0.14 true false
}

// An index that exists already is no conflict, but an index on the same key with another
// delay is.
func ExampleValidateCreateIndexes_conflict() {
	collection := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Name: "createdAt_1", Key: document(`{"createdAt":1}`), ExpireAfterSeconds: document(`{"s":3600}`)[0].Value,
	}}}
	for _, seconds := range []string{"3600", "7200"} {
		index := command.WithDefaultName(document(`{"key":{"createdAt":1},"expireAfterSeconds":` + seconds + `}`))
		made, err := command.ValidateCreateIndexes(collection, index, profileOf("8.2.11"), 1_700_000_000_000)
		var refused *mongo.SpecError
		if errors.As(err, &refused) {
			fmt.Println(seconds, refused.Code, refused.Rule)
			continue
		}
		fmt.Println(seconds, made.Created)
	}
	// Output:
	// 3600 false
	// 7200 IndexOptionsConflict (85) mongo.createindexes-conflict
}

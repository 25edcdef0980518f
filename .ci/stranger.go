// This program is an example of a new user's first program, after "go get". .ci/release
// compiles it against the release under test.
package main

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func main() {
	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4})
	if err != nil {
		panic(err)
	}
	collection, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(3600),
	}}}, profile)
	if err != nil {
		panic(err)
	}
	doc := policy.D{{Key: "createdAt", Value: policy.DateValue(0)}}
	d := collection.Decide(doc, policy.Instant(3_600_000))
	fmt.Println(d)
	if d.State != policy.Expired {
		panic("a document on its deadline is not expired")
	}
}

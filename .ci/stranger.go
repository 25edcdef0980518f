// The program of somebody who has just run "go get": .ci/release compiles it
// against the release it tries.
package main

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func main() {
	profile, err := mongo.ProfileOf(mongo.Latest)
	if err != nil {
		panic(err)
	}
	index, err := mongo.Compile(mongo.IndexSpec{
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(3600),
	}, profile)
	if err != nil {
		panic(err)
	}
	doc := policy.D{{Key: "createdAt", Value: policy.DateValue(0)}}
	d := index.Decide(doc, 3_600_000)
	fmt.Println(d.State, d.Deadline(), d.Rule)
	if d.State != policy.Expired {
		panic("a document on its deadline is not expired")
	}
}

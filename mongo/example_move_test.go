package mongo_test

import (
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An index with expireAfterSeconds NaN deletes nothing in 4.4. What happens if
// its replica set gets a member of 5.0.9, or is upgraded to 7.0?
func ExampleAssessMove() {
	index := mongo.IndexSpec{
		Name:               "createdAt_1",
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.DoubleValue(math.NaN()),
	}
	from := profileOf("4.4.0")
	for _, way := range []struct {
		to string
		by mongo.Operation
	}{
		{"5.0.9", mongo.InitialSync},
		{"7.0.0", mongo.Upgrade},
		{"7.0.0", mongo.DumpRestore},
	} {
		move, err := mongo.AssessMove(index, from, profileOf(way.to), way.by)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s to %s: %s by %s; arrives as %s, repaired to %s\n", way.by, way.to, move.Effect, move.Rule, move.Arrives, move.Repaired)
	}
	// Output:
	// initial sync to 5.0.9: deletes more documents by mongo.move-nan-zero; arrives as {"$numberDouble":"NaN"}, repaired to missing
	// upgrade to 7.0.0: deletes more documents by mongo.move-68-years; arrives as {"$numberDouble":"NaN"}, repaired to {"$numberInt":"2147483647"}
	// dump and restore to 7.0.0: unchanged by mongo.move-refused; arrives as missing, repaired to missing
}

// A partial filter asks for null at a dotted path. What does an upgrade to 9.0
// make of it, and what with the server parameter that reads null as before?
func ExampleAssessMove_parameter() {
	index := mongo.IndexSpec{
		Name:                    "unsent",
		Key:                     policy.D{{Key: "madeAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(3600),
		PartialFilterExpression: policy.ObjectValue(policy.D{{Key: "shipments.sentAt", Value: policy.NullValue()}}),
	}
	from, plain := profileOf("8.0.4"), profileOf("9.0.0")
	legacy, _ := plain.WithParameter(mongo.LegacyNullParameter, policy.BoolValue(true))
	for _, to := range []mongo.Profile{plain, legacy} {
		move, err := mongo.AssessMove(index, from, to, mongo.Upgrade)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s by %s\n", move.Effect, move.Rule)
	}
	// Output:
	// deletes more documents by mongo.move-filter-more
	// unchanged by mongo.move-unchanged
}

package command_test

import (
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
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
		by command.Operation
	}{
		{"5.0.9", command.InitialSync},
		{"7.0.0", command.Upgrade},
		{"7.0.0", command.DumpRestore},
	} {
		move, err := command.AssessMove(index, from, profileOf(way.to), way.by)
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

// An upgrade over several releases is one move for each: the option that arrives at
// one release, or its repaired form, is the stored option for the next.
func ExampleAssessMove_releases() {
	index := mongo.TTLIndex("createdAt", 0)
	index.ExpireAfterSeconds = policy.DoubleValue(math.NaN())
	from := profileOf("4.4.29")
	for _, version := range []string{"5.0.9", "6.0.15", "7.0.12"} {
		to := profileOf(version)
		move, err := command.AssessMove(index, from, to, command.Upgrade)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s by %s\n", version, move.Effect, move.Rule)
		if from, index.ExpireAfterSeconds = to, move.Arrives; !move.Repaired.IsMissing() {
			index.ExpireAfterSeconds = move.Repaired
		}
	}
	// Output:
	// 5.0.9: deletes more documents by mongo.move-nan-zero
	// 6.0.15: deletes fewer documents by mongo.move-sleeps
	// 7.0.12: unchanged by mongo.move-unchanged
}

// A partial filter compares a dotted path with null. The example shows the
// effect of an upgrade to 9.0, with and without the server parameter that reads
// null as before.
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
		move, err := command.AssessMove(index, from, to, command.Upgrade)
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

// A raised delay needs no walk over the documents. A lowered delay needs a walk over the
// documents that were due within the difference.
func ExampleAssessChange() {
	collection := func(seconds policy.Seconds) mongo.CollectionSpec {
		return mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", seconds)}}
	}
	for _, seconds := range []policy.Seconds{7200, 60} {
		change, err := command.AssessChange(collection(3600), collection(seconds), profileOf("8.0.4"))
		fmt.Println(change.Effect, change.Bounded, change.Earlier, err)
	}
	// Output:
	// deletes fewer documents true 0s <nil>
	// deletes more documents true 59m0s <nil>
}

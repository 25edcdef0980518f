package moves_test

import (
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An index with expireAfterSeconds NaN deletes nothing in 4.4. What happens if
// its replica set gets a member of 5.0.9, or is upgraded to 7.0?
func ExampleAssess() {
	index := mongo.IndexSpec{
		Name:               "createdAt_1",
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.DoubleValue(math.NaN()),
	}
	from := profileOf("4.4.0")
	for _, way := range []struct {
		to string
		by moves.Operation
	}{
		{"5.0.9", moves.InitialSync},
		{"7.0.0", moves.Upgrade},
		{"7.0.0", moves.DumpRestore},
	} {
		move, err := moves.Assess(index, from, profileOf(way.to), way.by)
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
func ExampleAssess_releases() {
	index := mongo.TTLIndex("createdAt", 0)
	index.ExpireAfterSeconds = policy.DoubleValue(math.NaN())
	from := profileOf("4.4.29")
	for _, version := range []string{"5.0.9", "6.0.15", "7.0.12"} {
		to := profileOf(version)
		move, err := moves.Assess(index, from, to, moves.Upgrade)
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
func ExampleAssess_parameter() {
	index := mongo.IndexSpec{
		Name:                    "unsent",
		Key:                     policy.D{{Key: "madeAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(3600),
		PartialFilterExpression: policy.ObjectValue(policy.D{{Key: "shipments.sentAt", Value: policy.NullValue()}}),
	}
	from, plain := profileOf("8.0.4"), profileOf("9.0.0")
	legacy, _ := plain.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(true))
	for _, to := range []mongo.Profile{plain, legacy} {
		move, err := moves.Assess(index, from, to, moves.Upgrade)
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

func profileOf(release string) mongo.Profile {
	v, err := mongo.ParseVersion(release)
	if err != nil {
		panic(err)
	}
	p, err := mongo.ProfileOf(v)
	if err != nil {
		panic(err)
	}
	return p
}

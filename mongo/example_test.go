package mongo_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

// index compiles an index on createdAt.
func index(seconds policy.Value, release string) *mongo.Index {
	x, err := mongo.Compile(mongo.IndexSpec{
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: seconds,
	}, profileOf(release))
	if err != nil {
		panic(err)
	}
	return x
}

func createdAt(v policy.Value) policy.D { return policy.D{{Key: "createdAt", Value: v}} }

// Of an array, the earliest Date decides; other elements are ignored.
func ExampleIndex_Decide_array() {
	x := index(policy.Int32Value(10), "8.0.4")
	list := policy.A{policy.DateValue(60_000), policy.StringValue("soon"), policy.DateValue(30_000)}
	d := x.Decide(createdAt(policy.ListValue(list)), 40_000)
	fmt.Println(d.State, d.Deadline, d.Rule)
	// Output: expired 1970-01-01T00:00:40.000Z mongo.array-earliest
}

// With a delay of zero the date is the clock time of expiry, and that instant
// already counts, but for releases up to 3.0.
func ExampleIndex_Decide_clockTime() {
	for _, release := range []string{"3.0.15", "3.2.0"} {
		d := index(policy.Int32Value(0), release).Decide(createdAt(policy.DateValue(1000)), 1000)
		fmt.Println(release, d.State, d.Rule)
	}
	// Output:
	// 3.0.15 pending mongo.date-strict
	// 3.2.0 expired mongo.date
}

// What a stored NaN does depends on the release, and not monotonically.
func ExampleIndex_Decide_nan() {
	nan := policy.DecimalValue(0x7C<<56, 0)
	for _, release := range []string{"4.4.0", "5.0.13", "5.0.14", "6.0.1", "6.0.2"} {
		d := index(nan, release).Decide(createdAt(policy.DateValue(0)), 0)
		fmt.Println(release, d.State, d.Rule)
	}
	// Output:
	// 4.4.0 never mongo.nan-aborts
	// 5.0.13 expired mongo.date
	// 5.0.14 never mongo.nan-skipped
	// 6.0.1 expired mongo.date
	// 6.0.2 never mongo.nan-skipped
}

// A storage engine scans the index from policy.MinInstant up to the cutoff.
func ExampleIndex_Cutoff() {
	cutoff, ok := index(policy.Int32Value(3600), "8.0.4").Cutoff(7_200_000)
	fmt.Println(cutoff, ok)
	// Output: 1970-01-01T01:00:00.000Z true
}

package cosmos_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The matrix of the vendor's page: the container's setting against the item's ttl. The
// items were written at second 1700000000.
func ExampleContainer_DecideJSON_matrix() {
	for _, settings := range []string{`{}`, `{"defaultTtl":-1}`, `{"defaultTtl":1000}`} {
		c := compile(settings)
		fmt.Println(settings)
		for _, item := range []string{`{"_ts":1700000000}`, `{"_ts":1700000000,"ttl":-1}`, `{"_ts":1700000000,"ttl":2000}`} {
			d := c.DecideJSON([]byte(item), 1_700_000_000_000)
			if d.State == policy.Never {
				fmt.Println("  never", d.Rule)
				continue
			}
			deadline, _ := d.Deadline()
			fmt.Println(" ", deadline, d.Rule)
		}
	}
	// Output:
	// {}
	//   never cosmos.off
	//   never cosmos.off
	//   never cosmos.off
	// {"defaultTtl":-1}
	//   never cosmos.no-default
	//   never cosmos.item-never
	//   2023-11-14T22:46:40.000Z cosmos.item
	// {"defaultTtl":1000}
	//   2023-11-14T22:30:00.000Z cosmos.default
	//   never cosmos.item-never
	//   2023-11-14T22:46:40.000Z cosmos.item
}

// An item cannot hold an absolute date: to expire at a certain time it is
// written with the seconds until then, and each later write has to compute them
// anew.
func ExampleContainer_DecideJSON_clockTime() {
	c := compile(`{"defaultTtl":-1}`)
	const at = 1_700_003_600 // the second at which the item must expire
	for _, written := range []int{1_700_000_000, 1_700_001_800} {
		item := fmt.Appendf(nil, `{"_ts":%d,"ttl":%d}`, written, at-written)
		fmt.Println(c.DecideJSON(item, 0).Deadline())
	}
	forgotten := fmt.Appendf(nil, `{"_ts":%d,"ttl":%d}`, 1_700_001_800, at-1_700_000_000)
	fmt.Println(c.DecideJSON(forgotten, 0).Deadline())
	// Output:
	// 2023-11-14T23:13:20.000Z true
	// 2023-11-14T23:13:20.000Z true
	// 2023-11-14T23:43:20.000Z true
}

// In the API for MongoDB the type of a document's ttl decides whether it
// counts: a value that does not convert to an int32 is ignored.
func ExampleCollection_DecideAt_coercion() {
	c, err := cosmos.CompileCollection(cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{{
		Key:                policy.D{{Key: "_ts", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(10),
	}}})
	if err != nil {
		panic(err)
	}
	for _, ttl := range []string{
		`{"$numberInt":"20"}`, `{"$numberLong":"20"}`, `{"$numberDouble":"20.0"}`, `{"$numberInt":"-1"}`,
		`{"$numberDouble":"20.5"}`, `{"$numberLong":"2147483648"}`, `{"$numberDouble":"NaN"}`, `{"$numberDecimal":"20"}`, `"20"`, `null`,
	} {
		v, err := policy.ParseExtJSON([]byte(ttl))
		if err != nil {
			panic(err)
		}
		d := c.DecideAt(policy.D{{Key: "ttl", Value: v}}, cosmos.TimestampSeconds(1_700_000_000), 1_700_000_015_000)
		fmt.Println(ttl, d.State, d.Rule)
	}
	// Output:
	// {"$numberInt":"20"} pending cosmos.item
	// {"$numberLong":"20"} pending cosmos.item
	// {"$numberDouble":"20.0"} pending cosmos.item
	// {"$numberInt":"-1"} never cosmos.item-never
	// {"$numberDouble":"20.5"} expired cosmos.mongo-ttl-ignored
	// {"$numberLong":"2147483648"} expired cosmos.mongo-ttl-ignored
	// {"$numberDouble":"NaN"} expired cosmos.mongo-ttl-ignored
	// {"$numberDecimal":"20"} expired cosmos.mongo-ttl-ignored
	// "20" expired cosmos.mongo-ttl-ignored
	// null expired cosmos.mongo-ttl-ignored
}

// With the capability EnableTtlOnCustomPath a TTL index may be on a field of
// the documents: a date, Unix milliseconds, or an array, whose smallest element
// counts.
func ExampleCollection_DecideAt_array() {
	c, err := cosmos.CompileCollection(cosmos.CollectionSpec{
		ServerVersion: "4.2",
		Capabilities:  []string{"EnableTtlOnCustomPath"},
		Indexes: []cosmos.IndexSpec{{
			Key:                policy.D{{Key: "at", Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int32Value(10),
		}},
	})
	if err != nil {
		panic(err)
	}
	dates := policy.A{policy.DateValue(1_700_000_060_000), policy.Int64Value(1_700_000_030_000), policy.StringValue("soon")}
	for _, doc := range []policy.D{{{Key: "at", Value: policy.ListValue(dates)}}, {}} {
		d := c.DecideAt(doc, cosmos.TimestampSeconds(1_700_000_000), 1_700_000_050_000)
		fmt.Println(d.State, d.Rule)
	}
	// Output:
	// expired cosmos.mongo-field
	// never cosmos.mongo-field-missing
}

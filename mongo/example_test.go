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
func index(seconds policy.Value, release string) *mongo.Collection {
	x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: seconds,
	}}}, profileOf(release))
	if err != nil {
		panic(err)
	}
	return x
}

func createdAt(v policy.Value) policy.D { return policy.D{{Key: "createdAt", Value: v}} }

// The earliest Date of an array decides; other elements are ignored.
func ExampleCollection_Decide_array() {
	x := index(policy.Int32Value(10), "8.0.4")
	list := policy.A{policy.DateValue(60_000), policy.StringValue("soon"), policy.DateValue(30_000)}
	d := x.Decide(createdAt(policy.ListValue(list)), 40_000)
	fmt.Println(d)
	// Output: expired at 1970-01-01T00:00:40.000Z by mongo.array-earliest
}

// With a delay of zero the document expires at its date, except in releases up to 3.0,
// where it expires just after its date.
func ExampleCollection_Decide_clockTime() {
	for _, release := range []string{"3.0.15", "3.2.0"} {
		d := index(policy.Int32Value(0), release).Decide(createdAt(policy.DateValue(1000)), 1000)
		fmt.Println(release, d.State, d.Rule)
	}
	// Output:
	// 3.0.15 pending mongo.date-strict
	// 3.2.0 expired mongo.date
}

// The effect of a stored NaN changes between releases, back and forth.
func ExampleCollection_Decide_nan() {
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

// A store that keeps the key of each document has nothing to rewrite when the
// delay changes: the new index decides by the old key.
func ExampleCollection_Key_delay() {
	hour, day := index(policy.Int32Value(3600), "8.0.4"), index(policy.Int32Value(86400), "8.0.4")
	key, ok := hour.Key(0, createdAt(policy.DateValue(0)))
	fmt.Println(key, ok)
	due := func(c *mongo.Collection) bool {
		_, last := c.Bounds(0, 7_200_000)
		return key <= last
	}
	fmt.Println(due(hour), due(day))
	key, ok = hour.Key(0, createdAt(policy.StringValue("today")))
	fmt.Println(ok, key == policy.MaxInstant)
	// Output:
	// 1970-01-01T00:00:00.000Z true
	// true false
	// false true
}

// partialIndex compiles an index on createdAt with a partial filter.
func partialIndex(filter policy.D) (*mongo.Collection, error) {
	return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                     policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(3600),
		PartialFilterExpression: policy.ObjectValue(filter),
	}}}, profileOf("8.0.4"))
}

// A partial filter has the semantics of a query: different elements of an array may match
// different predicates.
func ExampleCompileCollection_partialFilter() {
	between := policy.D{{Key: "$gt", Value: policy.Int32Value(5)}, {Key: "$lt", Value: policy.Int32Value(3)}}
	x, err := partialIndex(policy.D{{Key: "a", Value: policy.ObjectValue(between)}})
	if err != nil {
		panic(err)
	}
	for _, a := range []policy.A{{policy.Int32Value(1), policy.Int32Value(9)}, {policy.Int32Value(4)}} {
		doc := policy.D{{Key: "createdAt", Value: policy.DateValue(0)}, {Key: "a", Value: policy.ListValue(a)}}
		fmt.Println(x.Decide(doc, 3_600_000).Rule)
	}
	// Output:
	// mongo.date
	// mongo.filter-mismatch
}

// A filter that the release's partial indexes cannot hold is refused with the server's
// code. The error names the place in the filter.
func ExampleCompileCollection_refused() {
	never := policy.ListValue(policy.A{policy.Int32Value(1)})
	nested := policy.D{{Key: "a", Value: policy.ObjectValue(policy.D{{Key: "$nin", Value: never}})}}
	_, err := partialIndex(policy.D{{Key: "$or", Value: policy.ListValue(policy.A{policy.ObjectValue(nested)})}})
	fmt.Println(err)
	// Output:
	// index 0 (): mongo: partialFilterExpression.$or[0].a.$nin: Expression not supported in partial index: CannotCreateIndex (67)
}

// A storage engine that keeps index keys in order scans the keys within the
// bounds, and reads no document.
func ExampleCollection_Bounds_keys() {
	type key struct {
		date   policy.Instant
		record string
	}
	keys := []key{{1_000_000, "a"}, {3_600_000, "b"}, {3_600_001, "c"}, {9_000_000, "d"}}
	from, to := index(policy.Int32Value(3600), "8.0.4").Bounds(0, 7_200_000)
	for _, k := range keys {
		if from <= k.date && k.date <= to {
			fmt.Println("delete", k.record)
		}
	}
	// Output:
	// delete a
	// delete b
}

// value reads a value of Extended JSON.
func value(text string) policy.Value {
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// document reads a document of Extended JSON.
func document(text string) policy.D { return policy.DOf(value(text)) }

// Document writes an index back in the form of listIndexes, types included.
func ExampleIndexSpec_Document() {
	index, err := mongo.ParseIndexSpec(policy.ObjectValue(document(
		`{"v":2,"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":{"$numberDouble":"NaN"},"collation":{"locale":"simple"}}`)))
	fmt.Println(policy.ObjectValue(index.Document()), err)
	// Output: {"v":{"$numberInt":"2"},"key":{"createdAt":{"$numberInt":"1"}},"name":"createdAt_1","expireAfterSeconds":{"$numberDouble":"NaN"}} <nil>
}

package mongo_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A document outside the partial filter never expires through the index. These
// are the two documents of MongoDB's manual.
func ExampleCollection_Decide_partial() {
	x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                     policy.D{{Key: "F", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(10),
		PartialFilterExpression: policy.ObjectValue(policy.D{{Key: "D", Value: policy.Int32Value(1)}}),
	}}}, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	for _, d := range []int32{3, 1} {
		doc := policy.D{{Key: "F", Value: policy.DateValue(1_551_992_368_428)}, {Key: "D", Value: policy.Int32Value(d)}}
		decision := x.Decide(doc, 1_551_992_378_428) // 10 seconds later
		fmt.Println("D", d, decision.State, decision.Rule)
	}
	// Output:
	// D 3 never mongo.filter-mismatch
	// D 1 expired mongo.date
}

// A double is truncated and a decimal rounded half to even; a value that is not a number
// switches the index off.
func ExampleCollection_Decide_coercion() {
	for _, stored := range []string{`10`, `{"$numberLong":"10"}`, `9.9`, `{"$numberDecimal":"8.5"}`, `{"$numberDecimal":"9.5"}`, `"10"`} {
		d := index(value(stored), "6.0.26").Decide(createdAt(policy.DateValue(0)), 10_000)
		if d.State == policy.Never {
			fmt.Println(stored, d.State, d.Rule)
			continue
		}
		deadline, _ := d.Deadline()
		fmt.Println(stored, deadline)
	}
	// Output:
	// 10 1970-01-01T00:00:10.000Z
	// {"$numberLong":"10"} 1970-01-01T00:00:10.000Z
	// 9.9 1970-01-01T00:00:09.000Z
	// {"$numberDecimal":"8.5"} 1970-01-01T00:00:08.000Z
	// {"$numberDecimal":"9.5"} 1970-01-01T00:00:10.000Z
	// "10" never mongo.seconds-not-number
}

// Only a Date expires. Values that resemble a Date, such as a string or a timestamp, do
// not.
func ExampleCollection_Decide_types() {
	x := index(policy.Int32Value(10), "8.0.4")
	for _, json := range []string{
		`{"createdAt":{"$date":"2020-01-01T00:00:00Z"}}`,
		`{"createdAt":"2020-01-01T00:00:00Z"}`,
		`{"createdAt":{"$numberLong":"1577836800000"}}`,
		`{"createdAt":{"$timestamp":{"t":1577836800,"i":1}}}`,
		`{"createdAt":null}`,
		`{"createdAt":[]}`,
		`{}`,
	} {
		d := x.Decide(value(json), 1_700_000_000_000)
		fmt.Println(d.State, d.Rule)
	}
	// Output:
	// expired mongo.date
	// never mongo.field-not-date
	// never mongo.field-not-date
	// never mongo.field-not-date
	// never mongo.field-null
	// never mongo.array-empty
	// never mongo.field-missing
}

package mongo_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Each TTL index deletes on its own, so the earliest deadline wins.
func ExampleCollection_Decide_severalIndexes() {
	on := func(field string, seconds int32) mongo.IndexSpec {
		return mongo.IndexSpec{
			Name:               field + "_1",
			Key:                policy.D{{Key: field, Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int32Value(seconds),
		}
	}
	spec := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{on("lastSeen", 3600), on("revokedAt", 0)}}
	c, err := mongo.CompileCollection(spec, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	session := policy.D{
		{Key: "lastSeen", Value: policy.DateValue(1_700_000_000_000)},
		{Key: "revokedAt", Value: policy.DateValue(1_700_000_060_000)},
	}
	d := c.Decide(session, 1_700_000_050_000)
	fmt.Println(d, c.SourceOf(d))
	d = c.Decide(session[:1], 1_700_000_050_000) // not revoked
	fmt.Println(d, c.SourceOf(d))
	// Output:
	// pending at 2023-11-14T22:14:20.000Z by mongo.date revokedAt_1
	// pending at 2023-11-14T23:13:20.000Z by mongo.date lastSeen_1
}

// A measurement of a time-series collection stays until its whole bucket is old
// enough: its minute, plus the hour that a bucket spans, plus the delay.
func ExampleCollection_Decide_timeSeries() {
	c, err := mongo.CompileCollection(mongo.CollectionSpec{
		TimeSeries:         policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("at")}}),
		ExpireAfterSeconds: policy.Int32Value(60),
	}, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	measurement := policy.D{{Key: "at", Value: policy.DateValue(1_700_000_012_345)}}
	d := c.Decide(measurement, 1_700_000_100_000)
	fmt.Println(d)
	// Output: pending at 2023-11-14T23:14:00.000Z by mongo.timeseries-bucket
}

// An explanation lists the consulted rules up to the one that decided.
func ExampleCollection_Consulted() {
	x := index(policy.Int32Value(10), "8.0.4")
	d := x.Decide(createdAt(policy.StringValue("2026-11-20T08:30:00Z")), 0)
	for _, rule := range x.Consulted(d) {
		fmt.Println(rule)
	}
	// Output:
	// mongo.no-ttl
	// mongo.index-compound
	// mongo.index-special
	// mongo.path-refused
	// mongo.seconds-not-number
	// mongo.nan-skipped
	// mongo.seconds-invalid
	// mongo.field-missing
	// mongo.field-null
	// mongo.array-empty
	// mongo.array-nested
	// mongo.field-not-date
}

// A collection is compiled from what listCollections and listIndexes show.
func ExampleCompileCollection() {
	spec, err := mongo.ParseCollectionSpec(value(`{}`), value(`[{"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":3600}]`))
	if err != nil {
		panic(err)
	}
	collection, err := mongo.CompileCollection(spec, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	d := collection.Decide(document(`{"createdAt":{"$date":"2026-01-01T00:00:00Z"}}`), 1_767_229_200_000)
	fmt.Println(d)
	// Output: expired at 2026-01-01T01:00:00.000Z by mongo.date
}

// A storage engine gets the range of dates that one source deletes now.
func ExampleCollection_Bounds() {
	spec := mongo.CollectionSpec{Clustered: true, ExpireAfterSeconds: policy.Int32Value(60)}
	collection, err := mongo.CompileCollection(spec, profileOf("8.0.4"))
	if err != nil {
		panic(err)
	}
	from, to := collection.Bounds(0, 1_000_000)
	fmt.Println(collection.Sources()[0], from, to)
	// Output: collection 1970-01-01T00:00:00.000Z 1970-01-01T00:15:40.000Z
}

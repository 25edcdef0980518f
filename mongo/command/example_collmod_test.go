package command_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

// A database changes the delay of an index, and keeps the returned collection.
func ExampleCollMod() {
	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("lastSeen", 3600)}}, profileOf("8.2.4"))
	if err != nil {
		panic(err)
	}
	body := document(`{"index":{"keyPattern":{"lastSeen":1},"expireAfterSeconds":{"$numberDouble":"7200.9"}}}`)
	sessions, reply, err := command.CollMod(sessions, body, 1_700_000_000_000)
	fmt.Println(policy.ObjectValue(reply), err)
	fmt.Println(sessions.Spec().Indexes[0].ExpireAfterSeconds)
	// Output:
	// {"expireAfterSeconds_old":{"$numberLong":"3600"},"expireAfterSeconds_new":{"$numberLong":"7200"}} <nil>
	// {"$numberInt":"7200"}
}

// A refusal has the server's code, and the rule gives the reason.
func ExampleCollMod_refused() {
	readings, err := mongo.CompileCollection(mongo.CollectionSpec{TimeSeries: value(`{"timeField":"at"}`)}, profileOf("8.2.4"))
	if err != nil {
		panic(err)
	}
	_, _, err = command.CollMod(readings, document(`{"index":{"name":"at_1","expireAfterSeconds":60}}`), 0)
	var refused *mongo.SpecError
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.CodeName, refused.Rule)
	}
	// Output: 72 InvalidOptions mongo.collmod-timeseries
}

// The command create does not refuse NaN, but stores 0: every document with a date in the
// past expires at once.
func ExampleCreate() {
	body := document(`{"timeseries":{"timeField":"at"}}`)
	body = append(body, policy.E{Key: "expireAfterSeconds", Value: policy.DoubleValue(math.NaN())})
	made, err := command.Create("plant.readings", body, profileOf("8.2.4"), 1_700_000_000_000)
	fmt.Println(made.Spec().TimeSeries, made.Spec().ExpireAfterSeconds, err)
	// Output: {"timeField":"at","granularity":"seconds","bucketMaxSpanSeconds":{"$numberInt":"3600"}} {"$numberLong":"0"} <nil>
}

// An ordinary collection has no expireAfterSeconds of its own; it takes a TTL
// index.
func ExampleCreate_refused() {
	_, err := command.Create("shop.carts", document(`{"expireAfterSeconds":3600}`), profileOf("5.0.9"), 1_700_000_000_000)
	fmt.Println(err)
	// Output: mongo: expireAfterSeconds: 'expireAfterSeconds' is only supported on time-series collections: InvalidOptions (72)
}

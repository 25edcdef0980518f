package command_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
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
func ExampleValidateCollMod() {
	sessions := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Name:               "lastSeen_1",
		Key:                policy.D{{Key: "lastSeen", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(3600),
	}}}
	body := document(`{"index":{"keyPattern":{"lastSeen":1},"expireAfterSeconds":{"$numberDouble":"7200.9"}}}`)
	reply, err := command.ValidateCollMod(sessions, body, profileOf("8.2.4"), 1_700_000_000_000)
	fmt.Println(reply.Old, reply.New, err)
	fmt.Println(reply.Index, reply.Collection.Indexes[0].ExpireAfterSeconds)
	// Output:
	// {"$numberLong":"3600"} {"$numberLong":"7200"} <nil>
	// lastSeen_1 {"$numberInt":"7200"}
}

// The code of a refusal is an error, and the rule gives the reason.
func ExampleValidateCollMod_refused() {
	readings := mongo.CollectionSpec{TimeSeries: policy.ObjectValue(document(`{"timeField":"at"}`))}
	body := document(`{"index":{"name":"at_1","expireAfterSeconds":60}}`)
	_, err := command.ValidateCollMod(readings, body, profileOf("8.2.4"), 0)
	var refused *mongo.SpecError
	ok := errors.As(err, &refused)
	fmt.Println(ok, errors.Is(err, mongo.ErrorCode(codes.InvalidOptions)), refused.Rule)
	// Output: true true mongo.collmod-timeseries
}

// The command create does not refuse NaN, but stores 0: every document with a date in the
// past expires at once.
func ExampleValidateCreate() {
	body := document(`{"timeseries":{"timeField":"at"}}`)
	body = append(body, policy.E{Key: "expireAfterSeconds", Value: policy.DoubleValue(math.NaN())})
	made, err := command.ValidateCreate(body, profileOf("8.2.4"), 1_700_000_000_000)
	fmt.Println(made.TimeSeries, made.ExpireAfterSeconds, err)
	// Output: {"timeField":"at","granularity":"seconds","bucketMaxSpanSeconds":{"$numberInt":"3600"}} {"$numberLong":"0"} <nil>
}

// An ordinary collection has no expireAfterSeconds of its own; it takes a TTL
// index.
func ExampleValidateCreate_refused() {
	_, err := command.ValidateCreate(document(`{"expireAfterSeconds":3600}`), profileOf("5.0.9"), 1_700_000_000_000)
	fmt.Println(err)
	// Output: mongo: expireAfterSeconds: 'expireAfterSeconds' is only supported on time-series collections: InvalidOptions (72)
}

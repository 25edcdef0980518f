package adapter

import "testing"

// The clock stands at second 1,700,000,000.
func TestCreateIndexes(t *testing.T) {
	const at = `"now":$1700000000000,`
	validateAll(t, "mongodb.createIndexes", []question{
		{"stored as an int32", "mongodb 8.2.4", at + `"index":{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"50.7"}}`, `{"expireAfterSeconds":{"$numberInt":"50"},"created":true}`},
		{"stored as given", "mongodb 7.0.0", at + `"index":{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"50.7"}}`, `{"expireAfterSeconds":{"$numberDouble":"50.7"},"created":true}`},
		{"no TTL index", "mongodb 8.2.4", at + `"index":{"key":{"a":1}}`, `{"created":true}`},
		{"exists", "mongodb 8.2.4", at + `"existing":[{"key":{"a":1},"expireAfterSeconds":5}],"index":{"key":{"a":1},"expireAfterSeconds":5}`, `{"expireAfterSeconds":{"$numberInt":"5"},"created":false}`},
		{"conflict", "mongodb 8.2.4", at + `"existing":[{"key":{"a":1},"expireAfterSeconds":5}],"index":{"key":{"a":1},"expireAfterSeconds":6}`, "error 85 IndexOptionsConflict"},
		{"the name of another", "mongodb 8.2.4", at + `"existing":[{"key":{"b":1},"name":"a_1"}],"index":{"key":{"a":1},"expireAfterSeconds":6}`, "error 86 IndexKeySpecsConflict"},
		{"refused", "mongodb 8.2.4", at + `"index":{"key":{"a":1},"expireAfterSeconds":-1}`, "error 67 CannotCreateIndex"},
		{"_id", "mongodb 8.2.4", at + `"index":{"key":{"_id":1},"expireAfterSeconds":1}`, "error 197 InvalidIndexSpecificationOption"},
		{"a view", "mongodb 8.2.4", at + `"collection":{"name":"v","viewOn":"c"},"index":{"key":{"a":1},"expireAfterSeconds":1}`, "error 166 CommandNotSupportedOnView"},
		{"time-series", "mongodb 8.2.4", at + `"collection":{"timeseries":{"timeField":"t"}},"index":{"key":{"t":1},"expireAfterSeconds":1}`, "error 72 InvalidOptions"},
		{"a code without a name", "mongodb 8.2.4", at + `"collection":{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}},"index":{"key":{"a":1},"expireAfterSeconds":1}`, "error 6049202 Location6049202"},
		{"the clock matters", "mongodb 5.0.13", `"now":$5000,"index":{"key":{"a":1},"expireAfterSeconds":6}`, "error 67 CannotCreateIndex"},
		{"the adapter's own clock", "mongodb 5.0.13", `"index":{"key":{"a":1},"expireAfterSeconds":6}`, `{"expireAfterSeconds":{"$numberInt":"6"},"created":true}`},
		{"open", "mongodb 6.2.0", at + `"index":{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`, "skip unspecified: mongo.createindexes-seconds-nan-unspecified"},
		{"no index", "mongodb 8.2.4", at + `"index":5`, `fault in.index: want a document, got 5`},
	})
}

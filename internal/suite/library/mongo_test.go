package library

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
)

// TestDecideMongoDB tests how requests are read; the vectors test the decisions.
func TestDecideMongoDB(t *testing.T) {
	const (
		hour = `"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":3600}]`
		past = `"now":$1800000000000,"document":{"at":$1700000000000}`
	)
	hold(t, "mongodb.decide", []asking{
		{"the deadline itself", "mongodb 6.0.1", `"now":$1700003600000,"document":{"at":$1700000000000},` + hour, "expired 1700003600000 mongo.date at_1"},
		{"no version asks about the newest", "mongodb", `"now":$1700003600000,"document":{"at":$1700000000000},` + hour, "expired 1700003600000 mongo.date at_1"},
		{"a name that nobody gave", "mongodb 8.0.4", past + `,"indexes":[{"key":{"at":-1},"expireAfterSeconds":1,"hidden":true,"sparse":true}]`, "expired 1700000001000 mongo.date at_-1"},
		{"a filter that no catalog holds", "mongodb 8.0.4", past + `,"indexes":[{"key":{"at":1},"expireAfterSeconds":10,"partialFilterExpression":{"D":{"$ne":1}}}]`, "error 67 CannotCreateIndex"},

		{"a namespace", "mongodb 8.0.4", past + `,"collection":{"ns":"shop.logs"},` + hour, "expired 1700003600000 mongo.date at_1"},
		{"none is one", "mongodb 8.0.4", past + `,"collection":{"ns":null},` + hour, "expired 1700003600000 mongo.date at_1"},
		{"not a namespace", "mongodb 8.0.4", past + `,"collection":{"ns":"logs"},` + hour, "error 73 InvalidNamespace"},
		{"one of another type", "mongodb 8.0.4", past + `,"collection":{"ns":5},` + hour, "fault in.indexes: mongo: ns: is int, want a namespace such as \"shop.logs\": TypeMismatch (14)"},
		{"a null option is absent", "mongodb 6.0.0", past + `,"collection":null,` + hour, "expired 1700003600000 mongo.date at_1"},

		{"a release of the future", "mongodb " + fixture.Unknown, past + "," + hour, "skip mongo: no profile for this server version: " + fixture.Unknown + " is not from " + fixture.Range},
		{"a release of the past", "mongodb 2.0.9", past + "," + hour, "skip mongo: no profile for this server version: 2.0.9 is not from " + fixture.Range},
		{"not a release", "mongodb 8.0-rc1", past + "," + hour, `fault target.version: "8.0-rc1" is not a release such as 8.0.4`},
		{"another system", "cosmos-mongo 4.2", past + "," + hour, `skip mongodb.decide answers for the system mongodb, not for "cosmos-mongo"`},
		{"no now", "mongodb 8.0.4", `"document":{},` + hour, `fault in.now: missing; want a date such as {"$date":{"$numberLong":"0"}}`},
		{"now as a number", "mongodb 8.0.4", `"now":5,"document":{},` + hour, `fault in.now: want a date such as {"$date":{"$numberLong":"0"}}, got 5`},
		{"no document", "mongodb 8.0.4", `"now":$5,` + hour, "fault in.document: missing; want a document"},
		{"an array for a document", "mongodb 8.0.4", `"now":$5,"document":[],` + hour, "fault in.document: want a document, got []"},
		{"no indexes", "mongodb 8.0.4", `"now":$5,"document":{}`, "fault in.indexes: missing; want an array of documents"},
		{"no system", "", past + "," + hour, `skip mongodb.decide answers for the system mongodb, not for ""`},
		{"a number among the indexes", "mongodb 8.0.4", `"now":$5,"document":{},"indexes":[{"key":{"a":1}},3]`, `fault in.indexes: element 1: want a document, got {"$numberInt":"3"}`},
		{"an index without a key", "mongodb 8.0.4", `"now":$5,"document":{},"indexes":[{"name":"a"}]`, "fault in.indexes: indexes[0]: mongo: key: is missing, want a document such as {createdAt: 1}: TypeMismatch (14)"},
		{"not options", "mongodb 8.0.4", `"now":$5,"document":{},"indexes":[],"collection":7`, "fault in.collection: want a document, got 7"},
	})
}

// The clock is at second 1,700,000,000.
func TestCreateIndexes(t *testing.T) {
	const at = `"now":$1700000000000,`
	hold(t, "mongodb.createIndexes", []asking{
		{"stored as an int32", "mongodb 8.2.4", at + `"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":{"$numberDouble":"50.7"}}`, `{"expireAfterSeconds":{"$numberInt":"50"},"created":true}`},
		{"stored as given", "mongodb 7.0.0", at + `"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":{"$numberDouble":"50.7"}}`, `{"expireAfterSeconds":{"$numberDouble":"50.7"},"created":true}`},
		{"no TTL index", "mongodb 8.2.4", at + `"index":{"key":{"a":1},"name":"a_1"}`, `{"created":true}`},
		{"exists", "mongodb 8.2.4", at + `"existing":[{"key":{"a":1},"expireAfterSeconds":5}],"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":5}`, `{"expireAfterSeconds":{"$numberInt":"5"},"created":false}`},
		{"conflict", "mongodb 8.2.4", at + `"existing":[{"key":{"a":1},"expireAfterSeconds":5}],"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":6}`, "error 85 IndexOptionsConflict"},
		{"the name of another", "mongodb 8.2.4", at + `"existing":[{"key":{"b":1},"name":"a_1"}],"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":6}`, "error 86 IndexKeySpecsConflict"},
		{"refused", "mongodb 8.2.4", at + `"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":-1}`, "error 67 CannotCreateIndex"},
		{"_id", "mongodb 8.2.4", at + `"index":{"key":{"_id":1},"name":"_id_1","expireAfterSeconds":1}`, "error 197 InvalidIndexSpecificationOption"},
		{"a view", "mongodb 8.2.4", at + `"collection":{"name":"v","viewOn":"c"},"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":1}`, "error 166 CommandNotSupportedOnView"},
		{"time-series", "mongodb 8.2.4", at + `"collection":{"timeseries":{"timeField":"t"}},"index":{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, "error 72 InvalidOptions"},
		{"a code without a name", "mongodb 8.2.4", at + `"collection":{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}},"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":1}`, "error 6049202 Location6049202"},
		{"the clock matters", "mongodb 5.0.13", `"now":$5000,"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":6}`, "error 67 CannotCreateIndex"},
		{"the own clock", "mongodb 5.0.13", `"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":6}`, `{"expireAfterSeconds":{"$numberInt":"6"},"created":true}`},
		{"unspecified", "mongodb 6.2.0", at + `"index":{"key":{"a":1},"name":"a_1","expireAfterSeconds":{"$numberDouble":"NaN"}}`, "skip unspecified: mongo.createindexes-seconds-nan-unspecified"},
		{"no name", "mongodb 8.2.4", at + `"index":{"key":{"a":1},"expireAfterSeconds":5}`, "error 9 FailedToParse"},
		{"no index", "mongodb 8.2.4", at + `"index":5`, `fault in.index: want a document, got 5`},
	})
}

// The clock of most questions is second 1,800,000,000, in 2027.
func TestCollMod(t *testing.T) {
	const (
		at        = `"now":$1800000000000,`
		ttl       = at + `"existing":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":3600}],`
		series    = at + `"collection":{"timeseries":{"timeField":"t"}},`
		cluster   = at + `"collection":{"clusteredIndex":{"key":{"_id":1},"unique":true}},`
		changed   = `{"expireAfterSeconds_new":{"$numberLong":"%d"},"expireAfterSeconds_old":{"$numberLong":"%d"}}`
		asTheyAre = `{"expireAfterSeconds_new":{"$numberInt":"%d"},"expireAfterSeconds_old":{"$numberInt":"%d"}}`
		refused   = "error 72 InvalidOptions"
	)
	set := func(seconds string) string {
		return `"command":{"index":{"keyPattern":{"a":1},"expireAfterSeconds":` + seconds + `}}`
	}
	own := func(seconds string) string { return `"command":{"expireAfterSeconds":` + seconds + `}` }
	hold(t, "mongodb.collMod", []asking{
		{"a change", "mongodb 8.2.4", ttl + set(`7200`), fmt.Sprintf(changed, 7200, 3600)},
		{"a fraction", "mongodb 8.2.4", ttl + set(`50.7`), fmt.Sprintf(changed, 50, 3600)},
		{"no change", "mongodb 4.4.0", ttl + set(`3600`), fmt.Sprintf(asTheyAre, 3600, 3600)},
		{"no change is not reported in 4.2", "mongodb 4.2.0", ttl + set(`3600`), `{}`},
		{"NaN is 0", "mongodb 8.2.4", ttl + set(`{"$numberDouble":"NaN"}`), fmt.Sprintf(changed, 0, 3600)},
		{"a plain number beyond 32 bits is a double, and clamps", "mongodb 8.2.4", ttl + set(`2147483648`), fmt.Sprintf(changed, 2147483647, 3600)},
		{"not in 6.0.1", "mongodb 6.0.1", ttl + set(`2147483648`), refused},
		{"a stored NaN", "mongodb 8.2.4", `"existing":[{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}],` + set(`5`), fmt.Sprintf(changed, 5, 0)},
		{"negative", "mongodb 5.0.14", ttl + set(`-1`), refused},
		{"negative, unspecified", "mongodb 5.0.0", ttl + set(`-1`), "skip unspecified: mongo.command-unspecified"},
		{"negative in 4.4", "mongodb 4.4.0", ttl + set(`-1`), fmt.Sprintf(asTheyAre, -1, 3600)},
		{"text", "mongodb 5.1.0", ttl + set(`"50"`), "error 14 TypeMismatch"},
		{"text in 5.0", "mongodb 5.0.9", ttl + set(`"50"`), "error 14 TypeMismatch"},
		{"text in 4.4", "mongodb 4.4.0", ttl + set(`"50"`), refused},
		{"to TTL", "mongodb 5.1.0", `"existing":[{"key":{"a":1}}],` + set(`50`), `{"expireAfterSeconds_new":{"$numberInt":"50"}}`},
		{"not in 5.0", "mongodb 5.0.31", `"existing":[{"key":{"a":1}}],` + set(`50`), refused},
		{"no such index", "mongodb 8.2.4", at + set(`50`), "error 27 IndexNotFound"},
		{"two of a key", "mongodb 8.2.4", `"existing":[{"key":{"a":1}},{"key":{"a":1},"name":"b","sparse":true}],` + set(`50`), "error 181 AmbiguousIndexKeyPattern"},
		{"the index on _id need not be listed", "mongodb 8.2.4", `"command":{"index":{"name":"_id_","expireAfterSeconds":5}}`, refused},
		{"a clustered collection's key is none", "mongodb 8.2.4", cluster + `"command":{"index":{"keyPattern":{"_id":1},"expireAfterSeconds":5}}`, "error 27 IndexNotFound"},
		{"an unknown field", "mongodb 8.2.4", ttl + `"command":{"index":{"name":"a_1","x":1}}`, "error 40415 IDLUnknownField"},
		{"an unknown field in 4.4", "mongodb 4.4.0", ttl + `"command":{"index":{"name":"a_1","x":1}}`, refused},
		{"prepareUnique", "mongodb 8.2.4", ttl + `"command":{"index":{"name":"a_1","expireAfterSeconds":5,"prepareUnique":true}}`, refused},
		{"hidden", "mongodb 8.2.4", ttl + `"command":{"index":{"name":"a_1","expireAfterSeconds":5,"hidden":true}}`, fmt.Sprintf(changed, 5, 3600)},
		{"capped, 7.0", "mongodb 7.0.5", ttl + `"collection":{"capped":true},` + set(`5`), refused},
		{"capped, 7.1", "mongodb 7.1.0", ttl + `"collection":{"capped":true},` + set(`5`), fmt.Sprintf(changed, 5, 3600)},
		{"capped, 5.0", "mongodb 5.0.5", ttl + `"collection":{"capped":true},` + set(`5`), `{"expireAfterSeconds_new":{"$numberInt":"5"},"expireAfterSeconds_old":{"$numberInt":"3600"}}`},
		{"an index of a time series", "mongodb 8.2.4", series + set(`5`), refused},
		{"a view", "mongodb 8.2.4", `"collection":{"viewOn":"x","name":"y"},` + set(`5`), refused},
		{"a view's own", "mongodb 8.2.4", `"collection":{"viewOn":"x"},` + own(`5`), refused},
		{"an ordinary collection's own", "mongodb 8.2.4", own(`5`), refused},
		{"a time series' own", "mongodb 8.2.4", series + own(`5`), `{}`},
		{"the clock's second", "mongodb 8.2.4", series + own(`1800000000`), `{}`},
		{"the next", "mongodb 8.2.4", series + own(`1800000001`), refused},
		{"off", "mongodb 5.3.0", cluster + own(`"off"`), `{}`},
		{"Off", "mongodb 8.2.4", cluster + own(`"Off"`), refused},
		{"null", "mongodb 8.2.4", cluster + own(`null`), "error 14 TypeMismatch"},
		{"no version asks about the newest", "mongodb", ttl + set(`"50"`), "error 14 TypeMismatch"},
		{"no such version", "mongodb " + fixture.Unknown, ttl + set(`50`), "skip mongo: no profile for this server version: " + fixture.Unknown + " is not from " + fixture.Range},
		{"no command", "mongodb 8.2.4", ttl + `"x":1`, "fault in.command: missing; want a document"},
		{"no indexes", "mongodb 8.2.4", `"existing":5,` + set(`50`), "fault in.existing: want an array of documents, got 5"},
		{"no date", "mongodb 8.2.4", `"now":5,` + set(`50`), `fault in.now: want a date such as {"$date":{"$numberLong":"0"}}, got 5`},
	})
}

func TestCreate(t *testing.T) {
	const refused = "error 72 InvalidOptions"
	create := func(fields string) string { return `"now":$1800000000000,"command":{` + fields + `}` }
	series := func(seconds string) string {
		return create(`"timeseries":{"timeField":"t"},"expireAfterSeconds":` + seconds)
	}
	cluster := func(more string) string { return create(`"clusteredIndex":{"key":{"_id":1},"unique":true}` + more) }
	hold(t, "mongodb.create", []asking{
		{"a time series", "mongodb 5.0.0", series(`3600`), `{}`},
		{"NaN", "mongodb 8.2.4", series(`{"$numberDouble":"NaN"}`), `{}`},
		{"null", "mongodb 8.2.4", series(`null`), `{}`},
		{"a boolean", "mongodb 8.2.4", series(`true`), "error 14 TypeMismatch"},
		{"negative", "mongodb 8.2.4", series(`-1`), refused},
		{"-0.9", "mongodb 8.2.4", series(`-0.9`), `{}`},
		{"a decimal -0.9", "mongodb 8.2.4", series(`{"$numberDecimal":"-0.9"}`), refused},
		{"the clock's second", "mongodb 8.2.4", series(`1800000000`), `{}`},
		{"the next", "mongodb 8.2.4", series(`1800000001`), refused},
		{"2^31 in 2040", "mongodb 8.2.4", `"now":$2208988800000,"command":{"timeseries":{"timeField":"t"},"expireAfterSeconds":2147483648}`, `{}`},
		{"infinity", "mongodb 8.2.4", series(`{"$numberDouble":"Infinity"}`), refused},
		{"an ordinary collection", "mongodb 5.0.0", create(`"expireAfterSeconds":5`), refused},
		{"4.4", "mongodb 4.4.0", create(`"expireAfterSeconds":5`), "error 40415 Location40415"},
		{"4.0", "mongodb 4.0.0", create(`"expireAfterSeconds":5`), refused},
		{"3.2", "mongodb 3.2.0", create(`"expireAfterSeconds":5`), `{}`},
		{"no time field", "mongodb 8.2.4", create(`"timeseries":{}`), "error 40414 IDLFailedToParse"},
		{"buckets of a year", "mongodb 6.3.0", create(`"timeseries":{"timeField":"t","bucketMaxSpanSeconds":31536000,"bucketRoundingSeconds":31536000}`), `{}`},
		{"and a second more", "mongodb 6.3.0", create(`"timeseries":{"timeField":"t","bucketMaxSpanSeconds":31536001,"bucketRoundingSeconds":31536001}`), "error 51024 Location51024"},
		{"before 6.3", "mongodb 6.2.0", create(`"timeseries":{"timeField":"t","bucketMaxSpanSeconds":600,"bucketRoundingSeconds":600}`), "error 5510500 Location5510500"},
		{"clustered", "mongodb 5.3.0", cluster(`,"expireAfterSeconds":5`), `{}`},
		{"clustered in 5.2", "mongodb 5.2.0", cluster(`,"expireAfterSeconds":5`), refused},
		{"clustered and capped", "mongodb 8.2.4", cluster(`,"capped":true`), "error 6049201 Location6049201"},
		{"clustered with a size", "mongodb 8.2.4", cluster(`,"capped":true,"size":5,"expireAfterSeconds":5`), "error 6049200 Location6049200"},
		{"clustered with a max", "mongodb 8.2.4", cluster(`,"capped":true,"max":5,"expireAfterSeconds":5`), "error 6049204 Location6049204"},
		{"a clustered view", "mongodb 8.2.4", cluster(`,"viewOn":"x"`), "error 6026500 Location6026500"},
		{"an ordinary collection without it", "mongodb 8.2.4", create(``), `{}`},
		{"no command", "mongodb 8.2.4", `"command":[]`, "fault in.command: want a document, got []"},
	})
}

// TestParametersOfTheTarget: a parameter changes an answer. A question with a parameter
// that the release lacks gets no answer.
func TestParametersOfTheTarget(t *testing.T) {
	const in = `{"now":{"$date":{"$numberLong":"9000"}},"document":{"a":[1],"t":{"$date":{"$numberLong":"1000"}}},
		"indexes":[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"a.b":null}}]}`
	for _, tt := range []struct {
		version    string
		parameters conformance.Parameters
		want       string
	}{
		{fixture.Latest, nil, `"expired"`},
		{"", nil, `"expired"`},
		{fixture.Latest, conformance.Parameters{behaviour.LegacyNullParameter: true}, `"never"`},
		{"", conformance.Parameters{behaviour.LegacyNullParameter: true}, `"never"`},
		{fixture.Latest, conformance.Parameters{behaviour.LegacyNullParameter: false}, `"expired"`},
		{"8.3.13", nil, `"never"`},
		{"8.3.13", conformance.Parameters{behaviour.LegacyNullParameter: true}, `"skip"`},
		{fixture.Latest, conformance.Parameters{behaviour.LegacyNullParameter: "true"}, `"skip"`},
		{fixture.Latest, conformance.Parameters{behaviour.LegacyNullParameter: 1.0}, `"skip"`},
		{fixture.Latest, conformance.Parameters{behaviour.LegacyNullParameter: nil}, `"skip"`},
		{fixture.Latest, conformance.Parameters{"ttlMonitorEnabled": false}, `"skip"`},
	} {
		target := conformance.Target{System: conformance.MongoDB, Version: tt.version, Parameters: tt.parameters}
		if got := New().Ask(conformance.Question{Op: "mongodb.decide", Target: target, In: json.RawMessage(in)}); !strings.Contains(got.String(), tt.want) {
			t.Errorf("%s: %s, want %s", target, got, tt.want)
		}
	}
}

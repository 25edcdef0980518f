package adapter

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// answerText returns an answer to a validating operation as a question wants
// it: the result, or "error code codeName", "skip …", "fault …".
func answerText(t *testing.T, reply string) string {
	t.Helper()
	var a struct {
		Out         json.RawMessage
		Error       *refusal
		Skip, Fault string
	}
	if err := json.Unmarshal([]byte(reply), &a); err != nil {
		t.Fatalf("answer %s: %v", reply, err)
	}
	switch {
	case a.Error != nil:
		if a.Error.Class != "refused" || a.Error.Message == "" {
			t.Errorf("the refusal %+v lacks its class or message", *a.Error)
		}
		if a.Error.Status != 0 {
			return fmt.Sprintf("error %d", a.Error.Status)
		}
		return fmt.Sprintf("error %d %s", a.Error.Code, a.Error.CodeName)
	case a.Skip != "":
		return "skip " + a.Skip
	case a.Fault != "":
		return "fault " + a.Fault
	}
	return string(a.Out)
}

func validateAll(t *testing.T, op string, questions []question) {
	t.Helper()
	for _, q := range questions {
		request := q.request(op)
		if got := answerText(t, askOne(t, request)); got != q.want {
			t.Errorf("%s:\n%s\nis answered %s, want %s", q.why, request, got, q.want)
		}
	}
}

// The clock of most questions is second 1,800,000,000, in 2027.
func TestCollMod(t *testing.T) {
	const (
		at      = `"now":$1800000000000,`
		ttl     = at + `"existing":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":3600}],`
		series  = at + `"collection":{"timeseries":{"timeField":"t"}},`
		cluster = at + `"collection":{"clusteredIndex":{"key":{"_id":1},"unique":true}},`
		changed = `{"expireAfterSeconds_new":{"$numberLong":"%d"},"expireAfterSeconds_old":{"$numberLong":"%d"}}`
		refused = "error 72 InvalidOptions"
	)
	set := func(seconds string) string {
		return `"command":{"index":{"keyPattern":{"a":1},"expireAfterSeconds":` + seconds + `}}`
	}
	own := func(seconds string) string { return `"command":{"expireAfterSeconds":` + seconds + `}` }
	validateAll(t, "mongodb.collMod", []question{
		{"a change", "mongodb 8.2.4", ttl + set(`7200`), fmt.Sprintf(changed, 7200, 3600)},
		{"a fraction", "mongodb 8.2.4", ttl + set(`50.7`), fmt.Sprintf(changed, 50, 3600)},
		{"no change", "mongodb 4.4.0", ttl + set(`3600`), fmt.Sprintf(changed, 3600, 3600)},
		{"no change is not reported in 4.2", "mongodb 4.2.0", ttl + set(`3600`), `{}`},
		{"NaN is 0", "mongodb 8.2.4", ttl + set(`{"$numberDouble":"NaN"}`), fmt.Sprintf(changed, 0, 3600)},
		{"a plain number beyond 32 bits is a double, and clamps", "mongodb 8.2.4", ttl + set(`2147483648`), fmt.Sprintf(changed, 2147483647, 3600)},
		{"not in 6.0.1", "mongodb 6.0.1", ttl + set(`2147483648`), refused},
		{"a stored NaN", "mongodb 8.2.4", `"existing":[{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}],` + set(`5`), fmt.Sprintf(changed, 5, 0)},
		{"negative", "mongodb 5.0.0", ttl + set(`-1`), refused},
		{"negative in 4.4", "mongodb 4.4.0", ttl + set(`-1`), fmt.Sprintf(changed, -1, 3600)},
		{"text", "mongodb 5.1.0", ttl + set(`"50"`), "error 14 TypeMismatch"},
		{"text in 5.0", "mongodb 5.0.9", ttl + set(`"50"`), "skip unspecified: mongo.command-unspecified"},
		{"text in 4.4", "mongodb 4.4.0", ttl + set(`"50"`), refused},
		{"to TTL", "mongodb 5.1.0", `"existing":[{"key":{"a":1}}],` + set(`50`), `{"expireAfterSeconds_new":{"$numberLong":"50"}}`},
		{"not in 5.0", "mongodb 5.0.31", `"existing":[{"key":{"a":1}}],` + set(`50`), refused},
		{"no such index", "mongodb 8.2.4", at + set(`50`), "error 27 IndexNotFound"},
		{"two of a key", "mongodb 8.2.4", `"existing":[{"key":{"a":1}},{"key":{"a":1},"name":"b","sparse":true}],` + set(`50`), "error 181 AmbiguousIndexKeyPattern"},
		{"the index on _id need not be listed", "mongodb 8.2.4", `"command":{"index":{"name":"_id_","expireAfterSeconds":5}}`, refused},
		{"a clustered collection's key is none", "mongodb 8.2.4", cluster + `"command":{"index":{"keyPattern":{"_id":1},"expireAfterSeconds":5}}`, "error 27 IndexNotFound"},
		{"an unknown field", "mongodb 8.2.4", ttl + `"command":{"index":{"name":"a_1","x":1}}`, "error 40415 Location40415"},
		{"an unknown field in 4.4", "mongodb 4.4.0", ttl + `"command":{"index":{"name":"a_1","x":1}}`, refused},
		{"prepareUnique", "mongodb 8.2.4", ttl + `"command":{"index":{"name":"a_1","expireAfterSeconds":5,"prepareUnique":true}}`, refused},
		{"hidden", "mongodb 8.2.4", ttl + `"command":{"index":{"name":"a_1","expireAfterSeconds":5,"hidden":true}}`, fmt.Sprintf(changed, 5, 3600)},
		{"capped, 7.0", "mongodb 7.0.5", ttl + `"collection":{"capped":true},` + set(`5`), refused},
		{"capped, 7.1", "mongodb 7.1.0", ttl + `"collection":{"capped":true},` + set(`5`), fmt.Sprintf(changed, 5, 3600)},
		{"capped, 5.0", "mongodb 5.0.5", ttl + `"collection":{"capped":true},` + set(`5`), "skip unspecified: mongo.collmod-capped-unspecified"},
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
		{"no such version", "mongodb 9.0.0", ttl + set(`50`), "skip mongo: no profile for this server version: 9.0.0 is not from 2.2 to 8.2"},
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
	validateAll(t, "mongodb.create", []question{
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
		{"3.2", "mongodb 3.2.0", create(`"expireAfterSeconds":5`), "skip unspecified: mongo.command-unspecified"},
		{"no time field", "mongodb 8.2.4", create(`"timeseries":{}`), "error 40414 Location40414"},
		{"buckets of a year", "mongodb 6.3.0", create(`"timeseries":{"timeField":"t","bucketMaxSpanSeconds":31536000,"bucketRoundingSeconds":31536000}`), `{}`},
		{"and a second more", "mongodb 6.3.0", create(`"timeseries":{"timeField":"t","bucketMaxSpanSeconds":31536001,"bucketRoundingSeconds":31536001}`), "error 2 BadValue"},
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

// TestInstantOr: the adapter's clock stands in for a now that is absent or null.
func TestInstantOr(t *testing.T) {
	otherwise := func() policy.Instant { return 7 }
	for _, tt := range []struct {
		in   string
		want policy.Instant // -1 for an error
	}{
		{`{}`, 7}, {`{"now":null}`, 7}, {`{"now":{"$date":{"$numberLong":"5"}}}`, 5}, {`{"now":5}`, -1}, {`{"now":{}}`, -1},
	} {
		members, err := cut([]byte(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		got, err := object{members: members}.instantOr("now", otherwise)
		if (err != nil) != (tt.want < 0) || err == nil && got != tt.want {
			t.Errorf("instantOr(%s) = %d, %v, want %d", tt.in, got, err, tt.want)
		}
	}
	validateAll(t, "mongodb.create", []question{
		{"no clock stands before 1970", "mongodb 8.2.4", `"command":{"timeseries":{"timeField":"t"},"expireAfterSeconds":0}`, `{}`},
	})
}

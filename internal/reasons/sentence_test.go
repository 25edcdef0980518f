package reasons

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestIsNaN: of both types that have it.
func TestIsNaN(t *testing.T) {
	for text, want := range map[string]bool{
		`{"$numberDouble":"NaN"}`: true, `{"$numberDecimal":"NaN"}`: true, `{"$numberDouble":"Infinity"}`: false, `{"$numberDecimal":"Infinity"}`: false,
		`{"$numberDecimal":"-1E+6000"}`: false, "10": false, `"NaN"`: false, "null": false,
	} {
		if got := isNaN(value(t, text)); got != want {
			t.Errorf("isNaN(%s) = %v, want %v", text, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	collection, err := mongo.ParseCollectionSpec(policy.Value{}, value(t, `[{"key":{"at":1},"name":"at_1","expireAfterSeconds":3600}]`))
	if err != nil {
		t.Fatal(err)
	}
	onMongo, err := CompileMongo(collection, mongo.Latest)
	if err != nil {
		t.Fatal(err)
	}
	onCosmos, err := CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int64Value(10)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		why, doc string
		policy   *Policy
		now      policy.Instant
		want     string
	}{
		{"ahead", `{"at":{"$date":{"$numberLong":"0"}}}`, onMongo, 0,
			"Expires at 1970-01-01T01:00:00.000Z (in 1 h): 1 h after at, which is 1970-01-01T00:00:00.000Z."},
		{"at the very millisecond", `{"at":{"$date":{"$numberLong":"0"}}}`, onMongo, 3_600_000,
			"Expired since 1970-01-01T01:00:00.000Z (now): 1 h after at, which is 1970-01-01T00:00:00.000Z. Reads still find it until a sweep, by default every 60 s, has removed it."},
		{"several dates", `{"at":[{"$date":{"$numberLong":"1000"}},{"$date":{"$numberLong":"0"}}]}`, onMongo, 0,
			"Expires at 1970-01-01T01:00:00.000Z (in 1 h): 1 h after at, which is 1970-01-01T00:00:00.000Z, the earliest of 2 dates."},
		{"never", `{}`, onMongo, 0, "Never expires. A document without the indexed field never expires."},
		{"Cosmos DB", `{"_ts":5}`, onCosmos, 20_000,
			"Expired since 1970-01-01T00:00:15.000Z (5 s ago): 10 s after _ts, which is 1970-01-01T00:00:05.000Z. No read finds it any more; it is purged later."},
	} {
		if got := Of(tc.policy, value(t, tc.doc), tc.now).Sentence(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.why, got, tc.want)
		}
	}
	if got := (Explanation{}).Sentence(); got != "Never expires." {
		t.Errorf("the zero explanation says %q", got)
	}
}

package reasons

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestSentence(t *testing.T) {
	onMongo := compiled(t, mongo.Latest(), `{"key":{"at":1},"name":"at_1","expireAfterSeconds":3600}`)
	onCosmos, err := Compile(definition.OfContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int64Value(10)}))
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
		if got := Of(tc.policy, fixture.Value(t, tc.doc), tc.now).Sentence(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.why, got, tc.want)
		}
	}
	if got := Of(compiled(t, mongo.Version{Major: 5, Patch: 9}, `{"key":{"at":1},"expireAfterSeconds":{"$numberDecimal":"NaN"}}`), fixture.Value(t, `{"at":{"$date":{"$numberLong":"0"}}}`), 0).Sentence(); got !=
		"Expired since 1970-01-01T00:00:00.000Z (now): 0 s after at, which is 1970-01-01T00:00:00.000Z; expireAfterSeconds is NaN, which MongoDB 5.0.9 reads as 0 (mongo.nan-zero). Reads still find it until a sweep, by default every 60 s, has removed it." {
		t.Errorf("NaN that is 0: %q", got)
	}
	old := compiled(t, mongo.Version{Major: 2, Minor: 4}, `{"key":{"at":1},"expireAfterSeconds":3600}`)
	for doc, want := range map[string]string{ // 100<<32 + 1 ms is 1983-08-12T00:38:49.601Z
		`{"at":{"$timestamp":{"t":100,"i":1}}}`:                                 "1 h after at, which is 1983-08-12T00:38:49.601Z; MongoDB 2.4.0 reads the 64 bits of a replication timestamp as the milliseconds of a Date (mongo.timestamp-sorts)",
		`{"at":[{"$date":{"$numberLong":"0"}},{"$timestamp":{"t":100,"i":1}}]}`: "1 h after at, which is 1970-01-01T00:00:00.000Z, the earliest of 2 dates; MongoDB 2.4.0 reads the 64 bits of a replication timestamp as the milliseconds of a Date (mongo.timestamp-sorts)",
		`{"at":{"$date":{"$numberLong":"0"}}}`:                                  "1 h after at, which is 1970-01-01T00:00:00.000Z",
	} {
		e := Of(old, fixture.Value(t, doc), 5e12)
		if got := e.Because(); got != want {
			t.Errorf("%s in 2.4: because %q, want %q", doc, got, want)
		}
		if got := e.Applies(Rule("mongo.timestamp-sorts")); got != strings.Contains(doc, "timestamp") {
			t.Errorf("%s in 2.4: mongo.timestamp-sorts applies: %v", doc, got)
		}
	}
	for doc, want := range map[string]string{
		`{}`: "at is missing", `{"at":"x"}`: "at holds a string, not a Date", `{"at":["x"]}`: "at holds an array without a Date",
		`{"at":{"$date":{"$numberLong":"0"}}}`: "1 h after at, which is 1970-01-01T00:00:00.000Z",
	} {
		if got := Of(onMongo, fixture.Value(t, doc), 0).Because(); got != want {
			t.Errorf("%s: because %q, want %q", doc, got, want)
		}
	}
	if got, want := Of(onCosmos, fixture.Value(t, `{"_ts":5,"ttl":-1}`), 0).Because(), "ttl is -1"; got != want {
		t.Errorf("an item that stays: because %q, want %q", got, want)
	}
	if got := (Explanation{}).Sentence(); got != "Never expires." {
		t.Errorf("the zero explanation says %q", got)
	}
}

// compiled returns the policy of indexes in a release.
func compiled(t *testing.T, release mongo.Version, indexes ...string) *Policy {
	t.Helper()
	collection, err := mongo.ParseCollectionSpec(policy.Value{}, fixture.Value(t, "["+strings.Join(indexes, ",")+"]"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(definition.OfMongoDB(collection, release, nil))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// applied returns the identifiers of the rules that apply.
func applied(e Explanation) string {
	var ids []string
	for _, r := range e.Ladder {
		if e.Applies(r) {
			ids = append(ids, r.ID())
		}
	}
	return strings.Join(ids, " ")
}

// TestNullPath: the explanation mentions an array at which a path of the filter ends
// early if, and only if, the document expires because of this array.
func TestNullPath(t *testing.T) {
	const filtered, plain = `{"key":{"at":1},"expireAfterSeconds":0,"partialFilterExpression":{"a.b":null}}`, `{"key":{"b":1},"expireAfterSeconds":0}`
	const at = `"at":{"$date":{"$numberLong":"0"}}`
	latest, before := mongo.Latest(), mongo.Version{Major: 8, Minor: 3}
	for _, tc := range []struct {
		why     string
		release mongo.Version
		indexes []string
		doc     string
		want    string // the rules that apply
	}{
		{"an empty array", latest, []string{filtered}, `{"a":[],` + at + `}`, "mongo.filter-null-path mongo.date"},
		{"the same before", before, []string{filtered}, `{"a":[],` + at + `}`, "mongo.filter-mismatch"},
		{"what was taken in before", latest, []string{filtered}, `{` + at + `}`, "mongo.date"},
		{"what is not taken in", latest, []string{filtered}, `{"a":{"b":1},` + at + `}`, "mongo.filter-mismatch"},
		{"without a date", latest, []string{filtered}, `{"a":[]}`, "mongo.field-missing"},
		{"another index decides", latest, []string{filtered, plain}, `{"a":[],"b":{"$date":{"$numberLong":"-1"}},` + at + `}`, "mongo.date"},
		{"no filter", latest, []string{plain}, `{"a":[],"b":{"$date":{"$numberLong":"0"}}}`, "mongo.date"},
	} {
		e := Of(compiled(t, tc.release, tc.indexes...), fixture.Value(t, tc.doc), 0)
		got := applied(e)
		told := strings.Contains(e.Sentence(), "by null where an array breaks the path off (mongo.filter-null-path)")
		if got != tc.want || told != strings.Contains(tc.want, "null-path") {
			t.Errorf("%s: %q hold, %q, want %q", tc.why, got, e.Sentence(), tc.want)
		}
	}
}

// TestApplies: the deciding rule applies, and so do the rules that shaped the decision,
// such as the rule that reads a NaN of the deciding index as 0. No other consulted rule
// applies.
func TestApplies(t *testing.T) {
	const nan, hour, late = `{"key":{"at":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`, `{"key":{"at":1},"expireAfterSeconds":3600}`, `{"key":{"b":1},"expireAfterSeconds":3600}`
	const filtered = `{"key":{"at":1},"expireAfterSeconds":{"$numberDouble":"NaN"},"partialFilterExpression":{"x":"expireAfterSeconds NaN"}}`
	const compound = `{"key":{"at":1,"b":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`
	for _, tc := range []struct {
		why     string
		release mongo.Version
		indexes []string
		doc     string
		want    string // the rules that apply
		about   string // the About of the first source
	}{
		{"NaN is 0", mongo.Version{Major: 5, Patch: 9}, []string{nan}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.nan-zero mongo.date", "expireAfterSeconds NaN, read as 0, after at"},
		{"NaN is 0, and there is no date", mongo.Version{Major: 6}, []string{nan}, `{}`, "mongo.nan-zero mongo.field-missing", "expireAfterSeconds NaN, read as 0, after at"},
		{"NaN is 0, and a filter", mongo.Version{Major: 5, Patch: 9}, []string{filtered}, `{}`, "mongo.nan-zero mongo.filter-mismatch", `expireAfterSeconds NaN, read as 0, after at where {"x":"expireAfterSeconds NaN"}`},
		{"a number in the same release", mongo.Version{Major: 5, Patch: 9}, []string{hour}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.date", "1 h after at"},
		{"NaN is 0 in old releases", mongo.Version{Major: 3, Minor: 2}, []string{nan}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.nan-zero mongo.date", "expireAfterSeconds NaN, read as 0, after at"},
		{"milliseconds that wrap", mongo.Version{Major: 3, Minor: 2}, []string{`{"key":{"at":1},"expireAfterSeconds":{"$numberLong":"9223372036854775807"}}`}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.seconds-wrap mongo.date", "what 64 bits hold of the milliseconds of 9223372036854775807 s after at"},
		{"a filter that is not looked at", mongo.Version{Major: 3}, []string{`{"key":{"at":1},"expireAfterSeconds":3600,"partialFilterExpression":{"x":"y"}}`}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.filter-ignored mongo.date-strict", `1 h after at whether or not {"x":"y"}`},
		{"NaN is skipped", mongo.Version{Major: 5, Patch: 14}, []string{nan}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.nan-skipped", "expireAfterSeconds NaN after at"},
		{"NaN aborts", mongo.Version{Major: 4, Minor: 4}, []string{nan}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.nan-aborts", "expireAfterSeconds NaN after at"},
		{"of several fields", mongo.Version{Major: 5, Patch: 9}, []string{compound}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.index-compound", "expireAfterSeconds NaN after at"},
		{"NaN decides beside another", mongo.Version{Major: 5, Patch: 9}, []string{nan, late}, `{"at":{"$date":{"$numberLong":"0"}}}`, "mongo.nan-zero mongo.date", "expireAfterSeconds NaN, read as 0, after at"},
		{"another decides beside NaN", mongo.Version{Major: 5, Patch: 9}, []string{nan, late}, `{"b":{"$date":{"$numberLong":"0"}}}`, "mongo.date", "expireAfterSeconds NaN, read as 0, after at"},
	} {
		p := compiled(t, tc.release, tc.indexes...)
		e := Of(p, fixture.Value(t, tc.doc), 0)
		got := applied(e)
		if got != tc.want || p.Sources[0].About != tc.about {
			t.Errorf("%s: %q hold, %q, want %q and %q", tc.why, got, p.Sources[0].About, tc.want, tc.about)
		}
	}
}

// TestLifetime: seconds that 64 bits cannot hold are written as they are stored, on every
// platform.
func TestLifetime(t *testing.T) {
	for text, want := range map[string]string{
		`{"$numberDouble":"3600.0"}`:                 "1 h",
		`{"$numberDouble":"1.5"}`:                    `expireAfterSeconds {"$numberDouble":"1.5"}`,
		`{"$numberDouble":"-9223372036854775808.0"}`: "-9223372036854775808 s",
		`{"$numberDouble":"9223372036854775808.0"}`:  `expireAfterSeconds {"$numberDouble":"9.223372036854776E+18"}`,
		`{"$numberDouble":"Infinity"}`:               `expireAfterSeconds {"$numberDouble":"Infinity"}`,
		`{"$numberDecimal":"NaN"}`:                   "expireAfterSeconds NaN",
	} {
		if got := lifetime(fixture.Value(t, text)); got != want {
			t.Errorf("lifetime(%s) = %q, want %q", text, got, want)
		}
	}
}

func TestLargestUnit(t *testing.T) {
	for _, tt := range []struct {
		seconds, n int64
		unit       string
	}{{0, 0, "s"}, {59, 59, "s"}, {120, 2, "min"}, {-3600, -1, "h"}, {3601, 3601, "s"}, {172800, 2, "d"}} {
		if n, unit := LargestUnit(tt.seconds); n != tt.n || unit != tt.unit {
			t.Errorf("LargestUnit(%d) = %d %s, want %d %s", tt.seconds, n, unit, tt.n, tt.unit)
		}
	}
}

package reasons

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		at, now policy.Instant
		want    string
	}{
		{5, 5, "now"},
		{6, 5, "in 1 ms"},
		{5, 6, "1 ms ago"},
		{1000, 0, "in 1 s"},
		{1001, 0, "in 1 s 1 ms"},
		{60_500, 0, "in 1 min"}, // no seconds are shown, because they are 0
		{3*86_400_000 + 4*3_600_000 + 59*60_000, 0, "in 3 d 4 h"},
		{0, 86_400_000, "1 d ago"},
		{policy.MaxInstant, policy.MinInstant, "in 213503982334 d 14 h"}, // 2^64-1 ms
	} {
		if got := Distance(tc.at, tc.now); got != tc.want {
			t.Errorf("Distance(%d, %d) = %q, want %q", tc.at, tc.now, got, tc.want)
		}
	}
}

func TestDatesFor(t *testing.T) {
	date := func(ms string) string { return `{"$date":{"$numberLong":"` + ms + `"}}` }
	for _, tc := range []struct {
		why, system, path, doc string
		want                   []policy.Instant
	}{
		{"a date", "mongodb", "a", `{"a":` + date("5") + `}`, []policy.Instant{5}},
		{"no date", "mongodb", "a", `{"a":"x"}`, nil},
		{"no path", "mongodb", "", `{"":` + date("5") + `}`, nil},
		{"an array, out of order, one twice", "mongodb", "a", `{"a":[` + date("9") + `,1,` + date("-3") + `,` + date("9") + `]}`, []policy.Instant{-3, 9}},
		{"a path through arrays", "mongodb", "a.b", `{"a":[{"b":` + date("1") + `},{"c":0},{"b":[` + date("2") + `]}]}`, []policy.Instant{1, 2}},
		{"a position", "mongodb", "a.1", `{"a":[` + date("1") + `,` + date("2") + `]}`, []policy.Instant{2}},
		{"seconds", "cosmos-nosql", "_ts", `{"_ts":5}`, []policy.Instant{5000}},
		{"seconds that are not", "cosmos-nosql", "_ts", `{"_ts":"5"}`, nil},
		{"seconds past any clock", "cosmos-nosql", "_ts", `{"_ts":{"$numberLong":"9223372036854775807"}}`, nil},
		{"seconds on another path", "cosmos-nosql", "m.at", `{"m":{"at":7}}`, []policy.Instant{7000}},
		{"_ts of a document", "cosmos-mongo", "_ts", `{"_ts":5}`, []policy.Instant{5000}},
	} {
		if diff := cmp.Diff(tc.want, datesFor(tc.system, tc.path, fixture.Value(t, tc.doc))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.why, diff)
		}
	}
}

// TestCheck: an error asks for _ts if the decision needs it, and only then.
func TestCheck(t *testing.T) {
	container := func(ttl policy.Value) *Policy {
		p, err := Compile(definition.OfContainer(cosmos.ContainerSpec{DefaultTTL: ttl}))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	collection, err := Compile(definition.OfCosmosMongo(cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{{Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(10)}}}))
	if err != nil {
		t.Fatal(err)
	}
	off, on, ten := container(policy.Value{}), container(policy.Int64Value(-1)), container(policy.Int64Value(10))
	const now = 1_795_176_000_000
	for _, tc := range []struct {
		why    string
		policy *Policy
		doc    string
		want   string // "" for no error
	}{
		{"counts from _ts", ten, `{"id":"1"}`, `_ts is missing, so when this expires is unknown: the time to live counts from _ts, the second of the last write, which the service sets on each item. Add it, such as "_ts": 1795176000`},
		{"its own ttl does", on, `{"ttl":60}`, "_ts is missing"},
		{"text", ten, `{"_ts":"1795176000"}`, "_ts is no whole number (string)"},
		{"a fraction", ten, `{"_ts":1795176000.5}`, "_ts is no whole number (double)"},
		{"the API for MongoDB", collection, `{}`, "_ts is missing"},
		{"there is one", ten, `{"_ts":1795176000}`, ""},
		{"off", off, `{"ttl":60}`, ""},
		{"no default", on, `{}`, ""},
		{"never", ten, `{"ttl":-1}`, ""},
	} {
		err := Of(tc.policy, fixture.Value(t, tc.doc), now).Check()
		if (tc.want == "") != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: Check() of %s = %v, want %q", tc.why, tc.doc, err, tc.want)
		}
		var typed *DocumentError
		if err != nil && (!errors.As(err, &typed) || typed.Field != "_ts") {
			t.Errorf("%s: %#v names no field", tc.why, err)
		}
	}
	if err := (Explanation{}).Check(); err != nil {
		t.Errorf("the zero explanation: %v", err)
	}
}

// TestSourceOfCosmosMongo: an expireAfterSeconds of null makes no TTL index, so that the
// other index is the first source.
func TestSourceOfCosmosMongo(t *testing.T) {
	index := func(name string, seconds policy.Value) cosmos.IndexSpec {
		return cosmos.IndexSpec{Name: name, Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: seconds}
	}
	p, err := Compile(definition.OfCosmosMongo(cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{index("off", policy.NullValue()), index("on", policy.Int32Value(10))}}))
	if err != nil {
		t.Fatal(err)
	}
	e := Of(p, policy.D{{Key: "_ts", Value: policy.Int32Value(5)}}, 15_000)
	if e.Decision.State != policy.Expired || e.Source.Name != "on" || len(e.Each) != 1 {
		t.Errorf("%v by the source %q of %d, want expired by the only source, on", e.Decision.State, e.Source.Name, len(e.Each))
	}
}

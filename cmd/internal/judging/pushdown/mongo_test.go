package pushdown

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var update = flag.Bool("update", false, "write the scripts of testdata again")

const now policy.Instant = 1_795_132_800_000 // 2026-11-20

// compiled returns the policy of a collection with these options and indexes.
func compiled(t *testing.T, release, options, indexes string) *reasons.Policy {
	t.Helper()
	spec, err := mongo.ParseCollectionSpec(fixture.Value(t, options), fixture.Value(t, indexes))
	if err != nil {
		t.Fatal(err)
	}
	version, err := mongo.ParseVersion(release)
	if err != nil {
		t.Fatal(err)
	}
	spec.Namespace = "shop.logs"
	p, err := reasons.Compile(definition.OfMongoDB(spec, version, nil))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	plain    = `[{"name":"createdAt_1","key":{"createdAt":1},"expireAfterSeconds":3600}]`
	filtered = `[{"name":"guests","key":{"a.b":1},"expireAfterSeconds":60,"partialFilterExpression":{"kind":"guest"}},
		{"name":"at_1","key":{"at":1},"expireAfterSeconds":0}]`
	clustered = `{"clusteredIndex":true,"expireAfterSeconds":60}`
)

func planFor(p *reasons.Policy, find bool) (Plan, error) {
	if find {
		return Mongo(p, now, true)
	}
	return Mongo(p, now, false)
}

// TestScripts compares the printed scripts with reviewed files.
func TestScripts(t *testing.T) {
	for _, tc := range []struct {
		name, release, options, indexes string
		find                            bool
	}{
		{"count", "8.0.4", `null`, plain, false},
		{"find", "8.0.4", `null`, filtered, true},
		{"find-unfiltered", "3.0.15", `null`, filtered, true},
		{"find-clustered", "8.0.4", clustered, `[]`, true},
	} {
		plan, err := planFor(compiled(t, tc.release, tc.options, tc.indexes), tc.find)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		var got bytes.Buffer
		if err := plan.Text(&cli.Printer{W: &got}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", tc.name+".mongosh.txt")
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("%s: the script is %s\nwant %s (-update writes it again)", tc.name, got.String(), want)
		}
	}
}

func TestRefusals(t *testing.T) {
	collations := `[{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":"x"},"collation":{"locale":"de"}},
		{"key":{"b":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":"x"}}]`
	ofCosmos, err := reasons.Compile(definition.OfCosmosMongo(cosmos.CollectionSpec{ServerVersion: "4.2"}))
	if err != nil {
		t.Fatal(err)
	}
	container, err := reasons.Compile(definition.OfContainer(cosmos.ContainerSpec{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name        string
		p           *reasons.Policy
		find, count string // a part of the refusal; "" if there is none
	}{
		{"time series", compiled(t, "8.0.4", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`, `[]`), "a time-series collection cannot", "a time-series collection cannot"},
		{"a view", compiled(t, "8.0.4", `{"viewOn":"x"}`, `[]`), "a view cannot", "a view cannot"},
		{"collations", compiled(t, "8.0.4", `null`, collations), "differing collations cannot", "differing collations cannot"},
		{"one collation", compiled(t, "8.0.4", `null`, strings.Replace(collations, `{"f":"x"}}`, `{"f":"x"},"collation":{"locale":"de"}}`, 1)), "", "a policy with 2 sources cannot"},
		{"a position", compiled(t, "8.0.4", `null`, `[{"key":{"a.0.b":1},"expireAfterSeconds":1}]`), "the path a.0.b cannot", "the path a.0.b cannot"},
		{"a number as the first name", compiled(t, "8.0.4", `null`, `[{"key":{"0.b":1},"expireAfterSeconds":1}]`), "", ""},
		{"$id", compiled(t, "4.4.29", `null`, `[{"key":{"a.$id":1},"expireAfterSeconds":1}]`), "", ""},
		{"a partial filter", compiled(t, "8.0.4", `null`, `[{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":1}}]`), "", "the partial index a_1 cannot"},
		{"two sources", compiled(t, "8.0.4", `null`, filtered), "", "a policy with 2 sources cannot"},
		{"clustered", compiled(t, "8.0.4", clustered, `[]`), "", "a clustered collection cannot"},
		{"the API for MongoDB", ofCosmos, "a policy of Azure Cosmos DB for MongoDB cannot", "a policy of Azure Cosmos DB for MongoDB cannot"},
		{"a container", container, "a container of Azure Cosmos DB cannot", "a container of Azure Cosmos DB cannot"},
		{"a NaN that is skipped", compiled(t, "8.0.4", `null`, `[{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]`), "nothing expires by it now", "nothing expires by it now"},
		{"hashed", compiled(t, "8.0.4", `null`, `[{"name":"a","key":{"a":"hashed"},"expireAfterSeconds":60}]`), "nothing expires by it now", "nothing expires by it now"},
		{"no index at all", compiled(t, "8.0.4", `null`, `[]`), "nothing expires by it now", "nothing expires by it now"},
	} {
		for _, find := range []bool{true, false} {
			want := tc.count
			if find {
				want = tc.find
			}
			_, err := planFor(tc.p, find)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: with --find %v: %v, want %q", tc.name, find, err, want)
			}
		}
	}
	if _, err := Mongo(compiled(t, "8.0.4", `null`, plain), policy.MaxInstant, false); err == nil {
		t.Error("an instant beyond the year 9999 is not refused")
	}
}

// TestRead reads valid rows of a server's answer, and rows that cannot be true.
func TestRead(t *testing.T) {
	c, err := NewIndexCount(compiled(t, "8.0.4", `null`, plain), now)
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"_id":null,"documents":2,"first":{"$date":"2026-11-18T00:00:00Z"},"last":{"$date":"2026-11-19T23:00:00Z"}}`
	a, err := c.Read(policy.DOf(fixture.Value(t, good)))
	if err != nil || a.Expired != 2 || a.Index != "createdAt_1" || a.First.Time != "2026-11-18T01:00:00.000Z" || a.Last.Time != "2026-11-20T00:00:00.000Z" {
		t.Errorf("Read(%s) = %+v, %v", good, a, err)
	}
	for _, change := range []struct{ from, to, want string }{
		{`"documents":2`, `"documents":"2"`, "without a number of documents"},
		{`"documents":2`, `"documents":0`, "without a number of documents"},
		{`"first"`, `"begin"`, "a count without dates"},
		{`2026-11-19T23:00:00Z`, `2026-11-19T23:00:00.001Z`, "a date that has not expired"},
		{`2026-11-19T23:00:00Z`, `2026-11-17T00:00:00Z`, "a last date before the first"},
	} {
		text := strings.Replace(good, change.from, change.to, 1)
		if _, err := c.Read(policy.DOf(fixture.Value(t, text))); err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("Read(%s) = %v, want %q", text, err, change.want)
		}
	}
}

package aggregation

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
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
	p, err := reasons.Compile(policies.OfMongoDB(spec, version, nil))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	plain    = `[{"name":"createdAt_1","key":{"createdAt":1},"expireAfterSeconds":3600}]`
	position = `[{"name":"p","key":{"a.0.b":1},"expireAfterSeconds":3600}]`
	filtered = `[{"name":"guests","key":{"a.b":1},"expireAfterSeconds":60,"partialFilterExpression":{"kind":"guest"}},
		{"name":"at_1","key":{"at":1},"expireAfterSeconds":0}]`
	clustered = `{"clusteredIndex":true,"expireAfterSeconds":60}`
)

// TestScripts compares the printed scripts with reviewed files.
func TestScripts(t *testing.T) {
	week, err := forecast.ParseWidth("1w")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, release, options, indexes string
		o                               pushdown.Options
		find                            bool
	}{
		{"plain", "8.0.4", `null`, plain, pushdown.Options{Now: now}, false},
		{"position", "8.0.4", `null`, position, pushdown.Options{Now: now, NoIDs: true, Bucket: week}, false},
		{"filtered", "4.4.29", `null`, filtered, pushdown.Options{Now: now}, false},
		{"clustered", "8.0.4", clustered, `[]`, pushdown.Options{Now: now}, false},
		{"find", "8.0.4", `null`, filtered, pushdown.Options{Now: now}, true},
		{"find-position", "8.0.4", `null`, position, pushdown.Options{Now: now}, true},
		{"find-clustered", "8.0.4", clustered, `[]`, pushdown.Options{Now: now}, true},
		{"find-nothing", "8.0.4", `null`, `[{"name":"a","key":{"a":"hashed"},"expireAfterSeconds":60}]`, pushdown.Options{Now: now}, true},
	} {
		p := compiled(t, tc.release, tc.options, tc.indexes)
		plan, err := planOf(p, tc.o, tc.find)
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

func planOf(p *reasons.Policy, o pushdown.Options, find bool) (pushdown.Plan, error) {
	if find {
		return Find(p, o)
	}
	c, err := NewCount(p, o)
	if err != nil {
		return pushdown.Plan{}, err
	}
	return c.Plan()
}

func TestRefusals(t *testing.T) {
	filters := `[{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":1}},{"key":{"b":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":2}},
		{"key":{"c":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":3}},{"key":{"d":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":4}}]`
	collations := `[{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":"x"},"collation":{"locale":"de"}},
		{"key":{"b":1},"expireAfterSeconds":1,"partialFilterExpression":{"f":"x"}}]`
	ofCosmos, err := reasons.Compile(policies.OfCosmosMongo(cosmos.CollectionSpec{ServerVersion: "4.2"}))
	if err != nil {
		t.Fatal(err)
	}
	container, err := reasons.Compile(policies.OfContainer(cosmos.ContainerSpec{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		p    *reasons.Policy
		want string // a part of the refusal; "" if the policy is not refused
	}{
		{"time series", compiled(t, "8.0.4", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`, `[]`), "a time-series collection cannot be pushed down"},
		{"a view", compiled(t, "8.0.4", `{"viewOn":"x"}`, `[]`), "a view cannot"},
		{"before $bsonSize", compiled(t, "4.2.24", `null`, plain), "MongoDB 4.2.24 cannot"},
		{"four filters", compiled(t, "8.0.4", `null`, filters), "a collection with 4 partial filters cannot"},
		{"three of them", compiled(t, "8.0.4", `null`, strings.Replace(filters, `{"f":4}`, `{"f":3}`, 1)), ""},
		{"collations", compiled(t, "8.0.4", `null`, collations), "differing collations cannot"},
		{"one collation", compiled(t, "8.0.4", `null`, strings.Replace(collations, `{"f":"x"}}`, `{"f":"x"},"collation":{"locale":"de"}}`, 1)), ""},
		{"$id", compiled(t, "4.4.29", `null`, `[{"key":{"a.$id":1},"expireAfterSeconds":1}]`), "the path a.$id cannot"},
		{"$id, since 5.0", compiled(t, "5.0.31", `null`, `[{"key":{"a.$id":1},"expireAfterSeconds":1}]`), ""},
		{"the API for MongoDB", ofCosmos, "a policy of Azure Cosmos DB for MongoDB cannot"},
		{"a container", container, "a container of Azure Cosmos DB cannot"},
		{"a NaN that is skipped", compiled(t, "8.0.4", `null`, `[{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]`), ""},
		{"no index at all", compiled(t, "8.0.4", `null`, `[]`), ""},
	} {
		_, err := planOf(tc.p, pushdown.Options{Now: now}, false)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: NewCount() = %v, want %q", tc.name, err, tc.want)
		}
	}
	if _, err := NewCount(compiled(t, "8.0.4", `null`, plain), pushdown.Options{Now: policy.MaxInstant}); err == nil {
		t.Error("an instant beyond the year 9999 is not refused")
	}
}

// TestRow reads valid rows of a server's answer, and invalid rows.
func TestRow(t *testing.T) {
	c, err := NewCount(compiled(t, "8.0.4", `null`, plain), pushdown.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	good := `{"_id":{"source":0,"rule":"mongo.field-not-date","kind":"string","state":"never"},"documents":2,"bytes":50,"ids":[1,2]}`
	row, err := c.Row(policy.DOf(fixture.Value(t, good)))
	if err != nil || row.Documents != 2 || row.Bytes != 50 || row.Kind != policy.String || row.State != policy.Never || len(row.Samples) != 2 || row.Samples[1].ID != `{"$numberInt":"2"}` {
		t.Errorf("Row(%s) = %+v, %v", good, row, err)
	}
	dated := `{"_id":{"source":0,"rule":"mongo.date","kind":null,"state":"expired"},"documents":{"$numberDouble":"1"},"bytes":9,"first":{"at":5,"id":1},"last":{"at":{"$numberLong":"6"},"id":2},"ids":7}`
	row, err = c.Row(policy.DOf(fixture.Value(t, dated)))
	if err != nil || row.First.At != 5 || row.Last.At != 6 || row.Last.Sample.ID != `{"$numberInt":"2"}` || row.State != policy.Expired || len(row.Samples) != 1 {
		t.Errorf("Row(%s) = %+v, %v", dated, row, err)
	}
	for _, k := range []policy.Kind{policy.MinKey, policy.MaxKey, policy.Undefined, policy.Decimal, policy.Timestamp} {
		text := strings.Replace(good, "string", k.String(), 1)
		if row, err := c.Row(policy.DOf(fixture.Value(t, text))); err != nil || row.Kind != k {
			t.Errorf("Row(%s) has the kind %s, %v; want %s", text, row.Kind, err, k)
		}
	}
	for _, change := range []struct{ from, to, want string }{
		{`"documents":2`, `"documents":"2"`, "without a number of documents"},
		{`"bytes":50`, `"b":50`, "without a number of documents or bytes"},
		{`mongo.field-not-date`, `mongo.nothing`, "which does not exist"},
		{`"source":0`, `"source":1`, "source 1, which does not exist"},
		{`"source":0`, `"source":-1`, "source -1, which does not exist"},
		{`never`, `gone`, `the unknown state "gone"`},
		{`"string"`, `"strings"`, "with an unknown type"},
	} {
		text := strings.Replace(good, change.from, change.to, 1)
		if _, err := c.Row(policy.DOf(fixture.Value(t, text))); err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("Row(%s) = %v, want %q", text, err, change.want)
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// migrationJSON holds the parts of a migration of one collection that the tests
// read.
type migrationJSON struct {
	Collection, Create, Out, Error string
	Steps                          []struct{ Command, Warning string }
	Notes                          []struct{ Fidelity, Text string }
	Documents                      outcomesJSON
}

type outcomesJSON struct {
	Documents, Exact, Rounded, Approximate, MaxDelayMs, Lost, Conflicts, Expired int64
	First                                                                        []struct{ What string }
}

// reportJSON holds the parts of a report about all collections that the tests
// read.
type reportJSON struct {
	To          string
	Collections []migrationJSON
	Total       outcomesJSON
}

// migrateAll carries collections over.
func migrateAll(t *testing.T, args ...string) (report reportJSON, r result) {
	t.Helper()
	r = ttl(t, "", append([]string{"migrate", "--format", "json", "--quiet"}, args...)...)
	if r.out != "" {
		if err := json.Unmarshal([]byte(r.out), &report); err != nil {
			t.Fatalf("ttl migrate %v: %v in %s", args, err, r.out)
		}
	}
	return report, r
}

// migrateJSON carries one collection over.
func migrateJSON(t *testing.T, args ...string) (m migrationJSON, r result) {
	t.Helper()
	report, r := migrateAll(t, args...)
	switch len(report.Collections) {
	case 0:
	case 1:
		m = report.Collections[0]
	default:
		t.Fatalf("ttl migrate %v: %d collections, want one", args, len(report.Collections))
	}
	return m, r
}

// The documents of the tests of MongoDB are imported at second 1000. They
// expire 10 seconds after t.
const toMigrate = `{"_id":1,"t":{"$date":{"$numberLong":"995000"}}}
{"_id":2,"t":{"$date":{"$numberLong":"999001"}}}
{"_id":3,"t":{"$date":{"$numberLong":"5"}}}
{"_id":4,"t":"text"}
{"_id":5,"t":{"$date":{"$numberLong":"9999999999999"}}}
{"_id":6,"t":{"$date":{"$numberLong":"995000"}},"ttl":7}
`

func TestMigrateToCosmos(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "items.jsonl")
	m, r := migrateJSON(t, "--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--now", "@1000", "--out", out, written(t, "documents.json", toMigrate))
	if r.code != cli.ExitIncomplete || !strings.Contains(r.err, "1 document cannot") {
		t.Fatalf("code %d, %s, want 3 for the document with a ttl of its own", r.code, r.err)
	}
	d := m.Documents
	if d.Documents != 6 || d.Exact != 2 || d.Rounded != 1 || d.Approximate != 1 || d.MaxDelayMs != 990_995 || d.Lost != 1 || d.Conflicts != 1 || m.Create != `{"defaultTtl":-1}` || m.Out != out {
		t.Errorf("%+v", m)
	}
	if len(d.First) != 3 || d.First[2].What != `left out: it has a field "ttl" already` {
		t.Errorf("exceptions %+v", d.First)
	}
	want := []string{
		`{"_id":1,"t":{"$date":{"$numberLong":"995000"}},"id":"1","ttl":5}`,
		`{"_id":2,"t":{"$date":{"$numberLong":"999001"}},"id":"2","ttl":10}`,
		`{"_id":3,"t":{"$date":{"$numberLong":"5"}},"id":"3","ttl":1}`,
		`{"_id":4,"t":"text","id":"4"}`,
		`{"_id":5,"t":{"$date":{"$numberLong":"9999999999999"}},"id":"5"}`,
	}
	if got := lines(t, out); !slices.Equal(got, want) {
		t.Errorf("wrote\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestMigrateDropsExpired: at second 1000, one of the six documents has expired, and one
// has a ttl of its own.
func TestMigrateDropsExpired(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "items.jsonl")
	args := []string{"--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--now", "@1000", "--drop-expired", "--out", out, written(t, "docs.json", toMigrate)}
	m, r := migrateJSON(t, args...)
	if d := m.Documents; r.code != cli.ExitIncomplete || d.Documents != 6 || d.Expired != 1 || d.Conflicts != 1 || d.Exact+d.Rounded+d.Approximate+d.Lost != 4 {
		t.Errorf("exit %d, %+v", r.code, d)
	}
	got := lines(t, out)
	if len(got) != 4 || strings.Contains(strings.Join(got, "\n"), `"id":"3"`) {
		t.Errorf("%q, want four items, and none of document 3", got)
	}
	if r := ttl(t, "", append([]string{"migrate", "--quiet", "--force"}, args...)...); !strings.Contains(folded(r.out), "6 documents: 2 exactly, 1 later by less than a second, 0 later, 1 kept for ever, 1 left out in conflict, 1 dropped as expired ") {
		t.Errorf("the text does not count it:\n%s", r.out)
	}
}

// TestMigrateWrittenAt: a forecast of the written items counts from the import,
// and their ids come from the named field.
func TestMigrateWrittenAt(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "items.jsonl")
	input := written(t, "documents.json", `{"_id":1,"key":"a/b","t":{"$date":{"$numberLong":"995000"}}}`+"\n"+`{"_id":2,"key":"b","t":{"$date":{"$numberLong":"995000"}}}`+"\n")
	m, r := migrateJSON(t, "--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--written-at", "@1000", "--id-from", "key", "--out", out, input)
	if r.code != cli.ExitIncomplete || m.Documents.Exact != 1 || m.Documents.Conflicts != 1 || !strings.Contains(m.Documents.First[0].What, `"/"`) {
		t.Fatalf("%+v %+v", r, m.Documents)
	}
	if got, want := lines(t, out), []string{`{"_id":2,"key":"b","t":{"$date":{"$numberLong":"995000"}},"id":"b","ttl":5,"_ts":1000}`}; !slices.Equal(got, want) {
		t.Errorf("wrote %s, want %s", got, want)
	}
	for now, want := range map[string]string{"@1004": `"pending": 1,`, "@1005": `"expired": 1,`} {
		if r := ttl(t, "", "forecast", "--quiet", "--format", "json", "--now", now, "--container", m.Create, out); !strings.Contains(r.out, want) {
			t.Errorf("at %s: %s %s, want %s", now, r.out, r.err, want)
		}
	}
}

// TestMigrateBSON: a dump of BSON stays BSON for the API for MongoDB.
func TestMigrateBSON(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "logs.bson")
	m, r := migrateJSON(t, "--to", "cosmos-mongo", "--now", sampleAt, "--out", out, samples+"shop/logs.bson")
	if r.code != cli.ExitOK || m.Documents.Documents != 2000 || m.Documents.Exact+m.Documents.Rounded+m.Documents.Approximate+m.Documents.Lost != 2000 {
		t.Fatalf("%+v %+v", r, m.Documents)
	}
	raw := readFile(t, out)
	n := int(raw[0]) | int(raw[1])<<8 | int(raw[2])<<16
	first, err := policy.ParseBSON(raw[:n])
	if ttl, ok := first.Field("ttl").AsInt64(); err != nil || !ok || ttl < 1 || first.Field("ttl").Kind() != policy.Int32 {
		t.Errorf("the first document is %s, %v, want an int32 ttl", first.Value(), err)
	}
	if m.Create != `db.getSiblingDB("shop").getCollection("logs").createIndex({_ts: 1}, {expireAfterSeconds: -1})` {
		t.Errorf("create %s", m.Create)
	}
}

// folded returns a text with its lines joined.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") + " " }

// TestMigrateToMongoDB: a document has its deadline in a field, its id as _id, and no field
// of the service; what is to be kept is kept. Items without a _ts need to be dated.
func TestMigrateToMongoDB(t *testing.T) {
	t.Parallel()
	items := written(t, "documents.json", `{"id":"a","_ts":1000,"_etag":"x"}`+"\n"+`{"id":"b","ttl":5,"_ts":1000,"due":{"$date":{"$numberLong":"7"}}}`+"\n"+`{"id":"5","_id":{"$numberInt":"5"},"ttl":-1}`+"\n"+`{"id":"d","_id":7,"ttl":6}`+"\n")
	for _, tt := range []struct {
		args []string
		left int64
		want []string
	}{
		{nil, 2, []string{`{"_id":"a","due":{"$date":{"$numberLong":"4600000"}}}`, `{"_id":{"$numberInt":"5"}}`}},
		{[]string{"--replace", "--written-at", "@2000"}, 0, []string{`{"_id":"a","due":{"$date":{"$numberLong":"4600000"}}}`, `{"_id":"b","due":{"$date":{"$numberLong":"1005000"}}}`, `{"_id":{"$numberInt":"5"}}`, `{"id":"d","_id":{"$numberInt":"7"},"due":{"$date":{"$numberLong":"2006000"}}}`}},
		{[]string{"--keep", "id,_ts"}, 2, []string{`{"id":"a","_ts":{"$numberInt":"1000"},"due":{"$date":{"$numberLong":"4600000"}}}`, `{"id":"5","_id":{"$numberInt":"5"}}`}},
	} {
		out := filepath.Join(t.TempDir(), "back.json")
		m, r := migrateJSON(t, append(tt.args, "--to", "mongodb", "--container", `{"defaultTtl":3600}`, "--now", "@3000", "--out", out, "--field", "due", items)...)
		if m.Documents.Conflicts != tt.left || m.Documents.Exact != 4-tt.left || m.Create != `db.getCollection("documents").createIndex({due: 1}, {expireAfterSeconds: 0})` {
			t.Fatalf("%+v %+v", r, m)
		}
		if got := lines(t, out); !slices.Equal(got, tt.want) {
			t.Errorf("%v wrote\n%s\nwant\n%s", tt.args, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
		if first := m.Documents.First; tt.left > 0 && (!strings.Contains(first[0].What, "--replace") || !strings.Contains(first[1].What, "--written-at")) {
			t.Errorf("left out: %+v", first)
		}
	}
}

// TestMigrateRefusesItems: items that MongoDB or its tools would refuse are
// left out.
func TestMigrateRefusesItems(t *testing.T) {
	t.Parallel()
	items := written(t, "items.json", `{"id":"a","_id":[1],"_ts":1}`+"\n"+`{"id":"b","x":{"$date":5},"_ts":1}`+"\n"+`{"id":"c","x":{"$date":{"$numberLong":"5"}},"_ts":1}`+"\n"+`{"id":"d","x":{"$price":5},"_ts":1}`+"\n"+`{"id":"e","x":{"\u0024oid":5},"_ts":1}`+"\n")
	m, r := migrateJSON(t, "--to", "mongodb", "--container", `{"defaultTtl":5}`, "--field", "__proto__", items)
	if d := m.Documents; r.code != cli.ExitIncomplete || d.Conflicts != 3 || d.Exact != 2 || !strings.Contains(d.First[0].What, "is an array") || !strings.Contains(d.First[1].What, "cannot be written as Extended JSON") {
		t.Errorf("%+v %+v", r, m.Documents)
	}
	if want := `db.getCollection("items").createIndex({["__proto__"]: 1}, {expireAfterSeconds: 0})`; m.Create != want {
		t.Errorf("create %s, want %s", m.Create, want)
	}
}

func TestMigrateMistakes(t *testing.T) {
	there := written(t, "there", "x")
	broken := written(t, "documents.json", "{\"a\":tru}\n")
	buckets := filepath.Join(t.TempDir(), "system.buckets.weather.bson")
	writeFile(t, buckets, nil)
	index := []string{"--index", `{"t":1}`, "--expire-after", "10"}
	series := func(field, document string) []string { // dumped by 8.3 or later
		dir := fixture.Files(t, map[string]string{"w.bson": document, "w.metadata.json": `{"options":{"timeseries":{"timeField":"` + field + `"},"expireAfterSeconds":3600},"indexes":[],"type":"timeseries"}`})
		return []string{"--to", "cosmos-nosql", filepath.Join(dir, "w.bson")}
	}
	const bucket = `{"_id":{"$oid":"691e5b800000000000000001"},"control":{"min":{},"max":{}},"meta":{"$date":"2025-11-20T00:06:00Z"},"data":{}}`
	tests := []struct {
		why  string
		args []string
		code cli.ExitCode
		want string
	}{
		{"an unknown target", append(index, "--to", "redis"), cli.ExitUsage, "--to redis"},
		{"from MongoDB to MongoDB", append(index, "--to", "mongodb"), cli.ExitUsage, "want cosmos-nosql or cosmos-mongo for a policy of MongoDB"},
		{"from Cosmos DB to Cosmos DB", []string{"--to", "cosmos-nosql", "--container", `{}`}, cli.ExitUsage, "want cosmos-nosql or cosmos-mongo for a policy of MongoDB"},
		{"ids without a dump", append(index, "--to", "cosmos-nosql", "--id-from", "x"), cli.ExitUsage, "--id-from has no effect"},
		{"ids of no field", append(index, "--to", "cosmos-nosql", "--id-from", "", broken), cli.ExitUsage, "--id-from: the value is empty"},
		{"fields of nobody", []string{"--container", "{}", "--to", "mongodb", "--keep", "id,n", broken}, cli.ExitUsage, "--keep id,n: want some of id, ttl, _ts"},
		{"fields of items alone", append(index, "--to", "cosmos-nosql", "--keep", "id", broken), cli.ExitUsage, "--keep has no effect"},
		{"no instant", append(index, "--to", "cosmos-nosql", "--written-at", "soon", broken), cli.ExitUsage, "--written-at: cannot read"},
		{"no policy", []string{"--to", "cosmos-nosql"}, cli.ExitUsage, "no policy"},
		{"a file that is there", append(index, "--to", "cosmos-nosql", "--out", there, broken), cli.ExitUsage, "--force replaces it"},
		{"a device", append(index, "--to", "cosmos-nosql", "--force", "--out", "/dev/null", broken), cli.ExitUsage, "not a regular file"},
		{"a file named -", append(index, "--to", "cosmos-nosql", "--out", "-", broken), cli.ExitInput, "is not a file name"},
		{"a folder of dumps into one file", []string{"--to", "cosmos-nosql", "--out", "x", samples + "shop"}, cli.ExitUsage, "--out-folder writes one of each"},
		{"a file and a folder", []string{"--to", "cosmos-nosql", "--out", "x", "--out-folder", "y", samples + "shop"}, cli.ExitUsage, "give one of them"},
		{"one name for two", []string{"--to", "cosmos-nosql", "--namespace", "a.b", samples + "shop"}, cli.ExitUsage, "--ns selects some"},
		{"dates of no form", append(index, "--to", "cosmos-nosql", "--dates", "unix", broken), cli.ExitUsage, "want one of extjson, iso, millis"},
		{"a folder that is not there", append(index, "--to", "cosmos-nosql", "--out", "/nowhere/x", broken), cli.ExitInput, "--out"},
		{"buckets", append(index, "--to", "cosmos-nosql", buckets), cli.ExitInput, "export its measurements"},
		{"buckets without a policy", []string{"--to", "cosmos-nosql", buckets}, cli.ExitInput, "export its measurements"},
		{"buckets under their collection's name", series("t", bucket), cli.ExitInput, "export its measurements"},
		{"buckets whose meta is a date", series("meta", bucket), cli.ExitInput, "export its measurements"},
		{"a measurement with a control", series("meta", `{"_id":1,"control":{"min":{}},"meta":{"$date":"2025-11-20T00:06:00Z"}}`), cli.ExitOK, ""},
		{"a measurement that looks like a bucket", series("t", strings.Replace(bucket, "meta", "t", 1)), cli.ExitOK, ""},
		{"a broken document", append(index, "--to", "cosmos-nosql", broken), cli.ExitInput, "nothing was written"},
	}
	for _, tt := range tests {
		r := ttl(t, "", append([]string{"migrate", "--quiet"}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.want) {
			t.Errorf("%s: code %d, %s, want %d, %s", tt.why, r.code, r.err, tt.code, tt.want)
		}
	}
	if text := contents(t, there); text != "x" {
		t.Errorf("the file that was there holds %q", text)
	}
}

// TestMigrateBuckets: the report names buckets that have no policy, and other collections
// are migrated.
func TestMigrateBuckets(t *testing.T) {
	t.Parallel()
	logs := contents(t, samples+"shop/logs.bson")
	dir := fixture.Files(t, map[string]string{"shop/system.buckets.w.bson": "", "shop/logs.bson": logs, "shop/logs.metadata.json": contents(t, samples+"shop/logs.metadata.json")})
	report, r := migrateAll(t, "--to", "cosmos-nosql", "--now", sampleAt, dir)
	if r.code != cli.ExitIncomplete || len(report.Collections) != 2 || !strings.HasSuffix(report.Collections[1].Error, "export its measurements") {
		t.Errorf("exit %d, %s, %+v, want 3 and what the buckets are", r.code, r.err, report.Collections)
	}
}

// TestMigrateLeavesNothing: a run that ends early leaves no file behind.
func TestMigrateLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := []string{"migrate", "--quiet", "--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--out", filepath.Join(dir, "x"), written(t, "documents.json", toMigrate+"{\"a\":tru}\n")}
	if r := ttl(t, "", args...); r.code != cli.ExitInput {
		t.Errorf("damage: code %d, %s", r.code, r.err)
	}
	if r := interrupted(t, args...); r.code != cli.ExitInterrupted {
		t.Errorf("interrupted: code %d", r.code)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestMigrateText(t *testing.T) {
	t.Parallel()
	r := ttl(t, "", "migrate", "--quiet", "--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--now", "@1000", written(t, "documents.json", toMigrate))
	for _, want := range []string{"carries over exactly\n  - ", "only approximately\n", "later by less than a second\n", "not at all\n", "6 documents: 2 exactly, 1 later by less than a second, 1 later by up to 16 min 30 s, 1 kept for ever, 1 left out "} {
		if !strings.Contains(r.out, want) && !strings.Contains(folded(r.out), want) {
			t.Errorf("the text lacks %q:\n%s", want, r.out)
		}
	}
	for _, line := range strings.Split(r.out, "\n") {
		if len(line) > 100 && !strings.HasPrefix(line, "    az ") { // such a line is for copying
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
	}
}

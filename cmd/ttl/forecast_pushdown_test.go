package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

const logsMetadata = samples + "shop/logs.metadata.json"

// TestPushdownPrints checks the printed statements when nothing is counted.
func TestPushdownPrints(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		args []string
		code cli.ExitCode
		want string // of the output, or of the error
	}{
		{"a script", []string{"--metadata", logsMetadata}, cli.ExitOK, `db.getSiblingDB("shop").getCollection("logs").aggregate([`},
		{"what it is", []string{"--metadata", logsMetadata}, cli.ExitOK, "// what has expired, by the index createdAt_1 alone"},
		{"find", []string{"--metadata", logsMetadata, "--find"}, cli.ExitOK, `.find({createdAt: {$lte: ISODate("2026-10-21T00:00:00.000Z")}})`},
		{"a collection", []string{"--index", `{"a":1}`, "--expire-after", "1d"}, cli.ExitUsage, "add --namespace"},
		{"no policy", nil, cli.ExitUsage, "no policy"},
		{"a refusal", []string{"--metadata", logsMetadata, "--server", "4.2"}, cli.ExitInput, "MongoDB 4.2.0 cannot be pushed down: before 4.4 no pipeline can tell the size of a document; leave --pushdown out"},
		{"a container", []string{"--container", "{}"}, cli.ExitInput, "a container of Azure Cosmos DB cannot be pushed down"},
		{"a format", []string{"--metadata", logsMetadata, "--format", "html"}, cli.ExitUsage, "printed as text or json"},
		{"counts", []string{"--metadata", logsMetadata, "--fail-if", "expired>0"}, cli.ExitUsage, "--fail-if has no effect where nothing is counted"},
		{"documents", []string{"--metadata", logsMetadata, "--by", "level"}, cli.ExitUsage, "--by has no effect beside --pushdown"},
	} {
		r := ttl(t, "", append([]string{"forecast", "--pushdown", "mongo", "--now", sampleAt}, tc.args...)...)
		if r.code != tc.code || !strings.Contains(r.out+r.err, tc.want) {
			t.Errorf("%s: exit %d, %s%s; want %d and %q", tc.name, r.code, r.out, r.err, tc.code, tc.want)
		}
	}
	if r := ttl(t, "", "forecast", "--metadata", logsMetadata, "--pushdown", "redis"); r.code != cli.ExitUsage || !strings.Contains(r.err, "want one of mongo, cosmos") {
		t.Errorf("another database: exit %d, %s", r.code, r.err)
	}
}

// TestPushdownPrintsForDrivers checks that drivers can read the form for
// drivers.
func TestPushdownPrintsForDrivers(t *testing.T) {
	t.Parallel()
	r := ttl(t, "", "forecast", "--pushdown", "mongo", "--metadata", logsMetadata, "--format", "json")
	var plan struct {
		Statements []struct{ Command json.RawMessage }
	}
	if err := json.Unmarshal([]byte(r.out), &plan); err != nil || len(plan.Statements) != 2 {
		t.Fatalf("%v: %s", err, r.out)
	}
	for _, s := range plan.Statements {
		var command bson.Raw
		if err := bson.UnmarshalExtJSON(s.Command, true, &command); err != nil {
			t.Fatal(err)
		}
		if got := command.Lookup("$readPreference", "mode").StringValue() + command.Lookup("readConcern", "level").StringValue() + command.Lookup("$db").StringValue(); got != "secondaryPreferredlocalshop" {
			t.Errorf("the command reads by %q", got)
		}
	}
}

// A counting server answers pipelines with rows of its own.
type counting struct {
	rows    []string // the rows that the counting pipeline returns
	shards  bool
	covered bool // an index alone gives the number of expired documents
}

func (c counting) answer(command wiretest.Command) bson.D {
	switch {
	case command.Name == "hello" && c.shards:
		return bson.D{{Key: "isWritablePrimary", Value: true}, {Key: "msg", Value: "isdbgrid"}, {Key: "maxWireVersion", Value: 25}, {Key: "ok", Value: 1}}
	case command.Name == "explain" && c.covered:
		return bson.D{{Key: "queryPlanner", Value: bson.D{{Key: "winningPlan", Value: bson.D{{Key: "stage", Value: "PROJECTION_COVERED"},
			{Key: "inputStage", Value: bson.D{{Key: "stage", Value: "IXSCAN"}, {Key: "isMultiKey", Value: false}}}}}}}, {Key: "ok", Value: 1}}
	case command.Name != "aggregate":
		return nil
	}
	rows := c.rows
	switch {
	case strings.Contains(command.Body.Lookup("pipeline").String(), "$collStats"):
		rows = []string{`{"shard":"s0","count":1200}`, `{"shard":"s1","count":3}`}
	case command.Text("hint") != "":
		rows = []string{`{"_id":null,"documents":2}`}
	}
	batch := bson.A{}
	for _, row := range rows {
		var d bson.D
		if err := bson.UnmarshalExtJSON([]byte(row), false, &d); err != nil {
			panic(err)
		}
		batch = append(batch, d)
	}
	return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "shop.logs"}, {Key: "firstBatch", Value: batch}}}, {Key: "ok", Value: 1}}
}

var countedRows = []string{
	`{"_id":{"source":0,"rule":"mongo.date","kind":null,"state":"expired"},"documents":2,"bytes":300,"first":{"at":1795046400000,"id":1},"last":{"at":1795046460000,"id":2},"ids":[1,2]}`,
	`{"_id":{"source":0,"rule":"mongo.field-not-date","kind":"string","state":"never"},"documents":5,"bytes":700,"ids":[3,4,5]}`,
}

// TestPushdownCounts has a server count its documents, and checks the report.
func TestPushdownCounts(t *testing.T) {
	t.Parallel()
	s := shop(t, &wiretest.Store{Before: counting{rows: countedRows, shards: true, covered: true}.answer})
	at := "mongodb://" + s.Host() + "/shop.logs"
	r := ttl(t, "", "forecast", "--pushdown", "mongo", "--format", "json", "--now", sampleAt, at)
	var report struct {
		Documents, Expired, Never, Bytes int64
		Collections                      []struct{ Notes []string }
	}
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Fatalf("%v: %s%s", err, r.out, r.err)
	}
	if report.Documents != 7 || report.Expired != 2 || report.Never != 5 || report.Bytes != 1000 || len(report.Collections[0].Notes) == 0 {
		t.Errorf("the report says %+v", report)
	}
	for _, want := range []string{"s0 has 1,200 documents, s1 has 3 documents", "by the index alone, 2 documents have expired", "counted all documents, 7 documents in"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("it says %q, want %q", r.err, want)
		}
	}
	for _, name := range namesSent(s) {
		if !slices.Contains(live.Read, name) || name == "find" {
			t.Errorf("the server was sent %s", name)
		}
	}
	for _, c := range s.Commands() {
		if c.Name == "aggregate" && !strings.Contains(c.Body.Lookup("pipeline").String(), "$collStats") && c.Body.Lookup("maxTimeMS").AsInt64() != 86_400_000 {
			t.Errorf("a pipeline may take %v ms", c.Body.Lookup("maxTimeMS"))
		}
	}
	if r := ttl(t, "", "forecast", "--pushdown", "mongo", "--find", "--now", sampleAt, at); !strings.Contains(r.out, ".find({createdAt:") {
		t.Errorf("--find prints %s%s", r.out, r.err)
	}
	if r := ttl(t, "", "forecast", "--pushdown", "mongo", "--fail-if", "expired>0", "--quiet", "--now", sampleAt, at); r.code != cli.ExitFindings || strings.Contains(r.err, "counted") {
		t.Errorf("--fail-if: exit %d, %s", r.code, r.err)
	}
}

// TestPushdownDoubts: an impossible answer of a server is an error.
func TestPushdownDoubts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, row, want string }{
		{"no documents", strings.Replace(countedRows[0], `"documents":2`, `"documents":0`, 1), "an impossible count: 0 documents of 300 bytes"},
		{"not yet", strings.Replace(countedRows[0], "1795046460000", "1895046460000", 1), "which are not all expired"},
		{"no such rule", strings.Replace(countedRows[0], "mongo.date", "mongo.dates", 1), `the rule "mongo.dates"`},
	} {
		s := shop(t, &wiretest.Store{Before: counting{rows: []string{tc.row}}.answer})
		r := ttl(t, "", "forecast", "--pushdown", "mongo", "--now", sampleAt, "mongodb://"+s.Host()+"/shop.logs")
		if r.code != cli.ExitInput || r.out != "" || !strings.Contains(r.err, tc.want) {
			t.Errorf("%s: exit %d, %s%s; want %q", tc.name, r.code, r.out, r.err, tc.want)
		}
	}
}

// TestPushdownCosmosPrints: without an address the queries are printed.
func TestPushdownCosmosPrints(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		args []string
		code cli.ExitCode
		want string
	}{
		{"counts", []string{"--container", `{"defaultTtl":60}`}, cli.ExitOK, "-- cosmos.default: expired\nSELECT VALUE COUNT(1) FROM c WHERE NOT IS_DEFINED(c.ttl)"},
		{"caveats", []string{"--container", `{"defaultTtl":60}`}, cli.ExitOK, "-- A container hides items from the moment they expire"},
		{"hours", []string{"--container", `{"defaultTtl":60}`, "--bucket", "6h"}, cli.ExitOK, "GROUP BY FLOOR((c._ts + 60) / 21600)"},
		{"JSON", []string{"--container", `{"defaultTtl":60}`, "--format", "json"}, cli.ExitOK, `"query": "SELECT VALUE COUNT(1) FROM c"`},
		{"find", []string{"--container", `{"defaultTtl":60}`, "--find"}, cli.ExitOK, "\nSELECT * FROM c WHERE (NOT IS_DEFINED(c.ttl)"},
		{"nothing to find", []string{"--container", `{}`, "--find"}, cli.ExitInput, "nothing ever expires by this policy"},
		{"a month", []string{"--container", `{"defaultTtl":60}`, "--bucket", "1mo"}, cli.ExitInput, "months differ in length"},
		{"MongoDB", []string{"--index", `{"a":1}`, "--expire-after", "1"}, cli.ExitInput, "--pushdown mongo writes an aggregation"},
		{"the API for MongoDB", []string{"--index", `{"_ts":1}`, "--expire-after", "1", "--cosmos-mongo"}, cli.ExitInput, "it counts from _ts, which no query of that API can read; leave --pushdown out"},
		{"identifiers", []string{"--container", `{}`, "--no-ids"}, cli.ExitUsage, "whose counts name no item"},
		{"a form", []string{"--container", `{}`, "--format", "csv"}, cli.ExitUsage, "printed as text or json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ttl(t, "", append([]string{"forecast", "--pushdown", "cosmos", "--now", "2026-11-20"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.out+r.err, tc.want) {
				t.Errorf("exit code %d, %.3000s%s; want %d and %q", r.code, r.out, r.err, tc.code, tc.want)
			}
		})
	}
}

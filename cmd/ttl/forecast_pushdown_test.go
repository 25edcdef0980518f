package main

import (
	"cmp"
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
		{"its title", []string{"--metadata", logsMetadata}, cli.ExitOK, "// what has expired, by the index createdAt_1 alone"},
		{"find", []string{"--metadata", logsMetadata, "--find"}, cli.ExitOK, `.find({createdAt: {$lte: ISODate("2026-10-21T00:00:00.000Z")}})`},
		{"a collection", []string{"--index", `{"a":1}`, "--expire-after", "1d"}, cli.ExitUsage, "add --namespace"},
		{"no policy", nil, cli.ExitUsage, "no policy"},
		{"a refusal", []string{"--index", `{"a.0":1}`, "--expire-after", "1d"}, cli.ExitInput, "the path a.0 cannot be pushed down: 0 may be a position of an array"},
		{"a container", []string{"--container", "{}"}, cli.ExitInput, "a container of Azure Cosmos DB cannot be pushed down"},
		{"a format", []string{"--metadata", logsMetadata, "--format", "html"}, cli.ExitUsage, "shown as text or json"},
		{"a part", []string{"--metadata", logsMetadata, "--format", "part"}, cli.ExitUsage, "shown as text or json"},
		{"counts", []string{"--metadata", logsMetadata, "--fail-if", "expired>0"}, cli.ExitUsage, "--fail-if has no effect beside --pushdown"},
		{"a histogram", []string{"--metadata", logsMetadata, "--bucket", "1d"}, cli.ExitUsage, "--bucket has no effect beside --pushdown"},
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
	if err := json.Unmarshal([]byte(r.out), &plan); err != nil || len(plan.Statements) != 1 {
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

// A counting server explains a find as a plan that reads an index alone, and answers an
// aggregate with one row.
type counting struct {
	row      string // "" for none
	multikey bool
}

func (c counting) answer(command wiretest.Command) bson.D {
	switch command.Name {
	case "explain":
		return bson.D{{Key: "queryPlanner", Value: bson.D{{Key: "winningPlan", Value: bson.D{{Key: "stage", Value: "PROJECTION_COVERED"},
			{Key: "inputStage", Value: bson.D{{Key: "stage", Value: "IXSCAN"}, {Key: "isMultiKey", Value: c.multikey}}}}}}}, {Key: "ok", Value: 1}}
	case "aggregate":
		batch := bson.A{}
		if c.row != "" {
			var d bson.D
			if err := bson.UnmarshalExtJSON([]byte(c.row), false, &d); err != nil {
				panic(err)
			}
			batch = append(batch, d)
		}
		return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "shop.logs"}, {Key: "firstBatch", Value: batch}}}, {Key: "ok", Value: 1}}
	}
	return nil
}

const countedRow = `{"_id":null,"documents":1200,"first":{"$date":"2026-09-30T00:00:00Z"},"last":{"$date":"2026-10-20T00:00:00Z"}}`

// TestPushdownCounts has a server count its documents, and checks the answers.
func TestPushdownCounts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		server  counting
		args    []string
		code    cli.ExitCode
		want    []string // parts of the output and the messages
		pushing string   // the database, if it is not mongo
	}{
		{"text", counting{row: countedRow}, nil, cli.ExitOK, []string{"1,200 documents have expired, by the index createdAt_1 alone\nthe first deadline was 2026-10-30T00:00:00.000Z, the last 2026-11-19T00:00:00.000Z\n"}, ""},
		{"JSON", counting{row: countedRow}, []string{"--format", "json"}, cli.ExitOK, []string{`"complete": true`, `"index": "createdAt_1"`, `"expired": 1200`, `"ms": 1793318400000`}, ""},
		{"nothing", counting{}, nil, cli.ExitOK, []string{"0 documents have expired, by the index createdAt_1 alone\n"}, ""},
		{"find", counting{}, []string{"--find"}, cli.ExitOK, []string{".find({createdAt:"}, ""},
		{"several keys", counting{row: countedRow, multikey: true}, nil, cli.ExitInput, []string{"INCOMPLETE: the index createdAt_1 cannot be pushed down: it holds several keys of a document"}, ""},
		{"not expired", counting{row: strings.Replace(countedRow, "10-20", "10-22", 1)}, nil, cli.ExitInput, []string{"the server counted a date that has not expired"}, ""},
		{"a container", counting{}, nil, cli.ExitInput, []string{"--pushdown mongo counts by an index"}, "cosmos"},
	} {
		s := shop(t, &wiretest.Store{Before: tc.server.answer})
		r := ttl(t, "", append([]string{"forecast", "--pushdown", cmp.Or(tc.pushing, "mongo"), "--now", sampleAt, "mongodb://" + s.Host() + "/shop.logs"}, tc.args...)...)
		for _, want := range tc.want {
			if r.code != tc.code || !strings.Contains(r.out+r.err, want) {
				t.Errorf("%s: exit %d, %s%s; want %d and %q", tc.name, r.code, r.out, r.err, tc.code, want)
			}
		}
		for _, name := range namesSent(s) {
			if !slices.Contains(live.Read, name) || name == "find" {
				t.Errorf("%s: the server was sent %s", tc.name, name)
			}
		}
		for _, c := range s.Commands() {
			if c.Name == "aggregate" && (c.Body.Lookup("maxTimeMS").AsInt64() != 86_400_000 || c.Text("hint") != "createdAt_1") {
				t.Errorf("%s: an aggregate is %v", tc.name, c.Body)
			}
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
		{"a histogram", []string{"--container", `{"defaultTtl":60}`, "--bucket", "6h"}, cli.ExitUsage, "--bucket has no effect beside --pushdown"},
		{"JSON", []string{"--container", `{"defaultTtl":60}`, "--format", "json"}, cli.ExitOK, `"query": "SELECT VALUE COUNT(1) FROM c"`},
		{"find", []string{"--container", `{"defaultTtl":60}`, "--find"}, cli.ExitOK, "\nSELECT * FROM c WHERE (NOT IS_DEFINED(c.ttl)"},
		{"nothing to find", []string{"--container", `{}`, "--find"}, cli.ExitInput, "nothing ever expires by this policy"},
		{"MongoDB", []string{"--index", `{"a":1}`, "--expire-after", "1"}, cli.ExitInput, "--pushdown mongo counts by an index"},
		{"the API for MongoDB", []string{"--index", `{"_ts":1}`, "--expire-after", "1", "--cosmos-mongo"}, cli.ExitInput, "it counts from _ts, which no query of that API can read; leave --pushdown out"},
		{"identifiers", []string{"--container", `{}`, "--no-ids"}, cli.ExitUsage, "--no-ids has no effect beside --pushdown"},
		{"a form", []string{"--container", `{}`, "--format", "html"}, cli.ExitUsage, "shown as text or json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ttl(t, "", append([]string{"forecast", "--pushdown", "cosmos", "--now", "2026-11-20"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.out+r.err, tc.want) {
				t.Errorf("exit code %d, %.3000s%s; want %d and %q", r.code, r.out, r.err, tc.code, tc.want)
			}
		})
	}
}

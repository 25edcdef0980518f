package main

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// stored returns a collection of the samples' dump in the form of the test's
// server.
func stored(t testing.TB, database, name string) wiretest.Collection {
	t.Helper()
	return storedIn(t, samples, database, name)
}

// storedIn returns a collection of the dump in a folder in the form of the test's server.
func storedIn(t testing.TB, dir, database, name string) wiretest.Collection {
	t.Helper()
	base := filepath.Join(dir, database, name)
	var metadata struct {
		Options bson.Raw
		Indexes []bson.Raw
	}
	if err := bson.UnmarshalExtJSON(readFile(t, base+".metadata.json"), true, &metadata); err != nil {
		t.Fatal(err)
	}
	c := wiretest.Collection{Database: database, Name: name, Kind: "collection", Options: metadata.Options, Indexes: metadata.Indexes}
	for _, raw := range rawbson.Split(readFile(t, base+".bson")) {
		c.Documents = append(c.Documents, bson.Raw(raw))
	}
	return c
}

// shop starts s with the sample of a shop added to its collections.
func shop(t testing.TB, s *wiretest.Store) *wiretest.Server {
	t.Helper()
	if s.Release == "" {
		s.Release = "8.0.4"
	}
	s.Collections = append(s.Collections, stored(t, "shop", "logs"), stored(t, "shop", "sessions"))
	return wiretest.StartStore(t, s)
}

// sameReport compares a command's reports about files and about a server.
func sameReport(t *testing.T, files, server []string) {
	t.Helper()
	want, got := ttl(t, "", files...), ttl(t, "", server...)
	if want.code != got.code || got.code != cli.ExitOK && got.code != cli.ExitFindings {
		t.Fatalf("%q: exit %d %s, %q: exit %d %s", files, want.code, want.err, server, got.code, got.err)
	}
	if a, b := withoutPlaces(t, want.out), withoutPlaces(t, got.out); !reflect.DeepEqual(a, b) {
		t.Errorf("%q says %s\n%q says %s", files, want.out, server, got.out)
	}
}

// TestLiveIsAsTheDump: each command says the same about a server as about its dump,
// although the server sends only parts of documents.
func TestLiveIsAsTheDump(t *testing.T) {
	t.Parallel()
	s := shop(t, &wiretest.Store{})
	at := "mongodb://" + s.Host() + "/shop"
	for _, line := range [][]string{
		{"forecast", "--format", "json", "--now", sampleAt},
		{"forecast", "--format", "json", "--now", sampleAt, "--by", "level"},
		{"forecast", "--format", "json", "--now", sampleAt, "--check"},
		{"forecast", "--format", "json", "--now", sampleAt, "--ns", "shop.logs"},
		{"forecast", "--format", "json", "--now", sampleAt, "--index", `{"createdAt":1}`, "--expire-after", "7d"},
		{"audit", "--format", "json", "--now", sampleAt},
		{"audit", "--format", "json", "--now", sampleAt, "--moving-to", "9.0.0"},
		{"audit", "--format", "json", "--now", sampleAt, "--metadata-only"},
	} {
		dump := append(append(slices.Clone(line), "--server", "8.0.4"), samples+"shop")
		sameReport(t, dump, append(slices.Clone(line), at))
		sameReport(t, dump, append(slices.Clone(line), "--server", "8.0.4", at))
	}
	rules := written(t, "policy.yaml", "version: 1\nrules:\n  - namespace: shop.logs\n    key: createdAt\n    expireAfterSeconds: 7d\n")
	want := ttl(t, "", "plan", "--format", "json", "--now", sampleAt, "--server", "8.0.4", rules, samples+"shop")
	got := ttl(t, "", "plan", "--format", "json", "--now", sampleAt, rules, at)
	if want.code != got.code || !reflect.DeepEqual(withoutPlaces(t, want.out), withoutPlaces(t, got.out)) {
		t.Errorf("plan: exit %d %s%s, of the dump %d %s%s", got.code, got.out, got.err, want.code, want.out, want.err)
	}
	for _, name := range namesSent(s) {
		if !slices.Contains(live.Read, name) {
			t.Errorf("the server was sent %s", name)
		}
	}
}

// TestLiveProduction: an audit finds the same mistakes of production on a server as in its
// dump, with the same repairs, although it reads only parts of documents.
func TestLiveProduction(t *testing.T) {
	t.Parallel()
	const production = "../internal/judging/audit/testdata/production"
	dumps, err := filepath.Glob(production + "/*/*/shop")
	if err != nil || len(dumps) < 28 {
		t.Fatalf("%d dumps in %s, %v, want at least 28", len(dumps), production, err)
	}
	found := 0
	for _, dir := range dumps {
		s := &wiretest.Store{Release: "8.0.4"}
		listed, err := filepath.Glob(dir + "/*.metadata.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range listed {
			name := strings.TrimSuffix(filepath.Base(path), ".metadata.json")
			s.Collections = append(s.Collections, storedIn(t, filepath.Dir(dir), "shop", name))
		}
		at := "mongodb://" + wiretest.StartStore(t, s).Host() + "/shop"
		for _, line := range [][]string{{}, {"--expire-after", "1d"}, {"--candidates"}} {
			line = append([]string{"audit", "--format", "json", "--now", "2026-11-20", "--server", "8.0.4"}, line...)
			sameReport(t, append(slices.Clone(line), dir), append(slices.Clone(line), at))
		}
		if r := ttl(t, "", "audit", "--now", "2026-11-20", "--candidates", "--fail-on", "harmless", at); r.code == cli.ExitFindings {
			found++
		}
	}
	if want := len(dumps)/2 - 1; found != want { // one of the dumps has no finding, because on 8.0 no pass ends at its indexes
		t.Errorf("in %d of %d dumps something is found, want in %d", found, len(dumps), want)
	}
}

// namesSent returns the names of the commands that a server was sent, each once.
func namesSent(s *wiretest.Server) (names []string) {
	for _, c := range s.Commands() {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestLiveSendsParts: each command requests the expected fields, or whole documents.
func TestLiveSendsParts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		release, command string
		args             []string
		code             cli.ExitCode
		want             string // the fields of the projection
	}{
		{"8.0.4", "forecast", nil, cli.ExitOK, "_id createdAt ttl:size"},
		{"8.0.4", "audit", nil, cli.ExitFindings, "_id CreatedAt at created createdAt createdOn created_at createdat creationDate date deleteAt delete_at expiration expirationDate expiration_date expireAt expire_at expires expiresAt expiresOn expires_at expires_on expiry expiryDate expiry_date insertedAt inserted_at lastAccess lastModified lastSeen meta metadata modifiedAt purgeAt purge_at sentAt startedAt time timestamp timestamps ts updated updatedAt updated_at ttl:size"},
		{"4.2.24", "audit", nil, cli.ExitFindings, ""},
		{"8.0.4", "forecast", []string{"--by", "service.name"}, cli.ExitOK, "_id createdAt service ttl:size"},
		{"8.0.4", "forecast", []string{"--what-if", "1d"}, cli.ExitOK, "_id createdAt ttl:size"},
		{"8.0.4", "forecast", []string{"--check"}, cli.ExitOK, ""},
		{"4.2.24", "forecast", nil, cli.ExitOK, ""},
	} {
		s := shop(t, &wiretest.Store{Release: tc.release})
		r := ttl(t, "", append([]string{tc.command, "--now", sampleAt, "mongodb://" + s.Host() + "/shop.logs"}, tc.args...)...)
		if r.code != tc.code {
			t.Fatalf("%s: exit %d, want %d: %s", tc.command, r.code, tc.code, r.err)
		}
		for _, c := range s.Commands() {
			if c.Name != "find" {
				continue
			}
			projection, _ := c.Body.Lookup("projection").DocumentOK()
			var names []string
			elements, _ := projection.Elements()
			for _, e := range elements {
				names = append(names, e.Key())
			}
			if got := strings.Join(names, " "); got != tc.want || c.Text("find") != "logs" {
				t.Errorf("%s, %s %q: asked for %q of %s, want %q", tc.release, tc.command, tc.args, got, c.Text("find"), tc.want)
			}
			if _, ok := c.Body.Lookup("noCursorTimeout").BooleanOK(); ok || c.Body.Lookup("maxTimeMS").AsInt64() <= 0 {
				t.Errorf("find: %s", c.Body)
			}
		}
	}
}

// TestLiveRefusals: a command that cannot be carried out, or not with the given flags,
// gives an error.
func TestLiveRefusals(t *testing.T) {
	s, empty := shop(t, &wiretest.Store{}), wiretest.StartStore(t, &wiretest.Store{Release: "8.0.4"})
	ferret := wiretest.Start(t, func(c wiretest.Command) bson.D {
		if c.Name == "buildInfo" {
			return bson.D{{Key: "version", Value: "7.0.42"}, {Key: "ferretdbVersion", Value: "v1.24.0"}, {Key: "ok", Value: 1}}
		}
		return nil
	})
	at := "mongodb://" + s.Host() + "/shop"
	for _, tc := range []struct {
		args []string
		code cli.ExitCode
		want string
	}{
		{[]string{"forecast", at, "--server", "7.0.14"}, cli.ExitUsage, "the server says that it is MongoDB 8.0.4"},
		{[]string{"audit", at, "--server", "7.0.14"}, cli.ExitUsage, "the server says that it is MongoDB 8.0.4"},
		{[]string{"forecast", at, "--server-parameter", "a=1"}, cli.ExitUsage, "the server says what is set"},
		{[]string{"forecast", at, "--input", "json"}, cli.ExitUsage, "BSON"},
		{[]string{"forecast", at, "--namespace", "a.b"}, cli.ExitUsage, "names its collections"},
		{[]string{"forecast", at, "--cosmos-mongo"}, cli.ExitUsage, "itself says whether it is Azure's"},
		{[]string{"forecast", at, "--container", "{}"}, cli.ExitUsage, "Azure Cosmos DB for NoSQL"},
		{[]string{"audit", at, "--documents", "x.bson"}, cli.ExitUsage, "has the documents"},
		{[]string{"forecast", at, samples + "shop"}, cli.ExitUsage, "leave out the other inputs"},
		{[]string{"forecast", at + ".nothing"}, cli.ExitInput, "there is no such collection, or none that this user may see"},
		{[]string{"audit", "mongodb://" + s.Host() + "/nowhere"}, cli.ExitInput, "/nowhere: this database has no collections, or none that this user may see"},
		{[]string{"audit", "mongodb://" + empty.Host()}, cli.ExitInput, "there is no database with collections, or none that this user may see"},
		{[]string{"forecast", at, "--ns", "shop.log"}, cli.ExitUsage, "there are shop.logs"},
		{[]string{"explain", at}, cli.ExitUsage, "--id names one"},
		{[]string{"migrate", at, "--to", "cosmos-nosql"}, cli.ExitUsage, "this command reads files"},
		{[]string{"forecast", "mongodb://ann:hunter2@" + s.Host() + "/shop"}, cli.ExitUsage, "list of processes"},
		{[]string{"forecast", "mongodb://" + ferret.Host() + "/shop"}, cli.ExitUsage, "--server names the release of MongoDB to judge by"},
	} {
		r := ttl(t, "", tc.args...)
		if r.code != tc.code || !strings.Contains(r.err, tc.want) || strings.Contains(r.err, "hunter2") {
			t.Errorf("%q: exit %d, want %d and %q: %s%s", tc.args, r.code, tc.code, tc.want, r.out, r.err)
		}
	}
}

// TestLiveRights: a user who may only read can run the commands.
func TestLiveRights(t *testing.T) {
	t.Parallel()
	s := shop(t, &wiretest.Store{Denied: []string{"getParameter", "serverStatus"}})
	r := ttl(t, "", "forecast", "--now", sampleAt, "mongodb://"+s.Host()+"/shop")
	if r.code != cli.ExitOK || !strings.Contains(r.err, "clusterMonitor may") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	s = shop(t, &wiretest.Store{Denied: []string{"getParameter", "serverStatus", "find"}})
	r = ttl(t, "", "forecast", "--now", sampleAt, "mongodb://"+s.Host()+"/shop")
	if r.code != cli.ExitInput && r.code != cli.ExitIncomplete || !strings.Contains(r.out+r.err, "not authorized") {
		t.Errorf("exit %d, %s%s", r.code, r.out, r.err)
	}
}

// TestLiveSamples: a sample document of a server has an identifier, but no place in
// a file.
func TestLiveSamples(t *testing.T) {
	t.Parallel()
	s := wiretest.StartStore(t, &wiretest.Store{Release: "4.4.29", Collections: []wiretest.Collection{stored(t, "hazards", "events")}})
	for _, tc := range []struct {
		flag, want string
	}{{"--quiet", "seen in documents such as 0, 1, 2 of mongodb://"}, {"--no-ids", "seen in documents of mongodb://"}} {
		r := ttl(t, "", "audit", tc.flag, "--now", sampleAt, "mongodb://"+s.Host()+"/hazards")
		if text := words(r.out); !strings.Contains(text, tc.want) || strings.Contains(text, "at byte") {
			t.Errorf("audit %s: exit %d, want %q and no byte:\n%s%s", tc.flag, r.code, tc.want, r.out, r.err)
		}
	}
}

// TestLiveVariable: the environment may hold the address.
func TestLiveVariable(t *testing.T) {
	s := shop(t, &wiretest.Store{})
	t.Setenv(live.Variable, "mongodb://"+s.Host()+"/?appName=hunter2")
	r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "mongodb:///shop.logs")
	if f := forecastOf(t, r); r.code != cli.ExitOK || f.Documents != 2000 || strings.Contains(r.out, "hunter2") {
		t.Errorf("exit %d, %s%s", r.code, r.out, r.err)
	}
}

// TestLiveExplain finds documents by identifiers as people type them.
func TestLiveExplain(t *testing.T) {
	t.Parallel()
	s := shop(t, &wiretest.Store{Collections: []wiretest.Collection{{Database: "shop", Name: "odd", Kind: "collection", Documents: []bson.Raw{
		marshalled(t, bson.D{{Key: "_id", Value: "abc"}}), marshalled(t, bson.D{{Key: "_id", Value: 5}}), marshalled(t, bson.D{{Key: "_id", Value: bson.D{{Key: "a", Value: 1}}}}),
	}}}})
	at := "mongodb://" + s.Host() + "/shop"
	for id, want := range map[string]string{
		"abc": ".odd", "'abc'": ".odd", "5": ".odd", "{a: 1}": ".odd", `{"a":{"$numberInt":"1"}}`: ".odd",
		"5e8f00000000000000000000": "no document of mongodb://", "/a/": "no document of",
	} {
		r := ttl(t, "", "explain", "--id", id, "--now", sampleAt, at)
		if !strings.Contains(r.out+r.err, want) {
			t.Errorf("--id %s: exit %d, %s%s, want %q", id, r.code, r.out, r.err, want)
		}
	}
	for _, c := range s.Commands() {
		if c.Name == "find" && c.Body.Lookup("filter", "_id", "$in").Type != bson.TypeArray {
			t.Errorf("find without a filter: %s", c.Body)
		}
	}
}

func marshalled(t testing.TB, d bson.D) bson.Raw {
	t.Helper()
	raw, err := bson.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestLiveSample: every form of a forecast from a sample says that it is from a sample.
func TestLiveSample(t *testing.T) {
	t.Parallel()
	s := shop(t, &wiretest.Store{})
	at := "mongodb://" + s.Host() + "/shop"
	for _, format := range []string{"text", "json", "html"} {
		r := ttl(t, "", "forecast", "--sample", "100", "--now", sampleAt, "--format", format, at)
		if text := words(r.out); r.code != cli.ExitOK || strings.Count(text, "A sample: 100 documents of about 2,000, drawn at random.") != 2 ||
			!strings.Contains(text, "95 %") || !strings.Contains(text, "shop.logs (sample)") {
			t.Errorf("%s: exit %d %s%s", format, r.code, r.out, r.err)
		}
	}
	for _, c := range s.Commands() {
		if c.Name == "find" || !slices.Contains(live.Read, c.Name) {
			t.Errorf("a sample is read by %s", c.Body)
		}
	}
	for _, flag := range [][]string{{"--fail-if", "expired>1"}, {"--list"}, {"--what-if", "1d"}, {"--format", "prometheus"}, {"--delete-rate", "5"}} {
		if r := ttl(t, "", append(append([]string{"forecast", "--sample", "100"}, flag...), at)...); r.code != cli.ExitUsage {
			t.Errorf("%q: exit %d %s", flag, r.code, r.err)
		}
	}
}

// TestLiveInterrupted: an interrupted forecast shows its counts so far.
func TestLiveInterrupted(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	logs := stored(t, "shop", "logs")
	logs.Documents = slices.Repeat(logs.Documents, 24)
	logs.Name = "many"
	var asked atomic.Int32
	s := shop(t, &wiretest.Store{Collections: []wiretest.Collection{logs}, Before: func(c wiretest.Command) bson.D {
		if c.Name == "getMore" && asked.Add(1) == 2 { // of about five
			stop()
			time.Sleep(50 * time.Millisecond)
		}
		return nil
	}})
	r := ttlUntil(ctx, "", "forecast", "--now", sampleAt, "--format", "json", "mongodb://"+s.Host()+"/shop.many")
	f := forecastOf(t, r)
	if r.code != cli.ExitInterrupted || f.Complete || f.Documents < 10000 || f.Documents >= 48000 || f.Reason != "interrupted" {
		t.Errorf("exit %d, %d documents, complete %t, %s %s", r.code, f.Documents, f.Complete, f.Reason, r.err)
	}
	for range 50 {
		if slices.Contains(namesSent(s), "killCursors") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("the cursor is left open: the server was sent %q", namesSent(s))
}

// TestLiveBrokenServer: a reply that breaks off or has a wrong type is an error, which
// holds no control characters.
func TestLiveBrokenServer(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		answer func(c wiretest.Command) bson.D
	}{
		{"an error in the middle", func(c wiretest.Command) bson.D {
			if c.Name == "getMore" {
				return wiretest.Error(43, "CursorNotFound", "cursor id 1 not found \x1b[31m")
			}
			return nil
		}},
		{"a list of another type", func(c wiretest.Command) bson.D {
			if c.Name == "listCollections" {
				return bson.D{{Key: "cursor", Value: 5}, {Key: "ok", Value: 1}}
			}
			return nil
		}},
		{"documents of other types", func(c wiretest.Command) bson.D {
			if c.Name == "find" {
				return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "shop.logs"}, {Key: "firstBatch", Value: bson.A{5, "x"}}}}, {Key: "ok", Value: 1}}
			}
			return nil
		}},
		{"indexes of another type", func(c wiretest.Command) bson.D {
			if c.Name == "listIndexes" {
				return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "shop.logs"}, {Key: "firstBatch", Value: bson.A{bson.D{{Key: "key", Value: 5}}}}}}, {Key: "ok", Value: 1}}
			}
			return nil
		}},
		{"a version that no release has", func(c wiretest.Command) bson.D {
			if c.Name == "buildInfo" {
				return bson.D{{Key: "version", Value: "\x1b]0;x"}, {Key: "ok", Value: 1}}
			}
			return nil
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			many := stored(t, "shop", "logs")
			many.Documents = slices.Repeat(many.Documents, 8)
			s := wiretest.StartStore(t, &wiretest.Store{Collections: []wiretest.Collection{many}, Before: tc.answer})
			r := ttl(t, "", "forecast", "--now", sampleAt, "mongodb://"+s.Host()+"/shop")
			if r.code == cli.ExitOK || r.err == "" || strings.ContainsRune(r.out+r.err, 0x1b) {
				t.Errorf("exit %d: %s%s", r.code, r.out, r.err)
			}
		})
	}
}

// TestLiveRate: documents are read no faster than requested.
func TestLiveRate(t *testing.T) {
	t.Parallel()
	s := shop(t, &wiretest.Store{})
	begun := time.Now()
	r := ttl(t, "", "forecast", "--now", sampleAt, "--max-docs-per-second", "10000", "mongodb://"+s.Host()+"/shop")
	if took := time.Since(begun); r.code != cli.ExitOK || took < 250*time.Millisecond { // four batches of 1,000, the first at once
		t.Errorf("exit %d after %s: %s", r.code, took, r.err)
	}
	for _, c := range s.Commands() {
		if n, ok := c.Body.Lookup("batchSize").AsInt64OK(); ok && n != 1000 {
			t.Errorf("%s asks for %d documents at a time, want 1000", c.Name, n)
		}
	}
}

// TestLiveTimeSeries reads the buckets of a time-series collection from where each
// release stores them.
func TestLiveTimeSeries(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	bucket := marshalled(t, bson.D{{Key: "_id", Value: bson.NewObjectIDFromTimestamp(at)}, {Key: "control", Value: bson.D{
		{Key: "version", Value: 1}, {Key: "min", Value: bson.D{{Key: "t", Value: at}}}, {Key: "max", Value: bson.D{{Key: "t", Value: at.Add(time.Minute)}}},
	}}, {Key: "data", Value: bson.D{}}})
	options := marshalled(t, bson.D{{Key: "timeseries", Value: bson.D{{Key: "timeField", Value: "t"}}}, {Key: "expireAfterSeconds", Value: int64(3600)}})
	for release, want := range map[string]string{"7.0.14": "system.buckets.weather", "8.3.0": "weather"} {
		s := wiretest.StartStore(t, &wiretest.Store{Release: release, Collections: []wiretest.Collection{
			{Database: "shop", Name: "weather", Kind: "timeseries", Options: options, Documents: []bson.Raw{bucket}},
		}})
		f := forecastOf(t, ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "mongodb://"+s.Host()+"/shop.weather"))
		if f.Documents != 1 || f.Expired != 1 || f.Collections[0].Name != "shop.weather (time-series buckets)" {
			t.Errorf("%s: %+v, want one expired bucket", release, f)
		}
		for _, c := range s.Commands() {
			if raw, _ := c.Body.Lookup("rawData").BooleanOK(); c.Name == "find" && (c.Text("find") != want || raw != (want == "weather")) {
				t.Errorf("%s: %s", release, c.Body)
			}
		}
	}
}

// TestLiveTimeSeriesOfOddServer: a negative size of a bucket and a negative number of buckets
// count as unknown, and the report is whole.
func TestLiveTimeSeriesOfOddServer(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	bucket := marshalled(t, bson.D{{Key: "_id", Value: bson.NewObjectIDFromTimestamp(at)}, {Key: "control", Value: bson.D{
		{Key: "version", Value: 1}, {Key: "min", Value: bson.D{{Key: "t", Value: at}}}, {Key: "max", Value: bson.D{{Key: "t", Value: at}}},
	}}, {Key: "data", Value: bson.D{}}, {Key: "ttl:size", Value: int32(-1000)}})
	options := marshalled(t, bson.D{{Key: "timeseries", Value: bson.D{{Key: "timeField", Value: "t"}}}, {Key: "expireAfterSeconds", Value: int64(3600)}})
	s := wiretest.StartStore(t, &wiretest.Store{
		Collections: []wiretest.Collection{{Database: "shop", Name: "weather", Kind: "timeseries", Options: options}},
		Before: func(c wiretest.Command) bson.D {
			switch c.Name {
			case "count":
				return bson.D{{Key: "n", Value: -5}, {Key: "ok", Value: 1}}
			case "find":
				return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "shop.weather"}, {Key: "firstBatch", Value: bson.A{bucket, bucket}}}}, {Key: "ok", Value: 1}}
			}
			return nil
		},
	})
	r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "mongodb://"+s.Host()+"/shop.weather")
	if f := forecastOf(t, r); r.code != cli.ExitOK || f.Documents != 2 || f.Expired != 2 || f.Bytes != int64(2*len(bucket)) {
		t.Errorf("exit %d, %s, %d buckets, %d expired, %d bytes, want 0 and 2 expired of %d bytes", r.code, r.err, f.Documents, f.Expired, f.Bytes, 2*len(bucket))
	}
}

// TestLiveSideBySide: two collections are read at the same time: each begins
// before the other ends.
func TestLiveSideBySide(t *testing.T) {
	t.Parallel()
	var begun sync.WaitGroup
	begun.Add(2)
	s := shop(t, &wiretest.Store{Before: func(c wiretest.Command) bson.D {
		if c.Name == "find" {
			begun.Done()
			begun.Wait() // for ever, unless the other collection is requested meanwhile
		}
		return nil
	}})
	r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "mongodb://"+s.Host()+"/shop")
	if f := forecastOf(t, r); r.code != cli.ExitOK || f.Documents != 4000 {
		t.Errorf("exit %d, %d documents: %s", r.code, f.Documents, r.err)
	}
}

// TestLiveHostileNames: names on a server that would move a terminal's cursor
// are escaped.
func TestLiveHostileNames(t *testing.T) {
	t.Parallel()
	logs := stored(t, "shop", "logs")
	logs.Name = "\x1b[31mlogs\u202e"
	s := wiretest.StartStore(t, &wiretest.Store{Collections: []wiretest.Collection{logs}})
	for _, line := range [][]string{{"forecast"}, {"forecast", "--format", "html"}, {"forecast", "--format", "json"}, {"audit"}, {"forecast", "--ns", "x"}} {
		r := ttl(t, "", append(line, "--now", sampleAt, "mongodb://"+s.Host()+"/shop")...)
		if strings.ContainsAny(r.out+r.err, "\x1b\u202e") || !strings.Contains(r.out+r.err, "logs") {
			t.Errorf("%q: %s%s", line, r.out, r.err)
		}
	}
}

// TestLiveMemory reads batches as large as a server sends, from several collections at a
// time.
func TestLiveMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 320 MB")
	}
	document := marshalled(t, bson.D{{Key: "_id", Value: 1}, {Key: "createdAt", Value: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}, {Key: "text", Value: strings.Repeat("x", 1500)}})
	var list []wiretest.Collection
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		list = append(list, wiretest.Collection{Database: "shop", Name: name, Kind: "collection", Documents: slices.Repeat([]bson.Raw{document}, 40_000)})
	}
	s := wiretest.StartStore(t, &wiretest.Store{Collections: list})
	peak, stderr, code := peakOf(t, nil, "forecast", "--check", "--index", `{"createdAt":1}`, "--expire-after", "1d", "mongodb://"+s.Host()+"/shop")
	if code != 0 || peak > maxPeak {
		t.Errorf("exit %d, %d bytes at most, want up to %d: %s", code, peak, maxPeak, stderr)
	}
	t.Logf("%d bytes at most", peak)
}

// TestLiveSends compares the commands sent to a server with those that
// docs/live.md names.
func TestLiveSends(t *testing.T) {
	t.Parallel()
	const about = "buildInfo hello getParameter serverStatus listCollections listIndexes"
	page := contents(t, "../../docs/live.md")
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"forecast"}, about + " find getMore endSessions"},
		{[]string{"audit"}, about + " find getMore endSessions"},
		{[]string{"audit", "--metadata-only"}, about + " endSessions"},
		{[]string{"plan", "init"}, about + " endSessions"},
		{[]string{"explain", "--id", "5"}, about + " find endSessions"},
	} {
		logs := stored(t, "shop", "logs")
		logs.Documents = slices.Repeat(logs.Documents, 8)
		var hello atomic.Bool
		s := wiretest.StartStore(t, &wiretest.Store{Collections: []wiretest.Collection{logs}, Before: func(c wiretest.Command) bson.D {
			if isAsked := c.Name == "hello" && c.Text("$db") == "admin" && c.Body.Lookup("lsid").Type != 0; isAsked {
				hello.Store(true)
			}
			return nil
		}})
		ttl(t, "", append(tc.args, "mongodb://"+s.Host()+"/shop")...)
		var got []string
		for _, c := range s.Commands() {
			if got = append(got, c.Name); c.Name == "buildInfo" {
				got = append(got, "hello") // the driver's monitoring sends it all the time
			}
		}
		if text := strings.Join(got, " "); text != tc.want || !hello.Load() || !strings.Contains(page, tc.want+" |") {
			t.Errorf("%q sends %s, want %s", tc.args, text, tc.want)
		}
	}
}

// TestLiveAzure: a server with the replies of Azure Cosmos DB for MongoDB is
// recognised.
func TestLiveAzure(t *testing.T) {
	t.Parallel()
	index := marshalled(t, bson.D{{Key: "v", Value: 1}, {Key: "key", Value: bson.D{{Key: "_ts", Value: 1}}}, {Key: "name", Value: "_ts_1"}, {Key: "expireAfterSeconds", Value: 3600}})
	s := wiretest.StartStore(t, &wiretest.Store{
		Collections: []wiretest.Collection{{Database: "shop", Name: "carts", Kind: "collection", Indexes: []bson.Raw{index}, Documents: []bson.Raw{marshalled(t, bson.D{{Key: "_id", Value: 1}})}}},
		Before: func(c wiretest.Command) bson.D {
			if c.Name == "buildInfo" {
				return bson.D{{Key: "_t", Value: "BuildInfoResponse"}, {Key: "version", Value: "4.2.0"}, {Key: "ok", Value: 1}}
			}
			return nil
		},
	})
	at := "mongodb://" + s.Host() + "/shop"
	for _, tc := range []struct {
		args []string
		code cli.ExitCode
		want string
	}{
		{[]string{"forecast", at}, cli.ExitOK, "Azure Cosmos DB for MongoDB, _ts_1"},
		{[]string{"forecast", "--server", "4.2", at}, cli.ExitOK, "Azure Cosmos DB for MongoDB"},
		{[]string{"forecast", "--server", "6.0", at}, cli.ExitUsage, "Azure Cosmos DB for MongoDB 4.2.0"},
		{[]string{"explain", "--id", "1", at}, cli.ExitInput, "_ts is missing"},
		{[]string{"audit", at}, cli.ExitOK, "Azure Cosmos DB for MongoDB 4.2, 1 TTL index"},
		{[]string{"plan", "init", at}, cli.ExitOK, `key: "_ts"`},
	} {
		if r := ttl(t, "", tc.args...); r.code != tc.code || !strings.Contains(r.out+r.err, tc.want) {
			t.Errorf("%q: exit %d, want %d and %q: %s%s", tc.args[:1], r.code, tc.code, tc.want, r.out, r.err)
		}
	}
	if names := namesSent(s); slices.Contains(names, "getParameter") {
		t.Errorf("it was sent %q", names)
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// archived returns an archive, as mongodump --archive writes it, of collections
// in shop, with their documents by name, and the same metadata for all.
func archived(release, metadata string, names []string, docs map[string]string) string {
	var list []dumptest.Collection
	for _, name := range names {
		list = append(list, dumptest.Collection{Name: name, Metadata: metadata, Blocks: [][]byte{[]byte(docs[name])}})
	}
	return string(dumptest.Archive(release, list...))
}

// TestForecastOfArchives: an archive gives the same forecast as the files from which it
// was made, and the error about a truncated archive names the missing collections.
func TestForecastOfArchives(t *testing.T) {
	t.Parallel()
	logs, metadata := contents(t, samples+"shop/logs.bson"), contents(t, samples+"shop/logs.metadata.json")
	want := forecastOf(t, ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "--server", "7.0.14", samples+"shop/logs.bson")).Collections[0]
	archive := archived("7.0.14", metadata, []string{"logs", "more"}, map[string]string{"logs": logs, "more": logs})
	for name, text := range map[string]string{"plain": archive, "gzip": gzipped(t, archive), "zstd": zstded(t, archive)} {
		r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, written(t, "dump.archive", text))
		f := forecastOf(t, r)
		if r.code != cli.ExitOK || len(f.Collections) != 2 || f.Collections[0].Name != "shop.logs" || f.Collections[1].Name != "shop.more" {
			t.Fatalf("%s: exit %d, %s, %+v, want logs and more", name, r.code, r.err, f)
		}
		for _, c := range f.Collections {
			if c.DeletedAtOnce != want.DeletedAtOnce || len(c.Histogram.Buckets) != len(want.Histogram.Buckets) {
				t.Errorf("%s: %+v, want %+v", name, c, want)
			}
		}
	}
	cut := written(t, "cut.archive", archive[:len(archive)-60])
	for _, tc := range []struct {
		args []string
		code cli.ExitCode
		want string // in the output or the error
	}{
		{[]string{cut}, cli.ExitIncomplete, "shop.more"},
		{[]string{cut, "--ns", "shop.logs"}, cli.ExitOK, "shop.logs"},
		{[]string{cut, "--ns", "shop.more"}, cli.ExitInput, "the input ends inside the document"},
		{[]string{cut, "--ns", "shop.log"}, cli.ExitUsage, "there are shop.logs"},
		{[]string{cut, "--input", "extjson"}, cli.ExitInput, "leave out --input"},
	} {
		r := ttl(t, "", append([]string{"forecast", "--now", sampleAt}, tc.args...)...)
		if r.code != tc.code || !strings.Contains(r.out+r.err, tc.want) {
			t.Errorf("%v: exit %d, want %d and %q in\n%s%s", tc.args[1:], r.code, tc.code, tc.want, r.out, r.err)
		}
	}
	r := ttl(t, "", "migrate", "--to", "cosmos-nosql", "--ns", "shop.more", "--format", "json", written(t, "dump.archive", archive))
	if r.code != cli.ExitOK || !strings.Contains(r.out, `"documents": 2000`) {
		t.Errorf("migrate of one collection: exit %d, %s%.300s", r.code, r.err, r.out)
	}
}

// TestAuditOfArchives: the policies and the documents in an archive are audited, and
// the audit names collections without metadata.
func TestAuditOfArchives(t *testing.T) {
	t.Parallel()
	const metadata = `{"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":{"$numberDouble":"NaN"}}]}`
	archive := written(t, "dump.archive", archived("4.4.29", metadata, []string{"logs"}, map[string]string{"logs": contents(t, samples+"shop/logs.bson")}))
	r := ttl(t, "", "audit", "--now", sampleAt, "--format", "json", archive)
	for _, want := range []string{`"database": "shop"`, `"name": "logs"`, `"documents": 2000`, "mongo.nan-", "4.4.29"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %s in\n%s%s", want, r.err, r.out)
		}
	}
	if r := ttl(t, "", "audit", written(t, "bare.archive", archived("8.0.4", "", []string{"logs"}, nil))); r.code == cli.ExitOK || !strings.Contains(r.out+r.err, "no metadata of shop.logs") {
		t.Errorf("without metadata: exit %d, %s%s", r.code, r.out, r.err)
	}
	if piped := ttl(t, contents(t, archive), "audit", "--now", sampleAt, "--format", "json", "-"); piped.code != r.code || piped.out != strings.ReplaceAll(r.out, archive, "standard input") {
		t.Errorf("audit of standard input: exit %d, %s\n%s\nwant what is said of the file", piped.code, piped.err, piped.out)
	}
	if r := ttl(t, "", "explain", "--index", `{"a":1}`, "--expire-after", "1", archive); r.code != cli.ExitInput || !strings.Contains(r.err, "mongodump --archive") {
		t.Errorf("explain: exit %d, %s", r.code, r.err)
	}
}

// TestForecastOfDamagedFolders: each collection is forecast, or named with the
// reason.
func TestForecastOfDamagedFolders(t *testing.T) {
	t.Parallel()
	logs, metadata := contents(t, samples+"shop/logs.bson"), contents(t, samples+"shop/logs.metadata.json")
	dir := fixture.Files(t, map[string]string{
		"shop/a.bson": logs[:1000], "shop/a.metadata.json": metadata,
		"shop/bare.bson":  logs,
		"shop/empty.bson": logs, "shop/empty.metadata.json": "",
		"shop/good.bson": logs, "shop/good.metadata.json": metadata,
		"shop/broken.bson": logs, "shop/broken.metadata.json": `{"indexes":[`,
		"shop/noise.bson.gz": "\x1f\x8bnoise", "shop/noise.metadata.json": metadata,
		"blog/good.bson": logs, "blog/good.metadata.json": metadata,
	})
	if err := os.Symlink("nowhere", filepath.Join(dir, "shop/lost.bson")); err != nil {
		t.Skip(err)
	}
	r := ttl(t, "", "forecast", "--now", sampleAt, dir)
	for _, want := range []string{"blog.good ", "shop.good ", "shop.bare: ", "no metadata.json", "shop.empty: /", "shop.broken: /", "shop.noise: /", "lost.bson", "document at byte"} {
		if !strings.Contains(words(r.out), want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	if r.code != cli.ExitIncomplete || !strings.Contains(r.err, "6 of 8 collections could not be read to their end") {
		t.Errorf("exit %d, %q, want 3 and six of eight", r.code, r.err)
	}
	f := forecastOf(t, ttl(t, "", "forecast", "--now", sampleAt, "--format", "json", dir))
	if len(f.Collections) != 3 || f.Complete {
		t.Errorf("%d collections, complete %v, want the two good ones and a part of a", len(f.Collections), f.Complete)
	}
}

// TestForecastSaysTheDialect: a forecast names a dialect once, however many documents use
// it.
func TestForecastSaysTheDialect(t *testing.T) {
	t.Parallel()
	r := ttl(t, "", "forecast", "--format", "json", "--index", `{"at":1}`, "--expire-after", "0", "--now", sampleAt,
		written(t, "old.jsonl", strings.Repeat(`{"at":{"$date":1393804800000}}`+"\n", 3)))
	if f := forecastOf(t, r); r.code != cli.ExitOK || f.Expired != 3 || strings.Count(r.err, "old was read as Extended JSON version 1") != 1 {
		t.Errorf("exit %d, %d expired, %q, want 3 and a note", r.code, f.Expired, r.err)
	}
}

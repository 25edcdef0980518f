package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func zstded(t *testing.T, text string) string {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(z.EncodeAll([]byte(text), nil))
}

// The same documents give the same numbers in every kind of file, and the
// metadata is found beside each.
func TestForecastOfPackedFolders(t *testing.T) {
	t.Parallel()
	logs, metadata := contents(t, samples+"shop/logs.bson"), contents(t, samples+"shop/logs.metadata.json")
	want := forecastOf(t, ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, samples+"shop/logs.bson"))
	for name, files := range map[string]map[string]string{
		"mongodump --gzip": {"dump/shop/logs.bson.gz": gzipped(t, logs), "dump/shop/logs.metadata.json.gz": gzipped(t, metadata)},
		"zstd":             {"logs.bson.zst": zstded(t, logs), "logs.metadata.json": metadata},
		"other names":      {"logs.bson": gzipped(t, logs), "logs.metadata.json": zstded(t, metadata)},
	} {
		r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, fixture.Files(t, files))
		got := forecastOf(t, r)
		if r.code != cli.ExitOK || got.Documents != 2000 || got.Expired != want.Expired || got.Pending != want.Pending || got.Never != want.Never {
			t.Errorf("%s: exit %d %s, %+v, want %+v", name, r.code, r.err, got, want)
		}
	}
}

func TestForecastOfFolderSumsUp(t *testing.T) {
	t.Parallel()
	f := forecastOf(t, ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, samples+"shop"))
	one := forecastOf(t, ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, samples+"shop/logs.bson"))
	two := forecastOf(t, ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, samples+"shop/sessions.bson"))
	if len(f.Collections) != 2 || f.Documents != one.Documents+two.Documents || f.Expired != one.Expired+two.Expired || f.Never != one.Never+two.Never {
		t.Errorf("the folder has %+v, its files %+v and %+v", f, one, two)
	}
}

func TestForecastOfStandardInput(t *testing.T) {
	file, err := os.Open(samples + "cosmos/items.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stdin = old; file.Close() }(os.Stdin)
	os.Stdin = file
	r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "--container", `{"defaultTtl":-1}`, "-")
	if f := forecastOf(t, r); r.code != cli.ExitOK || f.Documents != 2000 || f.Collections[0].Name != "standard input" {
		t.Errorf("exit %d, %+v, want the 2000 items", r.code, f)
	}
}

// The release comes from the dump's prelude unless a flag names it.
func TestForecastTakesTheReleaseOfTheDump(t *testing.T) {
	t.Parallel()
	files := map[string]string{"shop/logs.bson": contents(t, samples+"shop/logs.bson"), "shop/logs.metadata.json": contents(t, samples+"shop/logs.metadata.json")}
	for _, tc := range []struct {
		prelude string
		flags   []string
		code    cli.ExitCode
		want    string // in the output or the error
	}{
		{`{"ServerVersion":"7.0.14"}`, nil, cli.ExitOK, "MongoDB 7.0.14, "},
		{`{"ServerVersion":"8.0.4-rc1"}`, nil, cli.ExitOK, "MongoDB 8.0.4, "},
		{`{"ServerVersion":"7.0.14"}`, []string{"--server", "6.0.2"}, cli.ExitOK, "MongoDB 6.0.2, "},
		{`{}`, nil, cli.ExitOK, "MongoDB " + fixture.Latest},
		{`{"ServerVersion":"99.0.0"}`, nil, cli.ExitInput, "prelude.json: "},
		{`{"ServerVersion":"99.0.0"}`, []string{"--server", "8.0"}, cli.ExitOK, "MongoDB 8.0.0, "},
		{`{"ServerVersion":`, nil, cli.ExitInput, "--server names the release"},
	} {
		files["prelude.json"] = tc.prelude
		r := ttl(t, "", append([]string{"forecast", "--now", sampleAt, fixture.Files(t, files)}, tc.flags...)...)
		if r.code != tc.code || !strings.Contains(r.out+r.err, tc.want) {
			t.Errorf("prelude %s, flags %q: exit %d, no %q in:\n%.200s%s", tc.prelude, tc.flags, r.code, tc.want, r.out, r.err)
		}
	}
}

// Errors in a metadata file name that file.
func TestForecastNamesTheMetadata(t *testing.T) {
	t.Parallel()
	for metadata, says := range map[string]string{
		`{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5,"partialFilterExpression":{"a":{"$ne":1}}}]}`: "$ne",
		`{"indexes":[`: "at byte 12",
		`{}`:           "not an index, a reply of listIndexes, metadata of mongodump",
	} {
		dir := fixture.Files(t, map[string]string{"logs.bson": "", "logs.metadata.json": metadata})
		r := ttl(t, "", "forecast", dir)
		if r.code != cli.ExitInput || !strings.Contains(r.err, filepath.Join(dir, "logs.metadata.json")) || !strings.Contains(r.err, says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("metadata %s: exit %d, %q, want the file and %q", metadata, r.code, r.err, says)
		}
	}
}

// The dump of a time-series collection is a file of buckets, whose name depends on the
// release, and metadata under the name of the collection.
func TestForecastOfBuckets(t *testing.T) {
	t.Parallel()
	const bucket = `{"_id":{"$oid":"691e5b800000000000000001"},"control":{"version":1,` +
		`"min":{"t":{"$date":"2025-11-20T00:06:00Z"}},"max":{"t":{"$date":"2025-11-20T00:30:00Z"}}},"data":{}}`
	const metadata = `{"options":{"timeseries":{"timeField":"t"},"expireAfterSeconds":3600},"indexes":[],"type":"timeseries"}`
	for _, file := range []string{"system.buckets.weather.bson", "weather.bson"} { // of servers before 8.3, and since
		dir := fixture.Files(t, map[string]string{"town/" + file: bucket, "town/weather.metadata.json": metadata})
		r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, dir)
		if f := forecastOf(t, r); f.Expired != 1 || f.Collections[0].Name != "town.weather (time-series buckets)" {
			t.Errorf("%s: %+v %s, want one expired bucket of weather", file, f, r.err)
		}
	}
}

// The report states the assumptions of decisions about measurements.
func TestForecastOfMeasurements(t *testing.T) {
	t.Parallel()
	const command = `db.createCollection("c", {timeseries: {timeField: "t"}, expireAfterSeconds: 3600})`
	const measurement = `{"t":{"$date":"2025-11-20T00:06:00Z"}}`
	const note = "from which nothing has been deleted"
	for _, args := range [][]string{
		{"forecast", written(t, "m.jsonl", measurement)},
		{"forecast", "--format", "json", written(t, "m.jsonl", measurement)},
		{"explain", measurement},
		{"explain", "--format", "json", measurement},
	} {
		r := ttl(t, "", append(args, "--index", command, "--now", sampleAt)...)
		if got := words(r.out); r.code != cli.ExitOK || !strings.Contains(got, note) {
			t.Errorf("%v: code %d, no %q in\n%s%s", args, r.code, note, r.out, r.err)
		}
	}
}

// TestForecastBuckets: JSON has every bucket of the width in --bucket, at most 2048
// around now. Without --bucket it has at most 60 buckets, of a width that the tool
// chooses.
func TestForecastBuckets(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	day := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	for i := range 200 {
		fmt.Fprintf(&lines, "{\"at\":{\"$date\":%q}}\n", day.AddDate(0, 0, i).Format(time.RFC3339))
	}
	lines.WriteString(`{"at":{"$date":"2000-01-01T00:00:00Z"}}`)
	for _, tc := range []struct {
		bucket               string
		least, most          int
		before, after, total int64
	}{{"", 1, 60, -1, -1, 201}, {"1d", 200, 200, 1, 0, 201}, {"1h", 48*21 + 1, 2048, -1, -1, 201}} {
		args := []string{"--format", "json"}
		if tc.bucket != "" {
			args = append(args, "--bucket", tc.bucket)
		}
		h := forecastOf(t, forecastWith(t, lines.String(), args...)).Collections[0].Histogram
		sum := h.Before + h.After
		for _, b := range h.Buckets {
			sum += b.Expired + b.Pending
		}
		if n := len(h.Buckets); n < tc.least || n > tc.most || sum != tc.total || tc.before >= 0 && (h.Before != tc.before || h.After != tc.after) {
			t.Errorf("--bucket %q: %d buckets with %d deadlines, %d before, %d after; want %+v", tc.bucket, n, sum, h.Before, h.After, tc)
		}
	}
}

// TestForecastPeriod: the bars cover the period, and all other deadlines are counted before
// or after it. There is a deadline at 06:00 of each day of November.
func TestForecastPeriod(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for day := 1; day <= 30; day++ {
		fmt.Fprintf(&lines, "{\"at\":{\"$date\":\"2026-11-%02dT05:00:00Z\"}}\n", day)
	}
	for _, tt := range []struct {
		flags                       []string
		width, first                string
		bars, before, within, after int64
	}{
		{[]string{"--until", "+7d"}, "12h", "2026-11-20T00:00:00.000Z", 14, 19, 7, 4},
		{[]string{"--until", "+7d", "--bucket", "1h"}, "1h", "2026-11-20T00:00:00.000Z", 168, 19, 7, 4},
		{[]string{"--from", "-36h", "--until", "now", "--bucket", "1d"}, "1d", "2026-11-18T00:00:00.000Z", 2, 17, 2, 11},
		{[]string{"--from", "2026-11-10T05:00:00Z", "--until", "2026-11-10T06:00:00Z", "--bucket", "1h"}, "1h", "2026-11-10T05:00:00.000Z", 1, 9, 0, 21},
		{[]string{"--from", "2030-01-01", "--until", "2031-01-01", "--bucket", "1mo"}, "1mo", "2030-01-01T00:00:00.000Z", 12, 30, 0, 0},
	} {
		h := forecastOf(t, forecastWith(t, lines.String(), append([]string{"--format", "json"}, tt.flags...)...)).Collections[0].Histogram
		var within int64
		for _, b := range h.Buckets {
			within += b.Expired + b.Pending
		}
		if h.Width != tt.width || int64(len(h.Buckets)) != tt.bars || h.Before != tt.before || within != tt.within || h.After != tt.after {
			t.Errorf("%q: %d bars of %s, %d before, %d within and %d after, want %+v", tt.flags, len(h.Buckets), h.Width, h.Before, within, h.After, tt)
		}
		if len(h.Buckets) > 0 && h.Buckets[0].Start.Time != tt.first {
			t.Errorf("%q: begins at %s, want %s", tt.flags, h.Buckets[0].Start.Time, tt.first)
		}
	}
}

// TestForecastNumbers: the JSON of a forecast gives a delay as a number, or as null if
// the option is no finite number.
func TestForecastNumbers(t *testing.T) {
	t.Parallel()
	for option, want := range map[string]string{"3600": "3600", "1.5": "1.5", `{"$numberLong":"-1"}`: "-1", `{"$numberDouble":"NaN"}`: "null", `"x"`: "null"} {
		r := ttl(t, `{}`, "forecast", "--format", "json", "--index", `{"v":2,"key":{"a":1},"expireAfterSeconds":`+option+`}`, written(t, "x.jsonl", "{}"))
		if r.code != cli.ExitOK || !strings.Contains(r.out, `"expireAfterSeconds": `+want+",\n") {
			t.Errorf("%s: exit %d, no expireAfterSeconds %s in\n%s%s", option, r.code, want, r.out, r.err)
		}
	}
}

// TestForecastOfNothing: input without a readable document gives an error and no report.
func TestForecastOfNothing(t *testing.T) {
	t.Parallel()
	path := written(t, "x.bson", "\xff\xff\xff\xff")
	for _, format := range []string{"text", "html"} {
		r := ttl(t, "", "forecast", "--format", format, "--input", "bson", "--index", `{"a":1}`, "--expire-after", "1", path)
		if r.code != cli.ExitInput || r.out != "" || strings.Count(r.err, path) != 1 {
			t.Errorf("%s: exit %d, %q and %q, want 1, nothing and one error", format, r.code, r.out, r.err)
		}
	}
}

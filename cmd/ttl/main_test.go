package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// A result is the output and exit code of a command.
type result struct {
	code     cli.ExitCode
	out, err string
}

// ttl runs the tool in process.
func ttl(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return ttlUntil(t.Context(), stdin, args...)
}

// ttlUntil runs the tool in process until ctx ends.
func ttlUntil(ctx context.Context, stdin string, args ...string) result {
	var out, errs bytes.Buffer
	code := runWith(ctx, strings.NewReader(stdin), &out, &errs, args...)
	return result{code, out.String(), errs.String()}
}

// interrupted runs the tool in process, as if Ctrl-C came before its first step.
func interrupted(t *testing.T, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ttlUntil(ctx, "", args...)
}

// runWith runs the tool in process with these streams, until ctx ends.
func runWith(ctx context.Context, stdin io.Reader, out, errs io.Writer, args ...string) cli.ExitCode {
	root := newRootCommand()
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(errs)
	root.SetArgs(args)
	return run(ctx, root)
}

const (
	samples  = "../../cmd/samples/"
	sampleAt = "2026-11-20T00:00:00Z"
)

// forecastJSON holds the parts of a forecast that the tests read.
type forecastJSON struct {
	Documents, Expired, Pending, Never, Unknown, Bad, Bytes int64
	Complete                                                bool
	Reason                                                  string
	Collections                                             []struct {
		Name          string
		DeletedAtOnce struct{ Documents int64 }
		Rules         []struct {
			Rule, Why, Found string
			Never            int64
			Samples          []struct{ Offset int64 }
		}
		Histogram struct {
			Width         string
			Before, After int64
			Buckets       []struct {
				Start            struct{ Time string }
				Expired, Pending int64
			}
		}
	}
}

func forecastOf(t *testing.T, r result) (f forecastJSON) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.out), &f); err != nil {
		t.Fatalf("the forecast is no JSON: %v\n%s%s", err, r.out, r.err)
	}
	return f
}

func TestForecastSamples(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args  []string
		rules []string // the rules that must keep documents
	}{
		{[]string{samples + "shop/logs.bson"}, []string{"mongo.field-not-date", "mongo.field-missing", "mongo.field-null", "mongo.array-empty"}},
		{[]string{samples + "shop/sessions.bson"}, []string{"mongo.filter-mismatch"}},
		{[]string{"--container", samples + "cosmos/container.json", samples + "cosmos/items.jsonl"}, []string{"cosmos.item-never", "cosmos.item-unspecified", "cosmos.no-timestamp"}},
	}
	for _, tt := range tests {
		r := ttl(t, "", append([]string{"forecast", "--format", "json", "--now", sampleAt}, tt.args...)...)
		if r.code != cli.ExitOK {
			t.Fatalf("forecast %q: exit %d: %s", tt.args, r.code, r.err)
		}
		f := forecastOf(t, r)
		if f.Documents != 2000 || f.Expired+f.Pending+f.Never+f.Unknown != 2000 || f.Expired == 0 || f.Pending == 0 || !f.Complete {
			t.Errorf("forecast %q: %d documents, %d expired, %d pending, %d never, %d unknown, complete %v", tt.args, f.Documents, f.Expired, f.Pending, f.Never, f.Unknown, f.Complete)
		}
		c := f.Collections[0]
		drawn := c.Histogram.Before + c.Histogram.After
		for _, b := range c.Histogram.Buckets {
			drawn += b.Expired + b.Pending
		}
		if drawn != f.Expired+f.Pending || c.DeletedAtOnce.Documents != f.Expired {
			t.Errorf("forecast %q: the histogram holds %d of %d deadlines, %d go at once of %d", tt.args, drawn, f.Expired+f.Pending, c.DeletedAtOnce.Documents, f.Expired)
		}
		for _, rule := range tt.rules {
			if !strings.Contains(r.out, `"rule": "`+rule+`"`) {
				t.Errorf("forecast %q: nothing is kept by %s", tt.args, rule)
			}
		}
	}
}

// TestForecastCounts compares a forecast with a count by hand.
func TestForecastCounts(t *testing.T) {
	t.Parallel()
	const lines = `{"_id":1,"at":{"$date":"2026-11-19T23:00:00Z"}}
{"_id":2,"at":{"$date":"2026-11-19T23:00:00.001Z"}}
{"_id":3,"at":"2026-11-01"}
{"_id":4}
{"_id":5,"at":[{"$date":"2030-01-01T00:00:00Z"},{"$date":"2000-01-01T00:00:00Z"}]}
`
	path := written(t, "lines.jsonl", lines)
	r := ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "1h", path)
	f := forecastOf(t, r)
	if r.code != cli.ExitOK || f.Documents != 5 || f.Expired != 2 || f.Pending != 1 || f.Never != 2 {
		t.Errorf("exit %d, %+v, want 5 documents: 2 expired, 1 pending, 2 never", r.code, f)
	}
	if !strings.Contains(r.out, "\"why\": \"`at` holds a string, not a Date\"") {
		t.Errorf("the string is not named:\n%s", r.out)
	}
}

// written writes text to a temporary file of the test.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	writeFile(t, path, []byte(text))
	return path
}

func writeFile(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// contents returns a file as text.
func contents(t testing.TB, path string) string {
	t.Helper()
	return string(readFile(t, path))
}

// lines returns the lines of a file.
func lines(t *testing.T, path string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(contents(t, path), "\n"), "\n")
}

// words returns a text in one line, without the marks of comments.
func words(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "// ", "")), " ")
}

func TestForecastDamage(t *testing.T) {
	t.Parallel()
	whole := contents(t, logs)
	path := written(t, "cut.bson", whole[:len(whole)-1])
	args := []string{"forecast", "--format", "json", "--now", sampleAt, "--index", `{"createdAt":1}`, "--expire-after", "30d", path}
	r := ttl(t, "", args...)
	f := forecastOf(t, r)
	if r.code != cli.ExitInput || f.Complete || f.Documents != 1999 || !strings.Contains(r.err, path+": document at byte ") {
		t.Errorf("exit %d, complete %v, %d documents, %q; want 1, incomplete, 1999, and the place", r.code, f.Complete, f.Documents, r.err)
	}
	path = written(t, "bad.jsonl", "{\"_id\":1}\n{\"_id\":\n{\"_id\":3}\n")
	r = ttl(t, "", "forecast", "--format", "json", "--skip-bad", "--index", `{"a":1}`, "--expire-after", "1", path)
	f = forecastOf(t, r)
	if want := "ttl: 1 document could not be read and was skipped\n"; r.code != cli.ExitIncomplete || r.err != want || f.Documents != 2 || f.Bad != 1 || f.Complete {
		t.Errorf("--skip-bad: exit %d, %q, %d documents, %d bad, complete %v; want 3, %q, 2, 1, false", r.code, r.err, f.Documents, f.Bad, f.Complete, want)
	}
}

func TestForecastInterrupted(t *testing.T) {
	t.Parallel()
	if r := interrupted(t, "forecast", logs); r.code != cli.ExitInterrupted || !strings.Contains(r.out, "INCOMPLETE: interrupted") {
		t.Errorf("exit %d, %q; want 130 and a mark", r.code, r.out)
	}
}

func TestForecastForms(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		"text": "Why documents never expire", "html": "</html>",
	} {
		r := ttl(t, "", "forecast", "--format", format, "--now", sampleAt, samples+"shop")
		if r.code != cli.ExitOK || !strings.Contains(r.out, want) || strings.Contains(r.out, "\x1b") {
			t.Errorf("--format %s: exit %d, %q missing or escape codes in:\n%.300s", format, r.code, want, r.out)
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		want []string
	}{
		{[]string{"--index", `{"at":1}`, "--expire-after", "1h", `{"at":{"$date":"2026-11-19T23:00:00Z"}}`},
			[]string{"expired", "2026-11-20T00:00:00.000Z (now)", "mongo.date", "deadline", "◆"}},
		{[]string{"--index", `{"at":1}`, "--expire-after", "1h", `{"at":"x"}`}, []string{"never", "▶ mongo.field-not-date"}},
		{[]string{"--index", `{"at":1}`, "--expire-after", "1h", "--partial", `{"k":1}`, `{"k":2}`}, []string{"▶ mongo.filter-mismatch"}},
		{[]string{"--container", `{"defaultTtl":-1}`, `{"ttl":60,"_ts":1795132800}`}, []string{"pending", "in 1 min", "▶ cosmos.item"}},
		{[]string{"--container", `{"defaultTtl":10}`, `{"ttl":60,"ttl":5,"_ts":1795132800}`}, []string{"never", "▶ cosmos.duplicate-unspecified"}},
		{[]string{"--cosmos-mongo", "--index", `{"_ts":1}`, "--expire-after", "10", `{"ttl":20.5,"_ts":1795132800}`}, []string{"cosmos.mongo-ttl-ignored", "in 10 s"}},
		{[]string{"--metadata", samples + "shop/logs.metadata.json", `{}`}, []string{"▶ mongo.field-missing"}},
	}
	for _, tt := range tests {
		r := ttl(t, "", append([]string{"explain", "--why", "--now", sampleAt}, tt.args...)...)
		for _, want := range tt.want {
			if r.code != cli.ExitOK || !strings.Contains(r.out, want) {
				t.Errorf("explain %q: exit %d, no %q in:\n%s%s", tt.args, r.code, want, r.out, r.err)
			}
		}
	}
	for _, command := range [][]string{
		{"explain", "--format", "text"}, {"explain", "--format", "json"}, {"explain", "--format", "svg"},
		{"forecast", "--format", "text", "-"}, {"forecast", "--format", "json", "-"}, {"forecast", "--format", "html", "-"},
		{"migrate", "--to", "cosmos-nosql"}, {"migrate", "--to", "cosmos-nosql", "--format", "json"},
	} { // each way to give a policy, and each form of it
		r := ttl(t, `{"at":1}`, append(command, "--index", `{"v":2,"key":{"at":1},"name":"n","expireAfterSecond":5}`)...)
		if want := "expireAfterSecond is not an option of an index; expireAfterSeconds is."; r.code != cli.ExitOK || !strings.Contains(words(r.out+r.err), want) {
			t.Errorf("%q: exit %d, no %q in:\n%s%s", command, r.code, want, r.out, r.err)
		}
	}
	r := ttl(t, `{"at":{"$date":"2026-11-19T23:00:00Z"}}`, "explain", "--format", "json", "--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "1h")
	var e struct {
		State, Rule string
		Ladder      []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(r.out), &e); err != nil || e.State != "expired" || e.Ladder[len(e.Ladder)-1].ID != e.Rule {
		t.Errorf("explain --format json: %v, %+v", err, e)
	}
	if r := ttl(t, "", "explain", "--format", "svg", "--index", `{"at":1}`, "--expire-after", "1h", `{}`); r.code != cli.ExitOK || !strings.HasPrefix(r.out, "<svg ") {
		t.Errorf("explain --format svg: exit %d, %.100s", r.code, r.out)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	var all []struct{ ID, Statement, Confidence string }
	if err := json.Unmarshal([]byte(ttl(t, "", "rules", "--format", "json").out), &all); err != nil || len(all) < 40 {
		t.Errorf("rules --format json: %v, %d rules", err, len(all))
	}
	if r := ttl(t, "", "rules", "mongo.array-earliest"); !strings.Contains(r.out, "sources") || strings.Contains(r.out, "mongo.date") {
		t.Errorf("rules mongo.array-earliest:\n%s", r.out)
	}
	if r := ttl(t, "", "rules", "mongo.aray-earliest"); r.code != cli.ExitInput || !strings.Contains(r.err, "did you mean mongo.array-earliest") {
		t.Errorf("rules mongo.aray-earliest: exit %d, %s", r.code, r.err)
	}
}

// TestDocsNameEverything: the pages docs/cli*.md mention each command and each flag.
func TestDocsNameEverything(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../docs/cli*.md")
	if err != nil {
		t.Fatal(err)
	}
	var docs string
	for _, name := range names {
		docs += "\n" + contents(t, name)
	}
	for _, cmd := range newRootCommand().Commands() {
		checkDocs(t, docs, cmd)
	}
}

func checkDocs(t *testing.T, docs string, cmd *cobra.Command) {
	place := "# " + cmd.CommandPath() + "\n" // a page or a section
	if cmd.Parent().HasParent() {
		place = cmd.CommandPath() // within that of its command
	}
	if !strings.Contains(docs, place) {
		t.Errorf("docs/cli*.md have no section about %s", cmd.CommandPath())
	}
	for _, sub := range cmd.Commands() {
		checkDocs(t, docs, sub)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(docs, "`--"+f.Name) {
			t.Errorf("docs/cli*.md do not mention --%s of ttl %s", f.Name, cmd.Name())
		}
	})
}

// TestEmptyFiles: a file without documents is no error, but a compressed file without
// a byte was cut off.
func TestEmptyFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]cli.ExitCode{"a.jsonl": cli.ExitOK, "a.bson": cli.ExitOK, "a.jsonl.gz": cli.ExitInput, "a.bson.gz": cli.ExitInput, "a.bson.zst": cli.ExitInput} {
		r := ttl(t, "", "forecast", "--index", `{"at":1}`, "--expire-after", "1h", written(t, name, ""))
		if r.code != want {
			t.Errorf("forecast of an empty %s: exit %d, want %d: %s", name, r.code, want, r.err)
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// three are documents over several lines each, within an array: 1 and 3 have
// expired.
const three = `[{"_id": 1, "tenant": "a",
  "at": {"$date": "2026-11-01T00:00:00Z"}},
 {"_id": "secret", "tenant": "b", "at": {"$date": "2026-12-01T00:00:00Z"}},
 {"tenant": "a", "at": {"$date": "2026-11-02T00:00:00Z"}}, {"_id": 4, "at": "secret"}]`

var byHour = []string{"--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "1h"}

// forecastWith runs forecast on text with flags besides those of byHour.
func forecastWith(t *testing.T, text string, flags ...string) result {
	t.Helper()
	return ttl(t, "", append(append(append([]string{"forecast"}, byHour...), flags...), written(t, "x.json", text))...)
}

func TestForecastLists(t *testing.T) {
	t.Parallel()
	r := forecastWith(t, three, "--list")
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if r.code != cli.ExitOK || len(lines) != 2 {
		t.Fatalf("exit %d, %q; want two lines", r.code, r.out)
	}
	for i, want := range []string{
		`{"collection":"x","id":{"$numberInt":"1"},"deadline":{"time":"2026-11-01T01:00:00.000Z","ms":1793494800000},"rule":"mongo.date","source":"at_1",`,
		`{"collection":"x","id":null,"deadline":{"time":"2026-11-02T01:00:00.000Z","ms":1793581200000},"rule":"mongo.date","source":"at_1",`,
	} {
		if !strings.HasPrefix(lines[i], want) || !json.Valid([]byte(lines[i])) {
			t.Errorf("line %d is\n%s\nwant\n%s…", i, lines[i], want)
		}
	}
	if r := forecastWith(t, three, "--list", "--no-ids"); strings.Count(r.out, `"id":null`) != 2 {
		t.Errorf("--no-ids: %s", r.out)
	}
	r = forecastWith(t, three+"[", "--list")
	if r.code != cli.ExitInput || !strings.Contains(r.out, "\n{\"incomplete\":\"") {
		t.Errorf("a damaged input: exit %d, %q; want a last line that says so", r.code, r.out)
	}
	if r := forecastWith(t, three, "--list", "--fail-if", "expired>=50%"); r.code != cli.ExitFindings {
		t.Errorf("--fail-if beside --list: exit %d", r.code)
	}
}

// TestForecastSaves: the saved file holds the documents themselves, all of them or
// none.
func TestForecastSaves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	saved := filepath.Join(dir, "saved")
	r := forecastWith(t, three, "--save-expired", saved)
	want := `{"_id": 1, "tenant": "a",   "at": {"$date": "2026-11-01T00:00:00Z"}}` + "\n" + `{"tenant": "a", "at": {"$date": "2026-11-02T00:00:00Z"}}` + "\n"
	if got := contents(t, saved); r.code != cli.ExitOK || got != want {
		t.Errorf("exit %d %s, saved\n%s\nwant\n%s", r.code, r.err, got, want)
	}
	if r := forecastWith(t, three, "--save-expired", saved); r.code != cli.ExitUsage || !strings.Contains(r.err, "the file exists") {
		t.Errorf("a file that is there: exit %d, %s", r.code, r.err)
	}
	for why, text := range map[string]string{"damaged": three + "[", "with --skip-bad": `{"_id":1,"at":{"$date":"2026-11-01T00:00:00Z"}}` + "\n{\n"} {
		other := filepath.Join(dir, "other")
		flags := []string{"--save-expired", other}
		if why != "damaged" {
			flags = append(flags, "--skip-bad")
		}
		r := forecastWith(t, text, flags...)
		if _, err := os.Stat(other); err == nil || r.code == cli.ExitOK || !strings.Contains(r.err, "; nothing was saved in "+other) {
			t.Errorf("%s: exit %d, %s; want nothing saved", why, r.code, r.err)
		}
	}
	both := []string{logs, written(t, "more.json", `{"createdAt":{"$date":"2026-01-01T00:00:00Z"}}`)}
	r = ttl(t, "", append([]string{"forecast", "--now", sampleAt, "--index", `{"createdAt":1}`, "--expire-after", "30d", "--namespace", "shop.logs", "--save-expired", filepath.Join(dir, "both")}, both...)...)
	if r.code != cli.ExitInput || !strings.Contains(r.err, "--save-expired: the documents of "+both[1]+" are JSON, and those before them are BSON; one file cannot hold both; nothing was saved in ") {
		t.Errorf("BSON and JSON: exit %d, %s; want a refusal that names the second file", r.code, r.err)
	}
	bson := filepath.Join(dir, "bson")
	first := ttl(t, "", "forecast", "--now", sampleAt, "--save-expired", bson, logs)
	again := forecastOf(t, ttl(t, "", "forecast", "--format", "json", "--now", sampleAt, "--index", `{"createdAt":1}`, "--expire-after", "30d", bson))
	if first.code != cli.ExitOK || again.Documents != 200 || again.Expired != 200 {
		t.Errorf("saved BSON: exit %d %s, %+v; want the 200 that have expired", first.code, first.err, again)
	}
	if r := ttl(t, "", "forecast", "--now", sampleAt, "--save-expired", filepath.Join(dir, "two"), samples+"shop"); r.code != cli.ExitUsage || !strings.Contains(r.err, "there are 2") {
		t.Errorf("two collections: exit %d, %s", r.code, r.err)
	}
}

func TestForecastGroups(t *testing.T) {
	t.Parallel()
	r := forecastWith(t, three, "--by", "tenant")
	want := `By tenant
                   documents    expired    pending      never
  "a"                      2          2          0          0
  "b"                      1          0          1          0
  (no such field)          1          0          0          1
`
	if r.code != cli.ExitOK || !strings.Contains(r.out, want) {
		t.Errorf("exit %d, no\n%s\nin\n%s", r.code, want, r.out)
	}
	r = forecastWith(t, three, "--by", "tenant", "--format", "json")
	if got := strings.Join(strings.Fields(r.out), ""); !strings.Contains(got, `"groups":{"field":"tenant","groups":[{"value":"a","documents":2,"expired":2,"pending":0,"never":0,"unknown":0,"bytes":`) || !strings.Contains(got, `{"value":null,"documents":1,`) || !strings.Contains(got, `"other":null}`) {
		t.Errorf("JSON: %s", got)
	}
	if r = forecastWith(t, three, "--by", "tenant", "--format", "html"); !strings.Contains(r.out, `<tr><td><code>&#34;a&#34;</code></td><td class="n">2</td><td class="n">2</td>`) {
		t.Error("the page has no groups")
	}
}

// TestNoIDs: no form of output holds an identifier.
func TestNoIDs(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json", "html"} {
		r := forecastWith(t, three, "--no-ids", "--format", format)
		if r.code != cli.ExitOK || strings.Contains(r.out+r.err, "secret") {
			t.Errorf("%s: exit %d, an identifier in\n%s%s", format, r.code, r.out, r.err)
		}
	}
	if r := forecastWith(t, three, "--no-ids", "--by", "_id"); r.code != cli.ExitUsage {
		t.Errorf("--by _id: exit %d", r.code)
	}
}

// TestOnOneLine: only line ends differ in saved documents.
func TestOnOneLine(t *testing.T) {
	t.Parallel()
	text := []byte("{\"a\":\r\n\"\xff\u2028\"}")
	if got, want := string(onOneLine(text)), "{\"a\":  \"\xff\u2028\"}"; got != want {
		t.Errorf("onOneLine(%q) = %q, want %q", text, got, want)
	}
	if text[5] != '\r' {
		t.Errorf("the text itself is %q now", text)
	}
}

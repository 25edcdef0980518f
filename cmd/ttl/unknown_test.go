package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// The policies and items of the tests about unknown documents. Each policy has a name, its
// flags, and whether it has a default.
var unknownPolicies = []struct {
	name      string
	flags     []string
	isOn, has bool
}{
	{"off", []string{"--container", `{"id":"c"}`}, false, false},
	{"no default", []string{"--container", `{"id":"c","defaultTtl":-1}`}, true, false},
	{"default", []string{"--container", `{"id":"c","defaultTtl":60}`}, true, true},
	{"the API for MongoDB, off", []string{"--cosmos-mongo", "--index", `{"key":{"a":1},"name":"a_1"}`}, false, false},
	{"the API for MongoDB, no default", []string{"--cosmos-mongo", "--index", `{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":-1}`}, true, false},
	{"the API for MongoDB, default", []string{"--cosmos-mongo", "--index", `{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":60}`}, true, true},
}

// TestUnknownAgrees: forecast and explain give every document the same state. A document is
// unknown exactly if the time to live counts from a _ts that is not a whole number: by the
// page of Azure Cosmos DB the own ttl counts if it is a positive number, and else the
// default.
func TestUnknownAgrees(t *testing.T) {
	file, ctx := filepath.Join(t.TempDir(), "d.jsonl"), t.Context()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(unknownPolicies).Draw(t, "policy")
		own := rapid.SampledFrom([]string{"", "-1", "5", "2147483647", "null", `"x"`, "0"}).Draw(t, "ttl")
		ts := rapid.SampledFrom([]string{"", "1795132700", "1795132790", "2795132790", `"x"`, "null", "1.5"}).Draw(t, "_ts")
		doc := `{"id":"1","_id":1`
		if own != "" {
			doc += `,"ttl":` + own
		}
		if ts != "" {
			doc += `,"_ts":` + ts
		}
		doc += "}"

		isMongo := strings.HasPrefix(p.name, "the API")
		counts := own == "5" || own == "2147483647" || own == "" && p.has || isMongo && p.has && (own == "null" || own == `"x"`)
		want := p.isOn && counts && !strings.HasPrefix(ts, "1795") && !strings.HasPrefix(ts, "2795")

		if err := os.WriteFile(file, []byte(doc+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		flags := append([]string{"--now", sampleAt, "--format", "json"}, p.flags...)
		var counted struct{ Expired, Pending, Never, Unknown int }
		var explained struct{ State string }
		forecast := ttlUntil(ctx, "", append([]string{"forecast", file}, flags...)...)
		explain := ttlUntil(ctx, "", append([]string{"explain", doc}, flags...)...)
		if err := json.Unmarshal([]byte(forecast.out), &counted); err != nil || forecast.code != cli.ExitOK {
			t.Fatalf("%s: forecast = %d, %s%s", p.name, forecast.code, forecast.out, forecast.err)
		}
		if err := json.Unmarshal([]byte(explain.out), &explained); err != nil {
			t.Fatalf("%s: explain of %s = %d, %s%s", p.name, doc, explain.code, explain.out, explain.err)
		}
		state := map[int]string{counted.Expired: "expired", counted.Pending: "pending", counted.Never: "never", counted.Unknown: "unknown"}[1]
		if counted.Expired+counted.Pending+counted.Never+counted.Unknown != 1 || state != explained.State || (state == "unknown") != want {
			t.Errorf("%s: %s is %q by forecast and %q by explain, want unknown: %v", p.name, doc, state, explained.State, want)
		}
		if isError := explain.code == cli.ExitInput && strings.Contains(explain.err, "_ts is"); isError != want {
			t.Errorf("%s: explain of %s ends with %d, %s; want an error about _ts: %v", p.name, doc, explain.code, explain.err, want)
		}
	})
}

// someUnknown returns a file with an expired, a pending and a never expiring document, and
// two of which it is unknown when they expire. The flags are those of a policy.
func someUnknown(t *testing.T) (file string, flags []string) {
	text := `{"id":"1","_ts":1795132000}
{"id":"2","_ts":1795132790}
{"id":"3","ttl":-1}
{"id":"4"}
{"id":"5","ttl":5,"_ts":"x"}
`
	return filepath.Join(fixture.Files(t, map[string]string{"c.jsonl": text}), "c.jsonl"), []string{"--container", `{"id":"c","defaultTtl":60}`, "--now", sampleAt}
}

// TestUnknownIsShown: every form of the report shows the documents of which it is unknown
// when they expire, and none counts them as never expiring.
func TestUnknownIsShown(t *testing.T) {
	file, flags := someUnknown(t)
	for format, want := range map[string][]string{
		"text": {
			"  never                  1    20.0 %        19 B\n  unknown                2    40.0 %        38 B\n",
			"Deleted at once if the policy is switched on now: 1 document, 27 B; unknown for 2 documents, 38 B\n",
			"Why it is unknown when documents expire\n  1 document: `_ts` is missing, so",
		},
		"json":       {`"never": 1,` + "\n" + `  "unknown": 2,`, `"deletedAtOnce": {` + "\n    \"documents\": 1,\n    \"bytes\": 27,\n    \"unknown\": {\n      \"documents\": 2,\n"},
		"prometheus": {`ttl_documents{collection="c",state="never"} 1`, `ttl_documents{collection="c",state="unknown"} 2`, `ttl_bytes{collection="c",state="unknown"} 38`},
		"html":       {`<div class="tile unknown"><b>2</b>`, "<h3>Why it is unknown when 2 documents expire</h3>", "when <strong>2</strong> would is unknown"},
		"part":       {`\"unknown\":{\"documents\":1,`},
	} {
		got := ttl(t, "", append([]string{"forecast", file, "--format", format}, flags...)...)
		if got.code != cli.ExitOK {
			t.Errorf("--format %s ends with %d, %s", format, got.code, got.err)
		}
		for _, one := range want {
			if !strings.Contains(got.out, one) {
				t.Errorf("--format %s is\n%.3000s\nwant in it\n%s", format, got.out, one)
			}
		}
	}
}

// TestUnknownIsMerged: the sum of parts counts unknown documents too.
func TestUnknownIsMerged(t *testing.T) {
	file, flags := someUnknown(t)
	made := ttl(t, "", append([]string{"forecast", file, "--format", "part"}, flags...)...)
	merged := ttl(t, made.out, "forecast", "merge", "-", "--format", "json")
	one := ttl(t, "", append([]string{"forecast", file, "--format", "json"}, flags...)...)
	if merged.out != one.out || !strings.Contains(merged.out, `"unknown": 2`) {
		t.Errorf("merge = %s%s, want that of one run\n%s", merged.out, merged.err, one.out)
	}
	if gate := ttl(t, made.out, "forecast", "merge", "-", "--fail-if", "expired>1"); gate.code != cli.ExitIncomplete {
		t.Errorf("merge --fail-if = %d, %s", gate.code, gate.err)
	}
	changed := strings.Replace(made.out, `\"unknown\":{\"documents\":1,`, `\"unknown\":{\"documents\":0,`, 1)
	if got := ttl(t, changed, "forecast", "merge", "-"); changed == made.out || got.code != cli.ExitInput || !strings.Contains(got.err, "its checksum is another") {
		t.Errorf("merge of a changed part = %d, %s", got.code, got.err)
	}
}

// TestUnknownGate: a condition that depends on unknown documents does not pass in silence.
func TestUnknownGate(t *testing.T) {
	file, flags := someUnknown(t)
	for condition, want := range map[string]cli.ExitCode{
		"expired>0": cli.ExitFindings, "expired>1": cli.ExitIncomplete, "pending>1": cli.ExitIncomplete, "never>1": cli.ExitIncomplete, "7d>1": cli.ExitIncomplete, "14d>1": cli.ExitIncomplete,
		"documents>5": cli.ExitOK, "bad>0": cli.ExitOK, "unknown>1": cli.ExitFindings, "unknown>50%": cli.ExitOK,
		"expired>1 or unknown>2": cli.ExitOK, "expired>1 or unknown>0": cli.ExitFindings, "bad>0 or expired>1": cli.ExitIncomplete,
	} {
		got := ttl(t, "", append([]string{"forecast", file, "--fail-if", condition}, flags...)...)
		if got.code != want || want == cli.ExitIncomplete && !strings.Contains(got.err, "is not decided for c: when 2 of 5 documents expire is unknown") {
			t.Errorf("--fail-if %q ends with %d, %s; want %d", condition, got.code, got.err, want)
		}
	}
	off := []string{"--container", `{"id":"c"}`, "--now", sampleAt}
	if got := ttl(t, "", append([]string{"forecast", file, "--fail-if", "expired>0"}, off...)...); got.code != cli.ExitOK {
		t.Errorf("with TTL off --fail-if ends with %d, %s", got.code, got.err)
	}
}

// TestUnknownIsNotListed: a list of what has expired says that it may lack documents, and
// nothing is saved.
func TestUnknownIsNotListed(t *testing.T) {
	file, flags := someUnknown(t)
	got := ttl(t, "", append([]string{"forecast", file, "--list"}, flags...)...)
	if got.code != cli.ExitIncomplete || !strings.HasSuffix(got.out, `{"incomplete":"when 2 documents expire is unknown"}`+"\n") {
		t.Errorf("--list = %d, %s%s", got.code, got.out, got.err)
	}
	saved := filepath.Join(t.TempDir(), "saved")
	got = ttl(t, "", append([]string{"forecast", file, "--save-expired", saved}, flags...)...)
	if got.code != cli.ExitIncomplete || !strings.Contains(got.err, "when 2 documents expire is unknown; nothing was saved in") {
		t.Errorf("--save-expired = %d, %s", got.code, got.err)
	}
}

// TestUnknownEffect: a plan and --what-if say of which documents it is unknown what a change
// does to them.
func TestUnknownEffect(t *testing.T) {
	file, flags := someUnknown(t)
	note := "Unknown for 2 documents, 38 B, which are in no number"
	got := ttl(t, "", append([]string{"forecast", file, "--what-if", "1d"}, flags...)...)
	if got.code != cli.ExitOK || !strings.Contains(got.out, note) {
		t.Errorf("--what-if 1d = %d, %s%s", got.code, got.out, got.err)
	}
	got = ttl(t, "", append([]string{"forecast", file, "--what-if", "1d,2d"}, flags...)...)
	if got.code != cli.ExitOK || strings.Count(got.out, note) != 1 {
		t.Errorf("--what-if 1d,2d = %d, %s%s, want one note", got.code, got.out, got.err)
	}
	dir := fixture.Files(t, map[string]string{"policy.yaml": "version: 1\nrules:\n  - namespace: \"*\"\n    defaultTtl: 86400\n", "c.json": `{"id":"c","defaultTtl":60}`, "c.jsonl": `{"id":"4"}` + "\n" + `{"id":"3","ttl":-1}` + "\n"})
	for format, want := range map[string]string{"text": "Unknown for 1 document", "json": fmt.Sprintf("%q: {\n          %q: 1,", "unknown", "documents")} {
		got := ttl(t, "", "plan", "--format", format, "--now", sampleAt, filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "c.json"), "--documents", filepath.Join(dir, "c.jsonl"))
		if !strings.Contains(got.out, want) {
			t.Errorf("plan --format %s = %d, %s%s, want in it %s", format, got.code, got.out, got.err, want)
		}
	}
}

// TestExplainUnknown: explain says what is known of a document without the time of its last
// write, and ends with an error that says what to add.
func TestExplainUnknown(t *testing.T) {
	why := ", so when this expires is unknown: the time to live counts from _ts, the second of the last write, which the service sets on each item. Add it, such as \"_ts\": 1000\n"
	for _, tc := range []struct {
		flags []string
		doc   string
		want  string
	}{
		{[]string{"--container", `{"defaultTtl": 60}`}, `{"id": "1"}`, "_ts is missing"},
		{[]string{"--container", `{"defaultTtl": 60}`}, `{"_ts": "1"}`, "_ts is no whole number (string)"},
		{[]string{"--cosmos-mongo", "--index", "{_ts: 1}", "--expire-after", "60"}, "{a: 1}", "_ts is missing"},
	} {
		for format, begin := range map[string]string{"text": "unknown  when this document expires", "json": "{\n  \"state\": \"unknown\",\n  \"deadline\": null,", "svg": "<svg"} {
			r := ttl(t, "", append([]string{"explain", "--now", "@1000", "--format", format, tc.doc}, tc.flags...)...)
			if r.code != cli.ExitInput || r.err != "ttl: the document: "+tc.want+why || !strings.HasPrefix(r.out, begin) || !strings.Contains(r.out, "unknown") {
				t.Errorf("explain --format %s %s = %d, %.200s\n%s", format, tc.doc, r.code, r.out, r.err)
			}
		}
	}
}

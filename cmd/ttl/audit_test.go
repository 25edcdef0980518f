package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// auditJSON holds the parts of an audit that the tests read.
type auditJSON struct {
	Findings map[string]int
	Complete bool
	Audited  []struct {
		Database, Name, Judged string
		Documents              int64
		Findings               []struct {
			Severity, Rule, Index string
			MovingTo              []string
			Documents             int64
			Repairs               []struct{ Commands []string }
		}
	}
}

func auditOf(t *testing.T, r result) (a auditJSON) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.out), &a); err != nil {
		t.Fatalf("the audit is no JSON: %v\n%s%s", err, r.out, r.err)
	}
	return a
}

// found lists the findings, as "severity rule index".
func (a auditJSON) found() string {
	var lines []string
	for _, one := range a.Audited {
		for _, f := range one.Findings {
			lines = append(lines, strings.TrimSpace(f.Severity+" "+f.Rule+" "+f.Index))
		}
	}
	return strings.Join(lines, "\n")
}

const hazards = samples + "hazards"

// TestAuditSamples: the audit of the samples has exactly the findings that their page
// names.
func TestAuditSamples(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		want string
		code cli.ExitCode
	}{
		{[]string{hazards}, "deletes mongo.seconds-68-years born_1\nkeeps mongo.nan-skipped at_1\nkeeps mongo.index-compound region_1_at_1\n" +
			"keeps mongo.index-special user_hashed\nkeeps mongo.field-not-date seenAt_1\nkeeps mongo.filter-mismatch purges\n" +
			"harmless mongo.seconds-conversion cachedAt_1\nharmless mongo.index-options cachedAt_1\nkeeps cosmos.seconds\nkeeps cosmos.indexing-none\nkeeps cosmos.off", cli.ExitFindings},
		{[]string{hazards, "--metadata-only"}, "deletes mongo.seconds-68-years born_1\nkeeps mongo.nan-skipped at_1\nkeeps mongo.index-compound region_1_at_1\n" +
			"keeps mongo.index-special user_hashed\nharmless mongo.seconds-conversion cachedAt_1\nharmless mongo.index-options cachedAt_1\nkeeps cosmos.seconds\nkeeps cosmos.indexing-none\nkeeps cosmos.off", cli.ExitFindings},
		{[]string{samples + "shop/logs.bson"}, "keeps mongo.field-not-date createdAt_1", cli.ExitFindings},
		{[]string{samples + "shop/sessions.metadata.json"}, "", cli.ExitOK},
		{[]string{hazards + "/container.json", "--documents", samples + "cosmos/items.jsonl"}, "unspecified cosmos.item-unspecified\nunspecified cosmos.item-unspecified\n" +
			"unspecified cosmos.item-unspecified\nunspecified cosmos.item-unspecified\nunspecified cosmos.item-unspecified\nkeeps cosmos.off\nkeeps cosmos.property-name", cli.ExitFindings},
		{[]string{hazards + "/template.json"}, "keeps cosmos.seconds\nkeeps cosmos.indexing-none\nkeeps cosmos.off", cli.ExitFindings},
	}
	for _, tt := range tests {
		r := ttl(t, "", append([]string{"audit", "--format", "json", "--now", sampleAt}, tt.args...)...)
		if got := auditOf(t, r).found(); r.code != tt.code || got != tt.want || r.err != "" {
			t.Errorf("audit %q: exit %d, %s, found\n%s\nwant %d and\n%s", tt.args, r.code, r.err, got, tt.code, tt.want)
		}
	}
}

// TestAuditMoves: the audit finds moves that lose data, and counts the documents that
// each would delete.
func TestAuditMoves(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		flags []string
		want  string
		lost  int64
	}{
		{[]string{"--moving-to", "5.0.9"}, "deletes mongo.move-nan-zero at_1", 200},
		{[]string{"--moving-to", "6.0.1", "--by", "initial-sync"}, "deletes mongo.move-nan-zero at_1", 200},
		{[]string{"--moving-to", "5.0.9", "--by", "restore"}, "deletes mongo.move-nan-zero at_1", 200},
		{[]string{"--moving-to", "8.0.0"}, "deletes mongo.move-68-years at_1", 0}, // the last of the two findings
		{[]string{"--moving-to", "4.4.30"}, "", 0},
		{[]string{"--moving-to", "5.0.9", "--server", "5.0.10"}, "", 0},
	} {
		a := auditOf(t, ttl(t, "", append([]string{"audit", "--format", "json", "--now", sampleAt, hazards}, tc.flags...)...))
		got, lost := "", int64(0)
		for _, f := range a.Audited[0].Findings {
			if f.Index == "at_1" && strings.HasPrefix(f.Rule, "mongo.move-") {
				got, lost = f.Severity+" "+f.Rule+" "+f.Index, f.Documents
			}
		}
		if got != tc.want || lost != tc.lost {
			t.Errorf("audit %q: %q of %d documents, want %q of %d", tc.flags, got, lost, tc.want, tc.lost)
		}
	}
}

// TestAuditMovesToSeveral: the flag --moving-to takes several releases, with commas or as
// several flags. In the sample, 5.0.9 reads the option NaN as 0, which loses every
// document, as 6.0.1 on the way does, and 7.0.0 replaces NaN by 68 years.
func TestAuditMovesToSeveral(t *testing.T) {
	t.Parallel()
	want := map[string]string{"mongo.move-nan-zero": "5.0.9 6.0.1", "mongo.move-68-years": "7.0.0 9.0.0", "mongo.move-sleeps": "7.0.0"}
	for _, list := range [][]string{{"--moving-to", "5.0.9,7.0, 9.0"}, {"--moving-to", "5.0.9", "--moving-to=7.0,9.0"}} {
		got := map[string]string{}
		for _, f := range auditOf(t, ttl(t, "", append([]string{"audit", "--format", "json", "--now", sampleAt, hazards + "/events.bson"}, list...)...)).Audited[0].Findings {
			if isMove := strings.HasPrefix(f.Rule, "mongo.move-"); isMove != (f.MovingTo != nil) {
				t.Errorf("audit %q: %s moves to %q", list, f.Rule, f.MovingTo)
			} else if isMove {
				got[f.Rule] = strings.TrimSpace(got[f.Rule] + " " + strings.Join(f.MovingTo, " "))
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("audit %q: moves to %v, want %v", list, got, want)
		}
	}
}

// TestAuditReadsStandardInput: audit reads standard input, with a dash or
// without.
func TestAuditReadsStandardInput(t *testing.T) {
	t.Parallel()
	const reply = `{"cursor":{"id":0,"ns":"shop.logs","firstBatch":[{"key":{"a":1,"b":1},"name":"a_1_b_1","expireAfterSeconds":5}]}}`
	for _, args := range [][]string{{"audit"}, {"audit", "-"}} {
		r := ttl(t, reply, args...)
		if r.code != cli.ExitFindings || !strings.HasPrefix(r.out, "found: 1 keeps what should go\n\nshop.logs  standard input\n") || r.err != "" {
			t.Errorf("ttl %q: exit %d, %q, %q", args, r.code, r.out, r.err)
		}
	}
}

// TestAuditReadsArguments: an argument may be a policy itself in place of a
// file.
func TestAuditReadsArguments(t *testing.T) {
	t.Parallel()
	const statement, index = `db.logs.createIndex({a: 1, b: 1}, {expireAfterSeconds: 5})`, `{"key":{"a":1},"name":"a_1","expireAfterSeconds":{"$numberDouble":"NaN"}}`
	a := auditOf(t, ttl(t, "", "audit", "--format", "json", statement, index, hazards+"/events.metadata.json"))
	if got := len(a.Audited); got != 3 || !strings.HasPrefix(a.found(), "keeps mongo.createindexes-compound a_1_b_1\nkeeps mongo.nan-skipped a_1\n") {
		t.Errorf("%d are audited, and found is\n%s", got, a.found())
	}
	for _, path := range []string{"dump (1)/shop", "db/logs.bson", "{", "db.logs"} {
		if r := ttl(t, "", "audit", path); r.code != cli.ExitInput || !strings.Contains(r.err, path) && !strings.Contains(r.err, "argument 1") {
			t.Errorf("audit %q: exit %d, %s", path, r.code, r.err)
		}
	}
}

// TestAuditNames: a listing that does not name its collection has repairs only
// if a flag names it.
func TestAuditNames(t *testing.T) {
	t.Parallel()
	const list = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":{"$numberDouble":"NaN"}}]`
	none := auditOf(t, ttl(t, list, "audit", "--format", "json"))
	if n := len(none.Audited[0].Findings[0].Repairs); n != 0 {
		t.Errorf("%d repairs of a collection without a name, want 0", n)
	}
	r := ttl(t, list, "audit", "--namespace", "shop.logs", "--expire-after", "30d", "--server", "4.4.0")
	for _, want := range []string{
		`db.getSiblingDB("shop").runCommand({dropIndexes: "logs", index: "a_1"})`,
		`db.getSiblingDB("shop").runCommand({collMod: "logs", index: {name: "a_1", expireAfterSeconds: 2592000}})`,
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %s in\n%s%s", want, r.out, r.err)
		}
	}
	if r := ttl(t, list, "audit", "--namespace", "logs"); !strings.Contains(r.out, `db.runCommand({dropIndexes: "logs"`) {
		t.Errorf("a name without a database:\n%s", r.out)
	}
}

// TestAuditMistakes: each mistake gives an error of one line that says what to
// do.
func TestAuditMistakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		stdin string
		args  []string
		code  cli.ExitCode
		want  string
	}{
		{"", []string{"/nowhere"}, cli.ExitInput, "/nowhere"},
		{"", []string{t.TempDir()}, cli.ExitInput, "no *.metadata.json of mongodump"},
		{"{", nil, cli.ExitInput, "standard input: document at byte 0"},
		{"", nil, cli.ExitInput, "no index, collection or container found"},
		{`{"a":1}`, nil, cli.ExitInput, "not an index"},
		{"", []string{hazards, "--by", "ship"}, cli.ExitUsage, "upgrade, initial-sync, restore"},
		{"", []string{hazards, "--moving-to", "five"}, cli.ExitUsage, "--moving-to"},
		{"", []string{hazards, "--moving-to", "8.0,five"}, cli.ExitUsage, `version "five"`},
		{"", []string{hazards, "--moving-to", "8.0,"}, cli.ExitUsage, "a release is missing"},
		{"", []string{hazards, "--moving-to", "8.0, "}, cli.ExitUsage, "a release is missing"},
		{"", []string{hazards, "--moving-to", "8.0", "--moving-to", "8.0.0"}, cli.ExitUsage, "8.0.0 is given twice"},
		{"", []string{hazards, "--server", "1.0"}, cli.ExitUsage, "--server"},
		{"", []string{hazards, "--now", "soon"}, cli.ExitUsage, "--now"},
		{"", []string{hazards, "--expire-after", "soon"}, cli.ExitUsage, "--expire-after"},
		{"", []string{hazards, "--expire-after", "100y"}, cli.ExitUsage, "--expire-after"},
		{"", []string{hazards, "--expire-after", "-5"}, cli.ExitUsage, "not from 0 to 2147483647"},
		{"", []string{hazards, "--input", "xml"}, cli.ExitUsage, "--input"},
		{"", []string{hazards, "--format", "csv"}, cli.ExitUsage, "text, json"},
		{"", []string{hazards, "--fail-on", "bad"}, cli.ExitUsage, "deletes, unspecified, keeps, harmless, never"},
		{"", []string{hazards, "--ignore", "mongo.nan"}, cli.ExitUsage, "--ignore: no rule"},
		{"", []string{hazards, "--ignore", "mongo.nan-skiped:shop.*"}, cli.ExitUsage, "did you mean mongo.nan-skipped"},
		{"", []string{hazards + "/container.json", "--documents", "/nowhere"}, cli.ExitInput, "/nowhere"},
	} {
		r := ttl(t, tt.stdin, append([]string{"audit"}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.want) || strings.Count(r.err, "\n") != 1 || r.out != "" {
			t.Errorf("audit %q: exit %d, %q, %q; want %d and one line with %q", tt.args, r.code, r.err, r.out, tt.code, tt.want)
		}
	}
}

// TestAuditSkipsBad: the exit code for findings takes precedence over that for
// skipped documents.
func TestAuditSkipsBad(t *testing.T) {
	t.Parallel()
	dir := fixture.Files(t, map[string]string{
		"logs.metadata.json": `{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5}]}`,
		"fine.jsonl":         `{"a":{"$date":"2026-01-01T00:00:00Z"}}` + "\n{\n",
		"wrong.jsonl":        `{"a":1}` + "\n{\n",
	})
	metadata := filepath.Join(dir, "logs.metadata.json")
	for _, tt := range []struct {
		args []string
		code cli.ExitCode
		err  string
	}{
		{[]string{"--documents", filepath.Join(dir, "fine.jsonl")}, cli.ExitInput, "--skip-bad counts documents that cannot be read"},
		{[]string{"--skip-bad", "--documents", filepath.Join(dir, "fine.jsonl")}, cli.ExitIncomplete, "1 document could not be read and was skipped"},
		{[]string{"--skip-bad", "--documents", filepath.Join(dir, "wrong.jsonl")}, cli.ExitFindings, ""},
		{[]string{"--skip-bad", "--documents", filepath.Join(dir, "fine.jsonl"), "--documents", filepath.Join(dir, "wrong.jsonl")}, cli.ExitFindings, ""},
	} {
		r := ttl(t, "", append([]string{"audit", metadata}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.err) || tt.err == "" && r.err != "" {
			t.Errorf("audit %q: exit %d, %q; want %d, %q", tt.args, r.code, r.err, tt.code, tt.err)
		}
	}
}

// TestAuditFailsOn: the exit code says whether a finding that counts is severe
// enough.
func TestAuditFailsOn(t *testing.T) {
	t.Parallel()
	for failOn, want := range map[string]cli.ExitCode{
		"never": cli.ExitOK, "deletes": cli.ExitOK, "unspecified": cli.ExitOK, "keeps": cli.ExitFindings, "harmless": cli.ExitFindings,
	} {
		if r := ttl(t, "", "audit", samples+"shop", "--now", sampleAt, "--fail-on", failOn); r.code != want || r.err != "" {
			t.Errorf("--fail-on %s: exit %d, %s; want %d", failOn, r.code, r.err, want)
		}
	}
}

// TestAuditIgnores: findings by ignored rules do not count, and a flag without effect is named.
func TestAuditIgnores(t *testing.T) {
	t.Parallel()
	r := ttl(t, "", "audit", "--now", sampleAt, hazards, "--ignore", "mongo.nan-skipped", "--ignore", "mongo.index-compound:hazards.*", "--ignore", "mongo.index-special:shop.*")
	if r.code != cli.ExitFindings || !strings.Contains(words(r.out), "; 2 not counted") || strings.Contains(r.out, " mongo.nan-skipped ") || !strings.Contains(r.err, "--ignore mongo.index-special:shop.*: nothing is found by it") || !strings.Contains(r.out, " mongo.index-special ") {
		t.Errorf("--ignore: exit %d\n%s", r.code, r.out)
	}
}

// TestAuditGoesOn: targets that cannot be read are named, and the others are
// audited.
func TestAuditGoesOn(t *testing.T) {
	t.Parallel()
	const metadata = `{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5}]}`
	dir := fixture.Files(t, map[string]string{
		"shop/a.metadata.json": "",
		"shop/b.metadata.json": metadata, "shop/b.bson": "\x20\x00\x00\x00",
		"shop/c.metadata.json": metadata, "shop/c.bson": "",
	})
	r := ttl(t, "", "audit", "--format", "json", dir)
	a := auditOf(t, r)
	if r.code != cli.ExitIncomplete || a.Complete || len(a.Audited) != 3 || !strings.Contains(r.err, "2 collections or containers could not be read; the first: "+filepath.Join(dir, "shop", "a.metadata.json")) {
		t.Errorf("exit %d, %s\n%s", r.code, r.err, r.out)
	}
	if text := ttl(t, "", "audit", dir).out; strings.Count(text, "Not read to its end: ") != 2 || !strings.Contains(text, "1 of 3 collections") {
		t.Errorf("the text names the two that cannot be read:\n%s", text)
	}
}

// TestAuditSelection: the audit reads only selected targets, and a file that is not
// selected need not be readable.
func TestAuditSelection(t *testing.T) {
	t.Parallel()
	dir := fixture.Files(t, map[string]string{
		"shop/a.metadata.json": `{"indexes":[{"key":{"a":1,"b":1},"name":"a_1","expireAfterSeconds":5}]}`,
		"shop/b.metadata.json": "{",
	})
	archive := written(t, "dump.archive", archived("7.0.14", contents(t, samples+"shop/logs.metadata.json"), []string{"logs", "more"}, nil))
	for _, tt := range []struct {
		args []string
		code cli.ExitCode
		want []string // the files that were audited
	}{
		{[]string{dir}, cli.ExitFindings, []string{"a.metadata.json", "b.metadata.json"}},
		{[]string{dir, "--ns", "shop.a"}, cli.ExitFindings, []string{"a.metadata.json"}},
		{[]string{dir, "--exclude-ns", "*.a"}, cli.ExitInput, nil},
		{[]string{archive, "--exclude-ns", "*.logs"}, cli.ExitOK, []string{"shop.more"}},
		{[]string{archive, "--ns", "shop.more", "--namespace", "shop.other"}, cli.ExitOK, []string{"other"}},
		{[]string{archive, "--ns", "shop.mor"}, cli.ExitUsage, nil},
	} {
		r := ttl(t, "", append([]string{"audit", "--format", "json"}, tt.args...)...)
		if r.code != tt.code {
			t.Errorf("audit %q: exit %d, %s, want %d", tt.args, r.code, r.err, tt.code)
		}
		if strings.Contains(r.err, "--skip-bad") {
			t.Errorf("audit %q: %s; no policy is skipped", tt.args, r.err)
		}
		for _, want := range tt.want {
			if !strings.Contains(r.out, want) || strings.Count(r.out, `"file":`) != len(tt.want) {
				t.Errorf("audit %q:\n%s\nwant %q", tt.args, r.out, tt.want)
			}
		}
	}
}

// TestDelayAfterDeadline: the audit's advice about a delay after a deadline names a command
// that counts, and the command says what a delay of 0 deletes at once.
func TestDelayAfterDeadline(t *testing.T) {
	dir := t.TempDir()
	index, documents := filepath.Join(dir, "index.json"), filepath.Join(dir, "documents.jsonl")
	for file, text := range map[string]string{
		index: `{"key":{"expireDate":1},"name":"expireDate_1","expireAfterSeconds":1209600}`,
		documents: `{"_id":1,"expireDate":{"$date":"2026-11-19T00:00:00Z"}}
{"_id":2,"expireDate":{"$date":"2026-11-21T00:00:00Z"}}
`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const advice = "ttl forecast --what-if 0s"
	if r := ttl(t, "", "audit", "--now", sampleAt, index, "--documents", documents); r.code != cli.ExitOK || !strings.Contains(strings.Join(strings.Fields(r.out), " "), advice) {
		t.Errorf("audit: exit code %d, want %d and %q in:\n%s%s", r.code, cli.ExitOK, advice, r.out, r.err)
	}
	args := append(strings.Fields(advice)[1:], "--now", sampleAt, "--index", `{"expireDate":1}`, "--expire-after", "14d", documents)
	if r := ttl(t, "", args...); r.code != cli.ExitOK || !strings.Contains(strings.Join(strings.Fields(r.out), " "), "at once +1 ") {
		t.Errorf("forecast: exit code %d, want %d and one more at once in:\n%s%s", r.code, cli.ExitOK, r.out, r.err)
	}
}

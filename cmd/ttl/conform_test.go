package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output/faulty"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// every asks for slow tests in full, as .ci/run nightly does.
var every = flag.Bool("every", false, "try each command on each input of its whole size, and each fault in each call; otherwise by turns and smaller")

// If this variable is set, the test program is the tool, so that the tool can
// run itself.
const toolVariable = "TTL_TEST_TOOL"

func TestMain(m *testing.M) {
	live.OnlyLoopback()
	if len(os.Args) == 4 && os.Args[1] == asHostileAdapter {
		beHostile(os.Args[2], os.Args[3])
	}
	output.Use(faulty.Unsynced{})
	if n, err := strconv.Atoi(os.Getenv(killVariable)); err == nil {
		output.Use(&faulty.Disk{At: n, How: faulty.Kill})
	}
	if os.Getenv(toolVariable) != "" {
		code := tool()
		if path := os.Getenv(peakVariable); path != "" {
			status, _ := os.ReadFile("/proc/self/status")
			os.WriteFile(path, status, 0o600)
		}
		os.Exit(code)
	}
	os.Setenv(toolVariable, "1") // for the programs that tests start
	debug.SetGCPercent(400)      // the commands leave much garbage in one process
	debug.SetMemoryLimit(1 << 30)
	flag.Parse()
	flag.Set("test.parallel", "32") // parallel tests mostly wait; none relies on the list of inputs, because each command empties it for all
	os.Exit(m.Run())
}

// patience has long time limits, so that no test fails on a busy machine.
var patience = []string{"conform", "run", "--timeout", "1m", "--hello-timeout", "1m"}

// runConform runs conform run with flags, on this tool's own adapter.
func runConform(t *testing.T, flags ...string) result {
	t.Helper()
	args := append(append([]string(nil), patience...), flags...)
	return ttl(t, "", append(args, "--", os.Args[0], "adapter")...)
}

// thresholds has the vectors about the comparison with the deadline.
const thresholds = "mongodb-threshold.json"

// smallSuite copies a part of the suite to a folder, as a suite of its own: the
// vectors of some files, with their twins.
func smallSuite(t *testing.T, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	var lock strings.Builder
	for line := range strings.Lines(string(readFile(t, "../../testdata/ids.lock"))) {
		id, _, _ := strings.Cut(line, " ")
		if v := suite.Embedded().Vector(id); v != nil {
			if slices.Contains(files, path.Base(v.At.File)) {
				lock.WriteString(line)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "vectors"), 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "ids.lock"), []byte(lock.String()))
	same := []string{"suite.json", "sources.json"}
	for _, file := range files {
		same = append(same, filepath.Join("vectors", file))
	}
	for _, name := range same {
		writeFile(t, filepath.Join(folder, name), readFile(t, filepath.Join("../../testdata", name)))
	}
	return folder
}

// quickly returns flags that ask a small suite with -short. Without it, all
// vectors are asked.
func quickly(t *testing.T, files ...string) []string {
	t.Helper()
	if !testing.Short() {
		return nil
	}
	return []string{"--suite", smallSuite(t, files...)}
}

// oneResult caches the return value of resultsOfOne.
var oneResult struct {
	sync.Once
	text []byte
}

// resultsOfOne returns a file with the results of the tool's own adapter for one vector.
// The suite must contain the vectors of the file named thresholds.
func resultsOfOne(t *testing.T, suite string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.json")
	oneResult.Do(func() {
		if r := runConform(t, "--suite", suite, "--id", "mongodb-date-on-deadline", "--results", path); r.code != cli.ExitOK || r.err != "" {
			t.Fatalf("the suite: exit %d, %s", r.code, r.err)
		}
		oneResult.text = readFile(t, path)
	})
	writeFile(t, path, oneResult.text)
	return path
}

// TestConformRunItself: the library passes the suite through the protocol.
func TestConformRunItself(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole suite takes a second; TestConformRunCodes asks a part")
	}
	r := runConform(t)
	if r.code != cli.ExitOK || !strings.Contains(r.out, "conforms to what it claims: ") || strings.Contains(r.out, "FAIL") {
		t.Errorf("exit %d:\n%s%s", r.code, r.out, r.err)
	}
}

func TestConformRunCodes(t *testing.T) {
	t.Parallel()
	vector := "mongodb-date-on-deadline"
	stale := written(t, "known.json", `{"known":[{"id":"`+vector+`","reason":"r","issue":"i","since":"0.1.0"}]}`)
	broken := written(t, "broken.json", `{"known":[{"id":"no-such"}]}`)
	for _, tt := range []struct {
		why  string
		r    result
		code cli.ExitCode
		says string
	}{
		{"one vector that passes", runConform(t, "--id", vector), cli.ExitOK, "nothing failed in this part of the suite"},
		{"the vectors of a rule", runConform(t, "--rule", "mongo.array-empty"), cli.ExitOK, "nothing failed"},
		{"a known failure passes", runConform(t, "--id", vector, "--known", stale), cli.ExitStale, "remove it from the known failures"},
		{"a wrong list of known failures", runConform(t, "--known", broken), cli.ExitInput, "broken.json:1:"},
		{"no such vector", runConform(t, "--id", "no-such"), cli.ExitUsage, `no vector "no-such"`},
		{"no such rule", runConform(t, "--rule", "no.such"), cli.ExitUsage, `no vector bears on "no.such"`},
		{"no such form", runConform(t, "--report", "pdf=x"), cli.ExitUsage, "want FORM=FILE"},
		{"no file", runConform(t, "--report", "html="), cli.ExitUsage, "want FORM=FILE"},
		{"no time", ttl(t, "", "conform", "run", "--timeout", "0s", "--", "true"), cli.ExitUsage, "must be more than 0"},
		{"no program", ttl(t, "", "conform", "run"), cli.ExitUsage, "name the program"},
		{"a program that is not there", ttl(t, "", "conform", "run", "--", "./no-such-program"), cli.ExitUnable, "no-such-program"},
		{"a program that is no adapter", ttl(t, "", "conform", "run", "--", os.Args[0], "-test.list", "nothing"), cli.ExitUnable, "ended"},
	} {
		if tt.r.code != tt.code || !strings.Contains(tt.r.out+tt.r.err, tt.says) {
			t.Errorf("%s: exit %d, want %d and %q in\n%s%s", tt.why, tt.r.code, tt.code, tt.says, tt.r.out, tt.r.err)
		}
	}
}

// TestConformKeepsItsInput: no report overwrites the input file, and no two reports go to
// the same file.
func TestConformKeepsItsInput(t *testing.T) {
	s := quickly(t, thresholds)
	one := append(slices.Clone(s), "--rule", "mongo.date")
	results, known := filepath.Join(t.TempDir(), "results.json"), written(t, "known.json", `{"known":[]}`)
	if r := runConform(t, append(one, "--known", known, "--results", results)...); r.code != cli.ExitOK {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	rejudge := func(flags ...string) result {
		return ttl(t, "", append(append([]string{"conform", "rejudge", results}, s...), flags...)...)
	}
	before := string(readFile(t, results))
	for _, tt := range []struct {
		why  string
		r    result
		says string
	}{
		{"results over themselves", rejudge("--results", results), "the file is being read"},
		{"a report over the results", rejudge("--report", "html="+results), "the file is being read"},
		{"results over the known failures", runConform(t, append(one, "--known", known, "--results", known)...), "the file is being read"},
		{"two reports in one file", rejudge("--report", "html=page", "--report", "junit=page"), "another flag writes to this file already"},
		{"two names of one file", rejudge("--report", "html=page", "--report", "junit=./x/../page"), "another flag writes to this file already"},
	} {
		if tt.r.code == cli.ExitOK || !strings.Contains(tt.r.err, tt.says) {
			t.Errorf("%s: exit %d, %q; want a refusal with %q", tt.why, tt.r.code, tt.r.err, tt.says)
		}
	}
	if string(readFile(t, results)) != before || string(readFile(t, known)) != `{"known":[]}` {
		t.Error("a file that was read is another one now")
	}
}

// TestConformRejudge: recorded answers are judged again, also into reports; a
// failing run ends with code 1.
func TestConformRejudge(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	results, page := filepath.Join(folder, "results.json"), filepath.Join(folder, "page.html")
	s := quickly(t, thresholds)
	if r := runConform(t, append(s, "--rule", "mongo.date", "--results", results)...); r.code != cli.ExitOK {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	lying := strings.ReplaceAll(string(readFile(t, results)), `"out":{"state":"expired"`, `"out":{"state":"pending"`)
	writeFile(t, results, []byte(lying))
	r := ttl(t, "", append(append([]string{"conform", "rejudge"}, s...), "--report", "html="+page, results)...)
	if r.code != cli.ExitNonconformant || !strings.Contains(r.out, "FAIL  mongo.date") {
		t.Errorf("exit %d:\n%s%s", r.code, r.out, r.err)
	}
	if html := contents(t, page); !strings.Contains(html, "mongo.date") {
		t.Errorf("the page names no rule:\n%s", html)
	}
	if r := ttl(t, "", "conform", "rejudge", written(t, "no.json", "{")); r.code != cli.ExitInput || !strings.Contains(r.err, "no.json: not the results of a run") {
		t.Errorf("rejudge of something else: exit %d, %s", r.code, r.err)
	}
}

func TestConformExplain(t *testing.T) {
	t.Parallel()
	r := ttl(t, "", "conform", "explain", "mongodb-date-on-deadline")
	for _, want := range []string{"mongodb >=3.2.0", "must, source", `"expireAfterSeconds": 3600`, "ttl_monitor.cpp", "rule  mongo.date-strict", "flag  Threshold", "twin  mongodb-date-after-deadline", "Strict comparison"} {
		if r.code != cli.ExitOK || !strings.Contains(r.out, want) {
			t.Errorf("exit %d, no %q in\n%s%s", r.code, want, r.out, r.err)
		}
	}
	if r := ttl(t, "", "conform", "explain", "no-such"); r.code != cli.ExitInput || !strings.Contains(r.err, `no vector "no-such"`) {
		t.Errorf("explain no-such: exit %d, %s", r.code, r.err)
	}
	vectors := suite.Embedded().Vectors
	unspecified := vectors[slices.IndexFunc(vectors, func(v *suite.Vector) bool { return len(v.Unspecified) > 0 })]
	if gap := ttl(t, "", "conform", "explain", unspecified.ID); gap.code != cli.ExitOK || !strings.Contains(gap.out, "unspecified") {
		t.Errorf("the gap of %s is not shown: exit %d\n%s", unspecified.ID, gap.code, gap.out)
	}
}

// TestConformList: the list for programs has every vector with its rules.
func TestConformList(t *testing.T) {
	t.Parallel()
	var all []struct {
		ID    string
		Rules []string
		Want  []struct{ Level string }
	}
	if err := json.Unmarshal([]byte(ttl(t, "", "conform", "list", "--format", "json").out), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != len(suite.Embedded().Vectors) {
		t.Errorf("%d vectors, want %d", len(all), len(suite.Embedded().Vectors))
	}
	for _, v := range all {
		if v.ID == "" || len(v.Rules) == 0 {
			t.Errorf("a vector without identifier or rules: %+v", v)
		}
	}
	r := ttl(t, "", "conform", "list", "--rule", "mongo.array", "--op", "mongodb.decide", "--flag", "Threshold")
	if r.code != cli.ExitOK || !strings.HasPrefix(r.out, "mongodb-") || strings.Contains(r.out, "mongodb-date-on-deadline") {
		t.Errorf("exit %d:\n%s%s", r.code, r.out, r.err)
	}
	if r := ttl(t, "", "conform", "list", "--rule", "no.such"); r.code != cli.ExitInput || r.out != "" {
		t.Errorf("list of nothing: exit %d, %q", r.code, r.out)
	}
}

// TestConformCopy copies the established vectors for a release; with -short,
// the few for Cosmos DB's API for MongoDB.
func TestConformCopy(t *testing.T) {
	t.Parallel()
	target, vector, least := "mongodb@6.0.1", "mongodb-date-on-deadline", 400
	if testing.Short() {
		target, vector, least = "cosmos-mongo@4.2", "cosmosmongo-default", 20
	}
	var all []results.ExpandedVector
	if err := json.Unmarshal([]byte(ttl(t, "", "conform", "copy", "--target", target).out), &all); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(v results.ExpandedVector) bool { return v.ID == vector })
	if len(all) < least || i < 0 {
		t.Fatalf("%d vectors, want at least %d, and %s among them", len(all), least, vector)
	}
	if v := all[i]; len(v.Want) != 1 || !strings.Contains(string(v.Want[0]), `"expired"`) || v.Target.String() != target {
		t.Errorf("the vector says %s for %s", v.Want, v.Target)
	}
	for target, want := range map[string]string{"mongodb": "name a release", "cosmos-nosql@1": "has no versions", "redis": "want mongodb", "": "--target: the value is empty"} {
		if r := ttl(t, "", "conform", "copy", "--target", target); r.code == cli.ExitOK || !strings.Contains(r.err, want) {
			t.Errorf("copy --target %q: exit %d, %s", target, r.code, r.err)
		}
	}
}

// TestConformAuthor follows the steps of a contributor: a filled-in frame is
// refused until it is correct and locked.
func TestConformAuthor(t *testing.T) {
	t.Parallel()
	folder := smallSuite(t, thresholds)
	const frame = `{
   "id": "mongodb-date-for-a-test", "rev": 1, "title": "WHAT THE VECTOR SHOWS", "rules": ["mongo.date"], "op": "mongodb.decide", "flags": ["Basic"],
   "in": {"now": {"$date": {"$numberLong": "1700003600000"}}, "indexes": [{"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 3600}], "document": {"t": {"$date": {"$numberLong": "1700000000000"}}}},
   "want": [{"system": "mongodb", "versions": ">=2.2.0", "level": "must", "evidence": "documented", "out": {"state": "never OR pending OR expired", "deadline": null}, "cites": ["KEY OF sources.json#PLACE"]}]
  }`
	path := filepath.Join(folder, "vectors", thresholds)
	text := string(readFile(t, path))
	put := func(vector string) {
		writeFile(t, path, []byte(strings.Replace(text, `"vectors": [`, "\"vectors\": [\n"+vector+",", 1)))
	}
	put(frame)
	if r := ttl(t, "", "conform", "lint", folder); r.code != cli.ExitNonconformant || !strings.Contains(r.out, "mongodb-threshold.json:") {
		t.Errorf("an empty frame: exit %d, %s%s", r.code, r.out, r.err)
	}
	filled := strings.NewReplacer(
		"never OR pending OR expired", "expired", `"deadline": null`, `"deadline": {"$date": {"$numberLong": "1700003599999"}}`,
		"KEY OF sources.json#PLACE", "ttl_monitor.cpp", `">=2.2.0"`, `">=3.2.0"`, `"documented"`, `"source"`, `"Basic"`, `"Threshold"`,
	).Replace(frame)
	put(filled)
	if r := ttl(t, "", "conform", "lint", folder); r.code != cli.ExitNonconformant || !strings.Contains(r.out, "append the line") {
		t.Errorf("before the lock: exit %d, %s%s", r.code, r.out, r.err)
	}
	if r := ttl(t, "", "conform", "lint", "--lock", folder); r.code != cli.ExitNonconformant || !strings.Contains(r.out, "this library gives another answer") {
		t.Errorf("a wrong answer: exit %d, %s%s", r.code, r.out, r.err)
	}
	s := "../../testdata"
	if testing.Short() { // packages conformance and reference check the same for the whole suite
		s = smallSuite(t, thresholds)
	}
	if r := ttl(t, "", "conform", "lint", s); r.code != cli.ExitOK || !strings.Contains(r.out, "are well-formed") {
		t.Errorf("the suite of the tool: exit %d, %s%s", r.code, r.out, r.err)
	}
	if r := ttl(t, "", "conform", "lint", "/nowhere"); r.code == cli.ExitOK {
		t.Error("a folder that does not exist is taken")
	}
}

// TestConformLintOfAnotherSuite: lint asks this library the questions of any
// suite, whatever rule sets it has.
func TestConformLintOfAnotherSuite(t *testing.T) {
	t.Parallel()
	folder := smallSuite(t, thresholds)
	for _, name := range []string{"suite.json", "vectors/" + thresholds} {
		path := filepath.Join(folder, name)
		writeFile(t, path, []byte(strings.Replace(string(readFile(t, path)), `"mongodb-legacy"`, `"mongodb-old"`, 1)))
	}
	if r := ttl(t, "", "conform", "lint", folder); r.code != cli.ExitOK || !strings.Contains(r.out, "are well-formed") {
		t.Errorf("a suite with a rule set of its own: exit %d, %s%s", r.code, r.out, r.err)
	}
}

func TestConformInit(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	r := ttl(t, "", "conform", "init", "rust", "--folder", folder)
	if r.code != cli.ExitOK || !strings.Contains(r.out, "rustc -O adapter.rs\n  ttl conform run -- ./adapter") {
		t.Errorf("exit %d: %s%s", r.code, r.out, r.err)
	}
	if r := ttl(t, "", "conform", "init", "rust", "--folder", folder); r.code != cli.ExitInput || !strings.Contains(r.err, "exists") {
		t.Errorf("a file is overwritten: exit %d, %s", r.code, r.err)
	}
	if r := ttl(t, "", "conform", "init", "cobol"); r.code != cli.ExitUsage || !strings.Contains(r.err, "python") {
		t.Errorf("init cobol: exit %d, %s", r.code, r.err)
	}
}

// TestDocumentedAdapterRuns: the adapter in docs/conformance.md runs, with a
// library that knows only dates.
func TestDocumentedAdapterRuns(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	page := contents(t, "../../docs/conformance.md")
	block := regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(page)
	if block == nil {
		t.Fatal("the page shows no adapter")
	}
	if n := strings.Count(block[1], "\n"); n > 16 {
		t.Errorf("the adapter has %d lines, want at most 16", n)
	}
	folder := fixture.Files(t, map[string]string{"adapter.py": block[1], "mylib.py": `
__version__ = "1"
def answer(op, given, target):
    if op == "self.echo":
        return {"out": {"value": given["value"]}}
    at = int(given["document"]["t"]["$date"]["$numberLong"]) + 1000 * given["indexes"][0]["expireAfterSeconds"]
    state = "expired" if at <= int(given["now"]["$date"]["$numberLong"]) else "pending"
    return {"out": {"state": state, "deadline": {"$date": {"$numberLong": str(at)}}}}
`})
	adapter := filepath.Join(folder, "adapter.py")
	one := append(append([]string(nil), patience...), "--id", "mongodb-date-on-deadline", "--", python, adapter)
	if r := ttl(t, "", one...); r.code != cli.ExitOK || !strings.Contains(r.out, "nothing failed") {
		t.Errorf("exit %d:\n%s%s", r.code, r.out, r.err)
	}
	all := append(append(slices.Clone(patience), quickly(t, "mongodb-types.json")...), "--", python, adapter)
	if r := ttl(t, "", all...); r.code != cli.ExitNonconformant || !strings.Contains(r.out, "mongodb-core           nonconformant") {
		t.Errorf("the whole suite: exit %d:\n%s%s", r.code, r.out, r.err)
	}
}

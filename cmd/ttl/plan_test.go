package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

const examplePolicy = "../../docs/policy.example.yaml"

// planned runs ttl plan at the instant of the samples.
func planned(t *testing.T, args ...string) result {
	t.Helper()
	return ttl(t, "", append([]string{"plan", "--now", sampleAt}, args...)...)
}

// TestPlanExitCodes: the exit codes agree with those of terraform plan -detailed-exitcode.
func TestPlanExitCodes(t *testing.T) {
	const metadata = `{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5}]}`
	dir := fixture.Files(t, map[string]string{
		"shop/a.metadata.json": metadata, "shop/b.metadata.json": metadata, "bad/a.metadata.json": "{", "cut/a.metadata.json": metadata, "cut/a.bson": "\x20\x00\x00\x00",
		"same.yaml":      "version: 1\nrules: [{namespace: '*', key: a, expireAfterSeconds: 5}]\n",
		"other.yaml":     "version: 1\nrules: [{namespace: '*', key: a, expireAfterSeconds: 7}]\n",
		"missing.yaml":   "version: 1\nrules: [{namespace: shop.c, key: a, expireAfterSeconds: 7}, {namespace: '*', key: a, expireAfterSeconds: 5}]\n",
		"container.yaml": "version: 1\nrules: [{namespace: c, defaultTtl: 1d}]\n",
		"convert.yaml":   "version: 1\nrules: [{namespace: shop.a, expireAfterSeconds: 1d}]\n",
		"refused.yaml":   "version: 1\nrules: [{namespace: '*', key: {a: 1, b: 1}, expireAfterSeconds: 7}]\n",
		"wrong.yaml":     "version: 1\nrules: [{namespace: '*', keys: a}]\n",
	})
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, tt := range []struct {
		why, out, err string
		args          []string
		code          cli.ExitCode
	}{
		{"nothing to do", "nothing to do: 2 collections are as wanted\n", "", []string{in("same.yaml"), in("shop")}, cli.ExitOK},
		{"differences", "2 to change, in 2 collections\n", "", []string{in("other.yaml"), in("shop")}, cli.ExitDifferences},
		{"a collection that is not there", "The input holds no collection of the rule shop.c", "the input has no collection for the rule shop.c", []string{in("missing.yaml"), in("shop")}, cli.ExitIncomplete},
		{"a container that is not there", "The input holds no collection of the rule c", "the input has no collection for the rule c", []string{in("container.yaml"), in("shop")}, cli.ExitIncomplete},
		{"a conversion", "incomplete: 0 collections are as wanted\n", "no command turns it into a time-series or clustered collection", []string{in("convert.yaml"), in("shop")}, cli.ExitIncomplete},
		{"what no command does", "No command of this release makes this change", "no command makes this change", []string{in("refused.yaml"), in("shop")}, cli.ExitIncomplete},
		{"metadata that cannot be read", "", "the plan is incomplete", []string{in("same.yaml"), in("bad")}, cli.ExitIncomplete},
		{"a dump that breaks off", "Not compared to its end", "the plan is incomplete", []string{in("other.yaml"), in("cut")}, cli.ExitIncomplete},
		{"a file that is refused", "", "wrong.yaml:2:26: no field is called keys here", []string{in("wrong.yaml"), in("shop")}, cli.ExitInput},
		{"a flag that is misspelt", "", "unknown flag: --fromat", []string{"--fromat", "json", in("same.yaml")}, cli.ExitInput},
		{"a value that is", "", "--format csv", []string{"--format", "csv", in("same.yaml")}, cli.ExitInput},
		{"no argument", "", "name the policy file", nil, cli.ExitInput},
		{"no such file", "", "/nowhere", []string{"/nowhere"}, cli.ExitInput},
	} {
		r := planned(t, tt.args...)
		if r.code != tt.code || !strings.Contains(r.out, tt.out) || !strings.Contains(r.err, tt.err) || tt.err == "" && r.err != "" {
			t.Errorf("%s: ttl plan %q: exit %d, %q\n%s\nwant %d, %q and %q", tt.why, tt.args, r.code, r.err, r.out, tt.code, tt.err, tt.out)
		}
	}
}

// TestPlanSelection: collections that are not selected are not compared, and rules
// about them are not reported as missing.
func TestPlanSelection(t *testing.T) {
	t.Parallel()
	const metadata = `{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5}]}`
	dir := fixture.Files(t, map[string]string{
		"shop/a.metadata.json": metadata, "shop/b.metadata.json": metadata, "chat/b.metadata.json": "{",
		"policy.yaml": "version: 1\nrules: [{namespace: shop.c, key: a, expireAfterSeconds: 7}, {namespace: 'shop.*', key: a, expireAfterSeconds: 5}, {namespace: 'chat.*', expireAfterSeconds: none}]\n",
	})
	for _, tt := range []struct {
		why, out, err string
		args          []string
		code          cli.ExitCode
	}{
		{"all of it", "", "chat.b", nil, cli.ExitIncomplete},
		{"one", "nothing to do: 1 collection is as wanted\n", "", []string{"--ns", "shop.a"}, cli.ExitOK},
		{"a rule without a collection", "The input holds no collection of the rule shop.c", "the input has no collection for the rule shop.c", []string{"--ns", "shop.*"}, cli.ExitIncomplete},
		{"a pattern without a collection", "", "--ns shop.c matches no collection; there are shop.a, shop.b, chat.b", []string{"--ns", "shop.c"}, cli.ExitInput},
		{"none", "", "--ns and --exclude-ns leave no collection", []string{"--exclude-ns", "*"}, cli.ExitInput},
	} {
		r := planned(t, append(tt.args, filepath.Join(dir, "policy.yaml"), dir)...)
		if r.code != tt.code || !strings.Contains(r.out, tt.out) || !strings.Contains(r.err, tt.err) || tt.err == "" && r.err != "" {
			t.Errorf("%s: exit %d, %q\n%s\nwant %d, %q and %q", tt.why, r.code, r.err, r.out, tt.code, tt.err, tt.out)
		}
	}
	if r := ttl(t, "", "plan", "init", "--exclude-ns", "chat.*", dir); r.code != cli.ExitOK || strings.Count(r.out, "namespace:") != 2 {
		t.Errorf("init of some: exit %d, %s%s", r.code, r.out, r.err)
	}
}

// TestPlanOfArchives: plan reads an archive, also one that can be read only once.
func TestPlanOfArchives(t *testing.T) {
	t.Parallel()
	logs, metadata := contents(t, samples+"shop/logs.bson"), contents(t, samples+"shop/logs.metadata.json")
	archive := archived("8.0.4", metadata, []string{"logs"}, map[string]string{"logs": logs})
	file := written(t, "policy.yaml", "version: 1\nrules: [{namespace: shop.logs, key: createdAt, expireAfterSeconds: 7}]\n")
	path := written(t, "dump.archive", archive)
	want, piped := planned(t, "--format", "json", file, path), ttl(t, archive, "plan", "--now", sampleAt, "--format", "json", file, "-")
	if want.code != cli.ExitDifferences || !strings.Contains(want.out, `"documents": 2000`) {
		t.Errorf("plan of an archive: exit %d, %s%s", want.code, want.err, want.out)
	}
	if piped.code != want.code || piped.out != strings.ReplaceAll(want.out, path, "standard input") {
		t.Errorf("plan of standard input: exit %d, %s%s\nwant what is said of the file\n%s", piped.code, piped.err, piped.out, want.out)
	}
}

// TestPlanChecksTheFile: without a database, the policy file alone is checked.
func TestPlanChecksTheFile(t *testing.T) {
	t.Parallel()
	if r := ttl(t, "", "plan", examplePolicy); r.code != cli.ExitOK || r.out != examplePolicy+": 2 rules for MongoDB 8.0.4\n" || r.err != "" {
		t.Errorf("exit %d, %q, %q", r.code, r.out, r.err)
	}
}

// TestPlanForms: every form has the same counts. An independent reading of the samples
// found 1,086 logs from 7 to 30 days old, of 241,177 bytes, and 519 sessions of 69,820
// bytes that the plan keeps from being deleted.
func TestPlanForms(t *testing.T) {
	t.Parallel()
	type sum struct{ Documents, Bytes int64 }
	var p struct {
		Create, Change, Drop int
		Complete             bool
		Collections          []struct {
			Namespace string
			Items     []struct {
				Action string
				Steps  []struct{ Command string }
			}
			Documents struct {
				Changes []struct {
					Within     string
					More, Less sum
				}
			}
		}
	}
	r := planned(t, "--format", "json", examplePolicy, samples+"shop")
	if err := json.Unmarshal([]byte(r.out), &p); err != nil {
		t.Fatalf("%v\n%s%s", err, r.out, r.err)
	}
	logs, sessions := p.Collections[0], p.Collections[1]
	atOnce := logs.Documents.Changes[0]
	if p.Change != 2 || p.Create+p.Drop != 0 || !p.Complete || logs.Namespace != "shop.logs" || atOnce.Within != "at once" || atOnce.More != (sum{1086, 241_177}) || atOnce.Less != (sum{}) {
		t.Errorf("the plan is %+v", p)
	}
	if less := sessions.Documents.Changes[0].Less; less != (sum{519, 69_820}) {
		t.Errorf("%+v sessions fewer, want 519 of 69,820 bytes", less)
	}
	if r := planned(t, "--metadata-only", examplePolicy, samples+"shop"); r.code != cli.ExitDifferences || strings.Count(r.out, "no documents were read") != 2 {
		t.Errorf("--metadata-only: exit %d\n%s", r.code, r.out)
	}
}

// TestPlanInSteps: every form has the steps, and a plan without possible steps is
// incomplete. TestStepsKeepTheBound of package plan checks the numbers.
func TestPlanInSteps(t *testing.T) {
	t.Parallel()
	const step = `db.getSiblingDB("shop").runCommand({collMod: "logs", index: {name: "createdAt_1", expireAfterSeconds: 2121434}})`
	wrong := written(t, "container.yaml", "version: 1\nrules: [{namespace: '*', defaultTtl: 60}]\n")
	in := []string{"--max-deletes-per-day", "400", "--ns", "shop.logs", examplePolicy, samples + "shop"}
	for _, tt := range []struct {
		why, out, err string
		args          []string
		code          cli.ExitCode
	}{
		{"text", "    // 200 documents have expired already by the times that stand, and count for\n    // the first day.\n    // 2026-11-20T00:00:00.000Z: 200 documents go in 24 h.\n    " + step + "\n    // 2026-11-21T", "", in, cli.ExitDifferences},
		{"mongosh", "\n// 200 documents have expired already by the times that stand, and count for the first day.\n// 2026-11-20T00:00:00.000Z: 200 documents go in 24 h.\n" + step + "\n// 2026-11-21T00:00:00.000Z: 400 documents go in 24 h.\n// db.", "", append([]string{"--format", "mongosh"}, in...), cli.ExitDifferences},
		{"json", "\"deletes\": 200,\n              \"expired\": 200\n", "", append([]string{"--format", "json"}, in...), cli.ExitDifferences},
		{"in thousands", "    // 2026-11-20T00:00:00.000Z: 1,156 documents go in 24 h.\n", "", append([]string{"--max-deletes-per-day", "2k"}, in[2:]...), cli.ExitDifferences},
		{"too few", "not possible in steps: on", "the present times to live delete more than 5 documents", append([]string{"--max-deletes-per-day", "5"}, in[2:]...), cli.ExitIncomplete},
		{"a container", "not possible in steps:", "there are steps for MongoDB alone", []string{"--max-deletes-per-day", "5", wrong, samples + "cosmos/container.json"}, cli.ExitIncomplete},
		{"none", "", "--max-deletes-per-day 0: want a number of documents, 1 or more, such as 100000, 100k or 2M", append([]string{"--max-deletes-per-day", "0"}, in[2:]...), cli.ExitInput},
	} {
		r := planned(t, tt.args...)
		if r.code != tt.code || !strings.Contains(r.out, tt.out) || !strings.Contains(r.err, tt.err) || tt.err == "" && r.err != "" {
			t.Errorf("%s: exit %d, %q\n%s\nwant %d, %q and %q", tt.why, r.code, r.err, r.out, tt.code, tt.err, tt.out)
		}
	}
}

// TestPlanScript: the file for mongosh has the commands of the JSON form, one on each line, and
// comments. Commands for another program are comments too. Names cannot end a comment.
func TestPlanScript(t *testing.T) {
	t.Parallel()
	hostile := written(t, "l.json", `[{"v":2,"key":{"a":1},"name":"i\ndb.dropDatabase()","ns":"shop.x\u2028db.dropDatabase()//\r\ndb.x","expireAfterSeconds":5}]`)
	rules := written(t, "p.yaml", "version: 1\nrules: [{namespace: '*', key: a, expireAfterSeconds: 60}]\n")
	container := written(t, "c.yaml", "version: 1\nrules: [{namespace: '*', defaultTtl: 60}]\n")
	for _, args := range [][]string{{examplePolicy, samples + "shop"}, {rules, hostile}, {container, samples + "cosmos/container.json"}} {
		var p struct {
			Collections []struct {
				Items []struct{ Steps []struct{ Command string } }
			}
		}
		if err := json.Unmarshal([]byte(planned(t, append([]string{"--format", "json"}, args...)...).out), &p); err != nil {
			t.Fatal(err)
		}
		var want, got []string
		comments := 0
		for _, c := range p.Collections {
			for _, i := range c.Items {
				for _, s := range i.Steps {
					if strings.HasPrefix(s.Command, "db.") {
						want = append(want, cli.Visible(s.Command))
					} else {
						comments++
					}
				}
			}
		}
		r := planned(t, append([]string{"--format", "mongosh"}, args...)...)
		for _, line := range strings.FieldsFunc(r.out, func(c rune) bool { return strings.ContainsRune("\n\r\u2028\u2029", c) }) {
			switch {
			case !strings.HasPrefix(line, "// "):
				got = append(got, line)
			case strings.HasPrefix(line, "// az "):
				comments--
			}
		}
		if len(p.Collections) == 0 || !slices.Equal(got, want) || comments != 0 || r.code != cli.ExitDifferences {
			t.Errorf("%v: exit %d, %d commands of another program, and %q, want %q\n%s", args, r.code, comments, got, want, r.out)
		}
	}
}

// TestPlanInit: a plan with the written file changes nothing, except the policies that the
// file says it leaves out.
func TestPlanInit(t *testing.T) {
	t.Parallel()
	for _, place := range []string{samples + "shop", samples + "upgrade", samples + "cosmos/container.json"} {
		file := ttl(t, "", "plan", "init", place)
		if file.code != cli.ExitOK {
			t.Fatalf("init %s: exit %d, %s", place, file.code, file.err)
		}
		dir := fixture.Files(t, map[string]string{"policy.yaml": file.out})
		if r := planned(t, filepath.Join(dir, "policy.yaml"), place); r.code != cli.ExitOK {
			t.Errorf("the plan of what stands in %s: exit %d\n%s%s\nby\n%s", place, r.code, r.out, r.err, file.out)
		}
	}
	twice := fixture.Files(t, map[string]string{"shop/a.metadata.json": `{"indexes":[{"key":{"a":-1},"name":"a_-1","expireAfterSeconds":9},{"key":{"a":1},"name":"a_1","expireAfterSeconds":5},{"key":{"b":"hashed"},"name":"b","expireAfterSeconds":5}]}`})
	file := ttl(t, "", "plan", "init", twice)
	written := fixture.Files(t, map[string]string{"policy.yaml": file.out})
	if r := planned(t, "--metadata-only", filepath.Join(written, "policy.yaml"), twice); r.code != cli.ExitDifferences || !strings.HasPrefix(r.out, "2 to drop") {
		t.Errorf("the plan of two indexes of a field: exit %d\n%s%s\nby\n%s", r.code, r.out, r.err, file.out)
	}
	checkInitOfSeveral(t)
	checkInitOfPrograms(t)
	odd := ttl(t, "", "plan", "init", "--server", "4.4.29", hazards)
	if !slices.Contains(strings.Split(odd.out, "\n"), "server: 4.4.29") || strings.Count(odd.out, "# left out: ") != 3 {
		t.Errorf("init of hazards:\n%s%s", odd.out, odd.err)
	}
	if r := ttl(t, "", "plan", "init"); r.code != cli.ExitInput || !strings.Contains(r.err, "no input; name folders") {
		t.Errorf("init without arguments: exit %d, %s", r.code, r.err)
	}
}

// checkInitOfSeveral: a namespace that a folder holds several times gets one rule, the
// one that keeps documents longest.
func checkInitOfSeveral(t *testing.T) {
	t.Helper()
	index := func(field string, seconds int) string {
		return fmt.Sprintf(`{"key":{"%s":1},"name":"%s_1","expireAfterSeconds":%d}`, field, field, seconds)
	}
	const day = 86400
	for _, tc := range []struct {
		why      string
		policies []string // of shop.x in the folders 0, 1 and 2
		kept     []string // the folders whose policy stays
		comments int
	}{
		{"alike", []string{index("a", day), index("a", day), index("a", day)}, []string{"0", "1", "2"}, 0},
		{"one is longer", []string{index("a", day), index("a", 30*day), index("a", 7*day)}, []string{"1"}, 2},
		{"two are longest", []string{index("a", 30*day), index("a", day), index("a", 30*day)}, []string{"0", "2"}, 1},
		{"one has no time to live", []string{index("a", day), "", index("a", 30*day)}, []string{"1"}, 2},
		{"one has another index too", []string{index("a", 30*day) + "," + index("b", day), index("a", 30*day), index("a", 30*day) + "," + index("b", 60*day)}, []string{"1"}, 2},
	} {
		files := map[string]string{
			"0/shop/odd%2Aname.metadata.json": `{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5}]}`,
			"0/shop/y.metadata.json":          `{"indexes":[{"key":{"a":"hashed"},"name":"a","expireAfterSeconds":5}]}`,
		}
		for i, indexes := range tc.policies {
			files[fmt.Sprintf("%d/shop/x.metadata.json", i)] = `{"indexes":[` + indexes + `]}`
		}
		dir := fixture.Files(t, files)
		file := ttl(t, "", "plan", "init", dir)
		written := filepath.Join(fixture.Files(t, map[string]string{"policy.yaml": file.out}), "policy.yaml")
		if r := planned(t, written, dir); file.code != cli.ExitOK || r.code != cli.ExitOK && r.code != cli.ExitDifferences {
			t.Errorf("%s: init ends with %d, and its plan with %d, %s; want a file that plan reads\n%s", tc.why, file.code, r.code, r.err, file.out)
		}
		for i := range tc.policies {
			one := strconv.Itoa(i)
			want := cli.ExitDifferences
			if slices.Contains(tc.kept, one) {
				want = cli.ExitOK
			}
			if r := planned(t, "--ns", "shop.x", written, filepath.Join(dir, one)); r.code != want {
				t.Errorf("%s: the plan of %s ends with %d, want %d\n%s%s\n%s", tc.why, one, r.code, want, r.out, r.err, file.out)
			}
			if n := strings.Count(file.out, filepath.ToSlash(dir)+"/"+one+"/shop/x.metadata.json"); (n > 0) != (tc.comments > 0) {
				t.Errorf("%s: %s is named %d times in\n%s", tc.why, one, n, file.out)
			}
		}
		if n := strings.Count(file.out, "# The policy of "); n != tc.comments {
			t.Errorf("%s: %d policies in comments, want %d\n%s", tc.why, n, tc.comments, file.out)
		}
		if _, rest, _ := strings.Cut(file.out, "# Policies in no rule:\n"); rest == "" || strings.Contains(rest, "namespace:") || !strings.Contains(rest, `"shop.y"`) {
			t.Errorf("%s: shop.y, which has no rule, does not stand alone at the end:\n%s", tc.why, file.out)
		}
	}
}

// TestInitWithoutRule: a policy that no rule can express becomes a comment if other
// policies become rules. If there are no others, the error names the policy.
func TestInitWithoutRule(t *testing.T) {
	t.Parallel()
	const none = "no policy here can be a rule of a policy file: "
	for _, tc := range []struct{ name, text, out, err string }{
		{"c.json", `[{"id":"c","partitionKey":{},"defaultTtl":0},{"id":"d","partitionKey":{},"defaultTtl":60}]`, "  - namespace: \"d\"\n    defaultTtl: 60\n# Policies in no rule:\n# left out: the defaultTtl {\"$numberInt\":\"0\"} of \"c\"; see ttl audit\n", ""},
		{"c.json", `{"id":"c","partitionKey":{},"defaultTtl":0}`, "", none + `the defaultTtl {"$numberInt":"0"} of "c"; see ttl audit`},
		{"x.json", `{"cursor":{"ns":"shop.x","firstBatch":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":{"$numberDouble":"NaN"}}]}}`, "", none + `the index "at_1" of "shop.x" with key`},
		{"x.js", "const s = new Schema({ at: { type: Date, expires: 5 } });\n", "", "x.js:1 names no collection; its policy is indexes: - key: \"at\" expireAfterSeconds: 5; --namespace names the collection"},
		{"x.go", "package x\n\nvar i = mongo.IndexModel{Keys: bson.D{{\"at\", 1}}, Options: options.Index().SetExpireAfterSeconds(5)}\nvar j = options.Index().SetExpireAfterSeconds(6)\n", "", "x.go:3: SetExpireAfterSeconds mentions a time to live, but no policy could be read there; "},
		{"y.json", `[{"key":{"at":1},"name":"at_1"}]`, "", "nothing has a time to live here; a policy file needs a rule"},
	} {
		r := ttl(t, "", "plan", "init", written(t, tc.name, tc.text))
		if (tc.err == "") != (r.code == cli.ExitOK) || !strings.HasSuffix(r.out, tc.out) || !strings.Contains(r.err, tc.err) {
			t.Errorf("%s: exit %d, %s\n%s\nwant %s\n%s", tc.text, r.code, r.err, r.out, tc.err, tc.out)
		}
	}
}

// checkInitOfPrograms: policies from programs get rules if the program names their
// collection.
func checkInitOfPrograms(t *testing.T) {
	t.Helper()
	dir := fixture.Files(t, map[string]string{
		"app.js":    "db.logs.createIndex({createdAt: 1}, {expireAfterSeconds: 86400});\ndb.x.createIndex({at: 1}, {expireAfterSeconds: process.env.TTL});\n",
		"schema.js": "const s = new mongoose.Schema({createdAt: {type: Date, expires: '7d'}});\n",
	})
	r := ttl(t, "", "plan", "init", dir)
	for _, want := range []string{
		"  - namespace: \"logs\"\n    indexes:\n      - key: \"createdAt\"\n        expireAfterSeconds: 86400  # 1 d\n    # " + dir + "/app.js names no database: write shop.logs or *.logs to compare with a database.\n",
		"# Policies in no rule:\n# " + dir + "/app.js:2: expireAfterSeconds mentions a time to live, but no policy could be read there\n# " + dir + "/schema.js:1 names no collection; its policy is\n# indexes:\n#   - key: \"createdAt\"\n#     expireAfterSeconds: 604800  # 7 d\n",
	} {
		if r.code != cli.ExitOK || !strings.Contains(r.out, want) {
			t.Errorf("init of programs: exit %d, %s, want\n%s\nin\n%s", r.code, r.err, want, r.out)
		}
	}
	for _, flag := range []string{"", "--quiet"} {
		args := slices.DeleteFunc([]string{"plan", "init", flag, dir, dir}, func(s string) bool { return s == "" })
		if r := ttl(t, "", args...); r.code != cli.ExitOK || strings.Count(r.err, "is named twice") != map[string]int{"": 2, "--quiet": 0}[flag] {
			t.Errorf("init %s of a folder twice: exit %d, %s", flag, r.code, r.err)
		}
	}
}

// TestDocsNameThePlanCodes compares docs/plan.md with the table of the codes.
func TestDocsNameThePlanCodes(t *testing.T) {
	t.Parallel()
	checkCodes(t, "../../docs/plan.md", helpSections["exit codes of ttl plan"])
}

// TestTargetsNamedTwice: a target that is named twice, in any way, is read once. Its
// findings appear once, and a policy file has one rule for it.
func TestTargetsNamedTwice(t *testing.T) {
	t.Parallel()
	shop := samples + "shop"
	again := filepath.Join(t.TempDir(), "again")
	target, err := filepath.Abs(shop)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, again); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{shop, shop}, {shop, again}, {shop + "/sessions.bson", shop}, {shop, shop + "/sessions.metadata.json"}} {
		for _, command := range [][]string{{"audit", "--now", "2026-11-20"}, {"plan", "init"}} {
			once := ttl(t, "", append(slices.Clone(command), shop)...)
			twice := ttl(t, "", append(slices.Clone(command), args...)...)
			if strings.Count(twice.out, "shop.sessions") != strings.Count(once.out, "shop.sessions") || twice.code != once.code || !strings.Contains(twice.err, "is named twice, and is read once") {
				t.Errorf("ttl %s %s: exit %d, %s%s\nwant\n%s", command, args, twice.code, twice.err, twice.out, once.out)
			}
		}
	}
}

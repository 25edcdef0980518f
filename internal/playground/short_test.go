package playground

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/internal/policies"
)

// A shortAnswer is what dist/short.js answers.
type shortAnswer struct {
	Verdict  string     `json:"verdict"`
	Because  string     `json:"because"`
	After    string     `json:"after"`
	Rule     string     `json:"rule"`
	Policy   string     `json:"policy"`
	Deadline string     `json:"deadline"`
	Distance string     `json:"distance"`
	Fixes    []shortFix `json:"fixes"`
	Strip    []shortSeg `json:"strip"`
}

type shortFix struct {
	Text    string `json:"text"`
	Command string `json:"command"`
}

type shortSeg struct {
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule"`
}

// shortened is what of an answer the script gives.
func shortened(a Answer) *shortAnswer {
	if len(a.Problems) > 0 {
		return nil
	}
	s := &shortAnswer{Verdict: a.Verdict.String(), Because: a.Because, After: a.After, Rule: a.Rule, Policy: a.Policy, Deadline: a.Deadline, Distance: a.Distance, Fixes: []shortFix{}, Strip: []shortSeg{}}
	for _, f := range a.Fixes {
		s.Fixes = append(s.Fixes, shortFix{f.Text, f.Command})
	}
	for _, g := range a.Segments {
		s.Strip = append(s.Strip, shortSeg{g.First, g.Last, g.Verdict.String(), g.Rule})
	}
	return s
}

// shortQuestions are those that the script may answer, and their near misses: every
// policy with every document, at instants around the deadlines.
func shortQuestions() (all []State) {
	indexes := []string{
		`{ key: { createdAt: 1 }, expireAfterSeconds: %s }`, `db.sessions.createIndex({ createdAt: 1 }, { expireAfterSeconds: %s })`,
		`db.c.createIndex({"createdAt":1},{"expireAfterSeconds":%s});`, `{"v": 2, "key": {"createdAt": 1}, "expireAfterSeconds": %s}`,
		`{ key: { createdAt: 1, user: 1 }, expireAfterSeconds: %s }`, `{ key: { user: 1, createdAt: 1 }, expireAfterSeconds: %s }`, `{ key: { createdAt: -1 }, expireAfterSeconds: %s }`,
		`{ key: { createdAt: "hashed" }, expireAfterSeconds: %s }`, `{ key: { _id: 1 }, expireAfterSeconds: %s }`, `{ key: { "a.b": 1 }, expireAfterSeconds: %s }`,
		`{ key: { createdAt: 1 }, name: "my index", expireAfterSeconds: %s }`, `{ key: { createdAt: 1 }, expireAfterSeconds: %s, sparse: true }`,
		`{ key: { createdAt: 1 }, expireAfterSeconds: %s, partialFilterExpression: { a: 1 } }`, `db.c.createIndex({ createdAt: 1 }, { expireAfterSecs: %s })`,
		`[{ key: { createdAt: 1 }, expireAfterSeconds: %s }]`, `{ createdAt: 1 }, { expireAfterSeconds: %s }`,
	}
	var collections []string
	for _, x := range indexes {
		for _, n := range []string{"0", "1", "60", "3600", "5400", "86400", "2592000", "31536000", "2147483646", "2147483647", "2147483648", "-1", "NaN", "1.5", `"3600"`, "null", "007", "1e3"} {
			collections = append(collections, fmt.Sprintf(x, n))
		}
	}
	collections = append(collections, `{ key: { createdAt: 1 } }`, `db.c.createIndex({ createdAt: 1 })`, `{}`, `{`, ``, `{ key: { createdAt: 1, createdAt: 1 }, expireAfterSeconds: 7 }`, `{ key: { createdAt: 1 }, expireAfterSeconds: 7, expireAfterSeconds: 9 }`)
	var documents []string
	for _, v := range []string{
		`ISODate("2026-11-20T11:30:00Z")`, `ISODate("2026-11-20T11:30:00.001Z")`, `new Date("2026-11-20T10:59:59.999Z")`, `ISODate("2026-02-30T00:00:00Z")`, `ISODate("2099-12-31T23:59:59Z")`, `ISODate("1969-12-31T23:59:59Z")`,
		`ISODate("2026-11-20T24:00:00Z")`, `ISODate("2026-11-20")`, `new Date()`, `"2026-11-20T11:30:00Z"`, `"2026-11-20T11:30:00+01:00"`, `"2026-13-20T11:30:00Z"`, `"hello"`, `'hello'`, `""`, `"@1795176000"`, `"20.11.2026"`, `"Mon Nov 20"`,
		`null`, `1795176000`, `1795176000000`, `1795176000000000`, `0`, `-0`, `-5`, `17.5`, `NaN`, `true`, `[]`, `[ISODate("2026-11-20T11:30:00Z")]`, `ObjectId("655f0d2e5f1b2c3d4e5f6a7b")`, `NumberInt(1795176000)`, `NumberInt("5")`, `NumberLong(1795176000)`, `{ a: 1 }`,
		`{"$date": "2026-11-20T11:30:00Z"}`, `{"$date": {"$numberLong": "1795176000000"}}`,
	} {
		documents = append(documents, `{ createdAt: `+v+` }`, `{"_id": 1, "createdAt": `+v+`, "user": "u1",}`, `{"createdAt": `+v+`, "other": ["x", {"y": null}]}`)
	}
	documents = append(documents, `{ user: 1 }`, `{}`, `[]`, ``, `hello`, `{ createdAt: 1, createdAt: 2 }`, `{ // made
 createdAt: ISODate("2026-11-20T11:30:00Z") /* then */ }`, `{ __proto__: 1, createdAt: ISODate("2026-11-20T11:30:00Z") }`, `db.c.insertOne({ createdAt: ISODate("2026-11-20T11:30:00Z") })`)
	for i, p := range collections {
		for k, d := range documents {
			if len(collections)*len(documents) > 3000 && (i+k)%3 != 0 && i > 20 { // every third of those that are alike
				continue
			}
			all = append(all, State{System: policies.MongoDB, Policy: p, Document: d, Now: []string{"2026-11-20T12:30:00Z", "2026-11-20T12:29:59.999Z", "2026-11-20T12:30:00.001Z"}[(i+k)%3]})
		}
	}
	for _, d := range []string{``, `"defaultTtl": 3600`, `"defaultTtl": -1`, `"defaultTtl": 0`, `"defaultTtl": null`, `"defaultTtl": 7`, `"defaultTtl": 60`, `"defaultTtl": 2147483647`, `"defaultTtl": 1.0`, `"id": "c", "partitionKey": {"paths": ["/p"]}, "defaultTtl": 90`, `"defaultTtl": 5, "defaultTtl": 6`, `"DefaultTtl": 5`, `'defaultTtl': 5`} {
		for _, v := range []string{``, `"ttl": 60,`, `"ttl": -1,`, `"ttl": 0,`, `"ttl": null,`, `"ttl": "60",`, `"ttl": 1.5,`, `"ttl": 3600,`, `"ttl": 2147483648,`, `"ttl": 60, "ttl": 5,`} {
			for _, ts := range []string{`"_ts": 1795176000`, `"_ts": "x"`, `"_ts": 1.5`, `"_ts": 0`} {
				for _, now := range []string{"@1795176060", "@1795179600", "@1795179599"} {
					all = append(all, State{System: policies.CosmosNoSQL, Policy: "{" + d + "}", Document: `{"id": "1", ` + v + ts + `}`, Now: now})
				}
			}
		}
	}
	return all
}

// TestShortAnswers: what the script answers is what the library answers, and the
// commonest questions are among what it answers.
func TestShortAnswers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("TTL_NODE") != "required" {
		t.Skip("node, which runs the script, is not installed")
	}
	questions := shortQuestions()
	type asked struct {
		System, Policy, Document string
		Now                      int64
	}
	input := struct {
		Shorts map[string]Short
		Asked  []asked
	}{Shorts: Shorts()}
	for _, s := range questions {
		now, err := readNow(s.Now)
		if err != nil {
			t.Fatal(err)
		}
		input.Asked = append(input.Asked, asked{s.System, s.Policy, s.Document, int64(now)})
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("../../docs/playground/dist/short.js")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `const short = require(process.argv[1]), { Shorts, Asked } = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(Asked.map((q) => short(Shorts, q.System, q.Policy, q.Document, q.Now))))`, script)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []*shortAnswer
	if err := json.Unmarshal(output, &answers); err != nil || len(answers) != len(questions) {
		t.Fatalf("%d answers, %v; want %d", len(answers), err, len(questions))
	}
	given, wrong := 0, 0
	rules := map[string]bool{}
	for i, got := range answers {
		if got == nil {
			continue
		}
		given++
		rules[got.Rule] = true
		if testing.Short() && given%7 != 0 {
			continue
		}
		if diff := cmp.Diff(shortened(Of(questions[i], View{})), got); diff != "" {
			if wrong++; wrong < 4 {
				t.Errorf("%s of %s at %s (-library +script):\n%s", questions[i].Policy, questions[i].Document, questions[i].Now, diff)
			}
		}
	}
	for _, rule := range strings.Fields("mongo.date mongo.field-missing mongo.field-null mongo.field-not-date mongo.nan-skipped mongo.no-ttl mongo.index-compound cosmos.off cosmos.default cosmos.item cosmos.item-never") {
		if !rules[rule] {
			t.Errorf("no question with the answer %s is answered", rule)
		}
	}
	t.Logf("%d of %d questions are answered, %d otherwise than by the library", given, len(questions), wrong)
}

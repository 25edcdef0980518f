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

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// A shortAnswer is an answer of dist/short.js.
type shortAnswer struct {
	Verdict  string     `json:"verdict"`
	Word     string     `json:"word"`
	Because  string     `json:"because"`
	After    string     `json:"after"`
	Rule     string     `json:"rule"`
	Policy   string     `json:"policy"`
	Deadline string     `json:"deadline"`
	Distance string     `json:"distance"`
	Release  string     `json:"release"`
	Note     string     `json:"releaseNote"`
	Unknown  bool       `json:"unknown"`
	Fixes    []ShortFix `json:"fixes"`
	Strip    []shortSeg `json:"strip"`
}

type shortSeg struct {
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule"`
}

// shortened returns the parts of an answer that the script gives.
func shortened(a Answer) *shortAnswer {
	if len(a.Problems) > 0 {
		return nil
	}
	s := &shortAnswer{Verdict: a.Verdict.String(), Word: a.Word, Because: a.Because, After: a.After, Rule: a.Rule, Policy: a.Policy, Deadline: a.Deadline, Distance: a.Distance, Release: a.State.Release, Note: a.ReleaseNote, Unknown: a.Unknown, Fixes: []ShortFix{}, Strip: []shortSeg{}}
	for _, f := range a.Fixes {
		s.Fixes = append(s.Fixes, ShortFix{f.Text, f.AtOnce, f.Count, f.Command})
	}
	for _, g := range a.Segments {
		s.Strip = append(s.Strip, shortSeg{g.First, g.Last, g.Verdict.String(), g.Rule})
	}
	return s
}

// shortQuestions are questions that the script may answer, and their near misses: every
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
			if len(collections)*len(documents) > 3000 && (i+k)%3 != 0 && i > 20 { // only every third of the similar questions
				continue
			}
			all = append(all, State{System: definition.MongoDB, Policy: p, Document: d, Now: []string{"2026-11-20T12:30:00Z", "2026-11-20T12:29:59.999Z", "2026-11-20T12:30:00.001Z"}[(i+k)%3]})
		}
	}
	all = append(all, pastedQuestions()...)
	for _, d := range []string{``, `"defaultTtl": 3600`, `"id": "my-c", "defaultTtl": -1`, `"id": "a b"`, `"id": "c"`, `"defaultTtl": -1`, `"defaultTtl": 0`, `"defaultTtl": null`, `"defaultTtl": 7`, `"defaultTtl": 60`, `"defaultTtl": 2147483647`, `"defaultTtl": 1.0`, `"id": "c", "partitionKey": {"paths": ["/p"]}, "defaultTtl": 90`, `"defaultTtl": 5, "defaultTtl": 6`, `"DefaultTtl": 5`, `'defaultTtl': 5`} {
		for _, v := range []string{``, `"ttl": 60,`, `"ttl": -1,`, `"ttl": 0,`, `"ttl": null,`, `"ttl": "60",`, `"ttl": 1.5,`, `"ttl": 3600,`, `"ttl": 2147483648,`, `"ttl": 60, "ttl": 5,`} {
			for _, ts := range []string{`"_ts": 1795176000`, `"_ts": "x"`, `"_ts": 1.5`, `"_ts": 0`} {
				for _, now := range []string{"@1795176060", "@1795179600", "@1795179599"} {
					all = append(all, State{System: definition.CosmosNoSQL, Policy: "{" + d + "}", Document: `{"id": "1", ` + v + ts + `}`, Now: now})
				}
			}
		}
	}
	return all
}

// pastedPolicies are the most common forms of pasted policies, and their near misses. N
// stands for seconds.
var pastedPolicies = []string{
	"[\n  { v: 2, key: { _id: 1 }, name: '_id_' },\n  {\n    v: 2,\n    key: { createdAt: 1 },\n    name: 'createdAt_1',\n    expireAfterSeconds: N\n  }\n]",
	`[{"v": 2, "key": {"_id": 1}, "name": "_id_"}, {"v": 2, "key": {"user": 1}, "name": "user_1", "unique": true}, {"v": 2, "key": {"createdAt": 1}, "name": "createdAt_1", "background": true, "expireAfterSeconds": N}]`,
	`[{v: 1, key: {_id: 1}, name: "_id_", ns: "shop.carts"}, {v: 1, key: {createdAt: 1}, name: "createdAt_1", ns: "shop.carts", expireAfterSeconds: N}]`,
	`[{v: 1, key: {createdAt: 1}, name: "createdAt_1", ns: "shop.carts", expireAfterSeconds: N}]`,
	`[{v: 2, key: {_id: 1}, name: "_id_"}, {v: 2, key: {createdAt: 1}, name: "createdAt_1"}]`, `[{v: 2, key: {_id: 1}, name: "_id_"}]`, `[]`,
	`[{v: 2, key: {createdAt: 1}, expireAfterSeconds: N}, {v: 2, key: {user: 1}, expireAfterSeconds: 5}]`, `[{v: 2, key: {createdAt: 1}, expireAfterSeconds: N}, {v: 2, key: {user: 1}, expireAfter: 5}]`,
	`[{v: 2, key: {createdAt: 1}, expireAfterSeconds: N}, {v: 2, key: {user: 1, ttl: 5}}]`, `[{v: 2, key: {createdAt: 1}, name: "other", expireAfterSeconds: N}]`, `[{v: 2, key: {createdAt: 1}, expireAfterSeconds: N, hidden: true}]`,
	`[{key: {at: 1}, ns: "a.b"}, {key: {createdAt: 1}, ns: "a.c", expireAfterSeconds: N}]`,
	`db.sessions.create_index("createdAt", expireAfterSeconds=N)`, `db.sessions.create_index([("createdAt", 1)], expireAfterSeconds=N)`, `db["sessions"].create_index([("createdAt", pymongo.ASCENDING)], expireAfterSeconds=N, background=True)`,
	`sessions.create_index([("createdAt", DESCENDING)], expireAfterSeconds=N)`, `db.sessions.create_index("createdAt", expire_after_seconds=N)`, `db.sessions.create_index("createdAt", expireAfterSeconds=N, partialFilterExpression={"done": True})`,
	`db.sessions.create_index("createdAt", expireAfterSeconds=timedelta(hours=1))`, `db.sessions.create_index([("createdAt", 1), ("user", 1)], expireAfterSeconds=N)`, `db.sessions.create_index("createdAt")`, `db.sessions.createIndex({createdAt: pymongo.ASCENDING}, {expireAfterSeconds: N})`,
	`{ createdAt: { type: Date, expires: N } }`, `new Schema({ user: String, createdAt: { type: Date, expires: N, default: Date.now } })`,
	"const mongoose = require('mongoose');\nconst { Schema } = mongoose;\n\nconst sessionSchema = new mongoose.Schema({\n  user: { type: Schema.Types.ObjectId, required: true },\n  tags: [String],\n  createdAt: { type: Date, default: Date.now, expires: N },\n}, { timestamps: true });\n\nmodule.exports = mongoose.model('Session', sessionSchema);",
	`new Schema({ createdAt: { type: Date, expires: '1h' } })`, `new Schema({ createdAt: { type: Date, expires: "30 minutes" } })`, `new Schema({ createdAt: { type: Date, expires: '7d' } });`, `new Schema({ createdAt: { type: Date, expires: '60' } })`, `new Schema({ createdAt: { type: Date, expires: '1y' } })`,
	`new Schema({ createdAt: { type: Number, expires: N } })`, `new Schema({ createdAt: { type: Date, index: true, expires: N } })`, `new Schema({ createdAt: { type: Date, index: { expires: N } } })`, `new Schema({ createdAt: { expires: N } })`, `new Schema({ createdAt: { type: Date, expireAfterSeconds: N } })`,
	`new Schema({ a: { type: Date, expires: 5 }, createdAt: { type: Date, expires: N } })`, `new Schema({ a: { createdAt: { type: Date, expires: N } } })`, `new Schema({ createdAt: { type: Date, expires: N } }, { collection: 'x' })`, `new Schema({ createdAt: { type: Date, expires: N }, expires: N })`,
	`new Schema({ createdAt: { type: Date, default: () => new Date(), expires: N } }, { timestamps: true, timeseries: {} })`, `const s = new Schema({ createdAt: { type: Date, expires: N } }); s.index({ a: 1 }, { expires: 5 })`,
	`sessionSchema.index({ createdAt: 1 }, { expireAfterSeconds: N })`, `sessionSchema.index({ createdAt: 1 }, { expires: N })`, `await db.collection("sessions").createIndex({ createdAt: 1 }, { expireAfterSeconds: N });`, `const x = await sessions.createIndex({ createdAt: 1 }, { expireAfterSeconds: N })`,
	`db.getCollection('sessions').createIndex({ createdAt: 1 }, { expireAfterSeconds: N })`, `db.sessions.ensureIndex({ createdAt: 1 }, { expireAfterSeconds: N })`, `db.sessions.dropIndex({ createdAt: 1 }, { expireAfterSeconds: N })`, `db.a.b.createIndex({ createdAt: 1 }, { expireAfterSeconds: N })`,
	`db.sessions.createIndex({ createdAt: 1 }, { expireAfterSeconds: N, partialFilterExpression: { done: true } })`, `{ key: { createdAt: 1 }, expireAfterSeconds: N, partialFilterExpression: { state: "done" } }`, `{ key: { createdAt: 1 }, expireAfterSeconds: N, partialFilterExpression: { done: { $eq: true } } }`,
	`{ key: { createdAt: 1 }, expireAfterSeconds: N, partialFilterExpression: { done: 1 } }`, `{ key: { createdAt: 1 }, expireAfterSeconds: N, partialFilterExpression: { done: true, state: "done" } }`, `{ key: { createdAt: 1 }, expireAfterSeconds: N, partialFilterExpression: { createdAt: true } }`, `{ key: { createdAt: 1 }, expireAfterSeconds: N, partialFilterExpression: { done: null } }`,
	`{ key: { createdAt: 1 }, expireAfterSeconds: N, partialFilterExpression: {} }`, `{ key: { createdAt: 1, user: 1 }, expireAfterSeconds: N, partialFilterExpression: { done: true } }`,
}

// pastedQuestions returns questions of each of the pastedPolicies about each kind of
// document, in releases of every kind.
func pastedQuestions() (all []State) {
	documents := []string{`createdAt: ISODate("2026-11-20T11:30:00Z")`, `createdAt: "2026-11-20T11:30:00Z"`, `createdAt: "soon"`, `createdAt: null`, `a: 1`, `createdAt: 1795176000`, `createdAt: [ISODate("2026-11-20T11:30:00Z")]`}
	beside := []string{``, `, done: true`, `, done: false`, `, done: "true"`, `, done: [true]`, `, state: "done"`, `, state: null`, `, user: 1`}
	releases := []string{"", fixture.Latest, "7", "7.0", "v8.0", "7.0.4", "6.0.26", "5.0.9", "5.0", "4.4", "4.0.28", "3.2.1", "3.0", "2.6.12", "2.2.0", "10", "4.5", "7.0.99", "abc", "latest", "8.0.04", "0", "2"}
	i := 0
	for _, p := range pastedPolicies {
		for _, n := range []string{"3600", "0", "NaN", "86400"} {
			for _, d := range documents {
				for _, b := range beside {
					i++
					if i%5 != 0 && !(n == "3600" && strings.Contains(p, "done")) { // only every fifth of the similar questions
						continue
					}
					all = append(all, State{System: definition.MongoDB, Release: releases[i/5%len(releases)], Document: "{ " + d + b + " }", Now: []string{"2026-11-20T12:30:00Z", "2026-11-20T12:29:59.999Z"}[i%2]})
					all[len(all)-1].Policy = strings.NewReplacer("expireAfterSeconds: N", "expireAfterSeconds: "+n, "expireAfterSeconds=N", "expireAfterSeconds="+n, "expires: N", "expires: "+n, "expire_after_seconds=N", "expire_after_seconds="+n, `"expireAfterSeconds": N`, `"expireAfterSeconds": `+n).Replace(p)
				}
			}
		}
	}
	return all
}

// commonest are the policies that occur in most threads of the site's
// testdata/threads.tsv, as people paste them, with releases as people write them. The
// home page answers each before the program has arrived, which .ci/site/check.mjs
// measures.
var commonest = []struct{ release, policy, document string }{
	{"", `db.c.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })`, `{ at: ISODate("2020-01-01T00:00:00Z") }`},
	{"", `{ key: { expireAt: 1 }, expireAfterSeconds: 0 }`, `{ expireAt: ISODate("2090-01-01T00:00:00Z") }`},
	{"", "[\n  { v: 2, key: { _id: 1 }, name: '_id_' },\n  { v: 2, key: { user: 1 }, name: 'user_1', unique: true },\n  {\n    v: 2,\n    key: { at: 1 },\n    name: 'at_1',\n    expireAfterSeconds: 60\n  }\n]", `{ at: "2020-01-01T00:00:00Z" }`},
	{"7.0", "const sessionSchema = new mongoose.Schema({\n  user: String,\n  at: { type: Date, default: Date.now, expires: '1h' },\n});", `{ at: 1700000000 }`},
	{"", `db.sessions.create_index([("at", pymongo.ASCENDING)], expireAfterSeconds=3600)`, `{ a: 1 }`},
	{"", `db.c.createIndex({ at: 1 }, { expireAfterSeconds: 60, partialFilterExpression: { done: true } })`, `{ at: ISODate("2020-01-01T00:00:00Z"), done: false }`},
	{"", `{ key: { at: 1, user: 1 }, expireAfterSeconds: 60 }`, `{ at: ISODate("2020-01-01T00:00:00Z"), b: 1 }`},
	{"5.0.9", `{ key: { at: 1 }, expireAfterSeconds: NaN }`, `{ at: ISODate("2020-01-01T00:00:00Z") }`},
	{"", `{"id": "chat", "defaultTtl": 3600}`, `{"id": "1", "_ts": 1600000000}`},
	{"", `{"defaultTtl": -1}`, `{"id": "1", "ttl": 60, "_ts": 1600000000}`},
}

// TestCommonest: the script answers the commonest questions, and the test in the browser
// asks the same ones.
func TestCommonest(t *testing.T) {
	script, err := os.ReadFile("../../../.ci/site/check.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range commonest {
		for _, text := range []string{q.policy, q.document} {
			if written := strings.ReplaceAll(text, "\n", `\n`); !strings.Contains(string(script), written) {
				t.Errorf(".ci/site/check.mjs does not ask %s", written)
			}
		}
	}
}

// TestShortAnswers: the script answers like the library, and it answers the
// commonest questions.
func TestShortAnswers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("TTL_NODE") != "required" {
		t.Skip("node, which runs the script, is not installed")
	}
	questions := shortQuestions()
	for _, q := range commonest {
		questions = append(questions, State{System: Guessed(q.policy, q.document), Release: q.release, Policy: q.policy, Document: q.document, Now: "2026-11-20T12:30:00Z"})
	}
	type asked struct {
		System   string `json:"system"`
		Release  string `json:"release"`
		Policy   string `json:"policy"`
		Document string `json:"document"`
		Now      int64  `json:"now"`
	}
	input := struct {
		Shorts map[string]Short
		Stops  []Stop
		Asked  []asked
	}{Shorts: Shorts(), Stops: mongoStops()}
	for _, s := range questions {
		now, err := readNow(s.Now)
		if err != nil {
			t.Fatal(err)
		}
		input.Asked = append(input.Asked, asked{s.System, s.Release, s.Policy, s.Document, int64(now)})
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("page/short.js")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `const short = require(process.argv[1]), { Shorts, Stops, Asked } = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(Asked.map((q) => short(Shorts, Stops, q, q.now))))`, script)
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
			if i >= len(questions)-len(commonest) {
				t.Errorf("%s of %s is not answered", questions[i].Policy, questions[i].Document)
			}
			continue
		}
		given++
		rules[got.Rule] = true
		if testing.Short() && given%7 != 0 {
			continue
		}
		if diff := cmp.Diff(shortened(Of(questions[i], View{})), got); diff != "" {
			if wrong++; wrong < 4 {
				t.Errorf("%s of %s at %s in %q (-library +script):\n%s", questions[i].Policy, questions[i].Document, questions[i].Now, questions[i].Release, diff)
			}
		}
	}
	for _, rule := range strings.Fields("mongo.date mongo.field-missing mongo.field-null mongo.field-not-date mongo.nan-skipped mongo.no-ttl mongo.index-compound mongo.filter-mismatch mongo.date-strict cosmos.off cosmos.default cosmos.item cosmos.item-never") {
		if !rules[rule] {
			t.Errorf("no question with the answer %s is answered", rule)
		}
	}
	t.Logf("%d of %d questions are answered, %d otherwise than by the library", given, len(questions), wrong)
}

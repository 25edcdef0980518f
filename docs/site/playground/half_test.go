package playground

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
)

// Documents that stand beside the pasted policies. Their dates were due at halfNow.
const (
	halfNow   = "2026-11-28T12:00:00Z"
	dated     = `{createdAt: ISODate("2026-11-01T00:00:00Z")}`
	snake     = `{created_at: ISODate("2026-11-01T00:00:00Z")}`
	oldItem   = `{"id": "1", "_ts": 1795176000}`
	hourly    = `db.logs.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})`
	listed    = "[\n  { v: 2, key: { _id: 1 }, name: '_id_' },\n  { v: 2, key: { createdAt: 1 }, name: 'createdAt_1', expireAfterSeconds: 3600 }\n]"
	metrics   = `[ { name: 'm', type: 'timeseries', options: { expireAfterSeconds: Long('3600'), timeseries: { timeField: 't', granularity: 'seconds', bucketMaxSpanSeconds: 3600 } }, info: { readOnly: false } } ]`
	recipes   = "recipes/index.html"
	datesPage = "problems/dates-are-strings.html"
	notKnown  = "is not known from this text"
)

// A pasteCase is what somebody pastes, and what the answer must be. Expectations were written by
// hand: a rule for a whole question, or a kind of [Half]; parts of what it says; and its page.
type pasteCase struct {
	why, policy, document string
	want                  string // a rule, or the kind of a half
	says                  string // parts in their order, with | between them
	page                  string
}

// clipboards are what people have in the clipboard: calls of drivers, listings, output of tools,
// halves of questions, and texts that a page or a chat has changed.
var clipboards = []pasteCase{
	{"Go", `options.Index().SetExpireAfterSeconds(3600)`, dated, OfProgram, "SetExpireAfterSeconds|" + notKnown, recipes},
	{"Java", `logs.createIndex(Indexes.ascending("createdAt"), new IndexOptions().expireAfter(1L, TimeUnit.HOURS));`, dated, OfProgram, "expireAfter|" + notKnown, recipes},
	{"C#", `new CreateIndexModel<Log>(Builders<Log>.IndexKeys.Ascending(x => x.CreatedAt), new CreateIndexOptions { ExpireAfter = TimeSpan.FromHours(1) })`, "", OfProgram, "ExpireAfter|" + notKnown, recipes},
	{"Spring", `@Indexed(expireAfter = "1h") Date createdAt;`, "", OfProgram, "expireAfter|" + notKnown, recipes},
	{"PHP", `$c->createIndex(['createdAt' => 1], ['expireAfterSeconds' => 3600]);`, dated, "mongo.date", "", ""},
	{"Rust", `IndexOptions::builder().expire_after(Duration::from_secs(3600)).build()`, "", OfProgram, "expire_after|" + notKnown, recipes},
	{"pymongo", `db.logs.create_index("createdAt", expireAfterSeconds=3600)`, dated, "mongo.date", "", ""},
	{"mongoose", `new Schema({ createdAt: { type: Date, expires: '1h' } })`, dated, "mongo.date", "Read as mongoose reads it", ""},
	{"az", `{"name": "c", "resource": {"id": "c", "defaultTtl": 3600, "partitionKey": {"paths": ["/p"]}}}`, oldItem, "cosmos.default", "Read as the container under resource", ""},
	{"Bicep", "resource c 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15' = {\n  properties: {\n    resource: {\n      id: 'c'\n      defaultTtl: 3600\n    }\n  }\n}", oldItem, OfProgram, "defaultTtl|" + notKnown, "recipes/azure.html"},
	{"Terraform", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = 3600\n}", oldItem, OfProgram, "default_ttl|" + notKnown, "recipes/azure.html"},
	{"commas at the end", "db.logs.createIndex({createdAt: 1,}, {expireAfterSeconds: 3600,},)", `{"createdAt": ISODate("2026-11-01T00:00:00Z"),}`, "mongo.date", "", ""},
	{"comments", "// an hour\n" + hourly + " /* yes */", "{ // made\n createdAt: ISODate(\"2026-11-01T00:00:00Z\") }", "mongo.date", "", ""},
	{"several documents", hourly, dated + "\n" + `{createdAt: "2026"}`, "mongo.date", "", ""},
	{"transcript", "shop> db.logs.getIndexes()\n" + listed, "shop> db.logs.findOne()\n{ _id: ObjectId('655f0d2e5f1b2c3d4e5f6a7b'), createdAt: ISODate('2026-11-01T00:00:00.000Z') }", "mongo.date", "The prompt of the shell and its query are left out", ""},
	{"a time series, as the shell lists it", metrics, `{t: ISODate("2026-11-01T00:00:00Z")}`, "mongo.timeseries-bucket", "Read as the answer of getCollectionInfos", ""},
	{"a time series alone", metrics, "", OfPolicy, "1 h after t|whole buckets", ""},
	{"an index alone", hourly, "", OfPolicy, "createdAt_1 deletes each document 1 h after createdAt.|Only a Date counts|a string", datesPage},
	{"an index in the other field", "", hourly, OfPolicy, "createdAt_1 deletes each document 1 h after createdAt.", datesPage},
	{"a listing alone", "shop> db.logs.getIndexes()\n" + listed, "", OfPolicy, "createdAt_1 deletes each document 1 h after createdAt.", datesPage},
	{"a listing without TTL", `[{v: 2, key: {_id: 1}, name: '_id_'}, {v: 2, key: {createdAt: 1}, name: 'createdAt_1'}]`, "", OfPolicy, "has expireAfterSeconds, so it deletes no document", "problems/ttl-index-not-deleting.html"},
	{"an index with a filter", `{key: {createdAt: 1}, expireAfterSeconds: 3600, partialFilterExpression: {done: true}}`, "", OfPolicy, "if its filter {done: true} takes the document in", datesPage},
	{"two indexes with filters", `[{v: 2, key: {a: 1}, name: 'a_1', expireAfterSeconds: 3600, partialFilterExpression: {done: true}}, {v: 2, key: {b: 1}, name: 'b_1', expireAfterSeconds: 60, partialFilterExpression: {k: 1}}]`, "", OfPolicy, "a_1 deletes a document 1 h after a, if its filter {done: true} takes|b_1 deletes a document 1 min after b, if its filter {k: 1} takes", datesPage},
	{"an index of several fields", `{key: {createdAt: 1, user: 1}, expireAfterSeconds: 3600}`, "", OfPolicy, "deletes nothing in this release: An index of several fields never deletes", "problems/ttl-index-not-deleting.html"},
	{"a document alone", "", `{_id: 1, createdAt: ISODate("2026-11-01T00:00:00Z"), at: "2026-11-28T14:05:00Z", meta: {until: ISODate("2026-12-01T00:00:00Z")}}`, OfDocument, `createdAt is a Date, 2026-11-01T00:00:00.000Z. An index {createdAt: 1}|index {"meta.until": 1}|at looks like a time and is a string`, datesPage},
	{"a document in the other field", dated, "", OfDocument, "An index {createdAt: 1}", ""},
	{"documents in both fields", `{_id: 1, createdAt: ISODate("2026-11-01T00:00:00Z")}`, `{_id: 2, at: 1}`, OfDocument, "An index {createdAt: 1}|The document in the other field is left out", ""},
	{"a document without a date", "", `{_id: 1, name: "x"}`, OfDocument, "No field is a Date", ""},
	{"a container alone", `{"id": "c", "defaultTtl": 3600}`, "", OfPolicy, "An item expires 1 h after its last write", "rules/cosmos.html"},
	{"a container that is off", `{"id": "c", "partitionKey": {"paths": ["/p"]}}`, "", OfPolicy, "Time to live is off", "rules/cosmos.html"},
	{"an item alone", "", `{"id": "1", "ttl": 60, "_ts": 1795176000}`, OfDocument, "defaultTtl after its last write|Its own ttl is 60", "rules/cosmos.html"},
	{"Compass, two objects", "{ createdAt: 1 }\n{ expireAfterSeconds: 3600 }", dated, "mongo.date", "Read as the fields and the options of one index", ""},
	{"Atlas, two objects", "{ \"createdAt\": 1 }\n\n{ \"expireAfterSeconds\": 3600, \"name\": \"ttl\" }", dated, "mongo.date", "Read as the fields and the options of one index", ""},
	{"a line of a schema", `createdAt: { type: Date, index: { expires: '2m' } }`, dated, "mongo.date", "Read as a field of a schema", ""},
	{"NestJS", "@Prop({ type: Date, expires: 3600 })\ncreatedAt: Date;", dated, "mongo.date", "Read as a property of a schema", ""},
	{"the driver for Ruby", `client[:logs].indexes.create_one({ created_at: 1 }, expire_after: 3600)`, snake, OfProgram, "expire_after|" + notKnown, recipes},
	{"Mongoid", `index({ created_at: 1 }, { expire_after_seconds: 3600 })`, snake, OfProgram, "expire_after_seconds|" + notKnown, recipes},
	{"Laravel", `$collection->expire('created_at', 3600);`, snake, OfProgram, "expire|" + notKnown, recipes},
	{"Elixir", `Mongo.create_indexes(conn, "logs", [[key: [created_at: 1], name: "ttl", expireAfterSeconds: 3600]])`, snake, OfProgram, "expireAfterSeconds|" + notKnown, recipes},
	{"YAML", "collection: logs\nindexes:\n  - key:\n      createdAt: 1\n    expireAfterSeconds: 3600\n", dated, OfProgram, "expireAfterSeconds|" + notKnown, recipes},
	{"smart quotes", hourly, "{createdAt: ISODate(“2026-11-01T00:00:00Z”)}", "mongo.date", "Typographic quotes and brackets are read as plain ones", ""},
	{"full-width brackets", "db.logs.createIndex（{createdAt: 1}, {expireAfterSeconds: 3600}）", dated, "mongo.date", "Typographic quotes and brackets are read as plain ones", ""},
	{"Terraform for the API for MongoDB", "resource \"azurerm_cosmosdb_mongo_collection\" \"c\" {\n  name = \"c\"\n  default_ttl_seconds = \"777\"\n}", "{}", OfProgram, "an index on _ts|createIndex({_ts: 1}|" + notKnown, "recipes/azure.html"},
	{"az, a collection", `{"name": "c", "resource": {"id": "c", "indexes": [{"key": {"keys": ["_id"]}}, {"key": {"keys": ["_ts"]}, "options": {"expireAfterSeconds": 777}}]}}`, `{"_id": 1, "_ts": 1795176000}`, "cosmos.default", "Read as a collection of Azure Cosmos DB for MongoDB", ""},
	{"a question in words", "why are my documents not deleted", "", OfWords, "The search", ""},
	{"an option of no driver", `db.logs.createIndex({createdAt: 1}, {expireAfter: "1h"})`, dated, OfProgram, "expireAfter is not an option of MongoDB|" + notKnown, recipes},
	{"a language that is not read", `(mc/create-index db "logs" {:created_at 1} {:expireAfterSeconds 3600})`, snake, OfProgram, "expireAfterSeconds|" + notKnown, recipes},
	{"an expression", `{"properties": {"resource": {"id": "c", "defaultTtl": "[parameters('ttl')]"}}}`, oldItem, OfProgram, "defaultTtl|" + notKnown, "recipes/cosmos-sdks.html"},
	{"both, in the wrong fields", dated, hourly, "mongo.date", "", ""},
	{"commas at the end of JSON", `{"id": "c", "defaultTtl": 60,}`, `{"id": "1", "_ts": 1795176000,}`, "cosmos.default", "The comma before a closing bracket is left out", ""},
	{"nothing", "", "", OfWords, "An error message", "start.html"},
}

// TestClipboards: the box answers what people paste as its author meant it, or says that it is
// not known.
func TestClipboards(t *testing.T) {
	for _, x := range clipboards {
		a := Of(State{System: Guess, Policy: x.policy, Document: x.document, Now: halfNow}, View{})
		if a.State.Policy != x.policy || a.State.Document != x.document {
			t.Errorf("%s: the question becomes %+v", x.why, a.State)
		}
		got, says := a.Half.Kind, strings.Join(append(a.Half.Says, a.Notices...), "\n")
		if got == "" && len(a.Problems) == 0 {
			got = a.Rule
		}
		if got != x.want || a.Half.Page != x.page {
			t.Errorf("%s: the answer is %q, page %q, problems %v, want %q, page %q", x.why, got, a.Half.Page, a.Problems, x.want, x.page)
		}
		rest := says
		for part := range strings.SplitSeq(x.says, "|") {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("%s: it says %q, want %q in it, after the parts before", x.why, says, part)
				continue
			}
			rest = after
		}
		if lead := a.Half.Says; a.Half.Command != "" && !strings.HasSuffix(lead[len(lead)-1], ":") {
			t.Errorf("%s: before the command %q stands %q, want the sentence that leads to it", x.why, a.Half.Command, lead[len(lead)-1])
		}
		if (a.Half.Kind == OfProgram) != (len(a.Problems) > 0) {
			t.Errorf("%s: the problems are %v beside %q", x.why, a.Problems, a.Half.Kind)
		}
	}
}

// TestTwoDocuments: with a document in both fields, the first sentence is about the document.
func TestTwoDocuments(t *testing.T) {
	for system, want := range map[string]string{definition.MongoDB: "No field is a Date", definition.CosmosMongo: "It expires the container's defaultTtl"} {
		a := Of(State{System: system, Policy: `{_id: 1, name: "x"}`, Document: `{_id: 2}`, Now: halfNow}, View{})
		if says := a.Half.Says; len(says) < 2 || !strings.HasPrefix(says[0], want) || !strings.Contains(strings.Join(says, " "), "The document in the other field is left out.") {
			t.Errorf("%s: it says %q, want %q first, and that the other document is left out", system, says, want)
		}
	}
}

var codeBlock = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```\n")

// TestRecipesInTheBox pastes each piece of code of the recipes that mentions a time to live. It is
// either read as the policy of the page, which deletes after an hour or two, or not known. It never
// "deletes nothing", except where it is the command that stops a TTL.
func TestRecipesInTheBox(t *testing.T) {
	files, err := filepath.Glob("../../recipes/*.md")
	if err != nil || len(files) < 9 {
		t.Fatalf("%q, %v", files, err)
	}
	mention := regexp.MustCompile(`(?i)expire|ttl|timetolive`)
	read, unread := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codeBlock.FindAllStringSubmatch(string(text), -1) {
			if !mention.MatchString(m[2]) || m[1] == "sh" {
				continue
			}
			for _, document := range []string{"", `{createdAt: ISODate("2026-11-01T00:00:00Z"), CreatedAt: ISODate("2026-11-01T00:00:00Z")}`} {
				a := Of(State{System: Guess, Policy: m[2], Document: document, Now: halfNow}, View{})
				says := strings.Join(append(append([]string{a.Because}, a.Half.Says...), a.Notices...), "\n")
				switch {
				case strings.Contains(says, "deletes nothing"), strings.Contains(says, "deletes no document"), len(a.Problems) == 0 && a.Half.Kind == "" && a.Verdict.String() == "never" && a.State.System == definition.MongoDB:
					t.Errorf("%s: this deletes nothing, says the box: %s\n%s", filepath.Base(file), says, m[2])
				case a.Half.Kind == OfProgram || len(a.Problems) > 0:
					unread++
				default:
					read++
				}
			}
		}
	}
	if read < 8 || unread < 8 {
		t.Errorf("%d pieces were read, and %d were not, want several of both", read, unread)
	}
}

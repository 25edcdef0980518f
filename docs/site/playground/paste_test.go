package playground

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPastes: a paste is read as its author means it, or a note says which part of it has
// no effect. A policy is never off without a note.
func TestPastes(t *testing.T) {
	const hourAgo, item = `{createdAt: ISODate("2026-11-20T10:59:59Z")}`, `{"id": "1", "_ts": 1795172399}`
	onMongoDB := func(text string) State { return onMongo("8.0.4", text, hourAgo, "") }
	onContainer := func(text string) State { return onCore(text, item, "") }
	for _, tc := range []struct {
		why    string
		state  State
		want   policy.State
		notice string // a part of a notice; "" for no notice
	}{
		{"ensureIndex", onMongoDB(`db.c.ensureIndex({createdAt: 1}, {expireAfterSeconds: 3600})`), policy.Expired, ""},
		{"getIndexes", onMongoDB("db.c.getIndexes()\n[ { v: 2, key: { createdAt: 1 }, name: 'n', expireAfterSeconds: 3600 } ]"), policy.Expired, ""},
		{"createIndexes", onMongoDB(`db.runCommand({createIndexes: "c", indexes: [{key: {createdAt: 1}, name: "n", expireAfterSeconds: 3600}]})`), policy.Expired, ""},
		{"the arguments alone", onMongoDB(`{createdAt: 1}, {expireAfterSeconds: 3600}`), policy.Expired, ""},
		{"Compass", onMongoDB(`{"name": "n", "key": {"createdAt": 1}, "fields": [], "properties": ["ttl"], "extra": {"expireAfterSeconds": 3600}}`), policy.Expired, "Read as an index of Compass"},
		{"pymongo", onMongoDB(`db.c.create_index("createdAt", expireAfterSeconds=3600)`), policy.Expired, ""},
		{"pymongo, pairs", onMongoDB(`db.c.create_index([("createdAt", 1)], expireAfterSeconds=3600)`), policy.Expired, ""},
		{"PHP", onMongoDB(`$db->c->createIndex(['createdAt' => 1], ['expireAfterSeconds' => 3600]);`), policy.Expired, ""},
		{"pymongo's listing", onMongoDB(`[SON([('v', 2), ('key', SON([('createdAt', 1)])), ('name', 'n'), ('expireAfterSeconds', 3600)])]`), policy.Expired, ""},
		{"pymongo's listing by name", onMongoDB(`{'n': {'v': 2, 'key': [('createdAt', 1)], 'expireAfterSeconds': 3600}}`), policy.Expired, ""},
		{"mongoose", onMongoDB(`{ createdAt: { type: Date, expires: 3600 } }`), policy.Expired, "Read as mongoose reads it"},
		{"mongoose, a text", onMongoDB(`const s = new Schema({ createdAt: { type: Date, expires: '1h', default: Date.now } })`), policy.Expired, "Read as mongoose reads it"},
		{"mongoose, index", onMongoDB(`schema.index({createdAt: 1}, {expireAfterSeconds: 3600})`), policy.Expired, ""},
		{"the API for MongoDB", onAPI(`coll.create_index("_ts", expireAfterSeconds=10)`, `{_ts: 1795172399}`, ""), policy.Expired, ""},
		{"misspelt", onMongoDB(`{key: {createdAt: 1}, expireAfterSecond: 3600}`), policy.Never, "expireAfterSecond is not an option of an index; expireAfterSeconds is."},
		{"another case", onMongoDB(`{key: {createdAt: 1}, expireafterseconds: 3600}`), policy.Never, "expireafterseconds is not an option of an index"},
		{"ttl", onMongoDB(`{key: {createdAt: 1}, ttl: 3600}`), policy.Never, "ttl is not an option of an index"},
		{"in the key", onMongoDB(`db.c.createIndex({createdAt: 1, expireAfterSeconds: 3600})`), policy.Never, "expireAfterSeconds stands within the key"},
		{"an ordinary collection", onMongoDB(`db.createCollection("c", {expireAfterSeconds: 3600})`), policy.Never, "counts only where it is a time-series or a clustered collection"},

		{"az", onContainer(`{"name": "c", "resource": {"id": "c", "defaultTtl": 3600}}`), policy.Expired, "under resource"},
		{"properties.resource", onContainer(`{"properties": {"resource": {"id": "c", "defaultTtl": 3600}}}`), policy.Expired, "under properties.resource"},
		{".NET", onContainer(`{"DefaultTimeToLive": 3600}`), policy.Never, "The property DefaultTimeToLive is not defaultTtl but its name in .NET"},
		{"Java", onContainer(`{"defaultTimeToLiveInSeconds": 3600}`), policy.Never, "Java"},
		{"another case of defaultTtl", onContainer(`{"defaultTTL": 3600}`), policy.Never, "The property defaultTTL is not defaultTtl."},
		{"an item's ttl", onContainer(`{"id": "c", "ttl": 3600}`), policy.Never, "The property ttl is not defaultTtl"},
	} {
		a := Of(tc.state, View{})
		if len(a.Problems) > 0 || a.Verdict != tc.want {
			t.Errorf("%s: %v, problems %v, want %v", tc.why, a.Verdict, a.Problems, tc.want)
			continue
		}
		notices := strings.Join(a.Notices, "\n")
		if tc.notice == "" && notices != "" || !strings.Contains(notices, tc.notice) {
			t.Errorf("%s: notices %q, want %q", tc.why, notices, tc.notice)
		}
		if strings.Contains(a.Command, tc.state.Policy) && tc.notice != "" && tc.want == policy.Expired { // it has the policy as the database stores it
			t.Errorf("%s: the command has the text as it was pasted:\n%s", tc.why, a.Command)
		}
	}
	for _, tc := range []struct {
		why   string
		state State
		want  string
	}{
		{"a key with an option", onMongoDB(`{createdAt: 1, expireAfterSeconds: 3600}`), "write {key: {createdAt: 1}, expireAfterSeconds: 3600}"},
		{"shortened", onMongoDB(`db.c.createIndex({createdAt: 1}, {expireAfter: 3600})`), "expireAfter is not an option of MongoDB"},
		{"a key alone", onMongoDB(`{createdAt: 1}`), "want an index such as"},
		{"a variable", onMongoDB(`schema.index({createdAt: 1}, {expireAfterSeconds: TTL})`), "expireAfterSeconds is TTL, which is not evaluated here"},
		{"mongoose's path", onMongoDB(`schema.path('createdAt').expires('1h')`), "expires mentions a time to live and is not evaluated here"},
		{"an index as a container", onContainer(`db.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})`), "expireAfterSeconds mentions a time to live and is not evaluated here"},
		{"a variable of Bicep", onContainer("resource: {\n  defaultTtl: ttl\n}"), "defaultTtl mentions a time to live and is not evaluated here"},
		{"C#", onContainer(`new ContainerProperties("c", "/id") { DefaultTimeToLive = 60 * 60 }`), "DefaultTimeToLive mentions a time to live and is not evaluated here"},
		{"Terraform", onContainer("default_ttl = 3600"), "default_ttl mentions a time to live and is not evaluated here"},
		{"Go", onMongoDB("options.Index().SetExpireAfterSeconds(3600)"), "SetExpireAfterSeconds mentions a time to live and is not evaluated here"},
		{"Java", onMongoDB("logs.createIndex(Indexes.ascending(\"createdAt\"), new IndexOptions().expireAfter(1L, TimeUnit.HOURS));"), "which is not evaluated here"},
		{"Mongoid", onMongoDB("class Log\n  include Mongoid::Document\n  index({ createdAt: 1 }, { expire_after_seconds: 3600 })\nend"), "expire_after_seconds mentions a time to live and is not evaluated here"},
		{"a component of a span", onMongoDB(`db.c.create_index("createdAt", expireAfterSeconds=timedelta(days=30).seconds)`), "which is not evaluated here"},
		{"two containers", onContainer(`[{"id": "a", "defaultTtl": 5}, {"id": "b", "defaultTtl": 6}]`), "2 containers are written here"},
	} {
		a := Of(tc.state, View{})
		if len(a.Problems) != 1 || a.Problems[0].Editor != "policy" || !strings.Contains(a.Problems[0].Message, tc.want) {
			t.Errorf("%s: %v by %s, problems %v, want %q", tc.why, a.Verdict, a.Rule, a.Problems, tc.want)
		}
	}
}

// TestReleasesAsWritten: a line of releases stands for its last patch, and the note says
// so. For a release that does not exist, the note names it.
func TestReleasesAsWritten(t *testing.T) {
	latest := mongo.Latest().String()
	isUnknown := func(text string) string {
		return fmt.Sprintf("%q is not a release that is known here; those from 2.2 to %s are.", text, latest)
	}
	for _, tt := range []struct{ system, text, want, note string }{
		{definition.MongoDB, "8.0.4", "8.0.4", ""}, {definition.MongoDB, "v8.0.4", "8.0.4", ""}, {definition.MongoDB, " V5.0.13 ", "5.0.13", ""}, {definition.MongoDB, "", latest, ""},
		{definition.MongoDB, "v7.0", "7.0.26", "v7.0 is read as 7.0.26, the newest patch of 7.0."}, {definition.MongoDB, "7", "7.0.26", "7 is read as 7.0.26, the newest patch of 7.0."},
		{definition.MongoDB, "2.2", "2.2.7", "2.2 is read as 2.2.7, the newest patch of 2.2."}, {definition.MongoDB, "7.3", "7.3.4", "7.3 is read as 7.3.4, the newest patch of 7.3."},
		{definition.MongoDB, "4.5", latest, isUnknown("4.5")}, {definition.MongoDB, "7.0.99", latest, isUnknown("7.0.99")},
		{definition.MongoDB, "10.0.1", latest, isUnknown("10.0.1")}, {definition.MongoDB, "10", latest, isUnknown("10")}, {definition.MongoDB, "1.8", latest, isUnknown("1.8")},
		{definition.MongoDB, "abc", latest, isUnknown("abc")}, {definition.MongoDB, "latest", latest, isUnknown("latest")}, {definition.MongoDB, "8.", latest, isUnknown("8.")}, {definition.MongoDB, "07", latest, isUnknown("07")},
		{definition.CosmosMongo, "4.2", "4.2", ""}, {definition.CosmosMongo, "", "7.0", ""}, {definition.CosmosMongo, "4.4", "7.0", `"4.4" is not a release that is known here; those from 3.2 to 7.0 are.`},
		{definition.CosmosNoSQL, "7.0", "", "Azure Cosmos DB for NoSQL has no releases, so that the release is not looked at."}, {definition.CosmosNoSQL, "", "", ""},
	} {
		a := Of(State{System: tt.system, Release: tt.text, Policy: `{key: {a: 1}}`, Document: `{}`}, View{})
		if a.State.Release != tt.want || a.ReleaseNote != tt.note || a.Unknown != strings.Contains(tt.note, "not a release") {
			t.Errorf("the release %q of %s is read as %q, unknown %v, note %q; want %q, note %q", tt.text, tt.system, a.State.Release, a.Unknown, a.ReleaseNote, tt.want, tt.note)
		}
	}
}

// TestGuessed: the pasted text shows the database, and the page questions the choice of
// another one.
func TestGuessed(t *testing.T) {
	for _, tt := range []struct{ chosen, policy, document, guessed, meant string }{
		{definition.MongoDB, `{"id": "chat", "defaultTtl": 60}`, `{"_ts": 1}`, definition.CosmosNoSQL, definition.CosmosNoSQL},
		{definition.CosmosNoSQL, `{"id": "chat", "defaultTtl": 60}`, `{"_ts": 1}`, definition.CosmosNoSQL, ""},
		{definition.CosmosNoSQL, `db.c.createIndex({a: 1}, {expireAfterSeconds: 5})`, `{}`, definition.MongoDB, definition.MongoDB},
		{definition.MongoDB, `db.c.createIndex({"_ts": 1}, {expireAfterSeconds: 5})`, `{"_ts": 1}`, definition.CosmosMongo, definition.CosmosMongo},
		{definition.MongoDB, `db.c.createIndex({"_ts": 1}, {expireAfterSeconds: 5})`, `{}`, definition.CosmosMongo, ""},
		{definition.CosmosMongo, `db.c.createIndex({a: 1}, {expireAfterSeconds: 5})`, `{}`, definition.MongoDB, ""},
		{definition.CosmosNoSQL, `{}`, `{"id": "1", "_ts": 1}`, definition.CosmosNoSQL, ""},
		{definition.MongoDB, ``, ``, definition.MongoDB, ""},
	} {
		s := State{System: tt.chosen, Policy: tt.policy, Document: tt.document}
		if guessed, meant := Guessed(tt.policy, tt.document), Of(s, View{}).Meant; guessed != tt.guessed || meant != tt.meant {
			t.Errorf("%s of %s: guessed %q, want %q; beside %s meant %q, want %q", tt.policy, tt.document, guessed, tt.guessed, tt.chosen, meant, tt.meant)
		}
	}
}

package pasted

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const now policy.Instant = 1_795_176_000_000 // 2026-11-20T12:00:00Z

// hour is the index that most texts below define.
const hour = `[{"key":{"createdAt":1},"expireAfterSeconds":3600}]`

// plain returns a value as Extended JSON without the wrappers of small numbers.
func plain(v policy.Value) string {
	text := string(policy.AppendExtJSON(nil, v))
	for _, n := range []string{"-1", "0", "1", "4", "10", "60", "3600", "86400", "5400", "604800"} {
		text = strings.ReplaceAll(text, `{"$numberInt":"`+n+`"}`, n)
	}
	return text
}

func TestReadCollection(t *testing.T) {
	for _, tc := range []struct {
		why, text string
		indexes   string // in Extended JSON
		options   string // "" for none
		note      string // "" for none
	}{
		// The shell and listings.
		{"the shell", `db.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})`, hour, "", ""},
		{"ensureIndex", `db.c.ensureIndex({createdAt: 1}, {expireAfterSeconds: 60 * 60})`, hour, "", ""},
		{"a call that is awaited", `await db.collection("c").createIndex({ createdAt: 1 }, { expireAfterSeconds: 3600 });`, hour, "", ""},
		{"the arguments alone", `{createdAt: 1}, {expireAfterSeconds: 3600}`, hour, "", ""},
		{"the arguments in an array", `[{createdAt: 1}, {expireAfterSeconds: 3600}]`, hour, "", ""},
		{"createIndexes with shared options", `db.c.createIndexes([{createdAt: 1}, {b: 1}], {expireAfterSeconds: 3600})`, `[{"key":{"createdAt":1},"expireAfterSeconds":3600},{"key":{"b":1},"expireAfterSeconds":3600}]`, "", ""},
		{"createIndexes of a driver", `collection.createIndexes([{ key: { createdAt: 1 }, expireAfterSeconds: 3600 }])`, hour, "", ""},
		{"runCommand", `db.runCommand({createIndexes: "c", indexes: [{key: {createdAt: 1}, name: "n", expireAfterSeconds: 3600}]})`, `[{"key":{"createdAt":1},"name":"n","expireAfterSeconds":3600}]`, "", ""},
		{"a command", `{"createIndexes": "c", "indexes": [{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}]}`, hour, "", ""},
		{"collMod", `db.runCommand({collMod: "c", index: {keyPattern: {createdAt: 1}, expireAfterSeconds: 3600}})`, hour, "", "collMod changes an index"},
		{"getIndexes()", "shop> db.c.getIndexes()\n[\n  { v: 2, key: { _id: 1 }, name: '_id_' },\n  { v: 2, key: { createdAt: 1 }, name: 'createdAt_1', expireAfterSeconds: 3600 }\n]",
			`[{"v":{"$numberInt":"2"},"key":{"_id":1},"name":"_id_"},{"v":{"$numberInt":"2"},"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":3600}]`, "", ""},
		{"its output", `[{"v": 2, "key": {"createdAt": 1}, "name": "n", "expireAfterSeconds": 3600}]`, `[{"v":{"$numberInt":"2"},"key":{"createdAt":1},"name":"n","expireAfterSeconds":3600}]`, "", ""},
		{"listIndexes", `{"cursor": {"id": 0, "ns": "a.c", "firstBatch": [{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}]}, "ok": 1}`, hour, "", ""},
		{"within a function", "async function setUp() {\n  await c.createIndex({ createdAt: 1 }, { expireAfterSeconds: 3600 });\n}", hour, "", ""},
		{"one collection, by several calls", `db.createCollection("c", {capped: true, size: 5}); db.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600}); db.runCommand({createIndexes: "c", indexes: [{key: {b: 1}, name: "b"}]})`,
			`[{"key":{"createdAt":1},"expireAfterSeconds":3600},{"key":{"b":1},"name":"b"}]`, `{"capped":true,"size":{"$numberInt":"5"}}`, ""},
		{"prisma", "await prisma.$runCommandRaw({ createIndexes: 'c', indexes: [{ key: { createdAt: 1 }, expireAfterSeconds: 3600 }] })", hour, "", ""},
		{"use and comments", "use shop\n// an hour\ndb.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})", hour, "", ""},
		{"createCollection", `db.createCollection("c", {timeseries: {timeField: "t"}, expireAfterSeconds: 60})`, `[]`, `{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`, ""},
		{"metadata", `{"options": {"capped": true}, "indexes": [{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}], "collectionName": "c"}`, hour, `{"capped":true}`, ""},

		{"an option twice", `{"key": {"createdAt": 1}, "expireAfterSeconds": 60, "expireAfterSeconds": 3600}`, hour, "", `"expireAfterSeconds" is written twice; the last counts`},
		{"an option twice, in the shell", `[{key: {createdAt: 1}, expireAfterSeconds: 60, expireAfterSeconds: 3600}]`, hour, "", `"expireAfterSeconds" is written twice; the last counts`},
		{"no index", `[]`, `[]`, "", ""},
		{"metadata without", `{"indexes": []}`, `[]`, "", ""},

		// Drivers and tools.
		{"Compass", `{"ns": "a.c", "name": "n", "key": {"createdAt": 1}, "fields": [{"field": "createdAt", "value": 1}], "cardinality": "single", "properties": ["ttl"], "extra": {"expireAfterSeconds": 3600}}`,
			`[{"name":"n","key":{"createdAt":1},"expireAfterSeconds":3600}]`, "", "Read as an index of Compass"},
		{"a configuration", `{"keys": {"createdAt": 1}, "options": {"expireAfterSeconds": 3600}}`, `[{"key":{"createdAt":1},"options":{"expireAfterSeconds":3600}}]`, "", "expireAfterSeconds stands within options, where a server does not look; it belongs beside the key."},
		{"pymongo", `db.c.create_index("createdAt", expireAfterSeconds=3600)`, hour, "", ""},
		{"pymongo, pairs", "collection.create_index([('createdAt', 1)], expireAfterSeconds=60*60)", hour, "", ""},
		{"pymongo, constants", "coll.create_index([(\"createdAt\", pymongo.ASCENDING)], expireAfterSeconds=3600, background=True)", `[{"key":{"createdAt":1},"expireAfterSeconds":3600,"background":true}]`, "", ""},
		{"pymongo, IndexModel", "c.create_indexes([\n    IndexModel([(\"createdAt\", DESCENDING)], expireAfterSeconds=3600),\n])", `[{"key":{"createdAt":-1},"expireAfterSeconds":3600}]`, "", ""},
		{"pymongo, index_information", `{'_id_': {'v': 2, 'key': [('_id', 1)]}, 'createdAt_1': {'v': 2, 'key': [('createdAt', 1)], 'expireAfterSeconds': 3600}}`,
			`[{"v":{"$numberInt":"2"},"key":{"_id":1},"name":"_id_"},{"v":{"$numberInt":"2"},"key":{"createdAt":1},"expireAfterSeconds":3600,"name":"createdAt_1"}]`, "", ""},
		{"pymongo, create_collection", `db.create_collection("c", timeseries={"timeField": "t"}, expireAfterSeconds=60)`, `[]`, `{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`, ""},
		{"mongoose, a field", `{ createdAt: { type: Date, expires: 3600 } }`, hour, "", "Read as mongoose reads it: expires is expireAfterSeconds 3600."},
		{"mongoose, a text", `{ createdAt: { type: Date, expires: '1h', default: Date.now } }`, hour, "", "expireAfterSeconds 3600"},
		{"mongoose, one and a half", `{ createdAt: { type: Date, expires: '1.5h' } }`, `[{"key":{"createdAt":1},"expireAfterSeconds":5400}]`, "", ""},
		{"mongoose, days", `{ createdAt: { type: Date, expires: '7 days' } }`, `[{"key":{"createdAt":1},"expireAfterSeconds":604800}]`, "", ""},
		{"mongoose, milliseconds", `{ createdAt: { type: Date, expires: '3600' } }`, `[{"key":{"createdAt":1},"expireAfterSeconds":4}]`, "", "has no unit, and mongoose reads it as milliseconds: 4 s"},
		{"mongoose, a schema", "const s = new mongoose.Schema({\n  user: { type: Schema.Types.ObjectId, ref: 'User' },\n  meta: { createdAt: { type: Date, default: () => new Date(Date.now() + TTL), expires: 60 * 60 } },\n}, { timestamps: true });\nmodule.exports = mongoose.model('S', s);",
			`[{"key":{"meta.createdAt":1},"expireAfterSeconds":3600}]`, "", "Read as mongoose"},
		{"mongoose, a schema within another", "const inner = new Schema({ n: Number });\nconst s = new Schema({ inner: inner, createdAt: { type: Date, expires: '1h' } });\ns.index({ n: 1 })", `[{"key":{"createdAt":1},"expireAfterSeconds":3600},{"key":{"n":1}}]`, "", "Read as mongoose"},
		{"mongoose, within model", "mongoose.model('S', new Schema<S>({ createdAt: { type: Date, expires: '1h' } }))", hour, "", "Read as mongoose"},
		{"mongoose, of embedded documents", "new Schema({ list: [{ at: { type: Date, expires: 60 } }] })", `[{"key":{"list.at":1},"expireAfterSeconds":60}]`, "", "Read as mongoose"},
		{"mongoose, an index of a field", `{ "createdAt": { "type": "Date", "index": { "expires": "1d", "sparse": true } } }`, `[{"key":{"createdAt":1},"sparse":true,"expireAfterSeconds":86400}]`, "", "Read as mongoose"},
		{"mongoose, index", "schema.index({ createdAt: 1 }, { expireAfterSeconds: 3600 });", hour, "", ""},
		{"mongoose, index with expires", "schema.index({ createdAt: 'asc' }, { expires: '1h' })", hour, "", "Read as mongoose"},
		{"mongoose, index with expires 0", "schema.index({ createdAt: 1 }, { expires: 0 })", `[{"key":{"createdAt":1},"expires":0}]`, "", "expires is not an option of an index; expireAfterSeconds is."},
		{"mongoose, a time series", "new Schema({ t: Date }, { timeseries: { timeField: 't' }, expires: '1h' })", `[]`, `{"timeseries":{"timeField":"t"},"expireAfterSeconds":3600}`, "Read as mongoose"},

		// These options do nothing, and a remark says so.
		{"expireAfterSecond", `{key: {createdAt: 1}, expireAfterSecond: 3600}`, `[{"key":{"createdAt":1},"expireAfterSecond":3600}]`, "", "expireAfterSecond is not an option of an index; expireAfterSeconds is. Without expireAfterSeconds the index has no time to live."},
		{"expireAfter", `db.c.createIndex({createdAt: 1}, {expireAfter: 3600})`, `[{"key":{"createdAt":1},"expireAfter":3600}]`, "", "expireAfter is not an option of an index"},
		{"another case", `db.c.createIndex({createdAt: 1}, {expireafterseconds: 3600})`, `[{"key":{"createdAt":1},"expireafterseconds":3600}]`, "", "expireafterseconds is not an option of an index"},
		{"ttl", `{"key": {"createdAt": 1}, "ttl": 3600}`, `[{"key":{"createdAt":1},"ttl":3600}]`, "", "ttl is not an option of an index"},
		{"a letter less", `{key: {createdAt: 1}, exireAfterSeconds: 3600}`, `[{"key":{"createdAt":1},"exireAfterSeconds":3600}]`, "", "exireAfterSeconds is not an option of an index"},
		{"beside the right one", `{key: {createdAt: 1}, expireAfterSeconds: 60, ttl: 3600}`, `[{"key":{"createdAt":1},"expireAfterSeconds":60,"ttl":3600}]`, "", "ttl is not an option of an index; expireAfterSeconds is."},
		{"in the key", `db.c.createIndex({createdAt: 1, expireAfterSeconds: 3600})`, `[{"key":{"createdAt":1,"expireAfterSeconds":3600}}]`, "", "expireAfterSeconds stands within the key"},
		{"a filter", `db.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600, partialFilter: {a: 1}})`, `[{"key":{"createdAt":1},"expireAfterSeconds":3600,"partialFilter":{"a":1}}]`, "", "partialFilter is not an option of an index; partialFilterExpression is. Without partialFilterExpression the index is not partial, and holds every document."},
		{"within another", `{"indexes": [{"key": {"createdAt": 1}, "storageEngine": {"expireAfterSeconds": 3600}}]}`, `[{"key":{"createdAt":1},"storageEngine":{"expireAfterSeconds":3600}}]`, "", "expireAfterSeconds stands within storageEngine, where a server does not look"},
		{"in metadata", `{"indexes": [{"key": {"createdAt": 1}, "expireAfterSecond": 3600}]}`, `[{"key":{"createdAt":1},"expireAfterSecond":3600}]`, "", "expireAfterSecond is not an option"},
		{"an ordinary collection", `db.createCollection("c", {expireAfterSeconds: 60})`, `[]`, `{"expireAfterSeconds":60}`, "counts only where it is a time-series or a clustered collection"},
		{"an option of a collection", `db.createCollection("c", {timeseries: {timeField: "t"}, expireAfter: 60})`, `[]`, `{"timeseries":{"timeField":"t"},"expireAfter":60}`, "expireAfter is not an option of a collection"},
		{"mongoose, no Date", `new Schema({ a: { type: String, expires: 60 }, createdAt: { type: Date, expires: '1h' } })`, hour, "", "mongoose knows it where the type is Date"},
		{"a string", `db.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600, partialFilterExpression: {s: {$lt: Date()}}})`, `[{"key":{"createdAt":1},"expireAfterSeconds":3600,"partialFilterExpression":{"s":{"$lt":"Fri Nov 20 2026 12:00:00 GMT+0000 (Coordinated Universal Time)"}}}]`, "", "Date() without new is a string"},

		// These fields have the name of an option, but are no options.
		{"a field called ttl", `{key: {ttl: 1}, expireAfterSeconds: 0}`, `[{"key":{"ttl":1},"expireAfterSeconds":0}]`, "", ""},
		{"a field called as the option", `{key: {expireAfterSeconds: 1}, expireAfterSeconds: 10}`, `[{"key":{"expireAfterSeconds":1},"expireAfterSeconds":10}]`, "", ""},
		{"fields called so, of two", `db.c.createIndex({user: 1, expireAt: 1})`, `[{"key":{"user":1,"expireAt":1}}]`, "", ""},
		{"throttle", `{key: {createdAt: 1}, expireAfterSeconds: 10, throttle: 1, subtitle: 0}`, `[{"key":{"createdAt":1},"expireAfterSeconds":10,"throttle":1,"subtitle":0}]`, "", ""},
	} {
		c, err := ReadCollection(tc.text, now)
		if err != nil {
			t.Errorf("%s: %v", tc.why, err)
			continue
		}
		options := ""
		if !c.Options.IsMissing() {
			options = plain(c.Options)
		}
		if diff := cmp.Diff(tc.indexes+tc.options, plain(policy.ListValue(c.Indexes))+options); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.why, diff)
		}
		notes := ""
		for _, n := range c.Notes {
			notes += n.Text + "\n"
		}
		if tc.note == "" && notes != "" && !strings.HasPrefix(tc.why, "mongoose") || !strings.Contains(notes, tc.note) {
			t.Errorf("%s: notes %q, want %q", tc.why, notes, tc.note)
		}
		if len(c.Places) != len(c.Indexes) {
			t.Errorf("%s: %d indexes at %d places", tc.why, len(c.Indexes), len(c.Places))
		}
	}
}

// TestReadInOrder: collMod and dropIndex are about the indexes that were made before them.
func TestReadInOrder(t *testing.T) {
	const made = "db.c.createIndex({a: 1}, {expireAfterSeconds: 5}); "
	for _, tc := range []struct{ why, text, want string }{
		{"by key", made + "db.runCommand({collMod: 'c', index: {keyPattern: {a: 1}, expireAfterSeconds: 9}})", `[{"key":{"a":1},"expireAfterSeconds":9}]`},
		{"by the name that it has by default", made + "db.runCommand({collMod: 'c', index: {name: 'a_1', expireAfterSeconds: 9}})", `[{"key":{"a":1},"expireAfterSeconds":9}]`},
		{"by its own name", "db.c.createIndex({a: 1}, {name: 'n', expireAfterSeconds: 5}); db.runCommand({collMod: 'c', index: {name: 'n', expireAfterSeconds: 9}})", `[{"key":{"a":1},"expireAfterSeconds":9}]`},
		{"another one", made + "db.runCommand({collMod: 'c', index: {keyPattern: {b: 1}, expireAfterSeconds: 9}})", `[{"key":{"a":1},"expireAfterSeconds":5},{"key":{"b":1},"expireAfterSeconds":9}]`},
		{"of another collection", "db.runCommand({collMod: 'c', index: {name: 'b.c_-1', expireAfterSeconds: 9}})", `[{"key":{"b.c":-1},"expireAfterSeconds":9}]`},
		{"dropped by name", made + "db.c.dropIndex('a_1'); db.c.createIndex({a: 1}, {expireAfterSeconds: 9})", `[{"key":{"a":1},"expireAfterSeconds":9}]`},
		{"dropped by key", made + "db.c.dropIndex({a: 1}); db.c.createIndex({b: 1}, {expireAfterSeconds: 9})", `[{"key":{"b":1},"expireAfterSeconds":9}]`},
		{"another one dropped", made + "db.c.dropIndex('b_1')", `[{"key":{"a":1},"expireAfterSeconds":5}]`},
		{"all dropped", made + "db.c.dropIndexes(); db.c.createIndex({b: 1}, {expireAfterSeconds: 9})", `[{"key":{"b":1},"expireAfterSeconds":9}]`},
		{"some dropped", made + "db.runCommand({dropIndexes: 'c', index: ['x', 'a_1']}); db.c.createIndex({b: 1}, {expireAfterSeconds: 9})", `[{"key":{"b":1},"expireAfterSeconds":9}]`},
		{"pymongo", "c.create_index('a', expireAfterSeconds=5)\nc.drop_index('a_1')\nc.create_index('a', expireAfterSeconds=9)", `[{"key":{"a":1},"expireAfterSeconds":9}]`},
		{"pymongo's command", "db.command('collMod', 'c', index={'keyPattern': {'a': 1}, 'expireAfterSeconds': 9})", `[{"key":{"a":1},"expireAfterSeconds":9}]`},
	} {
		c, err := ReadCollection(tc.text, now)
		if got := withoutNames(c.Indexes); err != nil || got != tc.want {
			t.Errorf("%s: ReadCollection(%s) = %s, %v, want %s", tc.why, tc.text, got, err, tc.want)
		}
	}
	c, err := ReadCollection("db.createCollection('c', {timeseries: {timeField: 't'}, expireAfterSeconds: 5}); db.runCommand({collMod: 'c', expireAfterSeconds: 'off'})", now)
	if text, _ := c.Options.Field("expireAfterSeconds").AsString(); err != nil || text != "off" {
		t.Errorf("a collection's own option: %v, %v, want off", c.Options, err)
	}
}

// withoutNames returns indexes as text, without their names.
func withoutNames(list policy.A) string {
	var left policy.A
	for _, x := range list {
		left = append(left, WithoutField(x, "name"))
	}
	return regexp.MustCompile(`\{"\$numberInt":"(\d+)"\}`).ReplaceAllString(plain(policy.ListValue(left)), "$1")
}

// TestReadKey: a text that is only a key pattern is recognised, for callers that know the
// options of the index.
func TestReadKey(t *testing.T) {
	for text, want := range map[string]string{`{"createdAt": 1}`: `{"createdAt":1}`, `{createdAt: -1}`: `{"createdAt":-1}`, `{}`: `{}`, `{ttl: 1, a: 1}`: `{"ttl":1,"a":1}`} {
		c, err := ReadCollection(text, now)
		if err != nil || plain(c.Key) != want || len(c.Indexes) > 0 {
			t.Errorf("ReadCollection(%s) = %v, %v, want the key %s", text, c, err, want)
		}
	}
}

func TestReadCollectionRefuses(t *testing.T) {
	for _, tc := range []struct{ why, text, want string }{
		{"nothing", ``, "want an index such as"},
		{"no index", `5`, "want an index such as"},
		{"a document", `{createdAt: {a: 1}}`, "want an index such as"},
		{"an option in a key", `{createdAt: 1, expireAfterSeconds: 3600}`, "write {key: {createdAt: 1}, expireAfterSeconds: 3600}"},
		{"something like it in a key", `{"createdAt": 1, "ttl": 3600}`, "write {key: {createdAt: 1}, expireAfterSeconds: 3600}"},
		{"another method", `db.c.drop()`, "drop is not read here"},
		{"a variable", `schema.index({ createdAt: 1 }, { expireAfterSeconds: TTL })`, "expireAfterSeconds is TTL, which is not evaluated here"},
		{"a sum", `c.create_index("createdAt", expireAfterSeconds=60 + 60)`, `expireAfterSeconds is "60 + 60", which is not evaluated here`},
		{"a short form", `c.createIndex({ createdAt: 1 }, { expireAfterSeconds })`, "expireAfterSeconds is expireAfterSeconds, which is not evaluated here"},
		{"what is spread", `c.createIndex({ createdAt: 1 }, { ...ttlOptions })`, "createIndex(…) holds an expression, which is not evaluated here"},
		{"options by name", `coll.createIndex({ createdAt: 1 }, options)`, "the options of createIndex are options, which is not evaluated here"},
		{"a key by name", `coll.createIndex(key, { expireAfterSeconds: 5 })`, "the key of an index is key, which is not evaluated here"},
		{"a field by name", `coll.createIndex({ createdAt: up }, { expireAfterSeconds: 5 })`, "key is up, which is not evaluated here"},
		{"a filter by name", `coll.createIndex({ createdAt: 1 }, { expireAfterSeconds: 5, partialFilterExpression: {a: f(x)} })`, "partialFilterExpression is"},
		{"mongoose, a variable", `{ createdAt: { type: Date, expires: config.ttl } }`, "expires is config.ttl, which is not evaluated here"},
		{"mongoose, no text", `{ createdAt: { type: Date, expires: 'soon' } }`, "expires is soon, which mongoose cannot read"},
		{"mongoose, no type", `{ createdAt: { expires: 3600 } }`, "has expires but no type"},
		{"mongoose, a path", `schema.path('createdAt').expires('7d')`, "expires mentions a time to live and is not evaluated here"},
		{"Go", `options.Index().SetExpireAfterSeconds(3600)`, "SetExpireAfterSeconds mentions a time to live and is not evaluated here"},
		{"Java", `collection.createIndex(Indexes.ascending("createdAt"), new IndexOptions().expireAfter(3600L, TimeUnit.SECONDS));`, "createIndex"},
		{"C#", `new CreateIndexOptions { ExpireAfter = TimeSpan.FromHours(1) }`, "ExpireAfter mentions a time to live and is not evaluated here"},
		{"options that are spread", "c.createIndex({createdAt: 1}, {...opts, expireAfterSeconds: 3600})", "createIndex(…) holds an expression"},
		{"a name of a field that is computed", "c.createIndex({[field]: 1}, {expireAfterSeconds: 3600})", "createIndex(…) holds an expression"},
		{"options in a variable", "const opts = { expireAfterSeconds: 5 };\nc.createIndex({createdAt: 1}, opts)", "the options of createIndex are opts, which is not evaluated here"},
		{"snakes", `c.create_index("createdAt", expire_after_seconds=3600)`, "expire_after_seconds is the option's name in another language"},
		{"snakes, as a document", `{key: {createdAt: 1}, expire_after_seconds: 3600}`, "expire_after_seconds is the option's name in another language"},
		{"Mongoid", `index({ created_at: 1 }, { expire_after_seconds: 1.week })`, "expire_after_seconds mentions a time to live and is not evaluated here"},
		{"Mongoid, a number", `index({ created_at: 1 }, { expire_after_seconds: 60 })`, "expire_after_seconds mentions a time to live and is not evaluated here"},
		{"collMod by name", `db.runCommand({collMod: "c", index: {name: "n", expireAfterSeconds: 5}})`, "keyPattern"},
		{"several collections", `{"cursor": {"firstBatch": [{"name": "a", "options": {}}, {"name": "b", "options": {}}]}}`, "write the indexes of one collection"},
		{"an array of others", `[{a: 1}, {b: 1}]`, "has no key"},
		{"a syntax error", `{key: {createdAt: 1}, expireAfterSeconds: }`, "want a value, not '}'"},
		{"an array cut off", "[\n  { v: 2, key: { a: 1 }, expireAfterSeconds: 5 }\n", "the text ends here"},
		{"two collections", "db.a.createIndex({t: 1}, {expireAfterSeconds: 5})\ndb.b.createIndex({t: 1}, {expireAfterSeconds: 6})", "these are indexes of several collections, db.a and db.b; write the indexes of one"},
		{"two collections, by commands", `db.runCommand({createIndexes: "a", indexes: [{key: {t: 1}, expireAfterSeconds: 5}]}); db.b.createIndex({t: 1})`, "db.a and db.b"},
		{"two schemas", "new Schema({ t: { type: Date, expires: 5 } }); new Schema({ t: { type: Date, expires: 6 } })", "several schemas"},
		{"indexes of two schemas", "a.index({ t: 1 }, { expires: 5 }); b.index({ t: 1 }, { expires: 6 })", "a and b"},
		{"a third argument", "db.c.createIndex({a: 1}, {}, {expireAfterSeconds: 5})", "as the second argument, options"},
		{"mongoose, another name", "mongoose.Schema({ at: { type: Date, expireAfterSeconds: 60 } })", "expireAfterSeconds of the field at is not an option of mongoose; expires is."},
		{"half a list", `{"cursor": {"id": 77, "firstBatch": []}}`, "only the first batch"},
		{"a second value that is broken", "{\"key\": {\"a\": 1}, \"expireAfterSeconds\": 5}\n{\"key\": }", "want a value"},
		{"too long", strings.Repeat(" ", mongosh.MaxText+1), "longer than"},
	} {
		c, err := ReadCollection(tc.text, now)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, %v, want an error with %q", tc.why, c, err, tc.want)
		}
		if s := (*mongosh.SyntaxError)(nil); errors.As(err, &s) && (s.Offset < 0 || s.Offset > len(tc.text)) {
			t.Errorf("%s: at %d of %d bytes", tc.why, s.Offset, len(tc.text))
		}
	}
}

// TestMilliseconds: texts are read as the package ms of JavaScript reads them; the
// expected values are computed as in that package.
func TestMilliseconds(t *testing.T) {
	for text, want := range map[string]float64{
		"100": 100, "1m": 60_000, "1h": 3_600_000, "2d": 172_800_000, "3w": 1_814_400_000, "1s": 1000, "100ms": 100, "1y": 31_557_600_000, "1.5h": 5_400_000, "1   s": 1000,
		"1.5H": 5_400_000, ".5ms": 0.5, "-100ms": -100, "-1.5h": -5_400_000, "53 milliseconds": 53, "17 msecs": 17, "1 sec": 1000, "1 min": 60_000, "1 hr": 3_600_000, "2 days": 172_800_000, "1 week": 604_800_000, "1 year": 31_557_600_000, "1 yrs": 31_557_600_000,
	} {
		if got, _, ok := milliseconds(text); !ok || got != want {
			t.Errorf("milliseconds(%q) = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "☃", "10-.5", "1.", "-", "1e3", "+1", "0x1", "1 K", "1.2.3", "1h\n", "inf", "NaN", "1h30m", "1 month", "h", strings.Repeat("1", 101)} {
		if got, _, ok := milliseconds(text); ok {
			t.Errorf("milliseconds(%q) = %v, want none", text, got)
		}
	}
}

// TestTTLWord: ttl counts as a word of a name, and not within another word.
func TestTTLWord(t *testing.T) {
	for name, want := range map[string]bool{
		"ttl": true, "TTL": true, "Ttl": true, "logTTL": true, "TTLSeconds": true, "ttlSeconds": true, "ttl_seconds": true, "default_ttl": true, "x-ttl": true, "logttl": true, "ttls": true,
		"throttle": false, "throttled": false, "THROTTLE": false, "bottle": false, "BATTLE": false, "shuttleTTLE": false, "little": false, "tl": false, "": false,
	} {
		if got := ttlWord().MatchString(name); got != want {
			t.Errorf("%q has the word ttl: %v, want %v", name, got, want)
		}
	}
}

func TestReadContainer(t *testing.T) {
	for _, tc := range []struct {
		why, text string
		json      string
		note      string // "" for none
	}{
		{"the service", `{"defaultTtl": 3600}`, `{"defaultTtl": 3600}`, ""},
		{"off", `{}`, `{}`, ""},
		{"with an id", ` {"id":"c"}`, `{"id":"c"}`, ""},
		{"null", `{"defaultTtl": null}`, `{"defaultTtl": null}`, ""},
		{"the az tool", `{"id": "/subscriptions/x", "name": "c", "resource": {"id": "c", "defaultTtl": 3600, "partitionKey": {"paths": ["/id"]}}}`, `{"id":"c","defaultTtl":3600,"partitionKey":{"paths":["/id"]}}`, "Read as the container under resource."},
		{"the az tool, off", `{"name": "c", "resource": {"id": "c", "partitionKey": {"paths": ["/id"]}}}`, `{"id":"c","partitionKey":{"paths":["/id"]}}`, "Read as the container under resource."},
		{"Azure Resource Manager", `{"properties": {"resource": {"id": "c", "defaultTtl": -1}}}`, `{"id":"c","defaultTtl":-1}`, "Read as the container under properties.resource."},
		{"a template", `{"resources": [{"type": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers", "properties": {"resource": {"id": "c", "defaultTtl": 60}, "options": {}}}], "parameters": {"defaultTtl": {"type": "int"}}}`, `{"id":"c","defaultTtl":60}`, "resources.properties.resource"},
		{"a listing", `{"DocumentCollections": [{"id": "c", "defaultTtl": 60}]}`, `{"id":"c","defaultTtl":60}`, "DocumentCollections"},
		{"a list of the az tool", `[{"name": "c", "resource": {"defaultTtl": 60}}]`, `{"defaultTtl":60}`, "resource"},
		{".NET", `{"Id": "c", "DefaultTimeToLive": 3600}`, `{"Id": "c", "DefaultTimeToLive": 3600}`, "The property DefaultTimeToLive is not defaultTtl but its name in .NET. As it stands time to live is off, and nothing expires."},
		{"Java", `{"defaultTimeToLiveInSeconds": 3600}`, `{"defaultTimeToLiveInSeconds": 3600}`, "Java"},
		{"Python", `{"default_ttl": 3600, "indexing_policy": {"indexing_mode": "none"}}`, `{"default_ttl": 3600, "indexing_policy": {"indexing_mode": "none"}}`, "The property indexing_policy is not indexingPolicy but its name in Python and Terraform."},
		{"Terraform's state", `{"values": {"name": "c", "default_ttl": -1, "partition_key_paths": ["/id"]}}`, `{"name":"c","default_ttl":-1,"partition_key_paths":["/id"]}`, "Read as the container under values."},

		{"JavaScript", `{ id: 'c', defaultTtl: 60 * 60 }`, `{"id":"c","defaultTtl":3600}`, ""},
		{"the service, between quotes", `{"defaultTtl": "3600"}`, `{"defaultTtl": "3600"}`, ""},

		{"another case", `{"defaultTTL": 3600}`, `{"defaultTTL": 3600}`, "The property defaultTTL is not defaultTtl. As it stands time to live is off, and nothing expires."},
		{"an item's", `{"id": "c", "ttl": 3600}`, `{"id": "c", "ttl": 3600}`, "The property ttl is not defaultTtl"},
		{"MongoDB's", `{"expireAfterSeconds": 3600}`, `{"expireAfterSeconds": 3600}`, "The property expireAfterSeconds is not defaultTtl"},
		{"under resource", `{"resource": {"defaultTTL": 3600}}`, `{"defaultTTL":3600}`, "The property defaultTTL is not defaultTtl"},
		{"below", `{"a": {"b": {"ttl": 5}}}`, `{"a": {"b": {"ttl": 5}}}`, "those below it are not looked at"},
		{"analytical", `{"defaultTtl": 5, "analyticalTTL": 5}`, `{"defaultTtl": 5, "analyticalTTL": 5}`, "The property analyticalTTL is not analyticalStorageTtl."},
		{"throttled", `{"defaultTtl": 5, "throttle": true}`, `{"defaultTtl": 5, "throttle": true}`, ""},
	} {
		c, err := ReadContainer(tc.text)
		if err != nil {
			t.Errorf("%s: %v", tc.why, err)
			continue
		}
		if c.JSON != tc.json {
			t.Errorf("%s: %s, want %s", tc.why, c.JSON, tc.json)
		}
		if got, want := c.Value.Field("defaultTtl").String(), c.Spec.DefaultTTL.String(); got != want {
			t.Errorf("%s: the value has defaultTtl %s and the specification %s", tc.why, got, want)
		}
		notes := ""
		for _, n := range c.Notes {
			notes += n.Text + "\n"
		}
		if (tc.note == "") != (notes == "") || !strings.Contains(notes, tc.note) {
			t.Errorf("%s: notes %q, want %q", tc.why, notes, tc.note)
		}
	}
}

func TestReadContainerRefuses(t *testing.T) {
	for _, tc := range []struct{ why, text, want string }{
		{"broken JSON", `{"defaultTtl": 3600`, "JSON"},
		{"a number of another base", `{"defaultTtl": 010}`, "JSON"},
		{"no container", `hello`, "want an object"},
		{"no container in an array", `[1]`, "this array holds no container"},
		{"two, one without settings", `{"DocumentCollections": [{"id": "a"}, {"id": "b", "defaultTtl": 5}]}`, "2 containers are written here"},
		{"two", `[{"defaultTtl": 1}, {"resource": {"defaultTtl": 1}}]`, "2 containers are written here"},
		{"an expression of a template", `{"properties": {"resource": {"defaultTtl": "[parameters('ttl')]"}}}`, `defaultTtl is "[parameters('ttl')]", which is not evaluated here`},
		{"Terraform", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = 3600\n}", "default_ttl mentions a time to live and is not evaluated here"},
		{"Bicep", "properties: {\n  resource: {\n    defaultTtl: 3600\n  }\n}", "defaultTtl mentions a time to live and is not evaluated here"},
		{"C#", "new ContainerProperties(\"c\", \"/id\") { DefaultTimeToLive = 3600 }", "DefaultTimeToLive mentions a time to live and is not evaluated here"},
		{"a component of a span", "DefaultTimeToLive = TimeSpan.FromDays(5).Seconds", "DefaultTimeToLive mentions a time to live and is not evaluated here"},
		{"Java", "p.setDefaultTimeToLiveInSeconds(90);", "setDefaultTimeToLiveInSeconds mentions"},
		{"Python", "db.create_container(id='c', default_ttl=timedelta(days=30).seconds)", "default_ttl mentions"},
		{"az", "az cosmosdb sql container update --name c --ttl 3600", "--ttl mentions"},
		{"PowerShell", "Update-AzCosmosDBSqlContainer -Name c -TtlInSeconds 3600", "TtlInSeconds mentions"},
		{"an expression in an object", "{ id: 'c', defaultTtl: 60 * DAYS }", "defaultTtl mentions"},
		{"MongoDB's", "db.c.createIndex({createdAt: 1}, {expireAfterSeconds: 3600})", "expireAfterSeconds mentions a time to live"},
		{"what shows one", "az cosmosdb sql container show -n c", "JSON"},
		{"too long", strings.Repeat(" ", mongosh.MaxText+1), "longer than"},
	} {
		c, err := ReadContainer(tc.text)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %s, %v, want an error with %q", tc.why, c.JSON, err, tc.want)
		}
	}
}

// FuzzRead: no pasted text makes the package panic, the JSON of each container is valid,
// and notes hold no control characters for a terminal.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"resource": {"defaultTtl": 5}}`, "default_ttl = 5", "{ a: { type: Date, expires: '1h' } }", "c.create_index([('a', 1)], expireAfterSeconds=5)", "{\"key\": {\"a\": 1}, \"\x1b[2Jttl\": 1}", "az cosmosdb sql container --ttl 5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCollection(text, now)
		if s := (*mongosh.SyntaxError)(nil); errors.As(err, &s) && (s.Offset < 0 || s.Offset > len(text)) {
			t.Fatalf("%q: at %d", text, s.Offset)
		}
		d, wrong := ReadContainer(text)
		if wrong == nil {
			if _, err := policy.ParseJSON([]byte(d.JSON)); err != nil {
				t.Fatalf("%q: %q: %v", text, d.JSON, err)
			}
		}
		for _, n := range append(c.Notes, d.Notes...) {
			if strings.ContainsFunc(n.Text, func(r rune) bool { return r < ' ' }) {
				t.Fatalf("%q: note %q", text, n.Text)
			}
		}
	})
}

package playground

import (
	"regexp"
	"strings"
	"testing"
)

// saysAtOnce matches the sentence about the deletes of a fix.
var saysAtOnce = regexp.MustCompile(`^This deletes every .+, as soon as it runs\.$|^Nothing goes at once: .+\.$`)

// TestFixes checks the proposed fix. A test of package rulebook carries out the fixes of all
// vectors.
func TestFixes(t *testing.T) {
	const at = "2026-11-20T12:00:00Z" // now; the dates lie an hour and a second before
	onMongoDB := func(release, indexes, document string) State { return onMongo(release, indexes, document, at) }
	hourAgo := `{at: ISODate("2026-11-20T10:59:59Z")}`
	index := `{key: {at: 1}, name: "at_1", expireAfterSeconds: 3600}`
	for _, tc := range []struct {
		why     string
		state   State
		command string // "" if nothing is to be proposed
	}{
		{"NaN that deletes nothing", onMongoDB("4.4.29", nanIndex, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"NaN that deletes all", onMongoDB("5.0.9", nanIndex, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"a compound index", onMongoDB("8.0.4", `{key: {at: 1, b: 1}, name: "x", expireAfterSeconds: 60}`, hourAgo), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60})"},
		{"a compound index, the date in its second field", onMongoDB("8.0.4", `{key: {region: 1, at: 1}, name: "x", expireAfterSeconds: 60}`, `{region: "eu", at: ISODate("2026-11-20T10:59:59Z")}`), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60})"},
		{"a compound index of two dates", onMongoDB("8.0.4", `{key: {at: 1, b: 1}, name: "x", expireAfterSeconds: 60}`, `{at: ISODate("2026-11-20T10:59:59Z"), b: ISODate("2026-11-20T10:59:59Z")}`), ""},
		{"a compound index without a date", onMongoDB("8.0.4", `{key: {at: 1, b: 1}, name: "x", expireAfterSeconds: 60}`, `{at: "x", b: 1}`), ""},
		{"a hashed index of something else", onMongoDB("8.0.4", `{key: {user: "hashed"}, name: "x", expireAfterSeconds: 60}`, `{user: 7, at: ISODate("2026-11-20T10:59:59Z")}`), ""},
		{"a hashed index of the date", onMongoDB("8.0.4", `{key: {at: "hashed"}, name: "x", expireAfterSeconds: 60}`, hourAgo), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60})"},
		{"a misspelt option beside a filter", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSecond: 60, partialFilterExpression: {a: 1}, unique: true}`, `{a: 1, at: ISODate("2026-11-20T10:59:59Z")}`), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600, partialFilterExpression: {a: 1}, unique: true})"},
		{"a misspelt filter", onMongoDB("8.0.4", `{key: {at: 1}, partialFilter: {a: 1}}`, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"before names", onMongoDB("3.2.22", nanIndex, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"before collMod knows indexes", onMongoDB("2.2.7", nanIndex, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"collMod knows indexes", onMongoDB("2.4.0", nanIndex, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"the option within the key", onMongoDB("8.0.4", `db.c.createIndex({at: 1, expireAfterSeconds: 60})`, hourAgo), "db.getCollection(\"c\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"a misspelt option", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSecond: 60}`, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"no option", onMongoDB("8.0.4", `{key: {at: 1}}`, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})"},
		{"text", onMongoDB("8.0.4", index, `{at: "2026-11-20T10:59:59Z"}`), `db.getCollection("coll").updateMany({at: {$regex: "^[-0-9]+T[0-9:.]+(Z|[+-][0-9:]+)$"}}, [{$set: {at: {$convert: {input: "$at", to: "date", onError: "$at"}}}}])`},
		{"text without a zone", onMongoDB("8.0.4", index, `{at: "2026-11-19 22:59:59"}`), `{$dateFromString: {dateString: "$at", timezone: "-12:00", onError: "$at"}}`},
		{"text in another form", onMongoDB("8.0.4", index, `{at: "03/04/2026 10:00"}`), ""},
		{"text that is no date", onMongoDB("8.0.4", index, `{at: "soon"}`), ""},
		{"milliseconds", onMongoDB("8.0.4", index, `{at: NumberLong("1795172399000")}`), `updateMany({at: {$type: "number", $gte: 100000000000}}, [{$set: {at: {$toDate: {$toLong: "$at"}}}}])`},
		{"seconds", onMongoDB("8.0.4", index, `{at: 1795172399}`), `[{$set: {at: {$toDate: {$multiply: [{$toLong: "$at"}, 1000]}}}}]`},
		{"a field of a field", onMongoDB("8.0.4", `{key: {"m.at": 1}, expireAfterSeconds: 3600}`, `{m: {at: "2026-11-20T10:59:59Z", x: 1}}`), `{"m.at": {$convert: {input: "$m.at",`},
		{"no field", onMongoDB("8.0.4", index, `{}`), `db.getCollection("coll").updateMany({at: null}, [{$set: {at: {$add: ["$$NOW", 604800000]}}}])`},
		{"no field by an index for clock times", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSeconds: 0}`, `{at: null}`), `{$add: ["$$NOW", 604800000]}`},
		{"no field of a field", onMongoDB("8.0.4", `{key: {"m.at": 1}, expireAfterSeconds: 0}`, `{m: 5}`), ""},
		{"before updates that compute", onMongoDB("4.0.28", index, `{at: "2026-11-20T10:59:59Z"}`), ""},
		{"outside the filter, as it may be meant", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSeconds: 5, partialFilterExpression: {a: 1}}`, hourAgo), ""},
		{"an empty array", onMongoDB("8.0.4", index, `{at: []}`), `db.getCollection("coll").updateMany({at: []}, [{$set: {at: {$add: ["$$NOW", 604800000]}}}])`},
		{"a listing, with the index on _id", onMongoDB("8.0.4", `[{v: 2, key: {_id: 1}, name: "_id_"}, {v: 2, key: {at: 1}, name: "at_1", expireAfterSeconds: 3600}]`, `{at: "2026-11-20T10:59:59Z"}`), `onError: "$at"`},
		{"beside other indexes", onMongoDB("8.0.4", `[{v: 2, key: {_id: 1}, name: "_id_"}, {v: 2, key: {user: 1}, name: "user_1", unique: true}, {v: 2, key: {at: 1}, name: "at_1", expireAfterSeconds: 3600}]`, `{at: "2026-11-20T10:59:59Z"}`), `onError: "$at"`},
		{"beside other indexes, none with seconds", onMongoDB("8.0.4", `[{key: {user: 1}}, {key: {at: 1}}]`, hourAgo), ""},
		{"a capped collection", onMongoDB("5.0.14", `db.createCollection("log", {capped: true, size: 9}); db.log.createIndex({at: 1}, {expireAfterSeconds: 60})`, hourAgo), "db.getCollection(\"log\").aggregate([{$out: \"log_new\"}])\ndb.getCollection(\"log_new\").createIndex({at: 1}, {expireAfterSeconds: 60})"},
		{"a capped collection that deletes", onMongoDB("7.1.0", `{options: {capped: true, size: 9}, indexes: [{key: {at: 1}, expireAfterSeconds: 60}]}`, hourAgo), ""},
		{"a capped collection before $out", onMongoDB("2.4.14", `{options: {capped: true, size: 9}, indexes: [{key: {at: 1}, expireAfterSeconds: 60}]}`, hourAgo), ""},
		{"expired", onMongoDB("8.0.4", index, hourAgo), ""},
		{"a date in an array of texts", onMongoDB("8.0.4", index, `{at: ["x"]}`), ""},
		{"two indexes", onMongoDB("8.0.4", `[{key: {a: 1}, expireAfterSeconds: 1}, {key: {b: 1}, expireAfterSeconds: 1}]`, `{}`), ""},

		{"off", onCore(`{"id": "c"}`, `{"id": "1", "_ts": 1795172399}`, at), "-n c --ttl 3600"},
		{"off, and the item has a ttl", onCore(`{"id": "c"}`, `{"id": "1", "_ts": 1795172399, "ttl": 60}`, at), "-n c --ttl -1"},
		{"misspelt", onCore(`{"defaultTTL": 60}`, `{"_ts": 1795172399}`, at), "-n items --ttl 3600"},
		{"no default", onCore(`{"defaultTtl": -1}`, `{"_ts": 1795172399}`, at), "-n items --ttl 3600"},
		{"a default between quotes", onCore(`{"defaultTtl": "60"}`, `{"_ts": 1795172399}`, at), "-n items --ttl 3600"},
		{"ttl between quotes", onCore(`{"defaultTtl": -1}`, `{"_ts": 1795172399, "ttl": "60"}`, at), ""},
		{"-1 on purpose", onCore(`{"defaultTtl": 60}`, `{"_ts": 1795172399, "ttl": -1}`, at), ""},

		{"the API for MongoDB", onAPI(`{key: {at: 1}, expireAfterSeconds: 60}`, `{at: ISODate("2026-11-20T10:59:59Z"), _ts: 1795172399}`, at), ""},
		{"the API for MongoDB, and the document has a ttl", onAPI(`{key: {at: 1}}`, `{ttl: 60, _ts: 1795172399}`, at), "db.getCollection(\"coll\").createIndex({_ts: 1}, {expireAfterSeconds: -1})"},
		{"no index", onCore(`{"defaultTtl": 60, "indexingPolicy": {"indexingMode": "none"}}`, `{"_ts": 1795172399}`, at), ""},
		{"off, and no index", onCore(`{"indexingPolicy": {"indexingMode": "None"}}`, `{"_ts": 1795172399}`, at), ""},
		{"the API for MongoDB, an index on _ts", onAPI(`{key: {_ts: 1}, name: "_ts_1", expireAfterSeconds: 60, sparse: true}`, `{_ts: 1795172399}`, at), ""},
		{"the API for MongoDB, an index without TTL", onAPI(`{key: {a: 1}, name: "a_1"}`, `{_ts: 1795172399}`, at), "db.getCollection(\"coll\").createIndex({_ts: 1}, {expireAfterSeconds: 3600})"},
	} {
		a := Of(tc.state, View{})
		if len(a.Problems) > 0 || (len(a.Fixes) == 1) != (tc.command != "") {
			t.Errorf("%s: problems %v, by %s, fixes %+v, want one with %q", tc.why, a.Problems, a.Rule, a.Fixes, tc.command)
			continue
		}
		for _, f := range a.Fixes {
			if !saysAtOnce.MatchString(f.AtOnce) || strings.Contains(f.Text, "at once") {
				t.Errorf("%s: %q beside %q does not say what goes at once", tc.why, f.AtOnce, f.Text)
			}
			if !strings.Contains(f.Command, tc.command) || strings.Contains(f.Command+f.Count, "db.coll") {
				t.Errorf("%s: %s, counted by %s, want %s", tc.why, f.Command, f.Count, tc.command)
			}
		}
	}
}

// TestFixesNameTheCollection: a command is for the collection that the pasted text names,
// and an unusual name stays one word of the shell.
func TestFixesNameTheCollection(t *testing.T) {
	for policy, want := range map[string]string{
		`db.getCollection("stats").createIndex({at: 1}, {expireAfterSeconds: 60})`:                       `db.getCollection("stats").updateMany(`,
		`db.sessions.createIndex({at: 1}, {expireAfterSeconds: 60})`:                                     `db.getCollection("sessions").updateMany(`,
		`db.app.sessions.createIndex({at: 1}, {expireAfterSeconds: 60})`:                                 `db.getCollection("app.sessions").updateMany(`,
		`db.getCollection("my sessions").createIndex({at: 1}, {expireAfterSeconds: 60})`:                 `db.getCollection("my sessions").updateMany(`,
		`db["a-b"].createIndex({at: 1}, {expireAfterSeconds: 60})`:                                       `db.getCollection("a-b").updateMany(`,
		`await client.db("shop").collection("orders").createIndex({at: 1}, {expireAfterSeconds: 60});`:   `db.getCollection("orders").updateMany(`,
		`db.sessions.create_index("at", expireAfterSeconds=60)`:                                          `db.getCollection("sessions").updateMany(`,
		`sessions.create_index("at", expireAfterSeconds=60)`:                                             `db.getCollection("coll").updateMany(`,
		`{createIndexes: "logs", indexes: [{key: {at: 1}, name: "x", expireAfterSeconds: 60}]}`:          `db.getCollection("logs").updateMany(`,
		`db.runCommand({collMod: "logs", index: {keyPattern: {at: 1}, expireAfterSeconds: 60}})`:         `db.getCollection("logs").updateMany(`,
		`[{v: 2, key: {at: 1}, name: "at_1", ns: "shop.carts", expireAfterSeconds: 60}]`:                 `db.getCollection("carts").updateMany(`,
		`{cursor: {id: 0, ns: "shop.carts", firstBatch: [{key: {at: 1}, expireAfterSeconds: 60}]}}`:      `db.getCollection("carts").updateMany(`,
		`new Schema({at: {type: Date, expires: 60}})`:                                                    `db.getCollection("coll").updateMany(`,
		`db.getCollection("x\"); db.dropDatabase(\"").createIndex({at: 1}, {expireAfterSeconds: 60})`:    `db.getCollection("coll").updateMany(`,
		`{createIndexes: "x\"); db.dropDatabase(\"", indexes: [{key: {at: 1}, expireAfterSeconds: 60}]}`: `db.getCollection("x\"); db.dropDatabase(\"").updateMany(`,
	} {
		a := Of(onMongo("8.0.4", policy, `{at: "2026-11-20T10:59:59Z"}`, "2026-11-20T12:00:00Z"), View{})
		if len(a.Fixes) != 1 || !strings.HasPrefix(a.Fixes[0].Command, want) {
			t.Errorf("the fix for %s is %+v, problems %v; want one that begins with %s", policy, a.Fixes, a.Problems, want)
		}
	}
	for id, want := range map[string]string{"sessions": "-n sessions --ttl", "my sessions": "-n 'my sessions' --ttl", "-x": "-n '-x' --ttl", "a'b": `-n 'a'\''b' --ttl`} {
		a := Of(onCore(`{"id": "`+id+`"}`, `{"_ts": 1795172399}`, "2026-11-20T12:00:00Z"), View{})
		if len(a.Fixes) != 1 || !strings.Contains(a.Fixes[0].Command, want) {
			t.Errorf("the fix for the container %s is %+v, want one with %s", id, a.Fixes, want)
		}
	}
}

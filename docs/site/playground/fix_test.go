package playground

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// saysAtOnce matches the sentence about the deletes of a fix.
var saysAtOnce = regexp.MustCompile(`^This deletes every .+, as soon as it runs\.$|^Nothing goes at once: .+\.$`)

// TestFixes checks the proposed fix, and that the answer after it is the probably intended
// one.
func TestFixes(t *testing.T) {
	const at = "2026-11-20T12:00:00Z" // now; the dates lie an hour and a second before
	onMongoDB := func(release, indexes, document string) State { return onMongo(release, indexes, document, at) }
	hourAgo := `{at: ISODate("2026-11-20T10:59:59Z")}`
	index := `{key: {at: 1}, name: "at_1", expireAfterSeconds: 3600}`
	for _, tc := range []struct {
		why      string
		state    State
		command  string // "" if nothing is to be proposed
		verdict  policy.State
		deadline string
	}{
		{"NaN that deletes nothing", onMongoDB("4.4.29", nanIndex, hourAgo), `db.runCommand({collMod: "coll", index: {name: "at_1", expireAfterSeconds: 3600}})`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"NaN that deletes all", onMongoDB("5.0.9", nanIndex, hourAgo), `db.runCommand({collMod: "coll", index: {name: "at_1", expireAfterSeconds: 3600}})`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"a compound index", onMongoDB("8.0.4", `{key: {at: 1, b: 1}, name: "x", expireAfterSeconds: 60}`, hourAgo), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"a compound index, the date in its second field", onMongoDB("8.0.4", `{key: {region: 1, at: 1}, name: "x", expireAfterSeconds: 60}`, `{region: "eu", at: ISODate("2026-11-20T10:59:59Z")}`), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"a compound index of two dates", onMongoDB("8.0.4", `{key: {at: 1, b: 1}, name: "x", expireAfterSeconds: 60}`, `{at: ISODate("2026-11-20T10:59:59Z"), b: ISODate("2026-11-20T10:59:59Z")}`), "", policy.Never, ""},
		{"a compound index without a date", onMongoDB("8.0.4", `{key: {at: 1, b: 1}, name: "x", expireAfterSeconds: 60}`, `{at: "x", b: 1}`), "", policy.Never, ""},
		{"a hashed index of something else", onMongoDB("8.0.4", `{key: {user: "hashed"}, name: "x", expireAfterSeconds: 60}`, `{user: 7, at: ISODate("2026-11-20T10:59:59Z")}`), "", policy.Never, ""},
		{"a hashed index of the date", onMongoDB("8.0.4", `{key: {at: "hashed"}, name: "x", expireAfterSeconds: 60}`, hourAgo), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"a misspelt option beside a filter", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSecond: 60, partialFilterExpression: {a: 1}, unique: true}`, `{a: 1, at: ISODate("2026-11-20T10:59:59Z")}`), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60, partialFilterExpression: {a: 1}, unique: true})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"a misspelt filter", onMongoDB("8.0.4", `{key: {at: 1}, partialFilter: {a: 1}}`, hourAgo), "", policy.Never, ""},
		{"before names", onMongoDB("3.2.22", nanIndex, hourAgo), `db.runCommand({collMod: "coll", index: {keyPattern: {at: 1}, expireAfterSeconds: 3600}})`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"before collMod knows indexes", onMongoDB("2.2.7", nanIndex, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})", policy.Expired, "2026-11-20T11:59:59.001Z"},
		{"collMod knows indexes", onMongoDB("2.4.0", nanIndex, hourAgo), `db.runCommand({collMod: "coll", index: {keyPattern: {at: 1}, expireAfterSeconds: 3600}})`, policy.Expired, "2026-11-20T11:59:59.001Z"},
		{"the option within the key", onMongoDB("8.0.4", `db.c.createIndex({at: 1, expireAfterSeconds: 60})`, hourAgo), "db.getCollection(\"c\").createIndex({at: 1}, {expireAfterSeconds: 60})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"a misspelt option", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSecond: 60}`, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 60})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"no option", onMongoDB("8.0.4", `{key: {at: 1}}`, hourAgo), "db.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 3600})", policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"text", onMongoDB("8.0.4", index, `{at: "2026-11-20T10:59:59Z"}`), `db.getCollection("coll").updateMany({"at": {$regex: "^[-0-9]+T[0-9:.]+(Z|[+-][0-9:]+)$"}}, [{$set: {"at": {$convert: {input: "$at", to: "date", onError: "$at"}}}}])`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"text without a zone", onMongoDB("8.0.4", index, `{at: "2026-11-19 22:59:59"}`), `{$dateFromString: {dateString: "$at", timezone: "-12:00", onError: "$at"}}`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"text in another form", onMongoDB("8.0.4", index, `{at: "03/04/2026 10:00"}`), "", policy.Never, ""},
		{"text that is no date", onMongoDB("8.0.4", index, `{at: "soon"}`), "", policy.Never, ""},
		{"milliseconds", onMongoDB("8.0.4", index, `{at: NumberLong("1795172399000")}`), `[{$set: {"at": {$toDate: {$toLong: "$at"}}}}]`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"seconds", onMongoDB("8.0.4", index, `{at: 1795172399}`), `[{$set: {"at": {$toDate: {$multiply: [{$toLong: "$at"}, 1000]}}}}]`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"a field of a field", onMongoDB("8.0.4", `{key: {"m.at": 1}, expireAfterSeconds: 3600}`, `{m: {at: "2026-11-20T10:59:59Z", x: 1}}`), `{"m.at": {$convert: {input: "$m.at",`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"no field", onMongoDB("8.0.4", index, `{}`), `db.getCollection("coll").updateMany({"at": null}, [{$set: {"at": {$add: ["$$NOW", 604800000]}}}])`, policy.Pending, "2026-11-27T13:00:00.000Z"},
		{"no field by an index for clock times", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSeconds: 0}`, `{at: null}`), `{$add: ["$$NOW", 604800000]}`, policy.Pending, "2026-11-27T12:00:00.000Z"},
		{"no field of a field", onMongoDB("8.0.4", `{key: {"m.at": 1}, expireAfterSeconds: 0}`, `{m: 5}`), "", policy.Never, ""},
		{"before updates that compute", onMongoDB("4.0.28", index, `{at: "2026-11-20T10:59:59Z"}`), "", policy.Never, ""},
		{"outside the filter, as it may be meant", onMongoDB("8.0.4", `{key: {at: 1}, expireAfterSeconds: 5, partialFilterExpression: {a: 1}}`, hourAgo), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({at: 1}, {expireAfterSeconds: 5})", policy.Expired, "2026-11-20T11:00:04.000Z"},
		{"an empty array", onMongoDB("8.0.4", index, `{at: []}`), `db.getCollection("coll").updateMany({"at": []}, [{$set: {"at": {$add: ["$$NOW", 604800000]}}}])`, policy.Pending, "2026-11-27T13:00:00.000Z"},
		{"a listing, with the index on _id", onMongoDB("8.0.4", `[{v: 2, key: {_id: 1}, name: "_id_"}, {v: 2, key: {at: 1}, name: "at_1", expireAfterSeconds: 3600}]`, `{at: "2026-11-20T10:59:59Z"}`), `onError: "$at"`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"beside other indexes", onMongoDB("8.0.4", `[{v: 2, key: {_id: 1}, name: "_id_"}, {v: 2, key: {user: 1}, name: "user_1", unique: true}, {v: 2, key: {at: 1}, name: "at_1", expireAfterSeconds: 3600}]`, `{at: "2026-11-20T10:59:59Z"}`), `onError: "$at"`, policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"beside other indexes, none with seconds", onMongoDB("8.0.4", `[{key: {user: 1}}, {key: {at: 1}}]`, hourAgo), "", policy.Never, ""},
		{"a capped collection", onMongoDB("5.0.14", `db.createCollection("log", {capped: true, size: 9}); db.log.createIndex({at: 1}, {expireAfterSeconds: 60})`, hourAgo), "db.getCollection(\"log\").aggregate([{$out: \"log_by_time\"}])\ndb.getCollection(\"log_by_time\").createIndex({at: 1}, {expireAfterSeconds: 60})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"a capped collection that deletes", onMongoDB("7.1.0", `{options: {capped: true, size: 9}, indexes: [{key: {at: 1}, expireAfterSeconds: 60}]}`, hourAgo), "", policy.Never, ""},
		{"a capped collection before $out", onMongoDB("2.4.14", `{options: {capped: true, size: 9}, indexes: [{key: {at: 1}, expireAfterSeconds: 60}]}`, hourAgo), "", policy.Never, ""},
		{"expired", onMongoDB("8.0.4", index, hourAgo), "", policy.Never, ""},
		{"a date in an array of texts", onMongoDB("8.0.4", index, `{at: ["x"]}`), "", policy.Never, ""},
		{"two indexes", onMongoDB("8.0.4", `[{key: {a: 1}, expireAfterSeconds: 1}, {key: {b: 1}, expireAfterSeconds: 1}]`, `{}`), "", policy.Never, ""},

		{"off", onCore(`{"id": "c"}`, `{"id": "1", "_ts": 1795172399}`, at), "--database-name DATABASE --name c --ttl 3600", policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"off, and the item has a ttl", onCore(`{"id": "c"}`, `{"id": "1", "_ts": 1795172399, "ttl": 60}`, at), "--name c --ttl -1", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"misspelt", onCore(`{"defaultTTL": 60}`, `{"_ts": 1795172399}`, at), "--name CONTAINER --ttl 60", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"no default", onCore(`{"defaultTtl": -1}`, `{"_ts": 1795172399}`, at), `{"op": "set", "path": "/ttl", "value": 3600}`, policy.Pending, "2026-11-20T13:00:00.000Z"},
		{"a default between quotes", onCore(`{"defaultTtl": "60"}`, `{"_ts": 1795172399}`, at), "--name CONTAINER --ttl 3600", policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"ttl between quotes", onCore(`{"defaultTtl": -1}`, `{"_ts": 1795172399, "ttl": "60"}`, at), `{"op": "set", "path": "/ttl", "value": 3600}`, policy.Pending, "2026-11-20T13:00:00.000Z"},
		{"-1 on purpose", onCore(`{"defaultTtl": 60}`, `{"_ts": 1795172399, "ttl": -1}`, at), "", policy.Never, ""},

		{"the API for MongoDB", onAPI(`{key: {at: 1}, expireAfterSeconds: 60}`, `{at: ISODate("2026-11-20T10:59:59Z"), _ts: 1795172399}`, at), "db.getCollection(\"coll\").dropIndex(\"at_1\")\ndb.getCollection(\"coll\").createIndex({_ts: 1}, {expireAfterSeconds: 3600})", policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"the API for MongoDB, and the document has a ttl", onAPI(`{key: {at: 1}}`, `{ttl: 60, _ts: 1795172399}`, at), "db.getCollection(\"coll\").createIndex({_ts: 1}, {expireAfterSeconds: -1})", policy.Expired, "2026-11-20T11:00:59.000Z"},
		{"no index", onCore(`{"defaultTtl": 60, "indexingPolicy": {"indexingMode": "none"}}`, `{"_ts": 1795172399}`, at), "", policy.Never, ""},
		{"off, and no index", onCore(`{"indexingPolicy": {"indexingMode": "None"}}`, `{"_ts": 1795172399}`, at), "", policy.Never, ""},
		{"the API for MongoDB, an index on _ts", onAPI(`{key: {_ts: 1}, name: "_ts_1", expireAfterSeconds: 60, sparse: true}`, `{_ts: 1795172399}`, at), "db.getCollection(\"coll\").dropIndex(\"_ts_1\")\ndb.getCollection(\"coll\").createIndex({_ts: 1}, {expireAfterSeconds: 3600})", policy.Expired, "2026-11-20T11:59:59.000Z"},
		{"the API for MongoDB, an index without TTL", onAPI(`{key: {a: 1}, name: "a_1"}`, `{_ts: 1795172399}`, at), "db.getCollection(\"coll\").createIndex({_ts: 1}, {expireAfterSeconds: 3600})", policy.Expired, "2026-11-20T11:59:59.000Z"},
	} {
		a := Of(tc.state, View{})
		if len(a.Problems) > 0 || (len(a.Fixes) == 1) != (tc.command != "") {
			t.Errorf("%s: problems %v, by %s, fixes %+v, want one with %q", tc.why, a.Problems, a.Rule, a.Fixes, tc.command)
			continue
		}
		for _, f := range a.Fixes {
			fixed := Of(f.State, View{})
			if !saysAtOnce.MatchString(f.AtOnce) || strings.Contains(f.Text, "at once") {
				t.Errorf("%s: %q beside %q does not say what goes at once", tc.why, f.AtOnce, f.Text)
			}
			if keeps := strings.HasPrefix(f.Text, "Keep it"); keeps && strings.Contains(f.Command, "dropIndex") {
				t.Errorf("%s: %q, and %s", tc.why, f.Text, f.Command)
			}
			if !strings.Contains(f.Command, tc.command) || len(fixed.Problems) > 0 || fixed.Verdict != tc.verdict || fixed.Deadline != tc.deadline {
				t.Errorf("%s: %s\nmakes %s\n%s\n%v at %q, problems %v, want %s\n%v at %q", tc.why, f.Command, f.State.Policy, f.State.Document, fixed.Verdict, fixed.Deadline, fixed.Problems, tc.command, tc.verdict, tc.deadline)
			}
		}
	}
}

// TestFixesOfExamples: each fix changes the answer, and leaves nothing to fix.
func TestFixesOfExamples(t *testing.T) {
	fixes := 0
	for _, x := range Examples() {
		before := Of(x.State, View{})
		for _, f := range before.Fixes {
			fixes++
			if after := Of(f.State, View{}); len(after.Problems) > 0 || after.Verdict == policy.Never || len(after.Fixes) > 0 || after.Deadline == before.Deadline {
				t.Errorf("%s: %s leads to %+v: %v by %s, problems %v", x.Title, f.Text, f.State, after.Verdict, after.Rule, after.Problems)
			}
		}
	}
	if fixes < 8 {
		t.Errorf("%d examples have a fix, want eight and more", fixes)
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
	for id, want := range map[string]string{"sessions": "--name sessions --ttl", "my sessions": "--name 'my sessions' --ttl", "-x": "--name '-x' --ttl", "a'b": `--name 'a'\''b' --ttl`} {
		a := Of(onCore(`{"id": "`+id+`"}`, `{"_ts": 1795172399}`, "2026-11-20T12:00:00Z"), View{})
		if len(a.Fixes) != 1 || !strings.Contains(a.Fixes[0].Command, want) {
			t.Errorf("the fix for the container %s is %+v, want one with %s", id, a.Fixes, want)
		}
	}
}

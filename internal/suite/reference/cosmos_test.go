package reference

import (
	"strings"
	"testing"
)

func TestDecideCosmos(t *testing.T) {
	cell := func(container, item string) string {
		return `"now":$1700000010000,"container":{"id":"c"` + container + `},"item":{"id":"1"` + item + `,"_ts":1700000000}`
	}
	off, minus, ten := "", `,"defaultTtl":-1`, `,"defaultTtl":10`
	hold(t, "cosmos.decide", []asking{
		{"off, no ttl", "cosmos-nosql", cell(off, ""), "never cosmos.off"},
		{"off beats -1", "cosmos-nosql", cell(off, `,"ttl":-1`), "never cosmos.off"},
		{"off beats a ttl", "cosmos-nosql", cell(off, `,"ttl":1`), "never cosmos.off"},
		{"null is off", "cosmos-nosql", cell(`,"defaultTtl":null`, `,"ttl":1`), "never cosmos.off"},
		{"-1, no ttl", "cosmos-nosql", cell(minus, ""), "never cosmos.no-default"},
		{"-1, -1", "cosmos-nosql", cell(minus, `,"ttl":-1`), "never cosmos.item-never"},
		{"-1, a ttl", "cosmos-nosql", cell(minus, `,"ttl":11`), "pending 1700000011000 cosmos.item"},
		{"the default, on the second", "cosmos-nosql", cell(ten, ""), "expired 1700000010000 cosmos.default"},
		{"-1 wins", "cosmos-nosql", cell(ten, `,"ttl":-1`), "never cosmos.item-never"},
		{"the item's ttl is longer", "cosmos-nosql", cell(ten, `,"ttl":11`), "pending 1700000011000 cosmos.item"},
		{"the item's ttl is shorter", "cosmos-nosql", cell(ten, `,"ttl":9`), "expired 1700000009000 cosmos.item"},
		{"a sum beyond 32 bits", "cosmos-nosql", cell(ten, `,"ttl":2147483647`), "pending 3847483647000 cosmos.item"},
		{"zero", "cosmos-nosql", cell(ten, `,"ttl":0`), "never cosmos.item-unspecified"},
		{"a string", "cosmos-nosql", cell(ten, `,"ttl":"5"`), "never cosmos.item-unspecified"},
		{"another spelling", "cosmos-nosql", cell(ten, `,"TTL":-1`), "expired 1700000010000 cosmos.default"},
		{"an escaped name", "cosmos-nosql", cell(ten, `,"\u0074tl":-1`), "never cosmos.item-never"},
		{"a millisecond before", "cosmos-nosql", `"now":$1700000009999,"container":{"defaultTtl":10},"item":{"_ts":1700000000}`, "pending 1700000010000 cosmos.default"},
		{"no _ts", "cosmos-nosql", `"now":$1700000009999,"container":{"defaultTtl":10},"item":{}`, "never cosmos.no-timestamp"},
		{"an absurd ttl", "cosmos-nosql", cell(ten, `,"ttl":1e1000000000`), "never cosmos.item-unspecified"},
		{"not an item", "cosmos-nosql", `"now":$5,"container":{},"item":[]`, "fault in.item: want an object, got []"},
		{"no container", "cosmos-nosql", `"now":$5,"item":{}`, "fault in.container: missing; want an object"},
		{"not a path", "cosmos-nosql", `"now":$5,"container":{"ttlPropertyPath":7},"item":{}`, `fault in.container: cosmos: ttlPropertyPath is int, want a string such as "/createdAt"`},
	})
}

func TestDecideCosmosMongo(t *testing.T) {
	on := func(seconds, document string) string {
		return `"now":$1700000010000,"indexes":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":` + seconds + `}],"document":{` + document + `},"_ts":1700000000`
	}
	const custom = "cosmos-mongo 4.2+EnableTtlOnCustomPath"
	field := func(document string) string {
		return `"now":$1700000010000,"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":10}],"document":{` + document + `},"_ts":1700000000`
	}
	hold(t, "cosmosmongo.decide", []asking{
		{"the collection's value", "cosmos-mongo", on("10", ``), "expired 1700000010000 cosmos.default _ts_1"},
		{"int32", "cosmos-mongo", on("10", `"ttl":20`), "pending 1700000020000 cosmos.item _ts_1"},
		{"int64", "cosmos-mongo", on("10", `"ttl":{"$numberLong":"20"}`), "pending 1700000020000 cosmos.item _ts_1"},
		{"a double without fraction", "cosmos-mongo", on("10", `"ttl":20.0`), "pending 1700000020000 cosmos.item _ts_1"},
		{"a double with one", "cosmos-mongo", on("10", `"ttl":20.5`), "expired 1700000010000 cosmos.mongo-ttl-ignored _ts_1"},
		{"an int64 that does not fit", "cosmos-mongo", on("10", `"ttl":{"$numberLong":"2147483649"}`), "expired 1700000010000 cosmos.mongo-ttl-ignored _ts_1"},
		{"a decimal", "cosmos-mongo", on("10", `"ttl":{"$numberDecimal":"20"}`), "expired 1700000010000 cosmos.mongo-ttl-ignored _ts_1"},
		{"-1", "cosmos-mongo", on("10", `"ttl":-1`), "never cosmos.item-never"},
		{"a ttl on 3.2", "cosmos-mongo 3.2", on("10", `"ttl":5`), "never cosmos.mongo-ttl-version-unspecified"},
		{"a version that no account has", "cosmos-mongo 2.4", on("10", `"ttl":5`), "skip cosmos: server version 2.4: no account of Azure Cosmos DB for MongoDB has it"},
		{"one that may come", "cosmos-mongo 99.0", on("10", `"ttl":5`), "skip cosmos: server version 99.0: no account of Azure Cosmos DB for MongoDB has it"},
		{"zero", "cosmos-mongo", on("10", `"ttl":0`), "never cosmos.mongo-ttl-unspecified"},
		{"no default", "cosmos-mongo", on("-1", ``), "never cosmos.no-default"},
		{"no default, but a ttl", "cosmos-mongo", on("-1", `"ttl":5`), "expired 1700000005000 cosmos.item _ts_1"},
		{"no TTL index", "cosmos-mongo", `"now":$5,"indexes":[{"key":{"_ts":1}}],"document":{"ttl":1},"_ts":1`, "never cosmos.mongo-off"},
		{"a field, without the capability", "cosmos-mongo 4.2", field(`"at":$0`), "never cosmos.mongo-index-unspecified"},
		{"a field: a date", custom, field(`"at":$1699999999999`), "expired 1700000010000 cosmos.mongo-field at_1"},
		{"a field: milliseconds", custom, field(`"at":{"$numberLong":"1700000000001"}`), "pending 1700000010002 cosmos.mongo-field at_1"},
		{"a field: the smallest of an array", custom, field(`"at":[$1800000000000,{"$numberLong":"1600000000000"}]`), "expired 1600000010001 cosmos.mongo-field at_1"},
		{"a field: missing", custom, field(``), "never cosmos.mongo-field-missing"},
		{"a field: another type", custom, field(`"at":"x"`), "never cosmos.mongo-field-type"},
		{"_ts in the document", "cosmos-mongo", `"now":$1700000010000,"indexes":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":10}],"document":{"_ts":1700000000}`, "expired 1700000010000 cosmos.default _ts_1"},
		{"_ts beyond int32", "cosmos-mongo", `"now":$1700000010000,"indexes":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":10}],"document":{},"_ts":4000000000`, "pending 4000000010000 cosmos.default _ts_1"},
		{"_ts with a fraction", "cosmos-mongo", `"now":$5,"indexes":[],"document":{},"_ts":1.5`, "fault in._ts: want a whole number of seconds, got 1.5"},
		{"_ts that is NaN", "cosmos-mongo", `"now":$5,"indexes":[],"document":{},"_ts":{"$numberDouble":"NaN"}`, `fault in._ts: want a whole number of seconds, got {"$numberDouble":"NaN"}`},
		{"an index without a key", "cosmos-mongo", `"now":$5,"indexes":[{"name":"a"}],"document":{},"_ts":1`, "fault in.indexes: cosmos: index field key is missing, want a document such as {_ts: 1}"},
	})
}

func TestValidateContainer(t *testing.T) {
	hold(t, "cosmos.validateContainer", []asking{
		{"off", "cosmos-nosql", `"container":{}`, `{}`},
		{"seconds", "cosmos-nosql", `"container":{"id":"c","defaultTtl":10}`, `{}`},
		{"zero", "cosmos-nosql", `"container":{"defaultTtl":0}`, "error 400"},
		{"null", "cosmos-nosql", `"container":{"defaultTtl":null}`, "error 400"},
		{"no index", "cosmos-nosql", `"container":{"defaultTtl":-1,"indexingPolicy":{"indexingMode":"none"}},"previous":{"defaultTtl":-1}`, "error 400"},
		{"lazy", "cosmos-nosql", `"container":{"defaultTtl":5,"indexingPolicy":{"indexingMode":"lazy"}}`, `{"warnings":["indexingMode lazy is stored as consistent"]}`},
		{"a string", "cosmos-nosql", `"container":{"defaultTtl":"10"}`, "skip unspecified: cosmos.default-type-unspecified"},
		{"the analytical store is to go", "cosmos-nosql", `"container":{"analyticalStorageTtl":0},"previous":{"analyticalStorageTtl":-1}`, "skip unspecified: cosmos.analytical-disable-unspecified"},
		{"no previous", "cosmos-nosql", `"container":{},"previous":null`, `{}`},
		{"no container", "cosmos-nosql", `"container":5`, "fault in.container: want an object, got 5"},
	})
}

func TestValidateItem(t *testing.T) {
	hold(t, "cosmos.validateItem", []asking{
		{"absent", "cosmos-nosql", `"container":{"defaultTtl":-1},"item":{"id":"1"}`, `{}`},
		{"never", "cosmos-nosql", `"container":{"defaultTtl":5},"item":{"ttl":-1}`, `{}`},
		{"zero", "cosmos-nosql", `"container":{"defaultTtl":5},"item":{"ttl":0}`, "error 400"},
		{"null, its name with an escape", "cosmos-nosql", `"container":{"defaultTtl":5},"item":{"\u0074tl":null}`, "error 400"},
		{"off", "cosmos-nosql", `"container":{},"item":{"ttl":0}`, "skip unspecified: cosmos.item-off-unspecified"},
		{"a fraction", "cosmos-nosql", `"container":{"defaultTtl":5},"item":{"ttl":0.5}`, "skip unspecified: cosmos.item-type-unspecified"},
		{"no item", "cosmos-nosql", `"container":{}`, "fault in.item: missing; want an object"},
	})
}

func TestCosmosMongoCreateIndexes(t *testing.T) {
	capable := "cosmos-mongo 4.2+EnableTtlOnCustomPath"
	hold(t, "cosmosmongo.createIndexes", []asking{
		{"on _ts", "cosmos-mongo 3.6", `"index":{"key":{"_ts":1},"expireAfterSeconds":10}`, `{}`},
		{"without a default", "cosmos-mongo 4.2", `"index":{"key":{"_ts":1},"expireAfterSeconds":-1}`, `{}`},
		{"another field", "cosmos-mongo 4.2", `"index":{"key":{"at":1},"expireAfterSeconds":10}`, "error 2 BadValue"},
		{"another field with the capability", capable, `"index":{"key":{"at":1},"expireAfterSeconds":10}`, `{}`},
		{"a second", capable, `"existing":[{"key":{"_ts":1},"expireAfterSeconds":10}],"index":{"key":{"at":1},"expireAfterSeconds":10}`, "error 0 "},
		{"zero", "cosmos-mongo 4.2", `"index":{"key":{"_ts":1},"expireAfterSeconds":0}`, "error 0 "},
		{"-2", "cosmos-mongo 4.2", `"index":{"key":{"_ts":1},"expireAfterSeconds":-2}`, "skip unspecified: cosmos.mongo-index-unspecified"},
		{"another value", "cosmos-mongo 4.2", `"existing":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":10}],"index":{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":20}`, "error 85 IndexOptionsConflict"},
		{"a version that no account has", "cosmos-mongo 8.0", `"index":{"key":{"_ts":1},"expireAfterSeconds":10}`, "skip cosmos: server version 8.0: no account of Azure Cosmos DB for MongoDB has it"},
		{"what is no version", "cosmos-mongo x", `"index":{"key":{"_ts":1},"expireAfterSeconds":10}`, `fault cosmos: server version "x", want one such as 4.2`},
		{"no key", "cosmos-mongo", `"index":{}`, "fault in.index: cosmos: index field key is missing, want a document such as {_ts: 1}"},
	})
}

// TestRefusedWithoutCode: a refusal whose code is unspecified carries none.
func TestRefusedWithoutCode(t *testing.T) {
	r := New().Ask(asking{"", "cosmos-nosql", `"container":{"defaultTtl":0}`, ""}.put("cosmos.validateContainer")).Refusal
	if r == nil || r.Code != 0 || r.CodeName != "" || r.Status != 400 || r.Class != "refused" || !strings.Contains(r.Message, "'0'") {
		t.Errorf("error %+v, want status 400 and no code", r)
	}
}

package library

import (
	"strings"
	"testing"
)

// TestDecideCosmos tests how requests are read; the vectors test the decisions.
func TestDecideCosmos(t *testing.T) {
	cell := func(container, item string) string {
		return `"now":$1700000010000,"container":{"id":"c"` + container + `},"item":{"id":"1"` + item + `,"_ts":1700000000}`
	}
	const ten = `,"defaultTtl":10`
	hold(t, "cosmos.decide", []asking{
		{"the default, on the second", "cosmos-nosql", cell(ten, ""), "expired 1700000010000 cosmos.default"},
		{"an escaped name", "cosmos-nosql", cell(ten, `,"\u0074tl":-1`), "never cosmos.item-never"},
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
	hold(t, "cosmosmongo.decide", []asking{
		{"the collection's value", "cosmos-mongo", on("10", ``), "expired 1700000010000 cosmos.default _ts_1"},
		{"a version that no account has", "cosmos-mongo 2.4", on("10", `"ttl":5`), "skip cosmos: server version 2.4: no account of Azure Cosmos DB for MongoDB has this version"},
		{"one that may come", "cosmos-mongo 99.0", on("10", `"ttl":5`), "skip cosmos: server version 99.0: no account of Azure Cosmos DB for MongoDB has this version"},
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
		{"a version that no account has", "cosmos-mongo 8.0", `"index":{"key":{"_ts":1},"expireAfterSeconds":10}`, "skip cosmos: server version 8.0: no account of Azure Cosmos DB for MongoDB has this version"},
		{"what is no version", "cosmos-mongo x", `"index":{"key":{"_ts":1},"expireAfterSeconds":10}`, `fault cosmos: server version "x", want one such as 4.2`},
		{"no key", "cosmos-mongo", `"index":{}`, "fault in.index: cosmos: index field key is missing, want a document such as {_ts: 1}"},
	})
}

// TestRefusedWithoutCode: a refusal whose code is unspecified has no code.
func TestRefusedWithoutCode(t *testing.T) {
	r := New().Ask(asking{"", "cosmos-nosql", `"container":{"defaultTtl":0}`, ""}.put("cosmos.validateContainer")).Refusal
	if r == nil || r.Code != 0 || r.CodeName != "" || r.Status != 400 || r.Class != "refused" || !strings.Contains(r.Message, "'0'") {
		t.Errorf("error %+v, want status 400 and no code", r)
	}
}

package adapter

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValidateContainer(t *testing.T) {
	validateAll(t, "cosmos.validateContainer", []question{
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
	validateAll(t, "cosmos.validateItem", []question{
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
	capable := `{"system":"cosmos-mongo","version":"4.2","capabilities":["EnableTtlOnCustomPath"]}`
	validateAll(t, "cosmosmongo.createIndexes", []question{
		{"on _ts", "cosmos-mongo 3.6", `"index":{"key":{"_ts":1},"expireAfterSeconds":10}`, `{}`},
		{"without a default", "cosmos-mongo 4.2", `"index":{"key":{"_ts":1},"expireAfterSeconds":-1}`, `{}`},
		{"another field", "cosmos-mongo 4.2", `"index":{"key":{"at":1},"expireAfterSeconds":10}`, "error 2 BadValue"},
		{"another field with the capability", capable, `"index":{"key":{"at":1},"expireAfterSeconds":10}`, `{}`},
		{"a second", capable, `"existing":[{"key":{"_ts":1},"expireAfterSeconds":10}],"index":{"key":{"at":1},"expireAfterSeconds":10}`, "error 0 "},
		{"zero", "cosmos-mongo 4.2", `"index":{"key":{"_ts":1},"expireAfterSeconds":0}`, "skip unspecified: cosmos.mongo-index-unspecified"},
		{"no key", "cosmos-mongo", `"index":{}`, "fault in.index: cosmos: index field key is missing, want a document such as {_ts: 1}"},
	})
}

// TestRefusedWithoutCode: a refusal whose code is not established carries none.
func TestRefusedWithoutCode(t *testing.T) {
	q := question{"", "cosmos-nosql", `"container":{"defaultTtl":0}`, ""}
	reply := askOne(t, q.request("cosmos.validateContainer"))
	var a struct{ Error map[string]any }
	if err := json.Unmarshal([]byte(reply), &a); err != nil {
		t.Fatal(err)
	}
	if _, hasCode := a.Error["code"]; hasCode || a.Error["status"] != 400.0 || a.Error["class"] != "refused" || !strings.Contains(a.Error["message"].(string), "'0'") {
		t.Errorf("error %v, want status 400 and no code", a.Error)
	}
}

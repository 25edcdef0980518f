// Package parttest checks parts against their published schema. It is for tests.
package parttest

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/ttlpolicy/ttlpolicy/docs"
)

// Check fails t unless an encoded part satisfies docs/part.schema.json.
func Check(t testing.TB, part string) {
	t.Helper()
	schema, err := published()
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(part), &v); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Fatalf("the part is not as its schema says: %v\n%s", err, part)
	}
}

var published = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	text, err := docs.Files.ReadFile("part.schema.json")
	if err != nil {
		return nil, err
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
})

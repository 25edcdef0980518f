// Package parttest checks parts against their published schema. It is for tests.
package parttest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
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
	folder, err := os.Getwd() // tests run in the folder of their package
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(folder, "docs", "part.schema.json"))
	for errors.Is(err, fs.ErrNotExist) && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
		text, err = os.ReadFile(filepath.Join(folder, "docs", "part.schema.json"))
	}
	if err != nil {
		return nil, err
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
})

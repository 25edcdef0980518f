package cosmos

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// askedByName is a document that cannot list its fields.
type askedByName struct{}

func (askedByName) Field(string) policy.Value { return policy.Value{} }

// TestListsFields compares listsFields with [policy.Fields.Listed].
func TestListsFields(t *testing.T) {
	bson := extJSON(t, `{"a":1}`)
	raw, err := policy.AppendBSON(nil, bson)
	if err != nil {
		t.Fatal(err)
	}
	b, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	j, err := policy.ParseJSON([]byte(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []policy.Document{policy.D{}, b, &b, j, &j, bson, &bson, policy.Map(map[string]any{"a": 1}), askedByName{}} {
		f := policy.ObjectValue(doc).Fields()
		if got, want := listsFields(doc), f.Listed(); got != want {
			t.Errorf("listsFields(%T) = %v, want %v", doc, got, want)
		}
	}
}

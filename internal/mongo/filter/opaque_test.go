package filter

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestOpaqueKeeps: a value of an unknown type, from a database's own document, exists but
// matches no comparison. Represented by the zero Value, it would count as a missing
// field, which {a: null} matches.
func TestOpaqueKeeps(t *testing.T) {
	opaque := policy.OpaqueValue()
	subdocument := policy.ObjectValue(policy.D{{Key: "x", Value: opaque}})
	for _, value := range []policy.Value{opaque, policy.ListValue(policy.A{opaque}), subdocument} {
		for _, predicate := range []string{`null`, `{"$in":[null,1]}`, `{"$gte":null}`, `{"x":{"$undefined":true}}`, `{"x":null}`, `{"$type":"null"}`, `{"$type":"undefined"}`, `1`} {
			f := mustFilter(t, drawn.Latest, `{"a":`+predicate+`}`, "")
			if got := f.matchDocument(policy.D{{Key: "a", Value: value}}); got == Inside {
				t.Errorf("%s takes in %s", predicate, value)
			}
		}
		if got := mustFilter(t, drawn.Latest, `{"a":{"$exists":true}}`, "").matchDocument(policy.D{{Key: "a", Value: value}}); got != Inside {
			t.Errorf("$exists: %v, want inside", got)
		}
	}
	for _, predicate := range []string{`{"$gt":{"$minKey":1}}`, `{"$lt":{"$maxKey":1}}`, `{"$gt":{"$maxKey":1}}`} {
		for _, version := range []string{"4.0.0", drawn.Latest} {
			if got := mustFilter(t, version, `{"a":`+predicate+`}`, "").matchDocument(policy.D{{Key: "a", Value: opaque}}); got != Outside {
				t.Errorf("%s of an opaque value at %s: %v, want outside", predicate, version, got)
			}
		}
	}
	for _, value := range []policy.Value{opaque, policy.ListValue(policy.A{opaque})} {
		for _, version := range []string{"4.0.0", drawn.Latest} {
			if got := mustFilter(t, version, `{"a.b":null}`, "").matchDocument(policy.D{{Key: "a", Value: value}}); got == Inside {
				t.Errorf("{a.b: null} takes in a: %s at %s", value, version)
			}
		}
	}
	if opaque.Equal(opaque) || opaque.IsMissing() || opaque.Kind().String() != "opaque" {
		t.Errorf("an opaque value equals itself, is missing or is called %s", opaque.Kind())
	}
}

package plainjson

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPropertyWriter: a Writer writes the same text for a BSON document as Append for its
// value.
func TestPropertyWriter(t *testing.T) {
	var w Writer
	once := drawn.Kinds{Scalars: drawn.Any.Scalars, Names: drawn.Any.Names, Code: drawn.Any.Code}
	wide := rapid.Map(rapid.SliceOfN(once.Values(1), 0, 40), func(list []policy.Value) (d policy.D) {
		for i, v := range list {
			d = append(d, policy.E{Key: fmt.Sprintf("ä%d", i*i), Value: v})
		}
		return d
	})
	rapid.Check(t, func(t *rapid.T) {
		doc := policy.ObjectValue(policy.D{{Key: "a", Value: once.Values(3).Draw(t, "a")}, {Key: "b\"", Value: policy.ObjectValue(wide.Draw(t, "b"))}})
		bson := fixture.BSON(t, doc)
		got, err := w.AppendFields([]byte("{"), bson)
		if want := Append(nil, doc); err != nil || string(got)+"}" != string(want) {
			t.Fatalf("wrote %s}, %v, want %s", got, err, want)
		}
	})
}

// TestLimit: a document is refused if and only if its text is longer than the limit, even
// if a value within takes more bytes in BSON than in JSON.
func TestLimit(t *testing.T) {
	empty := make(policy.A, 100)
	for i := range empty {
		empty[i] = policy.ListValue(policy.A{})
	}
	lists := policy.D{{Key: "a", Value: policy.ListValue(empty)}}
	for _, v := range []policy.Value{
		policy.StringValue("text"), policy.DecimalValue(0x3040<<48, 0), policy.ObjectValue(lists), valuefunc.CodeWithScopeValue("", lists),
	} {
		doc := policy.ObjectValue(policy.D{{Key: "v", Value: v}})
		bson := fixture.BSON(t, doc)
		n := len(Append(nil, doc)) - len("{}")
		if _, err := (&Writer{Limit: n}).AppendFields(nil, bson); err != nil {
			t.Errorf("%s, %d bytes of text: %v, want no error at this limit", v.Kind(), n, err)
		}
		if _, err := (&Writer{Limit: n - 1}).AppendFields(nil, bson); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s, %d bytes of text: %v, want %v at a limit below", v.Kind(), n, err, ErrTooLarge)
		}
	}
}

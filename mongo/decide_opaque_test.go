package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestOpaqueKeepsByIndex: a value of an unknown type is a key, and not a Date.
func TestOpaqueKeepsByIndex(t *testing.T) {
	opaque := policy.OpaqueValue()
	c := vectorCollection(t, drawn.Latest, `{}`, `[{"key":{"t":1},"expireAfterSeconds":0}]`)
	for _, value := range []policy.Value{opaque, policy.ListValue(policy.A{policy.StringValue("x"), opaque, policy.NullValue()})} {
		if d := c.Decide(policy.D{{Key: "t", Value: value}}, policy.MaxInstant); d.State != policy.Never || d.Rule.String() != rules.FieldOpaque.ID() {
			t.Errorf("%s: %v, want never by %s", value, d, rules.FieldOpaque)
		}
	}
}

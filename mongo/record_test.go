package mongo

import (
	"bytes"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// damaged returns a document as BSON, and gives the string "text" in it an impossible
// length.
func damaged(t *testing.T, document string) []byte {
	t.Helper()
	raw := drawn.BSONOf(t, drawn.Value(t, document)).Bytes()
	at := bytes.Index(raw, []byte("\x05\x00\x00\x00text"))
	if at < 0 {
		t.Fatalf("%s holds no text", document)
	}
	raw[at] = 0x7f
	return raw
}

// TestDecideBSONOnDamage: damage before the date keeps the document, and damage after the
// date has no effect.
func TestDecideBSONOnDamage(t *testing.T) {
	tests := []struct {
		why, indexes, document, rule string
		state                        policy.State
	}{
		{"behind the date", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"t":D(5),"s":"text"}`), rules.Date.ID(), policy.Expired},
		{"in front of the date", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"s":"text","t":D(5)}`), rules.Malformed.ID(), policy.Never},
		{"inside the array, behind a date", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"t":[D(5),"text"]}`), rules.Malformed.ID(), policy.Never},
		{"inside an element of the array", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"t":[D(5),{"s":"text"}]}`), rules.Malformed.ID(), policy.Never},
		{"behind the date in a subdocument", `[{"key":{"a.t":1},"expireAfterSeconds":0}]`,
			dates(`{"a":{"t":D(5),"s":"text"}}`), rules.Date.ID(), policy.Expired},
		{"in front of the date in a subdocument", `[{"key":{"a.t":1},"expireAfterSeconds":0}]`,
			dates(`{"a":{"s":"text","t":D(5)}}`), rules.Malformed.ID(), policy.Never},
		{"inside the array that the path goes through", `[{"key":{"a.t":1},"expireAfterSeconds":0}]`,
			dates(`{"a":[{"t":D(5),"s":"text"}]}`), rules.Malformed.ID(), policy.Never},
		{"inside the field of the filter", `[{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":{"a":{"$exists":true}}}]`,
			dates(`{"a":{"s":"text"},"t":D(5)}`), rules.Malformed.ID(), policy.Never},
		{"behind the field of a filter that settles it", `[{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":{"a":1}}]`,
			dates(`{"a":2,"s":"text","t":D(5)}`), rules.FilterMismatch.ID(), policy.Never},
		{"seen by the second index only", `[{"key":{"t":1},"expireAfterSeconds":0},{"key":{"u":1},"expireAfterSeconds":0}]`,
			dates(`{"t":D(5),"s":"text","u":D(5)}`), rules.Malformed.ID(), policy.Never},
		{"in front of a clustered _id", `[]`,
			dates(`{"s":"text","_id":D(5)}`), rules.Malformed.ID(), policy.Never},
	}
	for _, test := range tests {
		options := `{}`
		if test.indexes == `[]` {
			options = `{"clusteredIndex":true,"expireAfterSeconds":0}`
		}
		c := vectorCollection(t, "8.0.4", options, test.indexes)
		d := c.DecideBSON(damaged(t, test.document), policy.MaxInstant)
		if d.State != test.state || d.Rule.ID() != test.rule {
			t.Errorf("%s: %v by %s, want %v by %s", test.why, d.State, d.Rule, test.state, test.rule)
		}
	}
}

// TestIndexDecideBSON: the short cut for a top-level date decides as the full route does,
// also with a filter, for a clustered collection, and for an empty slice.
func TestIndexDecideBSON(t *testing.T) {
	profile := vectorProfile(t, "8.0.4")
	up, zero := policy.Int32Value(1), policy.Int32Value(0)
	plain := IndexSpec{Key: policy.D{{Key: "t", Value: up}}, ExpireAfterSeconds: zero}
	partial, clustered := plain, IndexSpec{Key: policy.D{{Key: "_id", Value: up}}, ExpireAfterSeconds: zero, Clustered: true}
	partial.PartialFilterExpression = drawn.Value(t, `{"kind":"guest"}`)
	tests := []struct {
		why, document, rule string
		index               IndexSpec
		state               policy.State
	}{
		{"a date", dates(`{"t":D(5)}`), rules.Date.ID(), plain, policy.Expired},
		{"a date in the partial index", dates(`{"t":D(5),"kind":"guest"}`), rules.Date.ID(), partial, policy.Expired},
		{"a date outside the partial index", dates(`{"t":D(5),"kind":"member"}`), rules.FilterMismatch.ID(), partial, policy.Never},
		{"a date in the partial index by one of several kinds", dates(`{"t":D(5),"kind":["member","guest"]}`), rules.Date.ID(), partial, policy.Expired},
		{"a date outside the partial index for lack of a kind", dates(`{"t":D(5)}`), rules.FilterMismatch.ID(), partial, policy.Never},
		{"an array in the partial index", dates(`{"kind":"guest","t":[D(5)]}`), rules.Earliest.ID(), partial, policy.Expired},
		{"no date in the partial index", dates(`{"kind":"guest"}`), rules.FieldMissing.ID(), partial, policy.Never},
		{"a clustered date", dates(`{"_id":D(5)}`), rules.Clustered.ID(), clustered, policy.Expired},
		{"a clustered date before 1970", dates(`{"_id":D(-5)}`), rules.ClusteredFloor.ID(), clustered, policy.Never},
		{"an array", dates(`{"t":[D(5)]}`), rules.Earliest.ID(), plain, policy.Expired},
		{"an empty array", `{"t":[]}`, rules.ArrayEmpty.ID(), plain, policy.Never},
	}
	for _, tt := range tests {
		x, err := compileAlone(CollectionSpec{}, tt.index, profile)
		if err != nil {
			t.Fatal(err)
		}
		raw := drawn.BSONOf(t, drawn.Value(t, tt.document)).Bytes()
		if d := x.DecideBSON(raw, policy.MaxInstant); d.State != tt.state || d.Rule.ID() != tt.rule {
			t.Errorf("%s: %v by %s, want %v by %s", tt.why, d.State, d.Rule, tt.state, tt.rule)
		}
		if d := x.DecideBSON(nil, policy.MaxInstant); d.Rule != rules.Malformed {
			t.Errorf("%s: no bytes are decided by %s, want %s", tt.why, d.Rule, rules.Malformed)
		}
	}
}

// TestDecideNothing: a nil document and an empty document of any Go type lack the field.
func TestDecideNothing(t *testing.T) {
	x, err := compileAlone(CollectionSpec{}, TTLIndex("t", 1), vectorProfile(t, "8.0.4"))
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []policy.Document{nil, policy.D(nil), policy.BSON{}, &policy.BSON{}, policy.JSON{}, &policy.JSON{}, policy.Value{}, policy.StringValue("t")} {
		if d := x.Decide(doc, 0); d.Rule != rules.FieldMissing {
			t.Errorf("Decide(%#v) = %v by %s, want %s", doc, d.State, d.Rule, rules.FieldMissing)
		}
	}
}

package mongo

import (
	"bytes"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// damaged returns a document as BSON in which the string "text" has a length
// that fits nowhere.
func damaged(t *testing.T, document string) []byte {
	t.Helper()
	raw, err := policy.AppendBSON(nil, vectorValue(t, document))
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(raw, []byte("\x05\x00\x00\x00text"))
	if at < 0 {
		t.Fatalf("%s holds no text", document)
	}
	raw[at] = 0x7f
	return raw
}

// TestDecideBSONOnDamage holds what is looked at: damage in front of the answer
// keeps the document, damage behind it does not matter.
func TestDecideBSONOnDamage(t *testing.T) {
	tests := []struct {
		why, indexes, document, rule string
		state                        policy.State
	}{
		{"behind the date", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"t":D(5),"s":"text"}`), "mongo.date", policy.Expired},
		{"in front of the date", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"s":"text","t":D(5)}`), "mongo.malformed", policy.Never},
		{"inside the array, behind a date", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"t":[D(5),"text"]}`), "mongo.malformed", policy.Never},
		{"inside an element of the array", `[{"key":{"t":1},"expireAfterSeconds":0}]`,
			dates(`{"t":[D(5),{"s":"text"}]}`), "mongo.malformed", policy.Never},
		{"inside the subdocument of the date", `[{"key":{"a.t":1},"expireAfterSeconds":0}]`,
			dates(`{"a":{"t":D(5),"s":"text"}}`), "mongo.malformed", policy.Never},
		{"inside the field of the filter", `[{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":{"a":{"$exists":true}}}]`,
			dates(`{"a":{"s":"text"},"t":D(5)}`), "mongo.malformed", policy.Never},
		{"behind the field of a filter that settles it", `[{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":{"a":1}}]`,
			dates(`{"a":2,"s":"text","t":D(5)}`), "mongo.filter-mismatch", policy.Never},
		{"seen by the second index only", `[{"key":{"t":1},"expireAfterSeconds":0},{"key":{"u":1},"expireAfterSeconds":0}]`,
			dates(`{"t":D(5),"s":"text","u":D(5)}`), "mongo.malformed", policy.Never},
		{"in front of a clustered _id", `[]`,
			dates(`{"s":"text","_id":D(5)}`), "mongo.malformed", policy.Never},
	}
	for _, test := range tests {
		options := `{}`
		if test.indexes == `[]` {
			options = `{"clusteredIndex":true,"expireAfterSeconds":0}`
		}
		c := vectorCollection(t, "8.0.4", options, test.indexes)
		d := c.DecideBSON(damaged(t, test.document), policy.MaxInstant)
		if d.State != test.state || d.Rule.ID != test.rule {
			t.Errorf("%s: %v by %s, want %v by %s", test.why, d.State, d.Rule, test.state, test.rule)
		}
	}
}

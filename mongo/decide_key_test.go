package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestKey(t *testing.T) {
	tests := []struct {
		why, version, options, index, document string
		key                                    policy.Instant
		ok                                     bool
	}{
		{"a date", "8.2.0", `{}`, `"key":{"t":1},"expireAfterSeconds":10`, `{"t":D(7)}`, 7, true},
		{"the earliest of an array", "8.2.0", `{}`, `"key":{"t":1},"expireAfterSeconds":10`, `{"t":[D(9),1,D(-7)]}`, -7, true},
		{"no field", "8.2.0", `{}`, `"key":{"t":1},"expireAfterSeconds":10`, `{}`, 0, false},
		{"no date", "8.2.0", `{}`, `"key":{"t":1},"expireAfterSeconds":10`, `{"t":7}`, 0, false},
		{"an ambiguous path", "8.2.0", `{}`, `"key":{"a.0":1},"expireAfterSeconds":10`, `{"a":[{"0":D(7)},D(8)]}`, 0, false},
		{"inside the filter", "8.2.0", `{}`, `"key":{"t":1},"expireAfterSeconds":10,"partialFilterExpression":{"u":1}`, `{"t":D(7),"u":1}`, 7, true},
		{"outside the filter", "8.2.0", `{}`, `"key":{"t":1},"expireAfterSeconds":10,"partialFilterExpression":{"u":1}`, `{"t":D(7),"u":2}`, 0, false},
		{"an option that is skipped", "8.2.0", `{}`, `"key":{"t":1},"expireAfterSeconds":"10"`, `{"t":D(7)}`, 7, true},
		{"no option", "8.2.0", `{}`, `"key":{"t":1}`, `{"t":D(7)}`, 7, true},
		{"no option, outside the filter", "8.2.0", `{}`, `"key":{"t":1},"partialFilterExpression":{"u":1}`, `{"t":D(7)}`, 0, false},
		{"no option, and a filter that cannot be", "8.2.0", `{}`, `"key":{"t":1},"partialFilterExpression":5`, `{"t":D(7)}`, 0, false},
		{"a capped collection", "4.4.0", `{"capped":true}`, `"key":{"t":1},"expireAfterSeconds":10`, `{"t":D(7)}`, 7, true},
		{"a compound index", "8.2.0", `{}`, `"key":{"t":1,"u":1},"expireAfterSeconds":10`, `{"t":D(7)}`, 0, false},
		{"a hashed index", "8.2.0", `{}`, `"key":{"t":"hashed"},"expireAfterSeconds":10`, `{"t":D(7)}`, 0, false},
		{"clustered", "8.2.0", `{}`, `"key":{"_id":1},"clustered":true,"expireAfterSeconds":10`, `{"_id":D(7)}`, 7, true},
		{"clustered, and no date", "8.2.0", `{}`, `"key":{"_id":1},"clustered":true,"expireAfterSeconds":10`, `{"_id":[D(7)]}`, 0, false},
		{"clustered, and an option that cannot be", "8.2.0", `{}`, `"key":{"_id":1},"clustered":true,"expireAfterSeconds":-1`, `{"_id":D(7)}`, 7, true},
	}
	for _, tt := range tests {
		in, err := ParseCollectionSpec(drawn.Value(t, tt.options), policy.Value{})
		if err != nil {
			t.Fatal(err)
		}
		spec, err := ParseIndexSpec(drawn.Value(t, `{`+tt.index+`}`))
		if err != nil {
			t.Fatal(err)
		}
		x, err := compileAlone(in, spec, vectorProfile(t, tt.version))
		if err != nil {
			t.Fatal(err)
		}
		doc := drawn.Value(t, dates(tt.document))
		if key, ok := x.Key(doc); ok != tt.ok || ok && key != tt.key {
			t.Errorf("%s: Key(%s) = %d, %v, want %d, %v", tt.why, tt.document, key, ok, tt.key, tt.ok)
		}
		raw := drawn.BSONOf(t, doc)
		if key, ok := x.Key(&raw); ok != tt.ok || ok && key != tt.key {
			t.Errorf("%s: Key(raw %s) = %d, %v, want %d, %v", tt.why, tt.document, key, ok, tt.key, tt.ok)
		}
	}
	if key, ok := new(indexSource).Key(policy.D{}); ok {
		t.Errorf("the zero Index has the key %d, want none", key)
	}
}

// checkKey compares the key with the decision: the index decides about the key
// as about its document, and keeps a document without a key.
func checkKey(t testing.TB, x *indexSource, doc policy.Value, now policy.Instant) {
	t.Helper()
	d := x.Decide(doc, now)
	key, ok := x.Key(doc)
	if !ok && d.State != policy.Never {
		t.Fatalf("no key, but %v at %d by %s", d.State, drawn.Deadline(d), d.Rule)
	}
	if !ok {
		return
	}
	if got := x.DecideKey(key, now); got.State != d.State || drawn.Deadline(got) != drawn.Deadline(d) {
		t.Fatalf("by its key %d the document is %v at %d, else %v at %d", key, got.State, drawn.Deadline(got), d.State, drawn.Deadline(d))
	}
	if x.Bounds(now).contains(key) != (d.State == policy.Expired) {
		t.Fatalf("the key is %d, the bounds %v, the document %v", key, x.Bounds(now), d.State)
	}
}

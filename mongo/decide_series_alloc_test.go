//go:build !race

package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestAllocDecideCollections: deciding about time-series and clustered
// collections, buckets, measurements and kept documents allocates nothing
// either.
func TestAllocDecideCollections(t *testing.T) {
	const series = `{"timeseries":{"timeField":"ts","metaField":"m"},"expireAfterSeconds":10,"requiresExtendedRangeSupport":true}`
	const index = `[{"key":{"ts":1},"expireAfterSeconds":5,"partialFilterExpression":{"m.k":{"$in":["a","b"]}}}]`
	tests := []struct{ why, options, indexes, document string }{
		{"measurement", series, index, dates(`{"m":{"k":"a"},"ts":D(5)}`)},
		{"measurement before 1970", series, index, dates(`{"m":{"k":"c"},"ts":D(-5)}`)},
		{"bucket", series, index, storedBucket(60, 60_000, 90_000, `{"k":"a"}`)},
		{"metadata out of order", series, `[{"key":{"ts":1},"expireAfterSeconds":5,"partialFilterExpression":{"m":{"a":1,"b":{"c":1,"d":[{"e":1,"f":2}]}}}}]`,
			dates(`{"m":{"b":{"d":[{"f":2,"e":1}],"c":1},"a":1},"ts":D(5)}`)},
		{"clustered", `{"clusteredIndex":true,"expireAfterSeconds":10}`, `[]`, dates(`{"_id":D(5)}`)},
		{"kept", `{}`, `[{"key":{"a.0.b":1},"expireAfterSeconds":1}]`, `{"a":[[{"b":["x",null,[1]]}]]}`},
		{"skipped", `{}`, `[{"key":{"a":"hashed"},"expireAfterSeconds":1}]`, `{}`},
		{"ambiguous", `{}`, `[{"key":{"a.0":1},"expireAfterSeconds":1}]`, `{"a":[{"0":1}]}`},
	}
	for _, tt := range tests {
		c := vectorCollection(t, "8.2.0", tt.options, tt.indexes)
		bson := drawn.BSONOf(t, drawn.Value(t, tt.document))
		var e interface {
			Decide(doc policy.Document, now policy.Instant) policy.Decision
		} = c
		if n := testing.AllocsPerRun(100, func() { allocSink = c.DecideBSON(bson.Bytes(), 0) }); n != 0 {
			t.Errorf("%s: DecideBSON allocates %v times, want 0", tt.why, n)
		}
		if n := testing.AllocsPerRun(100, func() { allocSink = e.Decide(&bson, 0) }); n != 0 {
			t.Errorf("%s: Evaluator.Decide allocates %v times, want 0", tt.why, n)
		}
	}
}

func TestAllocIndexDecide(t *testing.T) {
	x, err := compileAlone(CollectionSpec{}, TTLIndex("t", 1), vectorProfile(t, "8.2.0"))
	if err != nil {
		t.Fatal(err)
	}
	raw := drawn.BSONOf(t, drawn.Value(t, dates(`{"a":"x","t":[D(7),D(5)]}`))).Bytes()
	var e explainer = x
	memory := &drawn.Row{Columns: policy.D{{Key: "t", Value: policy.DateValue(5)}}}
	for why, decide := range map[string]func(){
		"Index.DecideBSON":         func() { allocSink = x.DecideBSON(raw, 0) },
		"Explainer.Decide(own)":    func() { allocSink = e.Decide(memory, 0) },
		"Index.Bounds":             func() { _ = x.Bounds(5).contains(5) },
		"Index.Key":                func() { _, _ = x.Key(memory) },
		"Decision.At a later time": func() { allocSink = allocSink.At(7) },
	} {
		if n := testing.AllocsPerRun(100, decide); n != 0 {
			t.Errorf("%s allocates %v times, want 0", why, n)
		}
	}
}

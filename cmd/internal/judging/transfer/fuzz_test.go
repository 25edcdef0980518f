package transfer

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// FuzzThereAndBack takes a document to Cosmos DB and back: nothing expires earlier than
// at its origin, and the way back is exact.
func FuzzThereAndBack(f *testing.F) {
	var collections []*mongo.Collection
	for _, release := range []string{"3.0.15", "4.4.29", "5.0.13", "6.0.1", "7.0.5", "8.2.11", fixture.Latest} {
		for _, seconds := range []policy.Value{policy.Int32Value(0), policy.Int32Value(1), policy.Int32Value(3600), policy.Int32Value(math.MaxInt32), policy.DoubleValue(1.5)} {
			collections = append(collections, compiled(f, release, seconds))
		}
	}
	on, err := cosmos.CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(-1)})
	if err != nil {
		f.Fatal(err)
	}
	back := compiled(f, fixture.Latest, policy.Int32Value(0), "expireAt")
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		raw, now := r.Document(2, "a", "b", "kind"), policy.Instant(r.Instant())
		doc, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		before := fuzzing.Pick(r, collections...).Decide(&doc, now)
		imported := cosmos.TimestampAt(policy.Instant(r.Instant()))
		if r.Percent(50) {
			imported = cosmos.TimestampAt(fixture.Deadline(before) + policy.Instant(r.Int64N(4000)-2000))
		}
		item, fidelity := carriedBy(t, ToCosmos(imported), doc.Value(), before)
		written, _ := imported.Seconds()
		after := on.Decide(append(item, policy.E{Key: "_ts", Value: policy.Int64Value(written)}), now)
		checkCarried(t, fidelity, before, after, now)
		returned, _ := carriedBy(t, toMongoDB("expireAt"), policy.ObjectValue(item), after)
		if again := back.Decide(returned, now); again.State != after.State || again.State != policy.Never && fixture.Deadline(again) != fixture.Deadline(after) {
			t.Fatalf("%x: %v at %d there, %v at %d again here", raw, after.State, fixture.Deadline(after), again.State, fixture.Deadline(again))
		}
	})
}

// compiled compiles a collection that has an index with these seconds on each field: on a and
// b, unless fields are given.
func compiled(t testing.TB, release string, seconds policy.Value, fields ...string) *mongo.Collection {
	t.Helper()
	if fields == nil {
		fields = []string{"a", "b"}
	}
	var spec mongo.CollectionSpec
	for _, field := range fields {
		spec.Indexes = append(spec.Indexes, mongo.IndexSpec{Name: field, Key: policy.D{{Key: field, Value: policy.Int32Value(1)}}, ExpireAfterSeconds: seconds})
	}
	c, err := mongo.CompileCollection(spec, fixture.Profile(t, release))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

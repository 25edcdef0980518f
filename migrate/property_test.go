package migrate

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The generators are biased to the second of the import and to the ends of
// ranges.

var dates = rapid.Map(rapid.OneOf(rapid.Int64Range(95_000, 112_000), rapid.SampledFrom([]int64{0, -1, -1500, 1<<63 - 1, -1 << 63, 2147483747_000, 2147483747_001, 1<<62 + 1})),
	func(n int64) policy.Value { return policy.DateValue(policy.Instant(n)) })

var documents = drawn.Kinds{
	Scalars: rapid.OneOf(dates, dates, dates, rapid.SampledFrom([]policy.Value{policy.NullValue(), policy.Int64Value(100_500), policy.StringValue("x")})),
	Names:   rapid.SampledFrom([]string{"a", "b", "kind"}),
}.Documents(1)

// collections draws a collection with one or two TTL indexes, with partial filters and
// options that some releases refuse.
func collections(t *rapid.T) *mongo.Collection {
	release := rapid.SampledFrom([]string{"3.0.0", "4.4.0", "5.0.5", "6.0.1", "8.2.11"}).Draw(t, "release")
	var spec mongo.CollectionSpec
	for _, field := range []string{"a", "b"}[:rapid.IntRange(1, 2).Draw(t, "indexes")] {
		x := mongo.IndexSpec{Name: field, Key: policy.D{{Key: field, Value: policy.Int32Value(1)}}}
		x.ExpireAfterSeconds = rapid.SampledFrom([]policy.Value{
			policy.Int32Value(0), policy.Int32Value(1), policy.Int32Value(2147483647), policy.DoubleValue(1.5), policy.DoubleValue(math.NaN()), policy.StringValue("x"),
		}).Draw(t, "expireAfterSeconds")
		if release != "3.0.0" && rapid.Bool().Draw(t, "partial") {
			x.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "kind", Value: policy.ObjectValue(policy.D{{Key: "$exists", Value: policy.BoolValue(true)}})}})
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	c, err := mongo.CompileCollection(spec, fixture.Profile(t, release))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPropertyToItem: a document that is expired after the move was expired before the
// move. An exact translation expires less than a second later than the original.
func TestPropertyToItem(t *testing.T) {
	container, err := cosmos.CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(-1)})
	if err != nil {
		t.Fatal(err)
	}
	account, err := cosmos.CompileCollection(cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{{
		Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(-1),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		c, doc := collections(t), documents.Draw(t, "document")
		ts := rapid.OneOf(rapid.Int64Range(95, 112), rapid.SampledFrom([]int64{0, -1 << 40, 1 << 40, 9223372036854775})).Draw(t, "_ts")
		now := policy.Instant(rapid.OneOf(rapid.Int64Range(95_000, 113_000), rapid.Int64()).Draw(t, "now"))
		before := c.Decide(doc, now)
		item, fidelity, err := ToItem(policy.ObjectValue(doc), before, cosmos.TimestampSeconds(ts))
		if err != nil {
			t.Fatal(err)
		}
		stored := append(item, policy.E{Key: "_ts", Value: policy.Int64Value(ts)})
		checkCarried(t, fidelity, before, container.Decide(stored, now), now)
		checkCarried(t, fidelity, before, account.DecideAt(item, cosmos.TimestampSeconds(ts), now), now)
	})
}

func checkCarried(t interface{ Fatalf(string, ...any) }, fidelity Fidelity, before, after policy.Decision, now policy.Instant) {
	if after.State == policy.Expired && before.State != policy.Expired {
		t.Fatalf("at %d: %v here (%d), expired there (%d)", now, before.State, fixture.Deadline(before), fixture.Deadline(after))
	}
	if got, ok := Compare(before, after); !ok || got != fidelity {
		t.Fatalf("called %s, is %s: %v at %d here, %v at %d there", fidelity, got, before.State, fixture.Deadline(before), after.State, fixture.Deadline(after))
	}
}

// TestPropertyToDocument: to MongoDB a deadline carries over to the
// millisecond.
func TestPropertyToDocument(t *testing.T) {
	back := compiled(t, fixture.Latest, policy.Int32Value(0), "expireAt")
	settings := rapid.SampledFrom([]cosmos.ContainerSpec{{}, {DefaultTTL: policy.Int32Value(-1)}, {DefaultTTL: policy.Int32Value(5)}, {DefaultTTL: policy.Int32Value(2147483647)}})
	values := rapid.SampledFrom([]policy.Value{{}, policy.Int32Value(-1), policy.Int32Value(1), policy.Int32Value(2147483647), policy.Int32Value(0), policy.NullValue(), policy.StringValue("5")})
	rapid.Check(t, func(t *rapid.T) {
		c, err := cosmos.CompileContainer(settings.Draw(t, "container"))
		if err != nil {
			t.Fatal(err)
		}
		item := policy.D{{Key: "id", Value: policy.StringValue("1")}, {Key: "_ts", Value: policy.Int64Value(rapid.Int64Range(95, 1<<40).Draw(t, "_ts"))}}
		if ttl := values.Draw(t, "ttl"); !ttl.IsMissing() {
			item = append(item, policy.E{Key: "ttl", Value: ttl})
		}
		now := drawn.Instants.Draw(t, "now")
		before := c.Decide(item, now)
		doc, err := ToDocument(policy.ObjectValue(item), before, "expireAt")
		if err != nil {
			t.Fatal(err)
		}
		after := back.Decide(doc, now)
		if after.State != before.State || after.State != policy.Never && fixture.Deadline(after) != fixture.Deadline(before) {
			t.Fatalf("%v at %d there, %v at %d here", before.State, fixture.Deadline(before), after.State, fixture.Deadline(after))
		}
	})
}

// hidden is a document that cannot list its fields.
type hidden struct{}

func (hidden) Field(name string) policy.Value { return policy.Value{} }

func TestUnlisted(t *testing.T) {
	doc := policy.ObjectValue(hidden{})
	if _, _, err := ToItem(doc, expire(5), cosmos.TimestampSeconds(0)); !errors.Is(err, ErrUnlisted) {
		t.Errorf("ToItem: %v, want ErrUnlisted", err)
	}
	if _, err := ToDocument(doc, expire(5), "due"); !errors.Is(err, ErrUnlisted) {
		t.Errorf("ToDocument: %v, want ErrUnlisted", err)
	}
	if _, _, err := Unchanged(doc, "a", expire(5), expire(5)); !errors.Is(err, ErrUnlisted) {
		t.Errorf("Unchanged: %v, want ErrUnlisted", err)
	}
}

func TestConflicts(t *testing.T) {
	doc := policy.ObjectValue(policy.D{{Key: "ttl", Value: policy.StringValue("data")}, {Key: "expireAt", Value: policy.NullValue()}})
	var conflict *ConflictError
	if _, _, err := ToItem(doc, expire(5), cosmos.TimestampSeconds(0)); !errors.As(err, &conflict) || conflict.Field != "ttl" {
		t.Errorf("a ttl of its own: %v, want a conflict", err)
	}
	if _, _, err := ToItem(doc, policy.Decision{}, cosmos.TimestampSeconds(0)); !errors.As(err, &conflict) {
		t.Errorf("a ttl of its own, never expiring: %v, want a conflict", err)
	}
	if _, err := ToDocument(doc, policy.Decision{}, "expireAt"); !errors.As(err, &conflict) || conflict.Field != "expireAt" || err.Error() == "" {
		t.Errorf("a field of that name: %v, want a conflict", err)
	}
	if d, err := ToDocument(doc, expire(7), "due"); err != nil || len(d) != 3 || d[2].Key != "due" {
		t.Errorf("another field: %v, %v, want it behind the others", d, err)
	}
	if d, err := ToDocument(doc, expire(7), "meta.due"); err == nil || d != nil {
		t.Errorf("a field within another: %v, want an error", d)
	}
}

package transfer

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
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
	p, err := drawnCollection(t).Compile()
	if err != nil {
		t.Fatal(err)
	}
	return p.Evaluator.(*mongo.Collection)
}

// drawnCollection draws the definition of such a collection.
func drawnCollection(t *rapid.T) definition.Definition {
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
	version, err := mongo.ParseVersion(release)
	if err != nil {
		t.Fatal(err)
	}
	return definition.OfMongoDB(spec, version, nil)
}

// carriedBy returns the fields of a document and the field that a Rewriter adds.
func carriedBy(t interface{ Fatalf(string, ...any) }, rewrite Rewriter, doc policy.Value, d policy.Decision) (policy.D, Fidelity) {
	edit, err := rewrite(doc, d)
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	out := edit.Document
	if out == nil {
		out = policy.DOf(doc)
	}
	if !edit.Value.IsMissing() {
		out = append(out, policy.E{Key: edit.Field, Value: edit.Value})
	}
	return out, edit.Fidelity
}

// TestPropertyToCosmos: a document that is expired after the move was expired before the
// move. An exact translation expires less than a second later than the original.
func TestPropertyToCosmos(t *testing.T) {
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
		item, fidelity := carriedBy(t, ToCosmos(cosmos.TimestampSeconds(ts)), policy.ObjectValue(doc), before)
		stored := append(item, policy.E{Key: "_ts", Value: policy.Int64Value(ts)})
		checkCarried(t, fidelity, before, container.Decide(stored, now), now)
		checkCarried(t, fidelity, before, account.DecideAt(item, cosmos.TimestampSeconds(ts), now), now)
	})
}

func checkCarried(t interface{ Fatalf(string, ...any) }, fidelity Fidelity, before, after policy.Decision, now policy.Instant) {
	if after.State == policy.Expired && before.State != policy.Expired {
		t.Fatalf("at %d: %v here (%d), expired there (%d)", now, before.State, fixture.Deadline(before), fixture.Deadline(after))
	}
	if got := compare(before, after); got != fidelity {
		t.Fatalf("called %s, is %s: %v at %d here, %v at %d there", fidelity, got, before.State, fixture.Deadline(before), after.State, fixture.Deadline(after))
	}
}

// compare returns how well a translation keeps a deadline, and a number that is no Fidelity if
// the document expires earlier than before, or only afterwards.
func compare(before, after policy.Decision) Fidelity {
	was, expired := before.Deadline()
	is, expires := after.Deadline()
	switch {
	case !expires && !expired, expires && expired && is == was:
		return Exact
	case !expires:
		return Lost
	case !expired || is < was:
		return Exact + 1
	case uint64(is)-uint64(was) < 1000:
		return Rounded
	}
	return Approximate
}

func TestConflicts(t *testing.T) {
	doc := policy.D{{Key: "ttl", Value: policy.StringValue("data")}, {Key: "expireAt", Value: policy.NullValue()}}
	in := ToCosmos(cosmos.TimestampSeconds(0))
	for _, tt := range []struct {
		why     string
		rewrite Rewriter
		d       policy.Decision
		want    string
	}{
		{"a ttl of its own", in, expire(5), `it has a field "ttl" already`},
		{"a ttl of its own, never expiring", in, policy.Decision{}, `it has a field "ttl" already`},
		{"a field of that name", toMongoDB("expireAt"), policy.Decision{}, `it has a field "expireAt" already; --field names another, --replace replaces its value`},
	} {
		var refused *RefusedError
		if edit, err := tt.rewrite(doc, tt.d); !errors.As(err, &refused) || refused.Reason != tt.want {
			t.Errorf("%s: %+v, %v, want %s", tt.why, edit, err, tt.want)
		}
	}
	if d, _ := carriedBy(t, toMongoDB("due"), policy.ObjectValue(doc), expire(7)); len(d) != 3 || d[2].Key != "due" {
		t.Errorf("another field: %v, want it behind the others", d)
	}
}

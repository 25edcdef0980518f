package moves

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestRepaired(t *testing.T) {
	const max, notKnown = `{"$numberInt":"2147483647"}`, "-"
	tests := []struct{ version, stored, want string }{
		{"4.4.0", `{"$numberDouble":"NaN"}`, notKnown},
		{"5.0.13", `{"$numberDouble":"NaN"}`, notKnown},
		{"5.0.14", `{"$numberDouble":"NaN"}`, max},
		{"5.1.0", `{"$numberDouble":"NaN"}`, notKnown},
		{"6.1.0", `-1`, notKnown},
		{"7.0.0", `-1`, max},
		{"7.0.0", `"10"`, max},
		{"7.0.0", `{"$numberLong":"2147483648"}`, max},
		{"7.0.0", `10`, notKnown},
		{"7.0.0", `{"$numberLong":"10"}`, notKnown},
		{"7.3.0", `{"$numberLong":"10"}`, `{"$numberInt":"10"}`},
		{"7.3.0", `{"$numberDouble":"10.9"}`, `{"$numberInt":"10"}`},
		{"7.3.0", `10`, notKnown},
	}
	for _, tt := range tests {
		v, ok := repaired(drawn.Behaviour(t, tt.version), drawn.Value(t, tt.stored))
		got := notKnown
		if ok {
			got = v.String()
		}
		if got != tt.want {
			t.Errorf("%s: repaired(%s) = %s, want %s", tt.version, tt.stored, got, tt.want)
		}
	}
	if _, ok := repaired(drawn.Behaviour(t, "8.2.0"), policy.Value{}); ok {
		t.Error("repaired(missing) reports true, want false")
	}
}

// TestRepairedThenUsed: the repair of a skipped index makes it delete.
func TestRepairedThenUsed(t *testing.T) {
	p := fixture.Profile(t, "8.2.0")
	spec := mongo.IndexSpec{Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: drawn.Value(t, `-1`)}
	doc := policy.D{{Key: "t", Value: policy.DateValue(0)}}
	for _, want := range []policy.State{policy.Never, policy.Expired} {
		x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec}}, p)
		if err != nil {
			t.Fatal(err)
		}
		if d := x.Decide(doc, 2147483647_000); d.State != want {
			t.Errorf("%v by %s, want %v", d.State, d.Rule, want)
		}
		spec.ExpireAfterSeconds, _ = repaired(mongofunc.F.Behaviour(p), spec.ExpireAfterSeconds)
	}
}

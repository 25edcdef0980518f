package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// notKnown stands for what is unspecified, or not rewritten.
const notKnown = "-"

func TestListed(t *testing.T) {
	const (
		nan = `{"$numberDouble":"NaN"}`
		max = `{"$numberInt":"2147483647"}`
	)
	tests := []struct{ version, stored, want string }{
		{"4.4.0", nan, nan},
		{"4.4.0", `"10"`, `"10"`},
		{"4.4.0", `{"$numberDouble":"4.5"}`, `{"$numberDouble":"4.5"}`},
		{"5.0.13", nan, `{"$numberInt":"0"}`},
		{"5.0.14", nan, max},
		{"5.1.0", nan, `{"$numberInt":"0"}`},
		{"4.4.16", nan, nan},
		{"6.0.1", `{"$numberDecimal":"NaN"}`, `{"$numberInt":"0"}`},
		{"6.0.2", `{"$numberDecimal":"NaN"}`, max},
		{"8.2.0", nan, max},
		{"5.0.0", `{"$numberDouble":"4.5"}`, `{"$numberInt":"4"}`},
		{"8.2.0", `{"$numberLong":"2147483647"}`, max},
		{"8.2.0", `{"$numberLong":"2147483648"}`, max},
		{"8.2.0", `-1`, max},
		{"7.0.0", `"10"`, max},
		{"6.1.0", `-1`, notKnown},
		{"6.0.2", `"10"`, notKnown},
	}
	for _, tt := range tests {
		checkRewrite(t, "Listed", tt.version, tt.stored, tt.want, vectorProfile(t, tt.version).Listed)
	}
	if v, ok := (Profile{}).Listed(policy.Int32Value(1)); ok {
		t.Errorf("the zero Profile lists %v, want nothing", v.Kind())
	}
	if v, ok := vectorProfile(t, "8.2.0").Listed(policy.Value{}); !v.IsMissing() || !ok {
		t.Errorf("Listed(missing) = %v, %v, want missing, true", v.Kind(), ok)
	}
}

func TestRepaired(t *testing.T) {
	const max = `{"$numberInt":"2147483647"}`
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
		checkRewrite(t, "Repaired", tt.version, tt.stored, tt.want, vectorProfile(t, tt.version).repaired)
	}
	if _, ok := vectorProfile(t, "8.2.0").repaired(policy.Value{}); ok {
		t.Error("Repaired(missing) reports true, want false")
	}
}

func checkRewrite(t *testing.T, name, version, stored, want string, rewrite func(policy.Value) (policy.Value, bool)) {
	t.Helper()
	v, ok := rewrite(drawn.Value(t, stored))
	got := notKnown
	if ok {
		got = string(policy.AppendExtJSON(nil, v))
	}
	if got != want {
		t.Errorf("%s: %s(%s) = %s, want %s", version, name, stored, got, want)
	}
}

// TestRepairedThenUsed: the repair of a skipped index makes it delete.
func TestRepairedThenUsed(t *testing.T) {
	p := vectorProfile(t, "8.2.0")
	spec := IndexSpec{Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: drawn.Value(t, `-1`)}
	doc := policy.D{{Key: "t", Value: policy.DateValue(0)}}
	for _, want := range []policy.State{policy.Never, policy.Expired} {
		x, err := CompileIndex(CollectionSpec{}, spec, p)
		if err != nil {
			t.Fatal(err)
		}
		if d := x.Decide(doc, 2147483647_000); d.State != want {
			t.Errorf("%v by %s, want %v", d.State, d.Rule, want)
		}
		spec.ExpireAfterSeconds, _ = p.repaired(spec.ExpireAfterSeconds)
	}
}

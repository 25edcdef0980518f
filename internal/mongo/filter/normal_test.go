package filter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestFiltersEquivalent(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`{"a":{"$in":[1,2]}}`, `{"a":{"$in":[2,1]}}`, true},
		{`{"a":{"$in":[1,1,2]}}`, `{"a":{"$in":[1,2]}}`, true},
		{`{"a":{"$in":[1,2]}}`, `{"a":{"$in":[1,3]}}`, false},
		{`{"$or":[{"a":1}]}`, `{"a":1}`, true},
		{`{"$or":[{"a":1},{"b":1}]}`, `{"$or":[{"b":1},{"a":1},{"a":1}]}`, true},
		{`{"$or":[{"a":1},{"b":1}]}`, `{"a":1,"b":1}`, false},
		{`{"a":{"$gt":1,"$lt":5}}`, `{"$and":[{"a":{"$lt":5}},{"a":{"$gt":1}}]}`, true},
		{`{"a":1,"$comment":"x"}`, `{"a":1}`, true},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"a":{"b":1,"c":1}}`, `{"a":{"c":1,"b":1}}`, false},
		{`{}`, `{}`, true},
		{`{}`, `{"a":1}`, false},
	}
	for _, tt := range tests {
		if got := IsNormalOf(Normal(drawn.Value(t, tt.a)), drawn.Value(t, tt.b)); got != tt.want {
			t.Errorf("isNormalOf(%s, %s) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
	if IsNormalOf(Normal(drawn.Value(t, `{}`)), policy.Value{}) {
		t.Error("an empty filter is equivalent to none")
	}
}

// TestPropertyFilterOrder: a shuffled filter has the same normal form, and a filter with
// one changed operand has another.
func TestPropertyFilterOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "clauses")
		var clauses policy.A
		for i := range n {
			clauses = append(clauses, policy.ObjectValue(policy.D{{Key: string(rune('a' + i)), Value: policy.Int32Value(int32(i))}}))
		}
		operator := rapid.SampledFrom([]string{"$and", "$or"}).Draw(t, "operator")
		shuffled := rapid.Permutation(clauses).Draw(t, "shuffled")
		filter := policy.ObjectValue(policy.D{{Key: operator, Value: policy.ListValue(clauses)}})
		same := policy.ObjectValue(policy.D{{Key: operator, Value: policy.ListValue(policy.A(shuffled))}})
		if !IsNormalOf(Normal(filter), same) || !IsNormalOf(Normal(same), filter) {
			t.Fatalf("%s and %s are not equivalent", filter, same)
		}
		at := rapid.IntRange(0, n-1).Draw(t, "changed")
		shuffled[at] = policy.ObjectValue(policy.D{{Key: "z", Value: policy.Int32Value(0)}})
		if IsNormalOf(Normal(filter), same) {
			t.Fatalf("%s and %s are equivalent", filter, same)
		}
	})
}

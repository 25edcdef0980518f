package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// drawnPredicate draws a predicate of a filter.
func drawnPredicate(t *rapid.T) policy.Value {
	operand := drawn.Values(2).Filter(func(v policy.Value) bool { return v.Kind() != policy.Undefined })
	op := rapid.SampledFrom([]string{"$eq", "$lt", "$lte", "$gt", "$gte", "$in", "$in", "$exists", "$type"}).Draw(t, "op")
	v := policy.Int32Value(1)
	switch op {
	case "$type":
		v = policy.ListValue(policy.A{policy.StringValue(rapid.SampledFrom([]string{"array", "number", "object"}).Draw(t, "type"))})
	case "$exists":
	case "$in":
		v = policy.ListValue(policy.A(rapid.SliceOfN(operand, 0, 5).Draw(t, "operands")))
	default:
		v = operand.Filter(func(v policy.Value) bool { return v.Kind() != policy.Regex || op == "$eq" }).Draw(t, "operand")
	}
	return policy.ObjectValue(policy.D{{Key: op, Value: v}})
}

// TestModelOperandSet: a set matches as its operands do one by one.
func TestModelOperandSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []operand
		for range rapid.IntRange(0, 8).Draw(t, "operands") {
			v := drawn.WithStrange(t, drawn.Values(2).Filter(func(v policy.Value) bool { return v.Kind() != policy.Undefined }).Draw(t, "operand"))
			all = append(all, operand{value: v, collated: rapid.Bool().Draw(t, "collated") && holdsText(v), pattern: v.Kind() == policy.Regex})
		}
		one := node{op: opIn, operands: all, undefined: rapid.Bool().Draw(t, "undefined")}
		sorted := one
		sorted.set, sorted.operands = operandSetOf(all)
		if rapid.Bool().Draw(t, "metadata") {
			one.sortMetadata()
			sorted.sortMetadata()
		}
		v := drawn.WithStrange(t, drawn.Values(2).Draw(t, "value"))
		if len(all) > 0 && rapid.Bool().Draw(t, "alike") {
			v = all[0].value
		}
		if want, got := one.matchValue(v), sorted.matchValue(v); got != want {
			t.Fatalf("%v in %v: %v, one by one %v", v, all, got, want)
		}
		if missing := (policy.Value{}); one.matchValue(missing) != sorted.matchValue(missing) {
			t.Fatalf("a missing field in %v: %v, one by one %v", all, sorted.matchValue(missing), one.matchValue(missing))
		}
	})
}

// deadlineOf returns the deadline of a decision, or the last instant if there is none.
func deadlineOf(d policy.Decision) policy.Instant {
	deadline, _ := d.Deadline()
	return deadline
}

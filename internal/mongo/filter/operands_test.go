package filter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestModelOperandSet: a set gives the same result as its operands one by one.
func TestModelOperandSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []operand
		for range rapid.IntRange(0, 8).Draw(t, "operands") {
			v := withStrange(t, drawn.Close.Values(2).Filter(func(v policy.Value) bool { return v.Kind() != policy.Undefined }).Draw(t, "operand"))
			all = append(all, operand{value: v, collated: rapid.Bool().Draw(t, "collated") && holdsText(v), pattern: v.Kind() == policy.Regex})
		}
		one := node{op: opIn, operands: all, undefined: rapid.Bool().Draw(t, "undefined")}
		sorted := one
		sorted.set, sorted.operands = operandSetOf(all)
		if rapid.Bool().Draw(t, "metadata") {
			one.sortMetadata()
			sorted.sortMetadata()
		}
		v := withStrange(t, drawn.Close.Values(2).Draw(t, "value"))
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

package filter

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// smallPaths draws paths that lead through the documents of small.
var smallPaths = rapid.Map(rapid.SliceOfN(smallNames, 1, 3), func(parts []string) string { return strings.Join(parts, ".") })

var smallNames = rapid.SampledFrom([]string{"a", "b", "0", "1"})

// small draws values of few types. Equal values are frequent, and no document repeats a
// name.
var small = drawn.Kinds{Scalars: rapid.SampledFrom([]policy.Value{
	policy.StringValue(""), policy.StringValue("a"), policy.StringValue("b"), policy.Int64Value(-1), policy.Int64Value(5), policy.Int64Value(6),
	policy.DateValue(0), policy.DateValue(1), policy.NullValue(),
}), Names: smallNames}

// withStrange draws v, or v with a part that BSON cannot hold: an opaque value, or a
// document that cannot list its fields.
func withStrange(t *rapid.T, v policy.Value) policy.Value {
	strange := rapid.SampledFrom([]policy.Value{policy.OpaqueValue(), policy.ObjectValue(&drawn.Row{})}).Draw(t, "strange")
	switch rapid.IntRange(0, 9).Draw(t, "where") {
	case 0:
		return strange
	case 1:
		return policy.ListValue(policy.A{v, strange})
	case 2:
		return policy.ObjectValue(policy.D{{Key: "a", Value: v}, {Key: "b", Value: strange}})
	}
	return v
}

// predicate draws a predicate of a filter with close values.
func predicate(t *rapid.T) policy.Value {
	operands := drawn.Close.Values(2).Filter(func(v policy.Value) bool { return v.Kind() != policy.Undefined })
	var types []policy.Value
	for _, name := range []string{"array", "number", "object"} {
		types = append(types, policy.ListValue(policy.A{policy.StringValue(name)}))
	}
	return predicates([]string{"$eq", "$lt", "$lte", "$gt", "$gte", "$in", "$in", "$exists", "$type"}, operands, types...).Draw(t, "predicate")
}

// predicates draws predicates of a filter from the operators ops, the given operands, and
// types, the operands of $type.
func predicates(ops []string, operands *rapid.Generator[policy.Value], types ...policy.Value) *rapid.Generator[policy.Value] {
	return rapid.Custom(func(t *rapid.T) policy.Value {
		op := rapid.SampledFrom(ops).Draw(t, "op")
		v := policy.BoolValue(true)
		switch op {
		case "$type":
			v = rapid.SampledFrom(types).Draw(t, "type")
		case "$exists":
		case "$in":
			v = policy.ListValue(policy.A(rapid.SliceOfN(operands, 0, 5).Draw(t, "operands")))
		default:
			v = operands.Filter(func(v policy.Value) bool { return v.Kind() != policy.Regex || op == "$eq" }).Draw(t, "operand")
		}
		return policy.ObjectValue(policy.D{{Key: op, Value: v}})
	})
}

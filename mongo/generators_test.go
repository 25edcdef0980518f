package mongo

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// anyScalars draws values of every type without inner structure, near one another.
var anyScalars = rapid.OneOf(
	numbers,
	numbers,
	rapid.SampledFrom([]policy.Value{
		policy.StringValue(""), policy.StringValue("a"), policy.StringValue("ab"), policy.StringValue("b"), policy.SymbolValue("a"), policy.SymbolValue("ab"),
		policy.NullValue(), policy.UndefinedValue(), policy.MinKeyValue(), policy.MaxKeyValue(), policy.BoolValue(true), policy.BoolValue(false),
		policy.DateValue(0), policy.DateValue(1), policy.DateValue(math.MinInt64), policy.TimestampValue(0, 1), policy.TimestampValue(1, 0),
		policy.ObjectIDValue([12]byte{1}), policy.ObjectIDValue([12]byte{2}), policy.DBPointerValue("a", [12]byte{1}), policy.DBPointerValue("b", [12]byte{1}), policy.DBPointerValue("ab", [12]byte{}),
		policy.BinaryValue(0, []byte("ab")), policy.BinaryValue(2, []byte("ab")), policy.BinaryValue(5, []byte("b")),
		policy.RegexValue("a", ""), policy.RegexValue("a", "i"), policy.RegexValue("ab", ""), policy.CodeValue("a"), policy.CodeValue("ab"),
	}),
)

// anyValues draws values of every type that BSON knows: documents with repeated names
// and code with variables included.
func anyValues(depth int) *rapid.Generator[policy.Value] {
	if depth == 0 {
		return anyScalars
	}
	return rapid.Custom(func(t *rapid.T) policy.Value {
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0, 1:
			return policy.ObjectValue(anyDocuments(depth-1).Draw(t, "document"))
		case 2, 3:
			return policy.ListValue(policy.A(rapid.SliceOfN(anyValues(depth-1), 0, 4).Draw(t, "array")))
		case 4:
			return policy.CodeWithScopeValue(rapid.SampledFrom([]string{"a", "ab"}).Draw(t, "code"), anyDocuments(depth-1).Draw(t, "scope"))
		}
		return anyScalars.Draw(t, "scalar")
	})
}

func anyDocuments(depth int) *rapid.Generator[policy.D] {
	return rapid.Custom(func(t *rapid.T) (d policy.D) {
		for range rapid.IntRange(0, 4).Draw(t, "fields") {
			name := rapid.SampledFrom([]string{"a", "b", "c", "0", "ab", ""}).Draw(t, "name")
			d = append(d, policy.E{Key: name, Value: anyValues(depth).Draw(t, "value")})
		}
		return d
	})
}

// smallNames are the names of small documents, and paths lead through them.
var smallNames = []string{"a", "b", "0", "1"}

var smallPaths = rapid.Map(rapid.SliceOfN(rapid.SampledFrom(smallNames), 1, 3), func(parts []string) string { return strings.Join(parts, ".") })

var smallScalars = rapid.SampledFrom([]policy.Value{
	policy.StringValue(""), policy.StringValue("a"), policy.StringValue("b"), policy.Int64Value(-1), policy.Int64Value(5), policy.Int64Value(6),
	policy.DateValue(0), policy.DateValue(1), policy.NullValue(),
})

// smallValues draws values of few types, in which equal ones are frequent and no name
// stands twice in a document.
func smallValues(depth int) *rapid.Generator[policy.Value] {
	if depth == 0 {
		return smallScalars
	}
	return rapid.Custom(func(t *rapid.T) policy.Value {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return smallScalars.Draw(t, "scalar")
		case 1:
			return smallDocuments(depth-1).Draw(t, "document")
		}
		return policy.ListValue(policy.A(rapid.SliceOfN(smallValues(depth-1), 0, 3).Draw(t, "array")))
	})
}

func smallDocuments(depth int) *rapid.Generator[policy.Value] {
	return rapid.Custom(func(t *rapid.T) policy.Value {
		var d policy.D
		for _, name := range smallNames {
			if rapid.Bool().Draw(t, name) {
				d = append(d, policy.E{Key: name, Value: smallValues(depth).Draw(t, "value")})
			}
		}
		return policy.ObjectValue(d)
	})
}

// inBSON returns v as it is in raw BSON.
func inBSON(t rapid.TB, v policy.Value) policy.Value {
	return bsonOf(t, policy.D{{Key: "v", Value: v}}).Field("v")
}

func bsonOf(t rapid.TB, d policy.Document) policy.BSON {
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(d))
	if err != nil {
		t.Fatal(err)
	}
	bson, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	return bson
}

// withStrange draws v, or one that no BSON holds: a value of no known type in it, or
// a document that cannot list its fields.
func withStrange(t *rapid.T, v policy.Value) policy.Value {
	strange := rapid.SampledFrom([]policy.Value{policy.OpaqueValue(), policy.ObjectValue(&row{})}).Draw(t, "strange")
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

// drawnPredicate draws a predicate of a filter.
func drawnPredicate(t *rapid.T) policy.Value {
	operand := anyValues(2).Filter(func(v policy.Value) bool { return v.Kind() != policy.Undefined })
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
			v := withStrange(t, anyValues(2).Filter(func(v policy.Value) bool { return v.Kind() != policy.Undefined }).Draw(t, "operand"))
			all = append(all, operand{value: v, collated: rapid.Bool().Draw(t, "collated") && holdsText(v), pattern: v.Kind() == policy.Regex})
		}
		one := node{op: opIn, operands: all, undefined: rapid.Bool().Draw(t, "undefined")}
		sorted := one
		sorted.set, sorted.operands = operandSetOf(all)
		if rapid.Bool().Draw(t, "metadata") {
			one.sortMetadata()
			sorted.sortMetadata()
		}
		v := withStrange(t, anyValues(2).Draw(t, "value"))
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

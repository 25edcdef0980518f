package aggregation

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An expression is an aggregation expression, or a part of an aggregation expression.
type expression = policy.Value

// object returns an object with these fields. pairs are names and values in turn.
func object(pairs ...any) expression {
	d := policy.D{}
	for pair := range slices.Chunk(pairs, 2) {
		d = append(d, policy.E{Key: pair[0].(string), Value: valueOf(pair[1])})
	}
	return policy.ObjectValue(d)
}

// list returns an array.
func list(values ...any) expression {
	a := policy.A{}
	for _, v := range values {
		a = append(a, valueOf(v))
	}
	return policy.ListValue(a)
}

// op returns an operator with its operands.
func op(name string, operands ...any) expression { return object(name, list(operands...)) }

// valueOf converts a Go value to a policy.Value. An int becomes an int32, and nil becomes
// null. An Instant becomes its milliseconds, because dates beyond JavaScript's range have
// no literal.
func valueOf(v any) policy.Value {
	switch v := v.(type) {
	case policy.Value:
		return v
	case string:
		return policy.StringValue(v)
	case int:
		return policy.Int32Value(int32(v))
	case int64:
		return policy.Int64Value(v)
	case policy.Instant:
		return policy.Int64Value(int64(v))
	case bool:
		return policy.BoolValue(v)
	case policy.D:
		return policy.ObjectValue(v)
	case nil:
		return policy.NullValue()
	}
	panic(fmt.Sprintf("no expression is made of a %T", v))
}

// let returns an expression with the value of its third argument. Within the third
// argument, the variable called name has the given value.
func let(name string, value, in any) expression {
	return object("$let", object("vars", object(name, value), "in", in))
}

// choose returns an expression for the value of the first condition that holds, or for
// the last value if none holds. The arguments are conditions and values in turn, and the
// last value.
func choose(cases ...any) expression {
	branches := policy.A{}
	last := len(cases) - 1
	for pair := range slices.Chunk(cases[:last], 2) {
		branches = append(branches, object("case", pair[0], "then", pair[1]))
	}
	return object("$switch", object("branches", policy.ListValue(branches), "default", cases[last]))
}

// each returns an expression for a list: the value of the third argument for each element
// of the list input. Within the third argument, the variable called element holds the
// element.
func each(input any, element string, in any) expression {
	return object("$map", object("input", input, "as", element, "in", in))
}

// joined returns an expression that concatenates a list of lists.
func joined(lists any) expression {
	return object("$reduce", object("input", lists, "initialValue", list(), "in", op("$concatArrays", "$$value", "$$this")))
}

func typeOf(v any) expression { return object("$type", v) }

func isType(v any, name string) expression { return op("$eq", typeOf(v), name) }

// orElse returns an expression for v, or for other if v is null or missing.
func orElse(v, other any) expression { return op("$ifNull", v, other) }

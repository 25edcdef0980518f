package audit

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// narrowFilter returns a filter that asks for a stored null where the given one
// asks for null, which takes in what is missing as well. All that it takes in,
// the given filter takes in too, in every release. It rewrites the clauses on
// dotted paths, or on every path, and reports false if one has no such form.
func narrowFilter(filter policy.Value, every bool) (policy.Value, bool) {
	var d policy.D
	for f := filter.Fields(); f.Next(); {
		v, ok := narrowClause(f.Name(), f.Value(), every)
		if !ok {
			return policy.Value{}, false
		}
		d = append(d, policy.E{Key: f.Name(), Value: v})
	}
	return policy.ObjectValue(d), filter.Kind() == policy.Object
}

func narrowClause(name string, v policy.Value, every bool) (policy.Value, bool) {
	switch {
	case name == "$and" || name == "$or":
		return narrowList(v, every)
	case strings.HasPrefix(name, "$") || !every && !strings.Contains(name, "."):
		return v, true
	}
	operators := v.Fields()
	if !operators.Next() || !strings.HasPrefix(operators.Name(), "$") {
		if v.Kind() != policy.Null {
			return v, true
		}
		v = policy.ObjectValue(policy.D{{Key: "$eq", Value: v}})
	}
	return narrowOperators(v)
}

func narrowList(v policy.Value, every bool) (policy.Value, bool) {
	var list policy.A
	for e := v.Elements(); e.Next(); {
		clause, ok := narrowFilter(e.Value(), every)
		if !ok {
			return policy.Value{}, false
		}
		list = append(list, clause)
	}
	return policy.ListValue(list), true
}

// narrowOperators narrows the operators on one path, of which each may stand
// there once.
func narrowOperators(v policy.Value) (policy.Value, bool) {
	var d policy.D
	for f := v.Fields(); f.Next(); {
		e, ok := narrowOperator(f.Name(), f.Value())
		if !ok || slices.ContainsFunc(d, func(other policy.E) bool { return other.Key == e.Key }) {
			return policy.Value{}, false
		}
		d = append(d, e)
	}
	return policy.ObjectValue(d), true
}

func narrowOperator(name string, operand policy.Value) (policy.E, bool) {
	switch isNull := operand.Kind() == policy.Null; {
	case isNull && slices.Contains([]string{"$eq", "$gte", "$lte"}, name):
		return policy.E{Key: "$type", Value: policy.StringValue("null")}, true
	case name == "$in" || name == "$all":
		return policy.E{Key: name, Value: operand}, !holdsNull(operand)
	}
	return policy.E{Key: name, Value: operand}, true
}

func holdsNull(list policy.Value) bool {
	for e := list.Elements(); e.Next(); {
		if e.Value().Kind() == policy.Null {
			return true
		}
	}
	return false
}

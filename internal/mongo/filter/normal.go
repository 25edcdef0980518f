package filter

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// IsNormalOf reports whether normal, a normalised filter, equals filter, except for the
// order of clauses. It compares strings without a collation.
func IsNormalOf(normal, filter policy.Value) bool {
	if normal.IsMissing() || filter.IsMissing() {
		return normal.IsMissing() == filter.IsMissing()
	}
	return value.Equal(normal, Normal(filter))
}

// Normal returns a filter with its clauses in a fixed order, and Missing for a Missing
// filter. A conjunction of one clause is that clause.
func Normal(filter policy.Value) policy.Value {
	if filter.IsMissing() {
		return filter
	}
	clauses := clausesOf(filter)
	if len(clauses) == 1 {
		return clauses[0]
	}
	return policy.ObjectValue(policy.D{{Key: "$and", Value: inOrder(clauses)}})
}

// clausesOf returns the clauses of a filter, with the clauses of a conjunction in its
// place. Each clause is a document with one path and one predicate, or with one $or.
func clausesOf(filter policy.Value) (clauses policy.A) {
	for f := filter.Fields(); f.Next(); {
		switch name, v := f.Name(), f.Value(); {
		case name == "$comment":
		case name == "$and":
			for e := v.Elements(); e.Next(); {
				clauses = append(clauses, clausesOf(e.Value())...)
			}
		case name == "$or":
			clauses = append(clauses, alternatives(v))
		case isOperatorDocument(v):
			clauses = append(clauses, predicatesOf(name, v)...)
		default:
			clauses = append(clauses, clauseOf(name, "$eq", v))
		}
	}
	return clauses
}

func predicatesOf(path string, operators policy.Value) (clauses policy.A) {
	for f := operators.Fields(); f.Next(); {
		clauses = append(clauses, clauseOf(path, f.Name(), f.Value()))
	}
	return clauses
}

func clauseOf(path, operator string, operand policy.Value) policy.Value {
	switch list := policy.AOf(operand); {
	case operator == "$in" && operand.Kind() == policy.List && len(list) == 1 && list[0].Kind() != policy.Regex:
		operator, operand = "$eq", list[0]
	case operator == "$in" && operand.Kind() == policy.List:
		operand = inOrder(list)
	case operator == "$type":
		operand = typesInOrder(operand)
	}
	return policy.ObjectValue(policy.D{{Key: path, Value: policy.ObjectValue(policy.D{{Key: operator, Value: operand}})}})
}

// typesInOrder returns the operand of $type, given as numbers or names, as sorted
// numbers. It returns an invalid operand unchanged.
func typesInOrder(operand policy.Value) policy.Value {
	list := policy.A{operand}
	if operand.Kind() == policy.List {
		list = policy.AOf(operand)
	}
	var numbers policy.A
	for _, one := range list {
		kinds, refused := kindsOf(behaviour.Profile{Features: behaviour.FeaturesForgotten}, one, nil)
		if refused != nil {
			return operand
		}
		for _, kind := range kinds {
			numbers = append(numbers, policy.Int32Value(int32(kind)))
		}
	}
	return inOrder(numbers)
}

func alternatives(list policy.Value) policy.Value {
	var branches policy.A
	for e := list.Elements(); e.Next(); {
		branches = append(branches, Normal(e.Value()))
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return policy.ObjectValue(policy.D{{Key: "$or", Value: inOrder(branches)}})
}

// inOrder returns an array with its elements sorted and without duplicates.
func inOrder(a policy.A) policy.Value {
	slices.SortFunc(a, func(v, w policy.Value) int {
		if c := value.Class(v.Kind()) - value.Class(w.Kind()); c != 0 {
			return c
		}
		c, _ := value.Compare(v, w)
		return c
	})
	return policy.ListValue(slices.CompactFunc(a, value.Equal))
}

package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// findExisting reports whether the collection has that very index already, and
// refuses one that is in conflict with another: by name first, then by what
// distinguishes indexes (mongodb/mongo:
// src/mongo/db/catalog/index_catalog_impl.cpp, _doesSpecConflictWithExisting).
func (x *indexCommand) findExisting() (bool, error) {
	if x.spec.isOnID() {
		if !x.collection.TimeSeries.IsMissing() {
			return false, unspecified(ruleIndexUnspecified, "key._id")
		}
		return true, nil // each other collection has it, or is clustered by it
	}
	wanted := wantedOf(x.spec)
	for _, other := range x.collection.Indexes {
		if other.Name == x.spec.Name && !other.Clustered {
			return x.compareNamed(wanted, other)
		}
	}
	for _, other := range x.collection.Indexes {
		if x.profile.isSameIndex(wanted, other) {
			return false, x.checkConflict(wanted, other)
		}
	}
	return false, nil
}

// A wantedIndex is one that is compared with others, for which its filter is brought
// into one order once.
type wantedIndex struct {
	IndexSpec
	filter policy.Value // Missing for none
}

func wantedOf(spec IndexSpec) wantedIndex {
	return wantedIndex{spec, normalised(spec.PartialFilterExpression)}
}

// compareNamed compares with the index of the same name.
func (x *indexCommand) compareNamed(wanted wantedIndex, other IndexSpec) (bool, error) {
	switch p := x.profile; {
	case p.signature == signatureUnspecified:
		return false, unspecified(ruleIndexConflictUnspecified, "name")
	case !p.isSameIndex(wanted, other):
		return false, refuseBy(indexKeySpecsConflict, ruleIndexName, "name", "An existing index has the same name as the requested index. Requested index: %s, existing index: %s",
			shown(x.index), shown(policy.ObjectValue(other.Document())))
	case !p.hasSameOptions(wanted, other):
		return false, refuseBy(indexOptionsConflict, ruleIndexConflict, "key",
			"An equivalent index already exists with the same name but different options. Requested index: %s, existing index: %s", shown(x.index), shown(policy.ObjectValue(other.Document())))
	case wanted.Hidden != other.Hidden && p.createHidden == acceptanceUnspecified:
		return false, unspecified(ruleIndexConflictUnspecified, "hidden")
	}
	return true, nil
}

// checkConflict refuses an index that exists under another name.
func (x *indexCommand) checkConflict(wanted wantedIndex, other IndexSpec) error {
	same := x.profile.hasSameOptions(wanted, other)
	switch {
	case x.profile.signature == signatureUnspecified, same && !x.profile.namesConflict:
		return unspecified(ruleIndexConflictUnspecified, "name")
	case same:
		return refuseBy(indexOptionsConflict, ruleIndexConflict, "name", "Index already exists with a different name: %s", other.Name)
	}
	return refuseBy(indexOptionsConflict, ruleIndexConflict, "key",
		"An equivalent index already exists with a different name and options. Requested index: %s, existing index: %s", shown(x.index), shown(policy.ObjectValue(other.Document())))
}

// isSameIndex reports whether two specifications are of one index: whether
// what distinguishes indexes is the same.
func (p Profile) isSameIndex(a wantedIndex, b IndexSpec) bool {
	return isEqual(policy.ObjectValue(a.Key), policy.ObjectValue(b.Key)) &&
		(p.signature < signatureCollation || hasSameCollation(a.IndexSpec, b)) &&
		(p.signature < signatureOptions || hasSameExtent(a, b))
}

// hasSameOptions reports whether the specifications of one index say the same
// of what does not distinguish indexes.
func (p Profile) hasSameOptions(a wantedIndex, b IndexSpec) bool {
	return isEqual(a.ExpireAfterSeconds, b.ExpireAfterSeconds) && hasSameExtent(a, b) && (p.createHidden != refused || a.Hidden == b.Hidden)
}

// hasSameExtent reports whether two specifications hold the same documents.
func hasSameExtent(a wantedIndex, b IndexSpec) bool {
	return a.Unique == b.Unique && a.Sparse == b.Sparse && isNormalOf(a.filter, b.PartialFilterExpression)
}

func hasSameCollation(a, b IndexSpec) bool {
	simple := isSimpleCollation(a.Collation)
	return simple == isSimpleCollation(b.Collation) && (simple || isEqual(a.Collation, b.Collation))
}

// isNormalOf reports whether a normalised filter is the same as another, except for
// the order of its clauses. Collations play no part.
func isNormalOf(normal, filter policy.Value) bool {
	if normal.IsMissing() || filter.IsMissing() {
		return normal.IsMissing() == filter.IsMissing()
	}
	return isEqual(normal, normalised(filter))
}

// normalised returns a filter with its clauses in one order, Missing for none. A
// conjunction of one clause is that clause.
func normalised(filter policy.Value) policy.Value {
	if filter.IsMissing() {
		return filter
	}
	clauses := clausesOf(filter)
	if len(clauses) == 1 {
		return clauses[0]
	}
	return policy.ObjectValue(policy.D{{Key: "$and", Value: inOrder(clauses)}})
}

// clausesOf returns what a filter asks for, conjunctions taken apart: each is
// a document of one path and one predicate, or of one $or.
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
	if operator == "$in" && operand.Kind() == policy.List {
		operand = inOrder(policy.AOf(operand))
	}
	return policy.ObjectValue(policy.D{{Key: path, Value: policy.ObjectValue(policy.D{{Key: operator, Value: operand}})}})
}

func alternatives(list policy.Value) policy.Value {
	var branches policy.A
	for e := list.Elements(); e.Next(); {
		branches = append(branches, normalised(e.Value()))
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return policy.ObjectValue(policy.D{{Key: "$or", Value: inOrder(branches)}})
}

// inOrder returns an array with its elements sorted, each once.
func inOrder(a policy.A) policy.Value {
	slices.SortFunc(a, func(v, w policy.Value) int {
		if c := class(v.Kind()) - class(w.Kind()); c != 0 {
			return c
		}
		c, _ := compareValues(v, w)
		return c
	})
	return policy.ListValue(slices.CompactFunc(a, isEqual))
}

package mongo

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxFilterDepth is how many levels a partialFilterExpression may have since
// 6.0, the predicates counted as one (the server parameter
// internalPartialFilterExpressionMaxDepth).
const maxFilterDepth = 4

// compileFilter compiles the filter of an index with a collation in the language
// of a release: none before 3.2; then a conjunction of $eq, $exists: true, $gt,
// $gte, $lt, $lte and $type; since 6.0 also $or, $in, $all, geometry (which
// this package does not decide) and nesting, up to four levels.
//
// What the release refuses is a [*SpecError] with the server's code, which
// names the place: what is not an expression at all is found first, as the server
// parses it first, then what no partial index may have (mongodb/mongo:
// src/mongo/db/matcher/expression_parser.cpp,
// src/mongo/db/catalog/index_catalog_impl.cpp).
func compileFilter(expr, collation policy.Value, p behaviour.Profile) (partialFilter, error) {
	f, err := parseFilter(expr, collation, p)
	if err != nil {
		return partialFilter{}, err
	}
	if err := f.check(p.Filters); err != nil {
		return partialFilter{}, err
	}
	if f.root != nil {
		f.root.joinAlternatives()
		f.fields = fieldTableOf(f.root)
	}
	f.compiled = true
	return f, nil
}

// check refuses what no partial index may have.
func (f partialFilter) check(language behaviour.FilterLanguage) error {
	switch {
	case f.root == nil:
		return nil
	case language == behaviour.FiltersNone:
		return refuse(CannotCreateIndex, nil, "this release has no partial indexes")
	}
	return f.root.check(language, 0)
}

// check refuses what stands at a level of the tree. A document of one clause
// is not a level of its own, nor is one at the top.
func (n *node) check(language behaviour.FilterLanguage, level int) error {
	if language == behaviour.FiltersNested && level >= maxFilterDepth {
		return refuse(CannotCreateIndex, n.place, "partialFilterExpression depth may not exceed 4")
	}
	if language == behaviour.FiltersFlat && n.op == opAnd && level > 0 {
		return refuse(CannotCreateIndex, n.place, "$and only supported in partialFilterExpression at top level")
	}
	if !allows(language, n.op) {
		return refuse(CannotCreateIndex, n.place, refusalOf(language))
	}
	for i := range n.children {
		if err := n.children[i].check(language, level+1); err != nil {
			return err
		}
	}
	return nil
}

// allows reports whether an operator belongs to the language.
func allows(l behaviour.FilterLanguage, op operator) bool {
	switch op {
	case opRefused:
		return false
	case opOr, opIn, opGeometry:
		return l == behaviour.FiltersNested
	}
	return true
}

// refusalOf returns what the server says before it prints the clause.
func refusalOf(l behaviour.FilterLanguage) string {
	if l == behaviour.FiltersFlat {
		return "unsupported expression in partial index"
	}
	return "Expression not supported in partial index"
}

// filterOnBuckets returns a filter on the meta field as it reads on stored buckets,
// which keep the metadata under "meta". It reports false if the filter is
// absent, or looks at anything except the meta field.
func filterOnBuckets(filter policy.Value, metaField string) (policy.D, bool) {
	if filter.Kind() != policy.Object || metaField == "" {
		return nil, false
	}
	var d policy.D
	for f := filter.Fields(); f.Next(); {
		e, ok := clauseOnBuckets(f.Name(), f.Value(), metaField)
		if !ok {
			return nil, false
		}
		d = append(d, e)
	}
	return d, len(d) > 0
}

func clauseOnBuckets(name string, v policy.Value, metaField string) (policy.E, bool) {
	first, _, _ := strings.Cut(name, ".")
	switch {
	case name == "$and" || name == "$or":
		list, ok := clausesOnBuckets(v, metaField)
		return policy.E{Key: name, Value: policy.ListValue(list)}, ok
	case first == metaField:
		return policy.E{Key: "meta" + name[len(first):], Value: v}, true
	}
	return policy.E{}, false
}

func clausesOnBuckets(clauses policy.Value, metaField string) (list policy.A, ok bool) {
	for e := clauses.Elements(); e.Next(); {
		d, ok := filterOnBuckets(e.Value(), metaField)
		if !ok {
			return nil, false
		}
		list = append(list, policy.ObjectValue(d))
	}
	return list, true
}

// sortMetadata has f look at the metadata of measurements, which is as it was
// written, as it will be stored: with its fields sorted, and with the positions
// of elements for their names (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp).
func (f partialFilter) sortMetadata() {
	if f.root != nil {
		f.root.sortMetadata()
	}
}

func (n *node) sortMetadata() {
	for i := range n.path {
		n.path[i].Renumbered = true
	}
	for i := range n.operands {
		kind := n.operands[i].value.Kind()
		n.operands[i].sorted = kind == policy.Object || kind == policy.List
	}
	n.set.sortMetadata()
	for i := range n.children {
		n.children[i].sortMetadata()
	}
}

// joinAlternatives makes one $in of the alternatives of an $or that ask one path for
// equality, so that its values are looked at once and not for each of them.
func (n *node) joinAlternatives() {
	for i := range n.children {
		n.children[i].joinAlternatives()
	}
	if n.op != opOr {
		return
	}
	first := map[string]int{} // the child that others of its path are joined to
	joined := n.children[:0]
	for _, child := range n.children {
		path := record.Dotted(child.path)
		i, known := first[path]
		switch isEquality := child.op == opEqual || child.op == opIn; {
		case isEquality && known:
			joined[i].join(&child)
			continue
		case isEquality:
			first[path] = len(joined)
		}
		joined = append(joined, child)
	}
	for _, i := range first {
		joined[i].set.sort()
	}
	n.children = joined
}

// join makes n, an equality or an $in, an $in that has the operands of another too.
// They are not sorted then.
func (n *node) join(other *node) {
	if n.op == opEqual {
		n.set, n.operands = operandSetOf(n.operands)
		n.op, n.plain = opIn, false
	}
	set, others := other.set, other.operands
	if other.op == opEqual {
		set, others = operandSetOf(other.operands)
	}
	n.set.sorted = append(n.set.sorted, set.sorted...)
	n.set.null = n.set.null || set.null
	for _, class := range set.unsure {
		n.set.addUnsure(class)
	}
	n.operands = append(slices.Clip(n.operands), others...)
	n.broken = either(n.broken, other.broken)
}

package filter

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A node is a clause of a filter: an operator over children, or a predicate on the values
// to which a path leads.
type node struct {
	op       operator
	place    *place
	children []node // the clauses of $and or $or
	path     []fieldpath.Component
	operands []operand  // one for a comparison; for $in the operands that are not in set
	set      operandSet // the other operands of $in
	kinds    kindSet    // the operand of $type
	// undefined means that null also equals an undefined value.
	undefined bool
	// anyType means that a comparison with MinKey or MaxKey matches every value of
	// another type.
	anyType bool
	// foreign means that the comparisons are not those of MongoDB: an extreme key against
	// another type, and a Decimal128 against a double, are undecidable.
	foreign bool
	// broken is the membership of a document in which the path ends early at an array.
	broken Membership
	// text is the operand if it is a string that is compared for equality byte by byte.
	text  string
	plain bool // whether the operand is such a string
}

type operator uint8

const (
	opAnd operator = iota
	opOr
	opEqual
	opLess
	opLessOrEqual
	opGreater
	opGreaterOrEqual
	opIn
	opExists
	opType
	opGeometry // geometry, which this package does not decide
	opOpaque   // any other predicate that this package does not decide
	opRefused  // a predicate that no partial index may have; not in a Filter
)

// accepts reports whether the operator holds if the comparison of value and operand
// returns c.
func (op operator) accepts(c int) bool {
	switch op {
	case opLess:
		return c < 0
	case opLessOrEqual:
		return c <= 0
	case opGreater:
		return c > 0
	case opGreaterOrEqual:
		return c >= 0
	}
	return c == 0
}

// isText reports whether n is of the form {field: "text"}.
func (n *node) isText() bool { return n.plain && len(n.path) == 1 }

// plainText returns the string with which a node compares values for equality byte by
// byte. It reports false if n does not compare in this way.
func plainText(n node) (string, bool) {
	o := &n.operands[0]
	if n.op != opEqual || o.collated || o.pattern || o.value.Kind() != policy.String {
		return "", false
	}
	return o.value.AsString()
}

func (n *node) sortMetadata() {
	for i := range n.path {
		n.path[i].Renumbered = true
	}
	for i := range n.operands {
		kind := n.operands[i].value.Kind()
		n.operands[i].sorted = kind == policy.Object || kind == policy.List
	}
	n.set.metadata = true
	for i := range n.children {
		n.children[i].sortMetadata()
	}
}

// joinAlternatives joins the alternatives of an $or that compare the same path for
// equality into a single $in, so that the path's values are read only once.
func (n *node) joinAlternatives() {
	for i := range n.children {
		n.children[i].joinAlternatives()
	}
	if n.op != opOr {
		return
	}
	first := map[string]int{} // by path: the index in joined of the child to which later children are joined
	joined := n.children[:0]
	for _, child := range n.children {
		path := fieldpath.Dotted(child.path)
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

// join turns n, an equality or an $in, into an $in that also has the operands of
// another node. The operands are not sorted afterwards.
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

func (n *node) paths() (all []string) {
	if len(n.path) > 0 {
		all = append(all, fieldpath.Dotted(n.path))
	}
	for i := range n.children {
		all = append(all, n.children[i].paths()...)
	}
	return all
}

func (n *node) appendReads(names []string) []string {
	for i := range n.children {
		names = n.children[i].appendReads(names)
	}
	if len(n.path) > 0 {
		names = append(names, n.path[0].Name)
	}
	return names
}

// check refuses expressions that are not allowed at their level of the tree. A document
// with a single clause does not count as a level, nor does the document at the top.
func (n *node) check(language behaviour.FilterLanguage, level int) *Refusal {
	if language == behaviour.FiltersNested && level >= maxDepth {
		return refuse(codes.CannotCreateIndex, n.place, "partialFilterExpression depth may not exceed 4")
	}
	if language == behaviour.FiltersFlat && n.op == opAnd && level > 0 {
		return refuse(codes.CannotCreateIndex, n.place, "$and only supported in partialFilterExpression at top level")
	}
	if !allows(language, n.op) {
		return refuse(codes.CannotCreateIndex, n.place, refusalOf(language))
	}
	for i := range n.children {
		if refused := n.children[i].check(language, level+1); refused != nil {
			return refused
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

// refusalOf returns the server's text before the printed clause.
func refusalOf(l behaviour.FilterLanguage) string {
	if l == behaviour.FiltersFlat {
		return "unsupported expression in partial index"
	}
	return "Expression not supported in partial index"
}

// maxDepth is the maximum number of levels of a partialFilterExpression since 6.0, where
// the predicates count as one level (the server parameter
// internalPartialFilterExpressionMaxDepth).
const maxDepth = 4

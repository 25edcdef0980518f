package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Membership is whether a document belongs to a partial index. The zero
// Membership is [Outside], which keeps the document.
type Membership uint8

// The memberships.
const (
	Outside     Membership = iota // the index holds no key of the document
	Inside                        // the index holds the document's keys
	Undecidable                   // this package cannot tell: geometry, another collation, an unlistable document
)

var membershipNames = [...]string{Outside: "outside", Inside: "inside", Undecidable: "undecidable"}

// String returns "outside", "inside" or "undecidable".
func (m Membership) String() string {
	if int(m) < len(membershipNames) {
		return membershipNames[m]
	}
	return "invalid"
}

// A Filter is a compiled partialFilterExpression. It is immutable and safe for
// concurrent use; matching does not allocate, but for Decimal128 and
// JavaScript with scope. The zero Filter has every document inside. Make one
// with [CompileFilter].
type Filter struct{ root *node }

// Match reports whether doc belongs to the index. The semantics are those of
// the query language (MongoDB manual, "Query Predicates",
// https://www.mongodb.com/docs/manual/reference/mql/query-predicates/): a path
// goes through arrays of subdocuments, and each predicate may be met by a
// different element.
func (f Filter) Match(doc policy.Document) Membership { return f.match(policy.ObjectValue(doc)) }

// match is Match for the document as a value.
func (f Filter) match(doc policy.Value) Membership {
	if f.root == nil {
		return Inside
	}
	return f.root.match(doc)
}

// A node is a clause of a filter: an operator over children, or a predicate on
// the values that a path leads to.
type node struct {
	op       operator
	children []node // of $and, $or
	path     []component
	operand  policy.Value   // of a comparison
	operands []policy.Value // of $in
	kinds    kindSet        // of $type
	nulls    nullMeaning
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
	opOpaque // valid, but not for this package to decide
)

// nullMeaning is what null means beside itself and a missing field.
type nullMeaning struct{ undefined bool }

func (n *node) match(doc policy.Value) Membership {
	switch n.op {
	case opAnd:
		return n.all(doc)
	case opOr:
		return n.any(doc)
	case opOpaque:
		return Undecidable
	}
	return n.along(doc, n.path)
}

// all is the least of the clauses: one outside settles it.
func (n *node) all(doc policy.Value) Membership {
	result := Inside
	for i := range n.children {
		switch n.children[i].match(doc) {
		case Outside:
			return Outside
		case Undecidable:
			result = Undecidable
		}
	}
	return result
}

// any is the greatest of the clauses: one inside settles it.
func (n *node) any(doc policy.Value) Membership {
	result := Outside
	for i := range n.children {
		result = either(result, n.children[i].match(doc))
	}
	return result
}

func either(a, b Membership) Membership {
	switch {
	case a == Inside || b == Inside:
		return Inside
	case a == Undecidable || b == Undecidable:
		return Undecidable
	}
	return Outside
}

// along tests the values that path leads to from v, until one matches.
func (n *node) along(v policy.Value, path []component) Membership {
	switch {
	case len(path) == 0:
		return n.leaf(v)
	case v.Kind() == policy.Object:
		return n.along(v.Field(path[0].name), path[1:])
	case v.Kind() == policy.List:
		return n.through(v, path)
	}
	return n.test(policy.Value{})
}

// through goes through an array in the middle of the path: into each
// subdocument, and into the element whose position the path names.
func (n *node) through(array policy.Value, path []component) Membership {
	result := Outside
	i := 0
	e := array.Elements()
	for ; e.Next() && result != Inside; i++ {
		if e.Value().Kind() == policy.Object {
			result = either(result, n.along(e.Value(), path))
		}
		if i == path[0].position {
			result = either(result, n.positioned(e.Value(), path[1:]))
		}
	}
	return result
}

// positioned tests the element that the path named by its position. At the end
// of the path it is tested as it is; a scalar in the middle leads nowhere.
func (n *node) positioned(element policy.Value, rest []component) Membership {
	switch {
	case len(rest) == 0:
		return n.test(element)
	case element.Kind() == policy.Object || element.Kind() == policy.List:
		return n.along(element, rest)
	}
	return Outside
}

// leaf tests the value at the end of the path: an array as itself and by each
// of its elements.
func (n *node) leaf(v policy.Value) Membership {
	result := Outside
	if n.op != opType || !n.kinds.inside || v.Kind() != policy.List {
		result = n.test(v)
	}
	e := v.Elements()
	for result != Inside && e.Next() {
		result = either(result, n.test(e.Value()))
	}
	return result
}

// test applies the predicate to one value.
func (n *node) test(v policy.Value) Membership {
	switch n.op {
	case opExists:
		return membership(!v.IsMissing())
	case opType:
		return membership(n.kinds.has(v.Kind()))
	case opIn:
		return n.in(v)
	}
	return n.compare(v, n.operand)
}

func (n *node) in(v policy.Value) Membership {
	result := Outside
	for i := range n.operands {
		result = either(result, n.compare(v, n.operands[i]))
	}
	return result
}

// compare applies a comparison operator, within a type class only, but that
// null takes in what is absent. Whether an inequality with one of the extreme
// keys holds across classes is not established.
func (n *node) compare(v, w policy.Value) Membership {
	switch {
	case w.Kind() == policy.Null && n.nulls.takes(v.Kind()):
		return membership(n.op.accepts(0))
	case isExtreme(w.Kind()) && n.op != opEqual && n.op != opIn:
		return Undecidable
	case v.IsMissing() || class(v.Kind()) != class(w.Kind()):
		return Outside
	case isNaN(v) || isNaN(w):
		return membership(isNaN(v) && isNaN(w) && n.op.accepts(0))
	}
	c, ok := compareValues(v, w)
	if !ok {
		return Undecidable
	}
	return membership(n.op.accepts(c))
}

func isExtreme(k policy.Kind) bool { return k == policy.MinKey || k == policy.MaxKey }

// takes reports whether {f: null} matches an f of kind k.
func (m nullMeaning) takes(k policy.Kind) bool {
	return k == policy.Null || k == policy.Missing || k == policy.Undefined && m.undefined
}

// accepts reports whether the operator holds for a comparison's result.
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

func membership(inside bool) Membership {
	if inside {
		return Inside
	}
	return Outside
}

// A kindSet is the operand of $type.
type kindSet struct {
	kinds []policy.Kind
	// inside means that an array counts by its elements alone, so that
	// "array" asks for an array inside an array, as before 3.6.
	inside bool
}

func (s kindSet) has(k policy.Kind) bool { return slices.Contains(s.kinds, k) }

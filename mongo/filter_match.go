package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// membership is whether a document belongs to a partial index. The zero
// membership is outside, which keeps the document.
type membership uint8

// The memberships.
const (
	outside     membership = iota // the index holds no key of the document
	inside                        // the index holds the document's keys
	undecidable                   // this package does not decide it: geometry, another collation, an unlistable document
)

// A partialFilter is a compiled partialFilterExpression. Matching does not
// allocate. The zero partialFilter has every document outside. Make one with
// compileFilter.
type partialFilter struct {
	root     *node // nil for an index without a filter
	compiled bool
	// fields are those on top of documents that the filter looks at, if they are
	// many; see survey.
	fields fieldTable
}

// match reports whether a document belongs to the index. The semantics are those
// of the query language (MongoDB manual, "Query Predicates",
// https://www.mongodb.com/docs/manual/reference/mql/query-predicates/): a path
// goes through arrays of subdocuments, and each predicate may be met by a
// different element.
func (f partialFilter) match(r *record.Record) membership {
	switch {
	case f.root == nil:
		return insideIf(f.compiled)
	case len(f.fields) > 0 && r.Raw != nil:
		return f.matchSurveyed(r)
	}
	return f.root.match(r, nil)
}

// A node is a clause of a filter: an operator over children, or a predicate on
// the values that a path leads to.
type node struct {
	op       operator
	place    *place
	children []node // of $and, $or
	path     []record.Component
	operands []operand  // of a comparison one, of $in those that are not in set
	set      operandSet // of $in
	kinds    kindSet    // of $type
	// undefined means that null stands for an undefined value as well.
	undefined bool
	// anyType means that an extreme key matches every value of another type.
	anyType bool
	// broken is whether the predicate matches a document in which an array
	// breaks the path off.
	broken membership
	// text is the operand if it is a text to be equal to, byte by byte.
	text  string
	plain bool // it is
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
	opGeometry // not for this package to decide
	opOpaque   // any other predicate that this package does not decide
	opRefused  // a predicate that no partial index may have; not in a Filter
)

// An operand is what a comparison compares with.
type operand struct {
	value policy.Value
	// collated means that another collation may find texts equal, or order
	// them, other than their bytes do.
	collated bool
	// pattern means that the value is a regular expression to be matched,
	// not one to be equal to.
	pattern bool
	// sorted means that what is compared is metadata as a measurement has it,
	// which is stored with its fields sorted.
	sorted bool
}

// match reports whether the record meets the clause, by a survey if there is one.
func (n *node) match(r *record.Record, s *survey) membership {
	switch n.op {
	case opAnd:
		return n.matchAll(r, s)
	case opOr:
		return n.matchAny(r, s)
	case opGeometry, opOpaque:
		return undecidable
	}
	if n.isText() && r.Raw != nil {
		return n.matchText(r, s)
	}
	return n.matchPath(s.field(r, &n.path[0]), n.path[1:])
}

// isText reports whether n is of the form {field: "text"}.
func (n *node) isText() bool { return n.plain && len(n.path) == 1 }

// matchText is match for {field: "text"}, of which most filters are, and a raw
// record: without making a Value of each text it needs a third of the time.
func (n *node) matchText(r *record.Record, s *survey) membership {
	found := s.find(r, &n.path[0])
	if text, ok := found.AsString(); ok {
		return insideIf(string(text) == n.text)
	}
	return n.matchPath(r.Checked(found), nil)
}

// matchAll is the least of the clauses: one outside settles it.
func (n *node) matchAll(r *record.Record, s *survey) membership {
	result := inside
	for i := range n.children {
		switch n.children[i].match(r, s) {
		case outside:
			return outside
		case undecidable:
			result = undecidable
		}
	}
	return result
}

// matchAny is the greatest of the clauses: one inside settles it.
func (n *node) matchAny(r *record.Record, s *survey) membership {
	result := outside
	for i := range n.children {
		result = either(result, n.children[i].match(r, s))
	}
	return result
}

func either(a, b membership) membership {
	switch {
	case a == inside || b == inside:
		return inside
	case a == undecidable || b == undecidable:
		return undecidable
	}
	return outside
}

// matchPath tests the values that path leads to from v, until one matches.
func (n *node) matchPath(v policy.Value, path []record.Component) membership {
	switch {
	case len(path) == 0:
		return n.matchEnd(v)
	case v.Kind() == policy.Object:
		return n.matchPath(valuefunc.FieldBy(v, &path[0].Finder), path[1:])
	case v.Kind() == policy.List:
		return n.matchArray(v, path)
	case v.Kind() == policy.Opaque: // nobody knows what is in it
		return undecidable
	}
	return n.matchValue(policy.Value{})
}

// matchArray goes through an array in the middle of the path: into each
// subdocument, and into the element whose position the path names. The array
// breaks the path off if none of them is there.
func (n *node) matchArray(array policy.Value, path []record.Component) membership {
	result, entered := n.matchElements(array, path)
	if !entered {
		result = either(result, n.broken)
	}
	return result
}

// matchElements is matchArray, and reports whether something was entered. Any other
// element breaks the path off by itself unless the path goes on with digits. A
// path that ends with a dot ends at the array.
func (n *node) matchElements(array policy.Value, path []record.Component) (result membership, entered bool) {
	if len(path) == 1 && path[0].Name == "" {
		return n.matchEnd(array), true
	}
	i := 0
	for e := array.Elements(); result != inside && e.Next(); i++ {
		kind, named := e.Value().Kind(), path[0].Digits && path[0].IsNameOf(&e, i)
		if kind == policy.Object {
			result = either(result, n.matchPath(e.Value(), path))
		}
		switch {
		case named:
			result = either(result, n.matchPosition(e.Value(), path[1:]))
		case kind == policy.Opaque:
			result = either(result, undecidable)
		case kind != policy.Object && !path[0].Digits:
			result = either(result, n.broken)
		}
		entered = entered || kind == policy.Object || kind == policy.Opaque || named && (len(path) == 1 || kind == policy.List)
	}
	return result, entered
}

// matchPosition tests the element that the path named by its position. At the end
// of the path it is tested as it is; a scalar in the middle leads nowhere, and
// an array in which nothing is entered does not break the path off.
func (n *node) matchPosition(element policy.Value, rest []record.Component) membership {
	switch {
	case len(rest) == 0:
		return n.matchValue(element)
	case element.Kind() == policy.Object:
		return n.matchPath(element, rest)
	case element.Kind() == policy.List:
		result, _ := n.matchElements(element, rest)
		return result
	}
	return outside
}

// matchEnd tests the value at the end of the path: an array as itself and by each
// of its elements.
func (n *node) matchEnd(v policy.Value) membership {
	if v.Kind() != policy.List {
		return n.matchValue(v)
	}
	result := outside
	if n.op != opType || !n.kinds.inside {
		result = n.matchValue(v)
	}
	for e := v.Elements(); result != inside && e.Next(); {
		result = either(result, n.matchValue(e.Value()))
	}
	return result
}

// matchValue applies the predicate to one value.
func (n *node) matchValue(v policy.Value) membership {
	switch n.op {
	case opExists:
		return insideIf(!v.IsMissing())
	case opType:
		return insideIf(n.kinds.has(v.Kind()))
	}
	result := n.set.match(v, n.undefined)
	for i := range n.operands {
		result = either(result, n.matchOperand(v, &n.operands[i]))
	}
	return result
}

// matchOperand applies a comparison operator to one value and one operand. A
// comparison is within a class of types, except as matchOtherClass says.
func (n *node) matchOperand(v policy.Value, w *operand) membership {
	switch {
	case v.Kind() == policy.Opaque:
		return outside
	case w.pattern:
		return matchPattern(v, w.value)
	case value.Class(v.Kind()) != value.Class(w.value.Kind()):
		return n.matchOtherClass(v.Kind(), w.value.Kind())
	case v.IsNaN() || w.value.IsNaN():
		return insideIf(v.IsNaN() && w.value.IsNaN() && n.op.accepts(0))
	}
	c, ok := value.CompareSorted(v, w.value, w.sorted)
	if !ok || w.collated && c != 0 {
		return undecidable
	}
	return insideIf(n.op.accepts(c))
}

// matchOtherClass applies a comparison operator to a value of another class than
// the operand: null matches what is absent, and everything lies between the
// extreme keys.
func (n *node) matchOtherClass(v, operand policy.Kind) membership {
	isMin, isMax := operand == policy.MinKey, operand == policy.MaxKey
	switch {
	case operand == policy.Null && (v == policy.Missing || v == policy.Undefined && n.undefined):
		return insideIf(n.op.accepts(0))
	case n.anyType:
		return insideIf(isMin || isMax)
	}
	return insideIf(isMin && n.op.accepts(+1) || isMax && n.op.accepts(-1))
}

// matchPattern reports whether v is the regular expression itself. Whether a
// text matches it is not for this package to decide.
func matchPattern(v, pattern policy.Value) membership {
	if value.Class(v.Kind()) == value.Class(policy.String) {
		return undecidable
	}
	return insideIf(v.Kind() == policy.Regex && valuefunc.CompareText(v, pattern) == 0)
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

func insideIf(is bool) membership {
	if is {
		return inside
	}
	return outside
}

// A kindSet is the operand of $type.
type kindSet struct {
	kinds [4]uint64 // a bit for each
	// inside means that an array counts by its elements alone, so that
	// "array" asks for an array inside an array, as before 3.6.
	inside bool
}

func (s *kindSet) add(kinds ...policy.Kind) {
	for _, k := range kinds {
		s.kinds[k/64] |= 1 << (k % 64)
	}
}

func (s *kindSet) has(k policy.Kind) bool { return s.kinds[k/64]>>(k%64)&1 != 0 }

func (s *kindSet) isEmpty() bool { return s.kinds == [4]uint64{} }

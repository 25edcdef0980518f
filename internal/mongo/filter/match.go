package filter

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// match reports whether the record matches the clause. It uses the survey s unless s is
// nil.
func (n *node) match(r *fieldpath.Record, s *survey) Membership {
	switch n.op {
	case opAnd:
		return n.matchAll(r, s)
	case opOr:
		return n.matchAny(r, s)
	case opGeometry, opOpaque:
		return Undecidable
	}
	if n.isText() && r.Raw != nil {
		return n.matchText(r, s)
	}
	return n.matchPath(s.field(r, &n.path[0]), n.path[1:])
}

// matchText is match for a raw record and {field: "text"}, the most common filter. It
// makes no Value of the record's string, and so takes a third of the time.
func (n *node) matchText(r *fieldpath.Record, s *survey) Membership {
	found := s.find(r, &n.path[0])
	if text, ok := found.AsString(); ok {
		return insideIf(string(text) == n.text)
	}
	return n.matchPath(r.Checked(found), nil)
}

// matchAll returns the least membership of the clauses, and stops at the first
// clause that is outside.
func (n *node) matchAll(r *fieldpath.Record, s *survey) Membership {
	result := Inside
	for i := range n.children {
		switch n.children[i].match(r, s) {
		case Outside:
			return Outside
		case Undecidable:
			result = Undecidable
		}
	}
	return result
}

// matchAny returns the greatest membership of the clauses, and stops at the
// first clause that is inside.
func (n *node) matchAny(r *fieldpath.Record, s *survey) Membership {
	result := Outside
	for i := range n.children {
		result = either(result, n.children[i].match(r, s))
	}
	return result
}

// matchPath tests the values to which path leads from v, until one of them matches.
func (n *node) matchPath(v policy.Value, path []fieldpath.Component) Membership {
	switch {
	case len(path) == 0:
		return n.matchEnd(v)
	case v.Kind() == policy.Object:
		return n.matchPath(valuefunc.F.FieldBy(v, &path[0].Finder), path[1:])
	case v.Kind() == policy.List:
		return n.matchArray(v, path)
	case v.Kind() == policy.Opaque: // its contents are unknown
		return Undecidable
	}
	return n.matchValue(policy.Value{})
}

// matchArray follows path into an array: into each subdocument, and into the element
// whose position the path names. If there is no such element, the path ends at the array,
// and n.broken is the result.
func (n *node) matchArray(array policy.Value, path []fieldpath.Component) Membership {
	result, entered := n.matchElements(array, path)
	if !entered {
		result = either(result, n.broken)
	}
	return result
}

// matchElements does the work of matchArray, and also reports whether the path entered an
// element. The path also ends at each element that it does not enter, unless it continues
// with digits. A path that ends with a dot leads to the array itself.
func (n *node) matchElements(array policy.Value, path []fieldpath.Component) (result Membership, entered bool) {
	if len(path) == 1 && path[0].Name == "" {
		return n.matchEnd(array), true
	}
	i := 0
	for e := array.Elements(); result != Inside && e.Next(); i++ {
		kind, named := e.Value().Kind(), path[0].Digits && path[0].IsNameOf(&e, i)
		if kind == policy.Object {
			result = either(result, n.matchPath(e.Value(), path))
		}
		switch {
		case named:
			result = either(result, n.matchPosition(e.Value(), path[1:]))
		case kind == policy.Opaque:
			result = either(result, Undecidable)
		case kind != policy.Object && !path[0].Digits:
			result = either(result, n.broken)
		}
		entered = entered || kind == policy.Object || kind == policy.Opaque || named && (len(path) == 1 || kind == policy.List)
	}
	return result, entered
}

// matchPosition tests the element whose position the path names; rest is the part of the
// path after this position. If rest is empty, matchPosition tests the element as a whole,
// even an array. Otherwise a scalar is Outside, and an array gives the result of
// matchElements, without the n.broken that matchArray adds.
func (n *node) matchPosition(element policy.Value, rest []fieldpath.Component) Membership {
	switch {
	case len(rest) == 0:
		return n.matchValue(element)
	case element.Kind() == policy.Object:
		return n.matchPath(element, rest)
	case element.Kind() == policy.List:
		result, _ := n.matchElements(element, rest)
		return result
	}
	return Outside
}

// matchEnd tests the value at the end of the path. It tests an array as a whole and each
// of its elements.
func (n *node) matchEnd(v policy.Value) Membership {
	if v.Kind() != policy.List {
		return n.matchValue(v)
	}
	result := Outside
	if n.op != opType || !n.kinds.inside {
		result = n.matchValue(v)
	}
	for e := v.Elements(); result != Inside && e.Next(); {
		result = either(result, n.matchValue(e.Value()))
	}
	return result
}

// matchValue applies the predicate to one value.
func (n *node) matchValue(v policy.Value) Membership {
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

// matchOperand applies a comparison operator to one value and one operand. Only values of
// the same class of types are compared; matchOtherClass has the exceptions.
func (n *node) matchOperand(v policy.Value, w *operand) Membership {
	switch {
	case v.Kind() == policy.Opaque:
		return Outside
	case w.pattern:
		return matchPattern(v, w.value)
	case value.Class(v.Kind()) != value.Class(w.value.Kind()):
		return n.matchOtherClass(v.Kind(), w.value.Kind())
	case n.foreign && isDecimal(v) != isDecimal(w.value) && (v.Kind() == policy.Double || w.value.Kind() == policy.Double):
		return Undecidable
	case v.IsNaN() || w.value.IsNaN():
		return insideIf(v.IsNaN() && w.value.IsNaN() && n.op.accepts(0))
	}
	c, ok := value.CompareSorted(v, w.value, w.sorted)
	if !ok || w.collated && c != 0 {
		return Undecidable
	}
	return insideIf(n.op.accepts(c))
}

func isDecimal(v policy.Value) bool { return v.Kind() == policy.Decimal }

// matchOtherClass applies a comparison operator to a value of another class than the
// operand: null equals a missing value, and every value lies between MinKey and MaxKey.
func (n *node) matchOtherClass(v, operand policy.Kind) Membership {
	isMin, isMax := operand == policy.MinKey, operand == policy.MaxKey
	switch {
	case operand == policy.Null && (v == policy.Missing || v == policy.Undefined && n.undefined):
		return insideIf(n.op.accepts(0))
	case n.foreign && (isMin || isMax):
		return Undecidable
	case n.anyType:
		return insideIf(isMin || isMax)
	}
	return insideIf(isMin && n.op.accepts(+1) || isMax && n.op.accepts(-1))
}

// matchPattern reports whether v is the regular expression itself. It is undecidable for
// a string, because this package does not evaluate regular expressions.
func matchPattern(v, pattern policy.Value) Membership {
	if value.Class(v.Kind()) == value.Class(policy.String) {
		return Undecidable
	}
	return insideIf(v.Kind() == policy.Regex && valuefunc.F.CompareText(v, pattern) == 0)
}

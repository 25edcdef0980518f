package mongo

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxFilterDepth is how deep a partialFilterExpression may nest since 6.0
// (the server parameter internalPartialFilterExpressionMaxDepth).
const maxFilterDepth = 4

// CompileFilter compiles a partialFilterExpression in the language of a
// release: none before 3.2; then a conjunction of $eq, $exists: true, $gt,
// $gte, $lt, $lte and $type; since 6.0 also $or, $in, $all, geometry (which
// this package does not decide) and nesting up to four levels. Strings compare
// by their bytes. What the release refuses is a [*SpecError] that names the
// place.
func CompileFilter(expr policy.D, p Profile) (Filter, error) {
	return compileFilter(policy.ObjectValue(expr), policy.Value{}, p)
}

// compileFilter compiles the filter of an index with a collation.
func compileFilter(expr, collation policy.Value, p Profile) (Filter, error) {
	if expr.IsMissing() {
		return Filter{}, nil
	}
	c := filterCompiler{profile: p, binary: isSimpleCollation(collation)}
	if p.Filters == FiltersNone {
		return Filter{}, refuse(CannotCreateIndex, place{}, "this release has no partial indexes")
	}
	if expr.Kind() != policy.Object {
		return Filter{}, refuse(TypeMismatch, place{}, "want a document, not "+expr.Kind().String())
	}
	root, err := c.conjunction(expr, place{})
	if err != nil {
		return Filter{}, err
	}
	return Filter{&root}, nil
}

// isSimpleCollation reports whether strings compare by their bytes.
func isSimpleCollation(v policy.Value) bool {
	return isAbsent(v) || v.Field("locale").CompareText("simple") == 0 && v.Field("locale").Kind() == policy.String
}

// A place is where the compiler is in the expression.
type place struct {
	path  string
	depth int // of $and and $or around it
}

func (at place) in(name string) place {
	if at.path == "" {
		return place{name, at.depth}
	}
	return place{at.path + "." + name, at.depth}
}

func refuse(code ErrorCode, at place, reason string) error {
	field := "partialFilterExpression"
	if at.path != "" {
		field += "." + at.path
	}
	return &SpecError{Code: code, Field: field, Reason: reason}
}

type filterCompiler struct {
	profile Profile
	binary  bool // strings compare by their bytes
}

// conjunction compiles a document of clauses.
func (c filterCompiler) conjunction(expr policy.Value, at place) (node, error) {
	all := node{op: opAnd}
	for f := expr.Fields(); f.Next(); {
		clauses, err := c.clause(f.Name(), f.Value(), at.in(f.Name()))
		if err != nil {
			return node{}, err
		}
		all.children = append(all.children, clauses...)
	}
	return all, nil
}

// clause compiles one field of a document of clauses.
func (c filterCompiler) clause(name string, v policy.Value, at place) ([]node, error) {
	switch {
	case name == "$and" || name == "$or":
		n, err := c.list(name, v, at)
		return []node{n}, err
	case strings.HasPrefix(name, "$"):
		return nil, refuse(refusalOf(name), at, "not supported in a partial index")
	case isOperatorDocument(v):
		return c.predicates(name, v, at)
	}
	n, err := c.comparison(opEqual, name, v, at)
	return []node{n}, err
}

// list compiles the array of $and or $or.
func (c filterCompiler) list(name string, v policy.Value, at place) (node, error) {
	at.depth++
	switch {
	case v.Kind() != policy.List:
		return node{}, refuse(BadValue, at, "want an array")
	case c.profile.Filters == FiltersFlat && name == "$or":
		return node{}, refuse(CannotCreateIndex, at, "unsupported expression in a partial index")
	case c.profile.Filters == FiltersFlat && at.depth > 1:
		return node{}, refuse(CannotCreateIndex, at, "$and only supported in partialFilterExpression at top level")
	case at.depth > maxFilterDepth:
		return node{}, refuse(CannotCreateIndex, at, "partialFilterExpression depth may not exceed 4")
	}
	n := node{op: map[string]operator{"$and": opAnd, "$or": opOr}[name]}
	for e := v.Elements(); e.Next(); {
		at := place{fmt.Sprintf("%s[%d]", at.path, len(n.children)), at.depth}
		if e.Value().Kind() != policy.Object {
			return node{}, refuse(BadValue, at, "want a document")
		}
		child, err := c.conjunction(e.Value(), at)
		if err != nil {
			return node{}, err
		}
		n.children = append(n.children, child)
	}
	if len(n.children) == 0 {
		return node{}, refuse(BadValue, at, "want at least one clause")
	}
	return n, nil
}

// isOperatorDocument reports whether v is a document of operators. A reference
// ({$ref, $id}) is a value.
func isOperatorDocument(v policy.Value) bool {
	f := v.Fields()
	return f.Next() && strings.HasPrefix(f.Name(), "$") && f.CompareName("$ref") != 0 && f.CompareName("$id") != 0
}

// predicates compiles a document of operators on one path.
func (c filterCompiler) predicates(path string, v policy.Value, at place) ([]node, error) {
	var nodes []node
	for f := v.Fields(); f.Next(); {
		n, err := c.predicate(f.Name(), path, f.Value(), at.in(f.Name()))
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

var comparisons = map[string]operator{
	"$eq": opEqual, "$lt": opLess, "$lte": opLessOrEqual, "$gt": opGreater, "$gte": opGreaterOrEqual,
}

func (c filterCompiler) predicate(name, path string, v policy.Value, at place) (node, error) {
	if op, ok := comparisons[name]; ok {
		return c.comparison(op, path, v, at)
	}
	nested := c.profile.Filters == FiltersNested
	switch {
	case name == "$exists" && truthy(v):
		return node{op: opExists, path: pathOf(path)}, nil
	case name == "$type":
		return c.types(path, v, at)
	case name == "$in" && nested:
		return c.in(path, v, at)
	case name == "$all" && nested:
		return c.everyOf(path, v, at)
	case (name == "$geoWithin" || name == "$geoIntersects") && nested:
		return node{op: opOpaque}, nil
	}
	return node{}, refuse(refusalOf(name), at, "not supported in a partial index")
}

// refusalOf returns the code that the server refuses an operator with.
func refusalOf(name string) ErrorCode {
	switch name {
	case "$all", "$ne", "$nin", "$not", "$nor", "$exists", "$regex", "$options", "$elemMatch", "$size", "$mod", "$in", "$or",
		"$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear", "$geoWithin", "$geoIntersects":
		return CannotCreateIndex
	case "$expr":
		return QueryFeatureNotAllowed
	}
	return BadValue // an operator that is none, $where, $text
}

// truthy reports whether $exists: v asks for the field to exist.
func truthy(v policy.Value) bool {
	return isTrue(v) || !isAbsent(v) && v.Kind() != policy.Bool && !v.Kind().IsNumber()
}

func (c filterCompiler) comparison(op operator, path string, v policy.Value, at place) (node, error) {
	switch {
	case v.Kind() == policy.Regex && op == opEqual:
		return node{}, refuse(CannotCreateIndex, at, "a regular expression is not supported in a partial index")
	case v.Kind() == policy.Regex || v.Kind() == policy.Undefined:
		return node{}, refuse(BadValue, at, "cannot compare with "+v.Kind().String())
	case !c.binary && holdsText(v):
		return node{op: opOpaque}, nil
	}
	return node{op: op, path: pathOf(path), operand: inMemory(v), nulls: c.nulls()}, nil
}

func (c filterCompiler) nulls() nullMeaning { return nullMeaning{c.profile.NullMatchesUndefined} }

func (c filterCompiler) in(path string, v policy.Value, at place) (node, error) {
	if v.Kind() != policy.List {
		return node{}, refuse(BadValue, at, "want an array")
	}
	n := node{op: opIn, path: pathOf(path), nulls: c.nulls()}
	for e := v.Elements(); e.Next(); {
		one, err := c.comparison(opEqual, path, e.Value(), at)
		if err != nil || one.op == opOpaque || isOperatorDocument(e.Value()) {
			return inRefusal(one, err, at)
		}
		n.operands = append(n.operands, one.operand)
	}
	return n, nil
}

// inRefusal says why a value may not stand in $in, or that it is opaque.
func inRefusal(n node, err error, at place) (node, error) {
	if err != nil || n.op == opOpaque {
		return n, err
	}
	return node{}, refuse(BadValue, at, "an operator may not stand in $in")
}

// everyOf compiles $all, a conjunction of equalities.
func (c filterCompiler) everyOf(path string, v policy.Value, at place) (node, error) {
	if v.Kind() != policy.List {
		return node{}, refuse(BadValue, at, "want an array")
	}
	all := node{op: opAnd}
	for e := v.Elements(); e.Next(); {
		if isOperatorDocument(e.Value()) {
			return node{}, refuse(CannotCreateIndex, at, "an operator may not stand in $all of a partial index")
		}
		one, err := c.comparison(opEqual, path, e.Value(), at)
		if err != nil {
			return node{}, err
		}
		all.children = append(all.children, one)
	}
	if len(all.children) == 0 {
		all.op = opOr // $all of nothing matches nothing
	}
	return all, nil
}

// types compiles $type: a number, an alias, or an array of them.
func (c filterCompiler) types(path string, v policy.Value, at place) (node, error) {
	n := node{op: opType, path: pathOf(path), kinds: kindSet{inside: c.profile.TypeInsideArrays}}
	list := policy.ListValue(policy.A{v})
	if v.Kind() == policy.List {
		list = v
	}
	for e := list.Elements(); e.Next(); {
		kinds, ok := kindsOf(e.Value())
		if !ok {
			return node{}, refuse(BadValue, at, "unknown type name or number")
		}
		n.kinds.kinds = append(n.kinds.kinds, kinds...)
	}
	if len(n.kinds.kinds) == 0 {
		return node{}, refuse(BadValue, at, "want at least one type")
	}
	return n, nil
}

// kindsOf returns the kinds that an operand of $type stands for.
func kindsOf(v policy.Value) ([]policy.Kind, bool) {
	if alias, ok := v.AsString(); ok {
		if alias == "number" {
			return []policy.Kind{policy.Double, policy.Int32, policy.Int64, policy.Decimal}, true
		}
		k, ok := policy.ParseKind(alias)
		return []policy.Kind{k}, ok
	}
	n := wholeSeconds(v)
	if !v.Kind().IsNumber() || compareNumbers(v, policy.Int64Value(n)) != 0 || n < -1 || n == 0 || n > 127 {
		return nil, false
	}
	k := policy.Kind(n) // -1 is MinKey's 0xFF
	return []policy.Kind{k}, k.String() != "invalid"
}

// holdsText reports whether comparing with v compares strings.
func holdsText(v policy.Value) bool {
	switch v.Kind() {
	case policy.String, policy.Symbol, policy.Object, policy.List:
		return true // what is nested may hold text on either side
	}
	return false
}

// inMemory returns v without raw text inside, so that comparing with it need
// not copy.
func inMemory(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.String:
		s, _ := v.AsString()
		return policy.StringValue(s)
	case policy.Object:
		d := documentOf(v)
		for i := range d {
			d[i].Value = inMemory(d[i].Value)
		}
		return policy.ObjectValue(d)
	case policy.List:
		var a policy.A
		for e := v.Elements(); e.Next(); {
			a = append(a, inMemory(e.Value()))
		}
		return policy.ListValue(a)
	}
	return v
}

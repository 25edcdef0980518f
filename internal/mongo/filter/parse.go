package filter

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A parser reads an expression into nodes as the server's parser does. Its methods panic
// with a refusal, which Parse returns. The parser refuses a malformed expression; the
// method check of node refuses an expression that no partial index may have.
type parser struct {
	profile behaviour.Profile
	binary  bool // strings compare by their bytes
	element bool // the expression is the operand of $elemMatch
}

// The method document reads the clauses of an expression. It returns a single clause as
// it is, and several clauses as a conjunction.
func (p parser) document(expr policy.Value, place *place) node {
	all := node{op: opAnd, place: place}
	for f := expr.Fields(); f.Next(); {
		clauses := p.clause(f.Name(), f.Value(), place.field(f.Name()))
		all.children = append(all.children, clauses...)
	}
	if len(all.children) == 1 {
		return all.children[0]
	}
	return all
}

// clause reads one field in a document of clauses.
func (p parser) clause(name string, v policy.Value, place *place) []node {
	switch {
	case strings.HasPrefix(name, "$"):
		return p.combination(name, v, place)
	case isOperatorDocument(v):
		return p.predicates(fieldpath.PathOf(name), v, place)
	case v.Kind() == policy.Regex:
		return []node{{op: opRefused, place: place}}
	}
	return []node{p.comparison(opEqual, fieldpath.PathOf(name), v, place)}
}

// combination reads a clause whose name is an operator instead of a path.
func (p parser) combination(name string, v policy.Value, place *place) []node {
	switch name {
	case "$and":
		return p.list(opAnd, v, place)
	case "$or":
		return p.list(opOr, v, place)
	case "$nor":
		return p.list(opRefused, v, place)
	case "$ref", "$id", "$db": // the fields of a reference
		return []node{p.comparison(opEqual, fieldpath.PathOf(name), v, place)}
	case "$comment":
		return nil
	case "$isolated", "$atomic":
		return p.isolated(name, v, place)
	case "$expr", "$jsonSchema", "$where", "$text":
		p.refuseFeature(name, place)
	case "$sampleRate":
		if !p.profile.SampleRates {
			break
		}
		if p.element {
			panic(refuse(codes.BadValue, place, "$sampleRate can only be applied to the top-level document"))
		}
		readRate(v, place)
		return []node{{op: opRefused, place: place}}
	case "$alwaysTrue", "$alwaysFalse":
		if p.profile.Features < behaviour.FeaturesBanned {
			break
		}
		if !value.Equal(v, policy.Int32Value(1)) {
			panic(refuse(codes.FailedToParse, place, name+" must be an integer value of 1"))
		}
		return []node{{op: opRefused, place: place}}
	}
	panic(refuse(codes.BadValue, place, "unknown top level operator: "+name))
}

// refuseFeature refuses a clause that is not a predicate on a document's fields.
func (p parser) refuseFeature(name string, place *place) {
	script := name == "$where" || name == "$text"
	switch old := p.profile.Features < behaviour.FeaturesBanned; {
	case old && script:
		panic(refuse(codes.NoParseContext, place, "no context for parsing "+name))
	case old:
		panic(refuse(codes.BadValue, place, "unknown top level operator: "+name))
	case script:
		panic(refuse(codes.BadValue, place, name+" is not allowed in this context"))
	case name == "$expr" && p.element:
		panic(refuse(codes.BadValue, place, name+" can only be applied to the top-level document"))
	}
	panic(refuse(codes.QueryFeatureNotAllowed, place, name+" is not allowed in this context"))
}

// isolated reads $isolated, an option of writes that old releases accept among the
// clauses.
func (p parser) isolated(name string, v policy.Value, place *place) []node {
	switch features := p.profile.Features; {
	case features == behaviour.FeaturesBanned:
		panic(refuse(codes.QueryFeatureNotAllowed, place, "$isolated ($atomic) is not allowed in this context"))
	case features > behaviour.FeaturesBanned:
		panic(refuse(codes.BadValue, place, "unknown top level operator: "+name))
	case place.within != nil:
		panic(refuse(codes.BadValue, place, "$atomic/$isolated has to be at the top level"))
	case features == behaviour.FeaturesIsolated && value.IsTrue(v):
		return []node{{op: opRefused, place: place}}
	}
	return nil
}

// list reads the array of $and, $or or $nor.
func (p parser) list(op operator, v policy.Value, place *place) []node {
	if v.Kind() != policy.List {
		panic(refuse(codes.BadValue, place, "$and/$or/$nor must be an array"))
	}
	n := node{op: op, place: place}
	for e := v.Elements(); e.Next(); {
		place := place.at(len(n.children))
		if e.Value().Kind() != policy.Object {
			panic(refuse(codes.BadValue, place, "$or/$and/$nor entries need to be full objects"))
		}
		child := p.document(e.Value(), place)
		n.children = append(n.children, child)
	}
	if len(n.children) == 0 {
		panic(refuse(codes.BadValue, place, "$and/$or/$nor must be a nonempty array"))
	}
	return []node{n}
}

// isOperatorDocument reports whether v is a document of operators. A reference
// ({$ref, $id}) is a value.
func isOperatorDocument(v policy.Value) bool {
	f := v.Fields()
	if !f.Next() || !strings.HasPrefix(f.Name(), "$") {
		return false
	}
	return v.Field("$ref").IsMissing() || v.Field("$id").IsMissing()
}

// predicates reads a document of operators on one path.
func (p parser) predicates(path []fieldpath.Component, v policy.Value, place *place) []node {
	var nodes []node
	if f := v.Fields(); p.profile.Features < behaviour.FeaturesBanned && f.Next() && isNear(f.Name()) && (f.Value().Kind() == policy.Object || f.Value().Kind() == policy.List) {
		return []node{{op: opRefused, place: place.field(f.Name())}} // its operand is not checked
	}
	hasRegex := !v.Field("$regex").IsMissing()
	for f := v.Fields(); f.Next(); {
		if hasRegex && valuefunc.F.CompareName(&f, "$options") == 0 {
			if f.Value().Kind() != policy.String {
				panic(refuse(codes.BadValue, place.field("$options"), "$options has to be a string"))
			}
			continue // $regex reads it
		}
		n := p.predicate(f.Name(), path, f.Value(), place.field(f.Name()))
		nodes = append(nodes, n)
	}
	return nodes
}

// isNear reports whether an operator sorts by distance.
func isNear(name string) bool { return name == "$near" || name == "$nearSphere" || name == "$geoNear" }

// comparisons are the operators that compare with one operand.
var comparisons = map[string]operator{"$eq": opEqual, "$lt": opLess, "$lte": opLessOrEqual, "$gt": opGreater, "$gte": opGreaterOrEqual}

func (p parser) predicate(name string, path []fieldpath.Component, v policy.Value, place *place) node {
	switch name {
	case "$eq", "$lt", "$lte", "$gt", "$gte":
		return p.comparison(comparisons[name], path, v, place)
	case "$in":
		return p.in(name, path, v, place)
	case "$all":
		return p.all(path, v, place)
	case "$exists":
		return exists(path, v, place)
	case "$type":
		return p.types(path, v, place)
	case "$geoWithin", "$within", "$geoIntersects":
		return geometry(name, path, v, place)
	}
	if isRefusedOperator(p.profile, name) {
		return p.readRefused(name, path, v, place)
	}
	panic(refuse(codes.BadValue, place, "unknown operator: "+name))
}

// geometry reads a geometry operator, which is undecidable. The node keeps the operand
// for comparisons of filters.
func geometry(name string, path []fieldpath.Component, v policy.Value, place *place) node {
	whole := policy.ObjectValue(policy.D{{Key: name, Value: v}})
	return node{op: opGeometry, place: place, path: path, operands: []operand{{value: whole}}}
}

// maxPositions is the maximum number of digit components in a path that matching follows.
// Digits are both a position and a name, so matching may fork at each, and their number
// bounds the work.
const maxPositions = 8

// leafOf returns a predicate on a path.
func leafOf(op operator, path []fieldpath.Component, place *place) node {
	n := node{op: op, place: place, path: path}
	positions := 0
	for _, c := range n.path {
		if c.Digits {
			positions++
		}
	}
	if positions > maxPositions {
		n.op = opOpaque
	}
	return n
}

// exists reads $exists. No partial index may have $exists: false.
func exists(path []fieldpath.Component, v policy.Value, place *place) node {
	if !value.IsTrue(v) {
		return node{op: opRefused, place: place}
	}
	return leafOf(opExists, path, place)
}

// comparison reads an equality or an inequality.
func (p parser) comparison(op operator, path []fieldpath.Component, v policy.Value, place *place) node {
	switch kind := v.Kind(); {
	case kind == policy.Regex && op != opEqual:
		panic(refuse(codes.BadValue, place, "Can't have RegEx as arg to predicate over field '"+fieldpath.Dotted(path)+"'."))
	case kind == policy.Undefined:
		panic(refuse(codes.BadValue, place, "cannot compare to undefined"))
	}
	n := leafOf(op, path, place)
	n.operands, n.undefined = []operand{p.operand(v)}, p.profile.NullMatchesUndefined
	n.anyType = op != opEqual && !p.profile.ExtremeKeysOrdered
	n.foreign = p.profile.DocumentDB
	n.broken = p.broken(&n)
	n.text, n.plain = plainText(n)
	return n
}

func (p parser) operand(v policy.Value) operand {
	return operand{value: v, collated: !p.binary && holdsText(v)}
}

// in reads the operand of $in or $nin.
func (p parser) in(name string, path []fieldpath.Component, v policy.Value, place *place) node {
	if v.Kind() != policy.List {
		panic(refuse(codes.BadValue, place, name+" needs an array"))
	}
	n := leafOf(opIn, path, place)
	n.undefined = p.profile.NullMatchesUndefined
	var all []operand
	for e := v.Elements(); e.Next(); {
		switch {
		case isOperatorDocument(e.Value()):
			panic(refuse(codes.BadValue, place, "cannot nest $ under $in"))
		case e.Value().Kind() == policy.Undefined:
			panic(refuse(codes.BadValue, place, "InMatchExpression equality cannot be undefined"))
		}
		one := p.operand(e.Value())
		one.pattern = e.Value().Kind() == policy.Regex
		all = append(all, one)
	}
	n.set, n.operands = operandSetOf(all)
	n.broken = p.broken(&n)
	return n
}

// broken returns the result of a comparison if the path ends early at an array. Since 9.0
// the value counts as missing, which null matches. By the matcher's source MinKey and
// MaxKey match it too, but neither the release notes nor a test confirm this (MongoDB
// manual, "Compatibility Changes in MongoDB 9.0"; mongodb/mongo:
// src/mongo/db/matcher/path.cpp).
func (p parser) broken(n *node) Membership {
	missing := n.matchValue(policy.Value{})
	switch {
	case p.profile.BrokenPaths == behaviour.BrokenPathsUnspecified && missing != Outside && len(n.path) > 1:
		return Undecidable
	case p.profile.BrokenPaths != behaviour.BrokenPathsNull || len(n.path) == 1:
		return Outside
	case missing == Inside && !n.set.null && !slices.ContainsFunc(n.operands, isNullOperand):
		return Undecidable
	}
	return missing
}

// The method all reads the operator $all, which is a conjunction of equalities. A partial
// index may not have an empty $all, which is always false, or an $all of $elemMatch.
func (p parser) all(path []fieldpath.Component, v policy.Value, place *place) node {
	if v.Kind() != policy.List {
		panic(refuse(codes.BadValue, place, "$all needs an array"))
	}
	all := node{op: opAnd, place: place}
	elements := policy.AOf(v)
	if len(elements) == 0 {
		all.op = opRefused
		return all
	}
	read := p.oneOfAll
	if isElemMatch(elements[0]) {
		read = p.elemMatchOfAll
	}
	for i, e := range elements {
		one := read(path, e, place.at(i))
		all.children = append(all.children, one)
	}
	return all
}

func isElemMatch(v policy.Value) bool {
	f := v.Fields()
	return f.Next() && valuefunc.F.CompareName(&f, "$elemMatch") == 0
}

// elemMatchOfAll reads an element of an $all that begins with $elemMatch.
func (p parser) elemMatchOfAll(path []fieldpath.Component, v policy.Value, place *place) node {
	if !isElemMatch(v) {
		panic(refuse(codes.BadValue, place, "$all/$elemMatch has to be consistent"))
	}
	return p.readRefused("$elemMatch", path, v.Field("$elemMatch"), place)
}

func (p parser) oneOfAll(path []fieldpath.Component, v policy.Value, place *place) node {
	switch {
	case v.Kind() == policy.Regex:
		return node{op: opRefused, place: place}
	case isOperatorDocument(v):
		panic(refuse(codes.BadValue, place, "no $ expressions in $all"))
	}
	return p.comparison(opEqual, path, v, place)
}

// types reads $type: a number, an alias, or since 3.6 an array of them.
func (p parser) types(path []fieldpath.Component, v policy.Value, place *place) node {
	n := leafOf(opType, path, place)
	n.kinds.inside = p.profile.TypeInsideArrays
	list := policy.ListValue(policy.A{v})
	if v.Kind() == policy.List && !p.profile.TypeInsideArrays {
		list = v
	}
	for e := list.Elements(); e.Next(); {
		kinds, refused := kindsOf(p.profile, e.Value(), place)
		if refused != nil {
			panic(refused)
		}
		n.kinds.add(kinds...)
	}
	if n.kinds.has(policy.Missing) {
		n.op = opOpaque
	}
	if n.kinds.isEmpty() {
		panic(refuse(codes.FailedToParse, place, "must match at least one type"))
	}
	return n
}

// readRefused reads a predicate that no partial index may have. It checks the operand,
// because the server parses the whole expression before it checks which predicates a
// partial index may have (mongodb/mongo: src/mongo/db/matcher/expression_parser.cpp).
// readRefused does not check whether a regular expression compiles.
func (p parser) readRefused(name string, path []fieldpath.Component, v policy.Value, place *place) node {
	switch name {
	case "$ne":
		p.readNotEqual(path, v, place)
	case "$nin":
		p.in(name, path, v, place)
	case "$not":
		p.readNot(path, v, place)
	case "$elemMatch":
		p.readElemMatch(v, place)
	case "$regex":
		readRegex(v, place)
	case "$size":
		readSize(p.profile.Sizes, v, place)
	case "$mod":
		readMod(p.profile.Mods, v, place)
	case "$_internalExprEq", "$_internalExprGt", "$_internalExprGte", "$_internalExprLt", "$_internalExprLte":
		readInternal(v, place)
	default:
		readBits(name, v, place)
	}
	return node{op: opRefused, place: place}
}

func (p parser) readNotEqual(path []fieldpath.Component, v policy.Value, place *place) {
	if v.Kind() == policy.Regex {
		panic(refuse(codes.BadValue, place, "Can't have regex as arg to $ne."))
	}
	p.comparison(opEqual, path, v, place)
}

func (p parser) readNot(path []fieldpath.Component, v policy.Value, place *place) {
	switch f := v.Fields(); {
	case v.Kind() == policy.Regex:
		return
	case v.Kind() != policy.Object:
		panic(refuse(codes.BadValue, place, "$not needs a regex or a document"))
	case !f.Next():
		panic(refuse(codes.BadValue, place, "$not cannot be empty"))
	}
	p.predicates(path, v, place)
}

// readElemMatch reads the operand of $elemMatch: operators on an element, or clauses on
// the element's fields.
func (p parser) readElemMatch(v policy.Value, place *place) {
	f := v.Fields()
	p.element = true
	switch {
	case v.Kind() != policy.Object:
		panic(refuse(codes.BadValue, place, "$elemMatch needs an Object"))
	case f.Next() && strings.HasPrefix(f.Name(), "$") && !isPathless(p.profile, f.Name()):
		p.predicates(fieldpath.PathOf(""), v, place)
	default:
		p.document(v, place)
	}
}

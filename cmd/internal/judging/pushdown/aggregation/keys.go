package aggregation

import (
	"strconv"
	"strings"
)

// The reasons why a key is not a Date, in the evaluator's order: a more specific one is
// greater. The other outcomes of a document follow.
const (
	isMissing = iota
	isNull
	isEmptyArray
	isNestedArray
	isOther
	isAmbiguous
	isUnreachable
	isTooEarly
	isEarliest
	isDate
	outcomes
)

// Keys are found component by component. After each component there is a list of objects:
// {v: a value} if the rest of the path continues from a value, {} if there is no value, or
// {r: a reason} if the path has ended. k is "array" if the path met an array, and x says
// whether the array was expanded.

// A component is a component of a path.
type component struct {
	name     string
	position int // of an array's element, -1 if it is a name alone
}

// pathOf splits a path at its dots.
func pathOf(dotted string) (path []component) {
	for name := range strings.SplitSeq(dotted, ".") {
		c := component{name, -1}
		if n, err := strconv.ParseInt(name, 10, 32); err == nil && strconv.FormatInt(n, 10) == name && n >= 0 {
			c.position = int(n)
		}
		path = append(path, c)
	}
	return path
}

// hasPositions reports whether a component may be the position of an element.
func hasPositions(path []component) bool {
	for _, c := range path[1:] {
		if c.position >= 0 {
			return true
		}
	}
	return false
}

// direct returns the date in milliseconds at the end of a path without arrays on the way,
// the usual case, or null. It reports false for a path that no single expression can
// follow: a name may begin with a dollar sign, and some servers read a position as a name.
func direct(path []component, dotted string) (date, isThere expression, ok bool) {
	if hasPositions(path) || strings.Contains(dotted, "$") {
		return date, isThere, false
	}
	isThere = isType("$"+dotted, "date")
	return op("$cond", isThere, millis("$"+dotted), nil), isThere, true
}

// millis returns the milliseconds of a date, 0 for any other value.
func millis(v string) expression {
	return object("$toLong", op("$cond", isType(v, "date"), v, int64(0)))
}

// top returns the initial list of a path.
func top(path []component) expression { return list(object("v", "$"+path[0].name)) }

// field returns a field of an object; nothing of any other value.
func (c component) field(of string) expression {
	coerced := op("$cond", isType(of, "object"), of, object("$literal", object()))
	if strings.HasPrefix(c.name, "$") {
		return object("$getField", object("field", object("$literal", c.name), "input", coerced))
	}
	return let("o", coerced, "$$o."+c.name)
}

// asArray returns an array, an empty one for any other value.
func asArray(v string) expression { return op("$cond", op("$isArray", v), v, list()) }

// isOver reports whether the path has ended.
const isOver = "$$w.r"

// along returns the list after one more component of a path.
func (c component) along(before any, isLast bool) expression {
	way := orElse("$$w.k", "missing")
	return joined(each(before, "w", choose(
		op("$ne", typeOf(isOver), "missing"), list("$$w"),
		op("$isArray", "$$w.v"), c.intoArray(isLast),
		isType("$$w.v", "object"), list(object("v", c.field("$$w.v"), "k", "$$w.k")),
		isType("$$w.v", "missing"), list(object("r", isMissing, "k", way)),
		list(object("r", isNull, "k", way)),
	)))
}

// intoArray continues in the array $$w.v: in the element at position c, or in each
// document.
func (c component) intoArray(isLast bool) expression {
	if c.position < 0 {
		return c.intoElements()
	}
	array := asArray("$$w.v")
	hasField := op("$anyElementTrue", each(array, "e", op("$ne", typeOf(c.field("$$e")), "missing")))
	element := op("$arrayElemAt", array, c.position)
	there := list(object("v", element, "k", "array"))
	if isLast { // the array itself is a key
		there = op("$cond", op("$isArray", element), list(object("r", isNestedArray, "k", "array")), there)
	}
	return choose(
		op("$lte", object("$size", array), c.position), c.intoElements(),
		hasField, list(object("r", isAmbiguous, "k", "array")),
		there,
	)
}

// intoElements continues in each document of the array $$w.v.
func (c component) intoElements() expression {
	entered := object("$filter", object("input", asArray("$$w.v"), "as", "e", "cond", op("$in", typeOf("$$e"), list("object", "array"))))
	return op("$concatArrays",
		list(object("r", isNull, "x", true, "k", "array")), // the result of an empty array
		each(entered, "e", op("$cond", op("$isArray", "$$e"), object("r", isNestedArray, "k", "array"), object("v", c.field("$$e"), "k", "array"))))
}

// keys returns the keys of the values at the end of a path. Each has d, the date in
// milliseconds, or null; r, the reason why there is none, or null; x, whether an array was
// expanded; and k, the type of the value, or "array" if an array is on the way.
func keys(at any) expression {
	return joined(each(at, "w", choose(
		op("$ne", typeOf(isOver), "missing"), list("$$w"),
		op("$gt", object("$size", asArray("$$w.v")), 0), each(asArray("$$w.v"), "e", key("$$e", "array", true)),
		op("$isArray", "$$w.v"), list(object("r", isEmptyArray, "x", true, "k", "array")),
		list(key("$$w.v", orElse("$$w.k", typeOf("$$w.v")), false)),
	)))
}

// key returns the object that describes one key.
func key(v string, kind any, expanded bool) expression {
	isDate := isType(v, "date")
	reason := choose(isType(v, "missing"), isMissing, isType(v, "null"), isNull, op("$isArray", v), isNestedArray, isOther)
	return object(
		"d", op("$cond", isDate, millis(v), nil),
		"r", op("$cond", isDate, nil, reason),
		"x", expanded, "k", kind)
}

package aggregation

import (
	"slices"
	"strconv"
	"strings"
)

// isMissing to isAmbiguous are the reasons why a key is not a Date, in the evaluator's
// order: a more specific reason has a greater number. The constants after them are the
// other outcomes of a document.
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

// A pipeline follows a path component by component. After each component it has a list of
// objects: {v: a value} if the remaining path continues from a value, {} if there is no
// value, or {r: a reason} if the path has ended. The field k is "array" if the path went
// through an array, and x is true if the array was expanded.

// A component is a name or a position in a dotted path.
type component struct {
	name     string
	position int // the position of an array's element; -1 if the component can only be a name
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

// hasPositions reports whether a component after the first may be the position of an
// array's element.
func hasPositions(path []component) bool {
	return slices.ContainsFunc(path[1:], func(c component) bool { return c.position >= 0 })
}

// direct returns expressions for the usual case, a path without arrays: date is the date
// in milliseconds at the end of the path, or null, and isThere is whether a date is
// there. ok is false if a single expression cannot follow the path, because a component
// may be a position, which some servers read as a name, or because the path contains a
// dollar sign.
func direct(path []component, dotted string) (date, isThere expression, ok bool) {
	if hasPositions(path) || strings.Contains(dotted, "$") {
		return date, isThere, false
	}
	isThere = isType("$"+dotted, "date")
	return op("$cond", isThere, millis("$"+dotted), nil), isThere, true
}

// millis returns an expression for the milliseconds of a date; 0 for any other value.
func millis(v string) expression {
	return object("$toLong", op("$cond", isType(v, "date"), v, int64(0)))
}

// top returns the list of a path after its first component.
func top(path []component) expression { return list(object("v", "$"+path[0].name)) }

// field returns an expression for the field of v that c names; missing if v is not an
// object.
func (c component) field(v string) expression {
	coerced := op("$cond", isType(v, "object"), v, object("$literal", object()))
	if strings.HasPrefix(c.name, "$") {
		return object("$getField", object("field", object("$literal", c.name), "input", coerced))
	}
	return let("o", coerced, "$$o."+c.name)
}

// asArray returns an expression for the array v; an empty array for any other value.
func asArray(v string) expression { return op("$cond", op("$isArray", v), v, list()) }

// isOver is the reason in the object $$w; missing unless the path has ended.
const isOver = "$$w.r"

// along returns the list of objects after the component c. before is the list before it.
func (c component) along(before any, isLast bool) expression {
	kind := orElse("$$w.k", "missing")
	return joined(each(before, "w", choose(
		op("$ne", typeOf(isOver), "missing"), list("$$w"),
		op("$isArray", "$$w.v"), c.intoArray(isLast),
		isType("$$w.v", "object"), list(object("v", c.field("$$w.v"), "k", "$$w.k")),
		isType("$$w.v", "missing"), list(object("r", isMissing, "k", kind)),
		list(object("r", isNull, "k", kind)),
	)))
}

// intoArray returns the list of objects after c if $$w.v is an array: for the element at
// position c, or for the field c of each document of the array.
func (c component) intoArray(isLast bool) expression {
	if c.position < 0 {
		return c.intoElements()
	}
	array := asArray("$$w.v")
	hasField := op("$anyElementTrue", each(array, "e", op("$ne", typeOf(c.field("$$e")), "missing")))
	element := op("$arrayElemAt", array, c.position)
	there := list(object("v", element, "k", "array"))
	if isLast { // an array at the end of the path is itself a key
		there = op("$cond", op("$isArray", element), list(object("r", isNestedArray, "k", "array")), there)
	}
	return choose(
		op("$lte", object("$size", array), c.position), c.intoElements(),
		hasField, list(object("r", isAmbiguous, "k", "array")),
		there,
	)
}

// intoElements returns the list of objects for the field c of each document of the array
// $$w.v.
func (c component) intoElements() expression {
	entered := object("$filter", object("input", asArray("$$w.v"), "as", "e", "cond", op("$in", typeOf("$$e"), list("object", "array"))))
	return op("$concatArrays",
		list(object("r", isNull, "x", true, "k", "array")), // the key of an empty array; any other reason is greater
		each(entered, "e", op("$cond", op("$isArray", "$$e"), object("r", isNestedArray, "k", "array"), object("v", c.field("$$e"), "k", "array"))))
}

// keys returns the keys of the values at the end of a path. Each key has four fields: d,
// the date in milliseconds, or null; r, the reason why there is no date, or null; x,
// whether an array was expanded; and k, the type of the value, or "array" if the path
// went through an array.
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

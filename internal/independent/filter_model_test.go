package independent

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// The second model of partial filters. Its sources are path.cpp,
// expression_leaf.cpp and expression_parser.cpp (mongodb/mongo:
// src/mongo/db/matcher; branches v3.2, v4.0, v4.2; path.cpp also at e4fc4fa9, as
// of 9.0) and, for what a filter may say, index_catalog.cpp.

// A truth is the value of a predicate for a document; unspecified is neither
// true nor false.
type truth int8

const (
	no          truth = -1
	unspecified truth = 0
	yes         truth = 1
)

// A find is a value at a path in a document.
type find struct {
	// value is nil for a missing field.
	value *node
	// whole marks the array itself at the end of the path. This find comes after the
	// finds of the array's elements.
	whole bool
	// late marks a missing field that only releases since 9.0 find: an element of an
	// array on the path is not an object.
	late bool
}

// A filterRelease holds the behaviour of a release with filters.
type filterRelease struct {
	name string
	// legacy is the server parameter internalQueryLegacyDottedPathNullSemantics.
	legacy bool
	// nested tells whether a filter may say $or and $in, and nest (6.0).
	nested bool
	// decimals tells whether the release knows decimal128 (3.4).
	decimals bool
	// arrays: $type "array" asks about the field, not its elements, and $type
	// takes a list (3.6).
	arrays bool
	// ordered: nothing is below MinKey or above MaxKey (4.2). Before 4.2, every
	// comparison of a value of another type with MinKey or MaxKey is true, except
	// equality.
	ordered bool
	// undefinedIsNull: undefined counts as null (up to 7.x).
	undefinedIsNull bool
	// late: an array through which the path does not continue counts as null (9.0).
	late bool
}

var filterReleases = []filterRelease{
	{name: "3.2.22", undefinedIsNull: true},
	{name: "4.0.28", decimals: true, arrays: true, undefinedIsNull: true},
	{name: "7.0.14", nested: true, decimals: true, arrays: true, ordered: true, undefinedIsNull: true},
	{name: fixture.Latest, nested: true, decimals: true, arrays: true, ordered: true, late: true},
	{name: fixture.Latest, nested: true, decimals: true, arrays: true, ordered: true, late: true, legacy: true},
}

// finds returns the values to which path leads from an object with these
// fields.
func finds(fields []member, path []string) []find {
	v, rest := named(fields, path[0]), path[1:]
	switch {
	case v == nil:
		return []find{{}}
	case v.typ == tArray && len(rest) > 0:
		through, led := findsThrough(v, rest)
		if !led {
			through = append(through, find{late: true})
		}
		return through
	case v.typ == tArray:
		var all []find
		for _, e := range v.fields {
			all = append(all, find{value: e.value})
		}
		return append(all, find{value: v, whole: true})
	case len(rest) == 0:
		return []find{{value: v}}
	case v.typ == tObject:
		return finds(v.fields, rest)
	}
	return []find{{}}
}

// findsThrough returns the values to which rest leads from the elements of an array, and
// whether rest led through one of these elements. If the first component of rest consists
// of digits, it also selects the element with that name. If rest ends there and the
// selected element is an array, the array is one value, and its own elements are not
// values. Since 9.0 a component with another character than digits finds a missing field
// in each element that is not an object.
func findsThrough(v *node, rest []string) (all []find, led bool) {
	digits := isDigits(rest[0])
	for _, e := range v.fields {
		isChosen := digits && e.name == rest[0]
		if e.value.typ == tObject {
			led, all = true, append(all, finds(e.value.fields, rest)...)
		}
		switch {
		case isChosen && len(rest) == 1:
			led, all = true, append(all, find{value: e.value})
		case isChosen && e.value.typ == tObject:
			all = append(all, finds(e.value.fields, rest[1:])...)
		case isChosen && e.value.typ == tArray:
			within, _ := findsThrough(e.value, rest[1:])
			led, all = true, append(all, within...)
		case e.value.typ != tObject && !digits:
			led, all = true, append(all, find{late: true})
		}
	}
	return all, led
}

func isDigits(component string) bool { return strings.Trim(component, "0123456789") == "" }

// A clause is a part of a filter: a predicate about a path, or a combination.
type clause struct {
	op    string // "$eq", "$gt", … "$exists", "$type", "$in", "$all"; "$and", "$or"
	path  []string
	of    *node    // the operand of a comparison
	list  []*node  // the operands of $in and $all
	types []string // the types of $type
	parts []clause // what $and and $or combine
}

// says evaluates a clause.
func (r filterRelease) says(c clause, doc *node) truth {
	switch c.op {
	case "$and":
		all := yes
		for _, part := range c.parts {
			all = min(all, r.says(part, doc))
		}
		return all
	case "$or":
		one := no
		for _, part := range c.parts {
			one = max(one, r.says(part, doc))
		}
		return one
	case "$all":
		all := yes
		for _, of := range c.list {
			all = min(all, r.says(clause{op: "$eq", path: c.path, of: of}, doc))
		}
		return all
	}
	one := no
	for _, f := range finds(doc.fields, c.path) {
		one = max(one, r.meets(c, f))
	}
	return one
}

// meets evaluates the predicate c for one value that its path leads to. No vendor states
// whether MinKey and MaxKey compare, as null does, with a missing field that only 9.0
// finds. The library leaves this unspecified.
func (r filterRelease) meets(c clause, f find) truth {
	switch {
	case f.late && (!r.late || r.legacy) || !r.met(c, f):
		return no
	case f.late && c.of != nil && c.of.typ != tNull:
		return unspecified
	}
	return yes
}

func (r filterRelease) met(c clause, f find) bool {
	switch c.op {
	case "$exists":
		return f.value != nil
	case "$type":
		return f.value != nil && slices.ContainsFunc(c.types, func(name string) bool { return r.isOfType(f, name) })
	case "$in":
		return slices.ContainsFunc(c.list, func(of *node) bool { return r.compares("$eq", f.value, of) })
	}
	return r.compares(c.op, f.value, c.of)
}

var typeNames = map[string]byte{
	"double": tDouble, "string": tString, "object": tObject, "array": tArray, "binData": tBinary, "undefined": tUndefined,
	"objectId": tObjectID, "bool": tBool, "date": tDate, "null": tNull, "regex": tRegex, "javascript": tCode, "symbol": tSymbol,
	"dbPointer": tDBPointer, "javascriptWithScope": tScoped,
	"int": tInt32, "timestamp": tTimestamp, "long": tInt64, "decimal": tDecimal, "minKey": tMinKey, "maxKey": tMaxKey,
}

func (r filterRelease) isOfType(f find, name string) bool {
	if name == "number" {
		return rank(f.value) == numberRank
	}
	return f.value.typ == typeNames[name] && (name != "array" || r.arrays || !f.whole)
}

// compares evaluates a comparison with the value v, which is nil for a missing field.
func (r filterRelease) compares(op string, v, of *node) bool {
	switch {
	case rank(v) == rank(of):
		return r.comparesAlike(op, v, of)
	case of.typ == tNull && (v == nil || v.typ == tUndefined && r.undefinedIsNull):
		return op == "$eq" || op == "$gte" || op == "$lte"
	case of.typ != tMinKey && of.typ != tMaxKey || op == "$eq":
		return false
	case !r.ordered:
		return true
	case of.typ == tMaxKey:
		return op == "$lt" || op == "$lte"
	}
	return op == "$gt" || op == "$gte"
}

func (r filterRelease) comparesAlike(op string, v, of *node) bool {
	if rank(of) == numberRank && v.isNaN() != of.isNaN() {
		return false
	}
	switch c := compare(v, of); op {
	case "$eq":
		return c == 0
	case "$gt":
		return c > 0
	case "$gte":
		return c >= 0
	case "$lt":
		return c < 0
	default:
		return c <= 0
	}
}

package mongo

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A component is one part of a dotted path.
type component struct {
	name     string
	position int  // of an array's element, or -1 if name is not a position
	digits   bool // name is digits, be it a position or not, or empty
	field    bool // it names no element of an array
	// renumbered means that elements of arrays go by their positions, whatever
	// their names.
	renumbered bool
	// slot is one more than the field's place in the table of its filter, 0 for
	// a field in none.
	slot   int
	finder rawbson.Finder
}

// maxComponents is how many components a path may have. Documents nest less deeply,
// so that the rest of a longer path, taken for one name, is never come to.
const maxComponents = 256

// pathOf splits a path at its dots.
func pathOf(dotted string) []component {
	names := strings.SplitN(dotted, ".", maxComponents)
	path := make([]component, len(names))
	for i, name := range names {
		path[i] = componentOf(name)
	}
	return path
}

// dottedOf returns the path that pathOf split.
func dottedOf(path []component) string {
	var names []string
	for _, c := range path {
		names = append(names, c.name)
	}
	return strings.Join(names, ".")
}

func componentOf(name string) component {
	digits := strings.Trim(name, "0123456789") == ""
	return component{name: name, position: positionOf(name), digits: digits, finder: rawbson.NewFinder(name)}
}

// withoutPositions returns the path as an index of version 0 follows it: a number
// is a field's name (mongodb/mongo v2.4: src/mongo/db/indexkey.cpp,
// KeyGeneratorV0).
func withoutPositions(path []component) []component {
	for i := range path {
		path[i].position, path[i].field = -1, true
	}
	return path
}

// isNameOf reports whether c names the current element of an array, the one at
// position i. What counts is the name that the array gives the element, whatever
// its position (mongodb/mongo: src/mongo/db/index/btree_key_generator.cpp;
// src/mongo/db/matcher/path.cpp, isArrayOffsetMatch).
func (c *component) isNameOf(e *policy.Elements, i int) bool {
	name, stored := e.Name()
	if !stored || c.renumbered {
		return i == c.position
	}
	return string(name) == c.name && !c.field
}

// positionOf returns the array position that name spells, or -1. The server
// looks it up as the array's field name, so "01" is not one.
func positionOf(name string) int {
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 || strconv.Itoa(n) != name {
		return -1
	}
	return n
}

// isIndexable reports whether the server makes keys for a path: no component
// is empty or begins with a dollar sign, except that a path may end in the fields
// of a DBRef (mongodb/mongo: src/mongo/db/index_key_validate.cpp).
func isIndexable(dotted string) bool {
	first := true
	for name := range strings.SplitSeq(dotted, ".") {
		switch {
		case name == "":
			return false
		case !first && (name == "$id" || name == "$ref" || name == "$db"):
		case name[0] == '$':
			return false
		}
		first = false
	}
	return true
}

package fieldpath

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Component is one part of a dotted path.
type Component struct {
	Name     string
	position int  // the position in an array that Name spells, or -1 if Name is not a position
	Digits   bool // Name is empty or only digits, even if it is not a position, such as "01"
	field    bool // Name is only a field's name, and never the name of an array's element
	// Renumbered means that the names of array elements are their positions, and that
	// their stored names are ignored.
	Renumbered bool
	// Slot is the number of the field in the fieldTable of its filter, counted from 1, or
	// 0 if the table does not have the field.
	Slot   int
	Finder rawbson.Finder
}

// MaxComponents is the maximum number of components of a path. Documents nest less deeply,
// so the rest of a longer path, kept as one name, is never reached.
const MaxComponents = 256

// PathOf splits a path at its dots.
func PathOf(dotted string) []Component {
	names := strings.SplitN(dotted, ".", MaxComponents)
	path := make([]Component, len(names))
	for i, name := range names {
		path[i] = ComponentOf(name)
	}
	return path
}

// Dotted returns the path that PathOf split.
func Dotted(path []Component) string {
	var names []string
	for _, c := range path {
		names = append(names, c.Name)
	}
	return strings.Join(names, ".")
}

func ComponentOf(name string) Component {
	digits := strings.Trim(name, "0123456789") == ""
	return Component{Name: name, position: positionOf(name), Digits: digits, Finder: rawbson.NewFinder(name)}
}

// WithoutPositions changes path to the form that an index of version 0 follows: a number
// is only a field's name (mongodb/mongo v2.4: src/mongo/db/indexkey.cpp, KeyGeneratorV0).
func WithoutPositions(path []Component) []Component {
	for i := range path {
		path[i].position, path[i].field = -1, true
	}
	return path
}

// IsNameOf reports whether c names the current element of an array, which is at position
// i. If the array stores a name for the element, that name counts and the position does
// not (mongodb/mongo: src/mongo/db/index/btree_key_generator.cpp;
// src/mongo/db/matcher/path.cpp, isArrayOffsetMatch).
func (c *Component) IsNameOf(e *policy.Elements, i int) bool {
	name, stored := valuefunc.F.ElementName(e)
	if !stored || c.Renumbered {
		return i == c.position
	}
	return string(name) == c.Name && !c.field
}

// positionOf returns the array position that name spells, or -1. The server looks up the
// name of the array's element, so "01" is not a position.
func positionOf(name string) int {
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 || strconv.Itoa(n) != name {
		return -1
	}
	return n
}

// IsIndexable reports whether the server makes keys for a path: no component
// is empty or begins with a dollar sign, except that a path may end in the fields
// of a DBRef (mongodb/mongo: src/mongo/db/index_key_validate.cpp).
func IsIndexable(dotted string) bool {
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

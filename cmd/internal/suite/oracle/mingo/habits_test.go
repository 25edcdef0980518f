package mingo

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// A habit is one way in which mingo differs from MongoDB, or a set of such ways as a sum of
// bits. docs/mingo.md describes each with an example, and says who is right.
type habit uint16

const (
	// A number in a path into an array is only a position, not also the name of a field
	// of the elements.
	readsPositionsOnly habit = 1 << iota
	// If an element of an array is itself an array, a name in the path leads to that
	// inner array.
	takesInnerArray
	// Elements of an array that lack the field are left out.
	dropsMissing
	// A position without an element leads to a missing field.
	missesPositions
	// The elements of an array at a position count as well.
	opensPositions
	// Values collected from an array form an array, and comparisons do not look into
	// arrays in it.
	collectsArrays
	// An equality enters nested arrays, to the depth of the path.
	opensForEquality
	// $type looks at the whole value, not at the elements of an array.
	typesArraysOnly
	// $exists accepts an array on the path.
	existsIfCollected
	// $gte and $lte with null do not match a missing field.
	knowsNoOrderOfNull

	noHabit   habit = 0
	allHabits       = knowsNoOrderOfNull<<1 - 1
)

var habitNames = map[habit]string{
	readsPositionsOnly: "reads-positions-only",
	takesInnerArray:    "takes-inner-array",
	dropsMissing:       "drops-missing",
	missesPositions:    "misses-positions",
	opensPositions:     "opens-positions",
	collectsArrays:     "collects-arrays",
	opensForEquality:   "opens-for-equality",
	typesArraysOnly:    "types-arrays-only",
	existsIfCollected:  "exists-if-collected",
	knowsNoOrderOfNull: "no-order-of-null",
}

// String returns the names of the habits, joined by plus signs.
func (h habit) String() string {
	var names []string
	for one := habit(1); one <= allHabits; one <<= 1 {
		if h&one != 0 {
			names = append(names, habitNames[one])
		}
	}
	return strings.Join(names, "+")
}

// bySize are all sets of habits, the smallest first.
var bySize = func() (sets []habit) {
	for h := range allHabits + 1 {
		sets = append(sets, h)
	}
	slices.SortStableFunc(sets, func(a, b habit) int {
		return cmp.Compare(bits.OnesCount16(uint16(a)), bits.OnesCount16(uint16(b)))
	})
	return sets
}()

// explain returns the smallest set of habits with which the model gives an
// answer. It reports false if there is none.
func explain(m model, filter, document object, answer bool) (habit, bool) {
	for _, m.habits = range bySize {
		if m.matches(filter, document) == answer {
			return m.habits, true
		}
	}
	return noHabit, false
}

// asArray returns the result of a path as one value. Collected values form an array. An
// array whose only element is an array is replaced by that element, once for each array
// on the path.
func (p place) asArray() any {
	v, depth := p.flattened()
	for ; depth > 0; depth-- {
		list, _ := v.([]any)
		if len(list) != 1 {
			break
		}
		inner, ok := list[0].([]any)
		if !ok {
			break
		}
		v = inner
	}
	return v
}

// flattened returns the result of a path, with collected values as nested arrays, and the
// number of arrays from which values were collected.
func (p place) flattened() (any, int) {
	if !p.isMany {
		return p.value, 0
	}
	list, arrays := []any{}, 1
	for _, one := range p.collected {
		v, n := one.flattened()
		list, arrays = append(list, v), arrays+n
	}
	return list, arrays
}

// flatten returns the elements of an array. It replaces inner arrays by their elements,
// down to a depth.
func flatten(v any, depth int) (all []any) {
	list, _ := v.([]any)
	for _, element := range list {
		if _, ok := element.([]any); ok && depth > 0 {
			all = append(all, flatten(element, depth-1)...)
			continue
		}
		all = append(all, element)
	}
	return all
}

// existsSomehow tests $exists as mingo does, which accepts an array on the path. If
// values were collected from an array, the path exists if it ends with a position, or if
// a collected value is present or was itself collected from an array.
func (p predicate) existsSomehow(found place) bool {
	if !found.isMany {
		return !found.isAbsent()
	}
	last := p.path[len(p.path)-1]
	return last[0] <= '9' || slices.ContainsFunc(found.collected, func(one place) bool { return one.isMany || !one.isAbsent() })
}

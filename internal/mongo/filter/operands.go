package filter

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An operand is the value with which a comparison compares.
type operand struct {
	value policy.Value
	// collated means that a collation may order strings in the value differently than
	// their bytes.
	collated bool
	// pattern means that the value is a regular expression that strings may match.
	pattern bool
	// sorted means that the compared value is a measurement's metadata, which is stored
	// with its fields sorted.
	sorted bool
}

// An operandSet holds the operands of $in in sorted order, so that a value is compared
// with few of them. The zero operandSet is empty, and matches nothing.
type operandSet struct {
	sorted []policy.Value // as value.Compare orders them
	null   bool           // null is among them
	// unsure are the type classes whose values are undecidable unless they equal an
	// operand: a collation, or a regular expression, may match other values of these
	// classes.
	unsure []int
	// metadata means that the compared values are metadata of measurements; see the field
	// sorted of operand.
	metadata bool
}

// operandSetOf returns the set of the operands, and the operands that the set cannot
// hold.
func operandSetOf(all []operand) (s operandSet, others []operand) {
	s.sorted = make([]policy.Value, 0, len(all))
	for _, o := range all {
		if !isOrdered(o.value) {
			others = append(others, o)
			continue
		}
		s.sorted = append(s.sorted, o.value)
		s.null = s.null || isNullOperand(o)
		switch {
		case o.pattern:
			s.addUnsure(value.Class(policy.String))
		case o.collated:
			s.addUnsure(value.Class(o.value.Kind()))
		}
	}
	s.sort()
	return s, others
}

func isNullOperand(o operand) bool { return o.value.Kind() == policy.Null }

func (s *operandSet) sort() {
	slices.SortFunc(s.sorted, func(v, w policy.Value) int {
		c, _ := value.Compare(v, w)
		return c
	})
}

func (s *operandSet) addUnsure(class int) {
	if !slices.Contains(s.unsure, class) {
		s.unsure = append(s.unsure, class)
	}
}

// isOrdered reports whether v can be ordered among all values: each document in v can
// list its fields.
func isOrdered(v policy.Value) bool {
	_, ok := value.Compare(v, v)
	return ok
}

// match returns the membership that matchOperand gives for all operands together, by a
// binary search. A comparison is undecidable if it reaches a part of v that cannot be
// compared. The operands that equal v up to this part are adjacent in the set, so the
// search reaches one of them if there are any, and no operand equals v.
func (s *operandSet) match(v policy.Value, undefined bool) Membership {
	switch k := v.Kind(); {
	case len(s.sorted) == 0 || k == policy.Opaque:
		return Outside
	case k == policy.Missing || k == policy.Undefined && undefined:
		return insideIf(s.null)
	}
	for low, high := 0, len(s.sorted); low < high; {
		middle := int(uint(low+high) / 2)
		switch c, ok := value.CompareSorted(v, s.sorted[middle], s.metadata); {
		case !ok:
			return Undecidable
		case c == 0:
			return Inside
		case c < 0:
			high = middle
		default:
			low = middle + 1
		}
	}
	if slices.Contains(s.unsure, value.Class(v.Kind())) {
		return Undecidable
	}
	return Outside
}

// holdsText reports whether v is or contains a string, so that a collation may affect
// comparisons.
func holdsText(v policy.Value) bool {
	switch v.Kind() {
	case policy.String, policy.Symbol, policy.Code, policy.CodeWithScope:
		return true
	}
	for e := v.Elements(); e.Next(); {
		if holdsText(e.Value()) {
			return true
		}
	}
	for f := v.Fields(); f.Next(); {
		if holdsText(f.Value()) {
			return true
		}
	}
	return false
}

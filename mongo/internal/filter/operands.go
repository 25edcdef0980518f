package filter

import (
	"slices"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An operand is the value with which a comparison compares.
type operand struct {
	value policy.Value
	// collated means that a collation may compare texts differently than their
	// bytes.
	collated bool
	// pattern means that the value is a regular expression to be matched,
	// not one to be equal to.
	pattern bool
	// sorted means that the compared value is a measurement's metadata, which is stored
	// with its fields sorted.
	sorted bool
}

// An operandSet is the operands of $in, sorted, so that a value is compared with few
// of them. The zero operandSet has none, and matches nothing.
type operandSet struct {
	sorted []policy.Value // as value.Compare orders them
	null   bool           // null is among them
	// unsure are the classes of values that are not decided unless they are in
	// sorted: another collation, or a regular expression, may match them.
	unsure []int
	// metadata means that values are metadata as a measurement has it; see operand.
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

// isOrdered reports whether v has its place among all values, as any has whose
// documents can list their fields.
func isOrdered(v policy.Value) bool {
	_, ok := value.Compare(v, v)
	return ok
}

// match returns the same as matchOperand for each operand in turn. An undecided comparison
// stops at a value in v, whatever the operand holds there. So the operands with undecided
// comparisons are adjacent, the others lead the search to them, and none of them equals v.
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

// sortMetadata makes s compare values as metadata of measurements, with sorted fields.
func (s *operandSet) sortMetadata() { s.metadata = true }

// holdsText reports whether a comparison with v may compare texts.
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

// inMemory returns v without raw text inside, so that comparing with it need
// not copy.
func inMemory(v policy.Value) policy.Value {
	text, _ := v.AsString()
	switch v.Kind() {
	case policy.String:
		return policy.StringValue(text)
	case policy.Symbol:
		return policy.SymbolValue(text)
	case policy.Code:
		return policy.CodeValue(text)
	case policy.Object:
		return documentInMemory(v)
	case policy.List:
		return arrayInMemory(v)
	}
	return v
}

func arrayInMemory(v policy.Value) policy.Value {
	var a policy.A
	for e := v.Elements(); e.Next(); {
		if name, stored := e.Name(); stored && string(name) != strconv.Itoa(len(a)) {
			return v // its names count
		}
		a = append(a, inMemory(e.Value()))
	}
	return policy.ListValue(a)
}

func documentInMemory(v policy.Value) policy.Value {
	d := policy.DOf(v)
	for i := range d {
		d[i].Value = inMemory(d[i].Value)
	}
	return policy.ObjectValue(d)
}

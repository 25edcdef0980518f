package filter

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A filter with many predicates would search the document once for each predicate.
// Instead it makes a survey: a single walk over the document notes where each field
// begins.

// minSurveyed is the least number of predicates of a filter for which a survey is made.
// For fewer predicates a search for each field is faster.
const minSurveyed = 9

// maxSurveyed is the maximum number of fields in a survey, which must fit on the stack.
// Other fields are looked up one at a time.
const maxSurveyed = 1 << 14

// A fieldTable maps the top-level fields that a filter reads to slots of a survey. It is
// empty for a filter with too few predicates for a survey.
type fieldTable map[string]int

// fieldTableOf makes the table for the predicates below root, and sets the slot in the
// path of each.
func fieldTableOf(root *node) fieldTable {
	slots := fieldTable{}
	if root.addFields(slots) < minSurveyed {
		return nil
	}
	root.setSlots(slots)
	return slots
}

// addFields adds the fields of the predicates in n to slots, and returns the number of
// predicates.
func (n *node) addFields(slots fieldTable) (predicates int) {
	for i := range n.children {
		predicates += n.children[i].addFields(slots)
	}
	if len(n.path) == 0 {
		return predicates
	}
	if _, known := slots[n.path[0].Name]; !known && len(slots) < maxSurveyed {
		slots[n.path[0].Name] = len(slots) + 1
	}
	return predicates + 1
}

func (n *node) setSlots(slots fieldTable) {
	for i := range n.children {
		n.children[i].setSlots(slots)
	}
	if len(n.path) > 0 {
		n.path[0].Slot = slots[n.path[0].Name]
	}
}

// A survey holds, for each slot of a fieldTable, the offset at which the field begins in
// a raw document, or 0 if the field is missing.
type survey struct {
	starts  []int32
	damaged bool // the document is damaged after the fields that were found
}

// maxFewSurveyed is the maximum number of fields of a small survey, whose memory takes
// little time to clear.
const maxFewSurveyed = 256

// make notes the offset of the first field of each name in doc.
func (s *survey) make(doc []byte, slots fieldTable) {
	e := rawbson.Value{Type: byte(policy.Object), Body: doc}.Elements()
	for start := len(doc) - 1 - e.Left(); e.Next(); start = len(doc) - 1 - e.Left() {
		if slot := slots[string(e.Name())]; slot > 0 && s.starts[slot-1] == 0 {
			s.starts[slot-1] = int32(start)
		}
	}
	s.damaged = e.Damaged()
}

// find does what r.Find does, with the survey s unless s is nil. A Record does not refer
// to its survey, because everything that a record refers to is allocated.
func (s *survey) find(r *fieldpath.Record, c *fieldpath.Component) rawbson.Value {
	if s == nil || c.Slot == 0 {
		return r.Find(c)
	}
	start := s.starts[c.Slot-1]
	if start == 0 {
		r.Damaged = r.Damaged || s.damaged
		return rawbson.Value{}
	}
	found, ok := c.Finder.FindFrom(r.Raw, int(start))
	r.Damaged = r.Damaged || !ok
	return found
}

// field does what r.Field does, with the survey s unless s is nil.
func (s *survey) field(r *fieldpath.Record, c *fieldpath.Component) policy.Value {
	if s == nil {
		return r.Field(c)
	}
	return r.Checked(s.find(r, c))
}

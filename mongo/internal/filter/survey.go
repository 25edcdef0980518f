package filter

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A filter of many predicates would search the document once for each predicate. It
// surveys the document instead: one walk notes where each field begins.

// minSurveyed is the least number of predicates of a filter for which a survey is made. The
// fields of fewer predicates are found faster one at a time.
const minSurveyed = 9

// maxSurveyed is the maximum number of fields that a survey notes, so that it fits on the
// stack. Other fields are looked up one at a time.
const maxSurveyed = 1 << 14

// A fieldTable holds the slots of the fields on top of documents that a filter looks
// at. It is empty for a filter that is not worth a survey.
type fieldTable map[string]int

// fieldTableOf makes the table for the predicates below root, whose paths it gives
// their slots.
func fieldTableOf(root *node) fieldTable {
	slots := fieldTable{}
	if root.addFields(slots) < minSurveyed {
		return nil
	}
	root.setSlots(slots)
	return slots
}

// addFields adds the fields of the predicates, and returns their number.
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

// A survey holds the offsets at which the fields of a table begin in a raw document, 0 for
// a missing field.
type survey struct {
	starts  []int32
	damaged bool // the document is, behind the fields that were found
}

// maxFewSurveyed is the maximum number of fields of a small survey, which needs little
// memory to be cleared.
const maxFewSurveyed = 256

// make notes the first field of each name.
func (s *survey) make(doc []byte, slots fieldTable) {
	e := rawbson.Value{Type: byte(policy.Object), Body: doc}.Elements()
	for start := len(doc) - 1 - e.Left(); e.Next(); start = len(doc) - 1 - e.Left() {
		if slot := slots[string(e.Name())]; slot > 0 && s.starts[slot-1] == 0 {
			s.starts[slot-1] = int32(start)
		}
	}
	s.damaged = e.Damaged()
}

// find is the record's find, by the survey if there is one. A survey is not a part of its
// record, because everything that a record refers to is allocated.
func (s *survey) find(r *record.Record, c *record.Component) rawbson.Value {
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

// field is field of the record, by the survey if there is one.
func (s *survey) field(r *record.Record, c *record.Component) policy.Value {
	if s == nil {
		return r.Field(c)
	}
	return r.Checked(s.find(r, c))
}

package conformance

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Coverage is the vectors by which a suite shows one rule from all sides.
type Coverage struct {
	Rule *policy.Rule
	// Positive are those that bear on the rule and in which it holds.
	Positive []*Vector
	// Negative are near misses: twins of the positive that are answered
	// otherwise, and those that bear on the rule and are decided by another.
	Negative []*Vector
	// Boundary are those that stand on an edge: of a value, of a range, of a
	// shape, between two releases.
	Boundary []*Vector
}

// Coverage returns what the suite holds about every rule of both catalogues
// that a question can be asked about.
func (s *Suite) Coverage() []Coverage {
	decides := map[string]bool{}
	for _, v := range s.Vectors {
		for _, id := range v.deciders() {
			decides[id] = true
		}
	}
	var all []Coverage
	for r := range Rules() {
		if _, ok := s.Untestable[r]; !ok {
			all = append(all, s.coverage(r, decides[r.ID]))
		}
	}
	return all
}

// coverage sorts the vectors that bear on a rule, which decides or only says
// something beside.
func (s *Suite) coverage(r *policy.Rule, decides bool) Coverage {
	c := Coverage{Rule: r}
	for _, v := range s.Vectors {
		if v.Status == Retired || !slices.Contains(v.Rules, r) {
			continue
		}
		if s.isOnEdge(v) {
			c.Boundary = append(c.Boundary, v)
		}
		if decides && !slices.Contains(v.deciders(), r.ID) {
			c.Negative = append(c.Negative, v)
			continue
		}
		c.Positive = append(c.Positive, v)
		c.Negative = append(c.Negative, s.answeredOtherwise(v)...)
	}
	return c
}

// edges are the kinds of flag that a vector on an edge has.
var edges = []string{"boundary", "range", "version-hazard"}

func (s *Suite) isOnEdge(v *Vector) bool {
	return slices.ContainsFunc(v.Flags, func(name string) bool { return slices.Contains(edges, s.Flags[name].Kind) })
}

// deciders returns the rules that answers and gaps of v name.
func (v *Vector) deciders() (ids []string) {
	for _, row := range v.Want {
		ids = append(ids, row.deciders()...)
	}
	for _, g := range v.Unverified {
		ids = append(ids, g.Rule.ID)
	}
	return ids
}

// deciders returns the rules that the answers of a row name.
func (row Row) deciders() (ids []string) {
	for _, e := range row.Answers {
		if id, ok := e.fields.Field("rule").AsString(); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// answeredOtherwise returns the twins of v, its own and those that it is the
// twin of, whose answer for some release is another.
func (s *Suite) answeredOtherwise(v *Vector) (twins []*Vector) {
	for _, other := range s.Vectors {
		isTwin := other.ID == v.Twin || other.Twin == v.ID
		if isTwin && s.differ(v, other) {
			twins = append(twins, other)
		}
	}
	return twins
}

// differ reports whether v and w have other answers for some release.
func (s *Suite) differ(v, w *Vector) bool {
	for _, a := range v.cells() {
		for _, b := range w.cells() {
			if s.meet(a.TargetRange, b.TargetRange) && a.text() != b.text() {
				return true
			}
		}
	}
	return false
}

// text is what a cell's answers are compared by.
func (c cell) text() (text string) {
	if c.rows == nil {
		return "open"
	}
	for _, e := range c.rows[0].Answers {
		text += e.String() + "\n"
	}
	return text
}

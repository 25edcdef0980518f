package forecast

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
)

// MaxGroups is the largest number of values of a field that are counted separately.
const MaxGroups = 1000

// A Group counts the documents with one value of a field.
type Group struct {
	// Value is the value in Extended JSON, shortened if it is long; empty if the
	// documents have no such field.
	Value dump.ID
	ByState
	// First is the place of the first document with the value; before a block is merged,
	// the offset is the document's number in the block.
	First Place
}

// Groups counts documents by the value of a field. Each of the first [MaxGroups] or
// [Options.Groups] values, in the order of the input, has a count. All other values share
// one sum. The zero Groups is empty.
type Groups struct {
	List  []Group
	Other Group `json:"-"` // parts have none
	index map[dump.ID]int
}

// count adds one document of a block. In a block, the number of groups is not limited,
// because the limit applies to the whole input.
func (g *Groups) count(value dump.ID, v *verdict, doc int, one Sum) {
	group := Group{Value: value, First: Place{Offset: int64(doc)}}
	*group.of(v.State, v.isUnknown) = one
	g.Add(group)
}

// Add adds the counts of u to the group with the same value, or to a new group. It reports
// whether the group is new.
func (g *Groups) Add(u Group) (isNew bool) { return g.add(u, math.MaxInt) }

// add adds the counts of u to the group with the same value, or to a new group if g has
// fewer groups than the limit most. It reports whether the group is new.
func (g *Groups) add(u Group, most int) (isNew bool) {
	if g.index == nil {
		g.reindex()
	}
	i, ok := g.index[u.Value]
	switch {
	case ok:
		g.List[i].Add(u.ByState)
	case len(g.List) < most:
		g.index[u.Value] = len(g.List)
		g.List = append(g.List, u)
		return true
	default:
		g.Other.Add(u.ByState)
	}
	return false
}

func (g *Groups) reindex() {
	g.index = make(map[dump.ID]int, len(g.List))
	for i, group := range g.List {
		g.index[group.Value] = i
	}
}

// merge adds u, the groups of the next block. It makes no more groups than the limit
// most.
func (g *Groups) merge(u *Groups, most int, sample func(doc int) dump.Sample) {
	for _, group := range u.List {
		if g.add(group, most) {
			g.List[len(g.List)-1].First = placeOf(sample(int(group.First.Offset)))
		}
	}
}

// Shown returns g limited to [MaxGroups] groups.
func (g *Groups) Shown() Groups {
	if len(g.List) <= MaxGroups {
		return *g
	}
	out := Groups{List: g.List[:MaxGroups], Other: g.Other}
	for _, group := range g.List[MaxGroups:] {
		out.Other.Add(group.ByState)
	}
	return out
}

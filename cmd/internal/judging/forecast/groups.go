package forecast

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// MaxGroups is the largest number of values of a field that are counted separately.
const MaxGroups = 1000

// A Group counts the documents with one value of a field.
type Group struct {
	// Value is the value in Extended JSON, cut off where it is long; empty where
	// documents have no such field.
	Value dump.ID
	ByState
	// First is the place of the first document with the value; in a block that is not
	// merged, the offset is the document's number.
	First Place
}

// Groups counts documents by the value of a field. The first values in the order of the
// input have a count each, up to [MaxGroups] or [Options.Groups] of them. All other values
// share one sum. The zero Groups is empty.
type Groups struct {
	List  []Group
	Other Group
	index map[dump.ID]int
}

// count adds one document of a block, however many values it has. Which values get their
// own group depends on the documents before.
func (g *Groups) count(value dump.ID, state policy.State, doc int, one Sum) {
	group := Group{Value: value, First: Place{Offset: int64(doc)}}
	*group.of(state) = one
	g.add(group, math.MaxInt)
}

// add adds the counts of u to the group with its value, or makes a new group if there are
// fewer than most. It reports whether the value is new.
func (g *Groups) add(u Group, most int) (isNew bool) {
	i, ok := g.index[u.Value]
	switch {
	case ok:
		g.List[i].Add(u.ByState)
	case len(g.List) < most:
		if g.index == nil {
			g.index = map[dump.ID]int{}
		}
		g.index[u.Value] = len(g.List)
		g.List = append(g.List, u)
		return true
	default:
		g.Other.Add(u.ByState)
	}
	return false
}

// merge adds u, which counts the next block, and keeps no more than most values.
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

// valueAt returns the value of doc at a path through embedded documents.
func valueAt(doc policy.Document, path []string) dump.ID {
	for len(path) > 1 {
		doc, path = doc.Field(path[0]), path[1:]
	}
	return dump.IDOf(doc, path[0])
}

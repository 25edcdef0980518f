package forecast

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// MaxGroups is how many values of a field are told apart.
const MaxGroups = 1000

// A Group is the documents with one value of a field.
type Group struct {
	// Value is the value in Extended JSON, cut off where it is long; empty where
	// documents have no such field.
	Value                          dump.ID
	Total, Expired, Pending, Never Sum
}

// Groups counts documents by the value of a field: the first [MaxGroups] values in the
// order of the input, and all others in a sum. The zero Groups is empty.
type Groups struct {
	List  []Group
	Other Group
	index map[dump.ID]int
}

// count adds one document of a block, however many values it has: which of them get a
// group of their own depends on what came before.
func (g *Groups) count(value dump.ID, state policy.State, one Sum) {
	group := Group{Value: value, Total: one}
	switch state {
	case policy.Expired:
		group.Expired = one
	case policy.Pending:
		group.Pending = one
	default:
		group.Never = one
	}
	g.add(group, math.MaxInt)
}

// add adds a group to the one with its value, if there is room for it among so many.
func (g *Groups) add(u Group, most int) {
	i, ok := g.index[u.Value]
	to := &g.Other
	switch {
	case ok:
		to = &g.List[i]
	case len(g.List) < most:
		if g.index == nil {
			g.index = map[dump.ID]int{}
		}
		g.index[u.Value] = len(g.List)
		g.List = append(g.List, Group{Value: u.Value})
		to = &g.List[len(g.List)-1]
	}
	to.Add(u)
}

// Add adds the counts of u to g.
func (g *Group) Add(u Group) {
	g.Total.add(u.Total)
	g.Expired.add(u.Expired)
	g.Pending.add(u.Pending)
	g.Never.add(u.Never)
}

// merge adds u, which counts the block that follows.
func (g *Groups) merge(u *Groups) {
	for _, group := range u.List {
		g.add(group, MaxGroups)
	}
}

// valueAt returns what doc holds at a path of embedded documents.
func valueAt(doc policy.Document, path []string) dump.ID {
	for len(path) > 1 {
		doc, path = doc.Field(path[0]), path[1:]
	}
	return dump.IDOf(doc, path[0])
}

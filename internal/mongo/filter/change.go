package filter

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Change describes the difference between the documents that a partial filter matches
// in two releases. The zero Change means that it matches the same documents in both.
type Change uint8

const (
	MatchesMore    Change = 1 << iota // the second release matches documents that the first does not match
	MatchesFewer                      // the first release matches documents that the second does not match
	MatchesUnknown                    // the match of some documents is unspecified in at least one of the releases
)

// ChangeOf compares the documents that two filters match. here and there were compiled
// from the same expression for the first and the second release.
func ChangeOf(here, there Filter) Change {
	return changeOf(here.root, there.root)
}

// changeOf does the work of ChangeOf for a clause. It tests both compiled clauses on the
// documents that releases read differently. A partial filter has no negation, so the
// whole filter matches more, or fewer, documents only if one of its clauses does.
func changeOf(here, there *node) (c Change) {
	switch {
	case here == nil && there == nil:
		return 0
	case here == nil: // the first release ignores the filter
		return MatchesFewer
	case there == nil:
		return MatchesMore
	case here.path == nil: // $and or $or
		for i := range here.children {
			c |= changeOf(&here.children[i], &there.children[i])
		}
		return c
	case here.op == opOpaque: // neither filter decides the clause
		return MatchesUnknown
	}
	for _, doc := range witnesses(here.path) {
		c |= changeOfMembership(here.match(&fieldpath.Record{Doc: doc}, nil), there.match(&fieldpath.Record{Doc: doc}, nil))
	}
	return c
}

func changeOfMembership(here, there Membership) Change {
	switch {
	case here == there:
		return 0
	case here == Undecidable || there == Undecidable:
		return MatchesUnknown
	case there == Inside:
		return MatchesMore
	}
	return MatchesFewer
}

// witnesses returns documents that releases read differently in a clause on
// path.
func witnesses(path []fieldpath.Component) []policy.D {
	empty := policy.ListValue(policy.A{})
	return []policy.D{
		nested(path, valuefunc.F.RareValue(policy.Undefined, "")),
		nested(path, empty),
		nested(path[:1], empty), // a longer path ends early at this array
	}
}

// nested returns a document with v at the end of a path of embedded documents.
func nested(path []fieldpath.Component, v policy.Value) policy.D {
	if len(path) > 1 {
		v = policy.ObjectValue(nested(path[1:], v))
	}
	return policy.D{{Key: path[0].Name, Value: v}}
}

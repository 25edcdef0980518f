package filter

import (
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Change describes the difference between the documents that a partial filter
// matches in two releases. The zero Change means that they are the same.
type Change uint8

const (
	MatchesMore    Change = 1 << iota // some documents there that it does not match here
	MatchesFewer                      // some documents here that it does not match there
	MatchesUnknown                    // which it matches is unspecified in one of them
)

// ChangeOf compares the documents that two filters match. The filters were
// compiled from one expression for two releases.
func ChangeOf(here, there Filter) Change {
	return changeOf(here.root, there.root)
}

// changeOf compares the documents that a filter matches in two releases. It tests
// both filters on the documents that releases read differently. A partial filter
// has no negation, so the whole matches more, or fewer, documents only if one of
// its clauses does.
func changeOf(here, there *node) (c Change) {
	switch {
	case here == nil && there == nil:
		return 0
	case here == nil: // a release that does not look at the filter
		return MatchesFewer
	case there == nil:
		return MatchesMore
	case here.path == nil: // of $and, $or
		for i := range here.children {
			c |= changeOf(&here.children[i], &there.children[i])
		}
		return c
	case here.op == opOpaque: // in neither
		return MatchesUnknown
	}
	for _, doc := range witnesses(here.path) {
		c |= changeOfMembership(here.match(&record.Record{Doc: doc}, nil), there.match(&record.Record{Doc: doc}, nil))
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
func witnesses(path []record.Component) []policy.D {
	empty := policy.ListValue(policy.A{})
	return []policy.D{
		nested(path, policy.UndefinedValue()),
		nested(path, empty),
		nested(path[:1], empty), // which breaks a longer path off
	}
}

// nested returns a document with v at the end of a path of embedded documents.
func nested(path []record.Component, v policy.Value) policy.D {
	if len(path) > 1 {
		v = policy.ObjectValue(nested(path[1:], v))
	}
	return policy.D{{Key: path[0].Name, Value: v}}
}

package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A filterChange is how the documents that a partial filter matches differ
// between two releases. The zero filterChange means that they are the same.
type filterChange uint8

const (
	matchesMore    filterChange = 1 << iota // some documents there that it does not match here
	matchesFewer                            // some documents here that it does not match there
	matchesUnknown                          // which it matches is unspecified in one of them
)

// changeOfFilter compares which documents a filter matches here and there. It asks
// both about the documents that releases read differently. A partial filter has no
// negation, so that the whole matches more, or fewer, only where one of its clauses
// does.
func changeOfFilter(here, there *node) (c filterChange) {
	switch {
	case here == nil && there == nil:
		return 0
	case here == nil: // a release that does not look at the filter
		return matchesFewer
	case there == nil:
		return matchesMore
	case here.path == nil: // of $and, $or
		for i := range here.children {
			c |= changeOfFilter(&here.children[i], &there.children[i])
		}
		return c
	case here.op == opOpaque: // in neither
		return matchesUnknown
	}
	for _, doc := range witnesses(here.path) {
		c |= changeOfMembership(here.match(&record.Record{Doc: doc}, nil), there.match(&record.Record{Doc: doc}, nil))
	}
	return c
}

func changeOfMembership(here, there membership) filterChange {
	switch {
	case here == there:
		return 0
	case here == undecidable || there == undecidable:
		return matchesUnknown
	case there == inside:
		return matchesMore
	}
	return matchesFewer
}

// witnesses returns documents about which releases differ, as far as a clause
// on path is about them.
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

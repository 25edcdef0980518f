package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// A filterChange is how the documents that a partial filter takes in differ
// between two releases. The zero filterChange means that they are the same.
type filterChange uint8

const (
	takesMore    filterChange = 1 << iota // some documents there that it leaves out here
	takesFewer                            // some documents here that it leaves out there
	takesUnknown                          // what it takes in is not established in one of them
)

// changeOfFilter compares what a filter takes in here with what it takes in
// there. It asks both about the documents that releases read differently. A
// partial filter has no negation, so the whole takes in no more, and no fewer,
// than its clauses bring about.
func changeOfFilter(here, there *node) (c filterChange) {
	switch {
	case here == nil || there == nil: // neither has a filter
		return 0
	case here.path == nil: // of $and, $or
		for i := range here.children {
			c |= changeOfFilter(&here.children[i], &there.children[i])
		}
		return c
	case here.op == opOpaque: // in neither
		return takesUnknown
	}
	for _, doc := range witnesses(here.path) {
		c |= changeOfMembership(here.match(&record{doc: doc}, nil), there.match(&record{doc: doc}, nil))
	}
	return c
}

func changeOfMembership(here, there membership) filterChange {
	switch {
	case here == there:
		return 0
	case here == undecidable || there == undecidable:
		return takesUnknown
	case there == inside:
		return takesMore
	}
	return takesFewer
}

// witnesses returns documents about which releases differ, as far as a clause
// on path is about them.
func witnesses(path []component) []policy.D {
	empty := policy.ListValue(policy.A{})
	return []policy.D{
		nested(path, policy.UndefinedValue()),
		nested(path, empty),
		nested(path[:1], empty), // which breaks a longer path off
	}
}

// nested returns a document with v at the end of a path of embedded documents.
func nested(path []component, v policy.Value) policy.D {
	if len(path) > 1 {
		v = policy.ObjectValue(nested(path[1:], v))
	}
	return policy.D{{Key: path[0].name, Value: v}}
}

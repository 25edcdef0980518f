package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
)

// A definition is the specification that an evaluator was compiled from. It shares no
// memory that callers may change.
type definition struct {
	collection CollectionSpec
	profile    behaviour.Profile
	only       int // the position of the only source, -1 for all
}

func definitionOf(c CollectionSpec, p behaviour.Profile) *definition {
	return &definition{c.clone(), p, -1}
}

// clone returns a copy of s that shares no slices with s.
func (s CollectionSpec) clone() CollectionSpec {
	s.Indexes = slices.Clone(s.Indexes)
	for i := range s.Indexes {
		x := &s.Indexes[i]
		x.Key, x.Options = slices.Clone(x.Key), slices.Clone(x.Options)
	}
	return s
}

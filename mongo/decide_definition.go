package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
)

// A definition is the specification that an evaluator was compiled from. It shares no
// memory that callers may change.
type definition struct {
	collection CollectionSpec // with only the indexes that have expireAfterSeconds
	profile    behaviour.Profile
	kind       string // the kind of the evaluator
	only       int    // the position of the only source, -1 for all
}

func definitionOf(kind string, c CollectionSpec, indexes []IndexSpec, p behaviour.Profile) *definition {
	var ttl []IndexSpec
	for _, x := range indexes {
		if !x.ExpireAfterSeconds.IsMissing() || kind == indexKind {
			x.Key = slices.Clone(x.Key)
			ttl = append(ttl, x)
		}
	}
	c.Indexes = ttl
	return &definition{c, p, kind, -1}
}

// The kinds of evaluators.
const (
	indexKind      = "index"
	collectionKind = "collection"
)

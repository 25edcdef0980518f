package filter

import (
	"fmt"
	"iter"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxValues is the maximum number of fields, elements and components of paths in the
// partial filters of one collection. A server has no such limit: it limits a catalog
// entry to 16 MiB of BSON, which can hold a million predicates (MongoDB manual, "MongoDB
// Limits and Thresholds"). This package needs up to 2 kB of memory for each of these
// values.
const maxValues = 1 << 15

// A room is the number of values that the remaining filters may have, at most maxValues
// at the start.
type room int

// take subtracts the values of the index's filter from the room. The error is this
// library's own: no server refuses a filter for its size.
func (left *room) take(filter policy.Value, index string) error {
	if left.count(filter); *left < 0 {
		return fmt.Errorf("mongo: index %q: partialFilterExpression: the filters of the collection have more than %d fields, elements and parts of paths, which is a limit of this library and not of the server", index, maxValues)
	}
	return nil
}

func (left *room) count(v policy.Value) {
	for f := v.Fields(); *left >= 0 && f.Next(); {
		*left -= room(1 + min(strings.Count(f.Name(), "."), fieldpath.MaxComponents))
		left.count(f.Value())
	}
	for e := v.Elements(); *left >= 0 && e.Next(); {
		*left--
		left.count(e.Value())
	}
}

// CheckSizes returns an error if the filters of a collection together have too many
// values. filters yields each filter with the name of its index. Filters may nest as deep
// as BSON.
func CheckSizes(filters iter.Seq2[string, policy.Value]) error {
	left := room(maxValues)
	for index, filter := range filters {
		if err := left.take(filter, index); err != nil {
			return err
		}
	}
	return nil
}

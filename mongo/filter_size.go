package mongo

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxFilterValues is how many fields, elements and components of paths the partial
// filters of one collection may have. A server has no such limit: a catalog entry is a
// document of BSON, and 16 MiB of it hold a million predicates (MongoDB manual, "MongoDB
// Limits and Thresholds"). Compiled, each needs up to 2 kB here.
const maxFilterValues = 1 << 15

// A filterRoom is how many values of filters may follow.
type filterRoom int

// take counts a filter of an index. The error is no [*SpecError], because no server
// refuses the filter for its size.
func (left *filterRoom) take(filter policy.Value, index string) error {
	if left.count(filter); *left < 0 {
		return fmt.Errorf("mongo: index %q: partialFilterExpression: more than %d fields, elements and parts of paths in the filters of a collection, the limit of this library; a server may have them", index, maxFilterValues)
	}
	return nil
}

func (left *filterRoom) count(v policy.Value) {
	for f := v.Fields(); *left >= 0 && f.Next(); {
		*left -= filterRoom(1 + min(strings.Count(f.Name(), "."), record.MaxComponents))
		left.count(f.Value())
	}
	for e := v.Elements(); *left >= 0 && e.Next(); {
		*left--
		left.count(e.Value())
	}
}

// checkFilterSize refuses filters that are too large together. They nest as BSON may.
func checkFilterSize(indexes []IndexSpec) error {
	left := filterRoom(maxFilterValues)
	for _, x := range indexes {
		if err := left.take(x.PartialFilterExpression, x.Name); err != nil {
			return err
		}
	}
	return nil
}

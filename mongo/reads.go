package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Key returns what [Index.Key] does of the source at a position among Sources: the date
// by which it decides about doc. It reports false if there is none at that position, and
// for those of a time-series collection, which delete buckets: ask Decide about these.
// A store that keeps the key has the range of what is due from Bounds.
func (c *Collection) Key(source int, doc policy.Document) (policy.Instant, bool) {
	x := c.indexAt(source)
	if x == nil {
		return 0, false
	}
	return x.Key(doc)
}

// Reads returns the names of the fields on top of documents that deciding looks at, each
// once and sorted: those with which the paths of the key and of the partial filter begin.
// A document without its other fields is decided as the whole one is, by Decide, Key and
// DecideBSON, unless it is damaged: a store, or a query's projection, need fetch no more.
// If a name is repeated, its first field must stay first.
//
// An index that deletes nothing, by its option say, has the fields that Key looks at.
// There are none if it holds no keys of dates. A name need not be one that a projection
// can ask for: it may be empty, or begin with a dollar sign.
func (x *Index) Reads() []string { return sortedNames(x.appendReads(nil)) }

// Reads returns what [Index.Reads] does of all sources together. Those of a time-series
// collection look at the time field, and at _id and control of stored buckets; a filter on
// the metadata looks at the meta field, and at meta.
func (c *Collection) Reads() []string {
	var names []string
	for _, s := range c.sources {
		if s.series != nil {
			names = s.series.appendReads(names)
			continue
		}
		names = s.index.appendReads(names)
	}
	return sortedNames(names)
}

func sortedNames(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

func (x *Index) appendReads(names []string) []string {
	if !x.holdsKeys() {
		return names
	}
	return x.filter.AppendReads(append(names, x.path[0].Name))
}

// AppendReads appends the fields of measurements, and those of buckets.
func (s *seriesSource) appendReads(names []string) []string {
	names = append(names, s.time.Name, controlField.Name, idField.Name)
	return s.bucketFilter.AppendReads(s.filter.AppendReads(names))
}

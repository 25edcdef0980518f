package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Key returns the date by which the source at a position among Sources decides about doc:
// the earliest Date among the document's keys. It reports false if no key is a Date, for
// example because the document is outside the filter, if the keys are unspecified, if no
// source has that position, and for sources of a time-series collection, which delete
// buckets: use Decide for these. With false the instant is [policy.MaxInstant], which lies
// after Bounds.
//
// The key does not depend on expireAfterSeconds. A store that keeps the key beside the
// document, or sorted in an index of its own, has nothing to rewrite when that option
// changes: Bounds returns the range of due keys. Up to 2.6 a replication timestamp is a date
// too, unless the delay is longer than 1325376000 s.
func (c *Collection) Key(source int, doc policy.Document) (policy.Instant, bool) {
	if x := c.indexAt(source); x != nil {
		if at, ok := x.Key(doc); ok {
			return at, true
		}
	}
	return policy.MaxInstant, false
}

// Reads returns the names of the top-level fields that deciding reads, sorted and without
// repeats: the first components of the paths of the keys and of the partial filters. Decide,
// Key and DecideBSON return the same for a document without its other fields, unless the
// document is damaged, so a store, or a query's projection, need fetch no other field. Of
// fields with the same name, the first must stay first.
//
// For an index that deletes nothing, for example because of its option, Reads returns the
// fields that Key reads, or none if the index holds no keys of dates. A projection may not
// accept every name: a name may be empty, begin with a dollar sign or, under DocumentDB, hold
// the dots of a path, because a field of such a name makes the path ambiguous.
//
// Sources of a time-series collection read the time field of measurements, and the fields _id
// and control of stored buckets. A filter on the metadata reads the meta field of
// measurements, and the field meta of stored buckets.
func (c *Collection) Reads() []string {
	var names []string
	for _, s := range c.list() {
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

func (x *indexSource) appendReads(names []string) []string {
	if !x.holdsKeys() {
		return names
	}
	for _, path := range x.terms {
		for name := range fieldpath.DottedPrefixes(path) { // a field of that name makes the path ambiguous
			names = append(names, name)
		}
	}
	return x.filter.AppendReads(append(names, x.path[0].Name))
}

// appendReads appends the top-level fields of measurements and of buckets that the source
// reads.
func (s *seriesSource) appendReads(names []string) []string {
	names = append(names, s.time.Name, controlField.Name, idField.Name)
	return s.bucketFilter.AppendReads(s.filter.AppendReads(names))
}

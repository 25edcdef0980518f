package mongo

import (
	"slices"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/compiled"
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

// Sources returns the sources of c in their order, for comparisons.
func (functions) Sources(c *Collection) (all []compiled.Source) {
	for _, s := range c.list() {
		if s.series != nil {
			all = append(all, s.series.compared())
			continue
		}
		all = append(all, s.index.compared())
	}
	return all
}

func (x *indexSource) compared() compiled.Source {
	return compiled.Source{
		Basis: compiled.Basis{
			Path: fieldpath.Dotted(x.path), Since: x.since, Floor: x.floor,
			Timestamps: x.timestamps, TimestampsUnspecified: x.timestampsUnspecified, Clustered: x.clustered,
		},
		Delay: int64(x.delay), Strict: !x.strict.IsZero(), Deletes: !x.isIdle(), Failed: x.failed, Late: x.late,
		Filter: x.filter, Filtered: !x.filter.IsAbsent(),
	}
}

func (s *seriesSource) compared() compiled.Source {
	basis := compiled.Basis{
		Series: true, Path: s.time.Name, ByIndex: s.byIndex, Flagged: s.flagged, BoundWraps: s.boundWraps,
		Rounds: uint8(s.rounds), Rounding: int64(s.unit), Span: int64(s.span),
	}
	if s.byIndex {
		basis.MetaField = s.metaField
	}
	return compiled.Source{Basis: basis, Delay: int64(s.delay), Deletes: s.failed.IsZero(), Failed: s.failed, Filter: s.filter, Filtered: s.byIndex}
}

// Fingerprint returns the [policy.Fingerprint] of the collection. It depends on the order
// of the TTL indexes, because [policy.Decision.Source] does. Each call computes it anew,
// so keep the result.
func (c *Collection) Fingerprint() policy.Fingerprint {
	if c == nil {
		return policy.Fingerprint{}
	}
	return c.definition.fingerprint()
}

func (d *definition) fingerprint() policy.Fingerprint {
	if d == nil {
		return policy.Fingerprint{}
	}
	name := "none"
	first, legacyNull, ok := behaviour.FirstRelease(d.profile)
	if ok {
		name = first.String()
	}
	options := d.collection
	options.Indexes, options.Namespace = nil, behaviour.NamespaceThatCounts(options.Namespace)
	stored, _ := options.Documents()
	parts := []string{
		"mongodb", strconv.Itoa(RulesVersion), "collection", name, strconv.FormatBool(legacyNull), strconv.Itoa(d.only), spelled(stored),
	}
	for _, x := range d.collection.Indexes {
		if x.ExpireAfterSeconds.IsMissing() {
			continue
		}
		parts = append(parts, spelled(policy.ObjectValue(policy.D{
			{Key: "v", Value: x.Version},
			{Key: "key", Value: policy.ObjectValue(x.Key)},
			{Key: "expireAfterSeconds", Value: x.ExpireAfterSeconds},
			{Key: "partialFilterExpression", Value: x.PartialFilterExpression},
			{Key: "collation", Value: x.Collation},
			{Key: "clustered", Value: policy.BoolValue(x.Clustered)},
		})))
	}
	return engine.Fingerprint(parts...)
}

// spelled returns a value of a definition as text. Values that every release reads alike
// have the same text.
func spelled(v policy.Value) string { return string(policy.AppendExtJSON(nil, normalOf(v))) }

// normalOf returns v with each Int32 as an Int64.
func normalOf(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Int32:
		n, _ := v.AsInt64()
		return policy.Int64Value(n)
	case policy.Object:
		d := policy.D{}
		for f := v.Fields(); f.Next(); {
			if e := f.Value(); !e.IsMissing() {
				d = append(d, policy.E{Key: f.Name(), Value: normalOf(e)})
			}
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for e := v.Elements(); e.Next(); {
			a = append(a, normalOf(e.Value()))
		}
		return policy.ListValue(a)
	}
	return v
}

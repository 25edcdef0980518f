package mongo

import (
	"fmt"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Collection decides by all TTL sources of one collection: each TTL index,
// and the collection's own expireAfterSeconds where it is a time-series or
// clustered collection. Each source deletes on its own, so the earliest
// deadline wins (mongodb/mongo: jstests/noPassthrough/ttl/ttl1.js). It is
// immutable and safe for concurrent use; deciding does not allocate. Make one
// with [CompileCollection]. The zero Collection keeps every document, and so does a nil one.
type Collection struct {
	noJSON
	sources    []source
	definition *definition // nil for the zero Collection
}

// A source is an index or, in a time-series collection, a series. It is not an
// interface, because arguments of an interface's methods would be allocated.
type source struct {
	name   string
	ladder []policy.Rule
	index  *indexSource
	series *seriesSource
}

func (s *source) decide(r *fieldpath.Record, now policy.Instant) policy.Decision {
	switch {
	case s.series != nil:
		return s.series.decide(r, now)
	case r.Raw == nil:
		return s.index.decide(r, now)
	}
	d := s.index.DecideBSON(r.Raw, now) // DecideBSON has short cuts
	r.Damaged = r.Damaged || d.Rule == rules.Malformed
	return d
}

func seriesOf(s *seriesSource) source { return source{name: s.name, ladder: s.ladder, series: s} }

func indexOf(x *indexSource) source { return source{name: x.name, ladder: x.ladder, index: x} }

// maxSources is the maximum number of sources that [policy.Decision.Source] can number. The
// server allows 64 indexes (MongoDB manual, "MongoDB Limits and Thresholds").
const maxSources = math.MaxUint8 + 1

// ownName is the name of the source for the collection's own option.
const ownName = "collection"

// CompileCollection compiles every TTL source of spec. The documents of a time-series
// collection may be measurements or stored buckets. A measurement is decided as if it
// opened its bucket and nothing had been deleted from the bucket; a stored bucket is
// decided by its contents. The error wraps a [*SpecError] if no catalog of the release
// holds spec: for a partial filter outside the release's language, invalid options of
// a time-series collection, or an unknown kind of collection. The error for a value
// that BSON cannot hold, or for partial filters of more than 32,768 fields, elements
// and parts of paths, is not a SpecError. The zero Profile, such as one that came with an
// error of [ProfileOf], is an error that wraps [ErrUnknownVersion]. With an error the
// Collection is nil, which keeps every document.
func CompileCollection(spec CollectionSpec, p Profile) (*Collection, error) {
	if p == (Profile{}) {
		return nil, errNoRelease
	}
	if err := checkNamespaceName(spec.Namespace); err != nil {
		return nil, err
	}
	if err := spec.checkStorable(); err != nil {
		return nil, err
	}
	if err := checkFilterSize(spec.Indexes); err != nil {
		return nil, err
	}
	c := &Collection{definition: definitionOf(spec, p.behaviour)}
	spec = c.definition.collection
	series, err := compileSeries(spec, p.behaviour)
	if err != nil {
		return nil, err
	}
	if err := c.addOwn(spec, series, p.behaviour); err != nil {
		return nil, err
	}
	for i, x := range spec.Indexes {
		if x.ExpireAfterSeconds.IsMissing() {
			continue
		}
		if err := c.addIndex(catalogIndex{x, p.behaviour, spec}, series); err != nil {
			return nil, fmt.Errorf("index %d (%s): %w", i, x.Name, err)
		}
	}
	if len(c.sources) > maxSources {
		return nil, fmt.Errorf("mongo: the collection has %d TTL sources, want at most %d", len(c.sources), maxSources)
	}
	return c, nil
}

// addOwn adds the source for the collection's own option. An ordinary collection has
// none: the server refuses the option there.
func (c *Collection) addOwn(spec CollectionSpec, series *series, p behaviour.Profile) error {
	own := catalogIndex{IndexSpec{Name: ownName, ExpireAfterSeconds: spec.ExpireAfterSeconds}, p, spec}
	switch {
	case spec.ExpireAfterSeconds.IsMissing():
	case series != nil:
		c.sources = append(c.sources, seriesOf(series.own(own)))
	case spec.Clustered:
		own, err := compileClustered(own)
		if err != nil {
			return err
		}
		c.sources = append(c.sources, indexOf(own))
	}
	return nil
}

func (c *Collection) addIndex(x catalogIndex, series *series) error {
	if err := x.spec.checkStorable(); err != nil {
		return err
	}
	if series != nil {
		s, err := series.index(x)
		if err != nil {
			return err
		}
		c.sources = append(c.sources, seriesOf(s))
		return nil
	}
	s, err := compileIndex(x)
	if err != nil {
		return err
	}
	c.sources = append(c.sources, indexOf(s))
	return nil
}

// Spec returns a copy of the definition from which c was compiled. It is zero for a nil
// Collection and the zero one.
func (c *Collection) Spec() CollectionSpec {
	if c == nil || c.definition == nil {
		return CollectionSpec{}
	}
	return c.definition.collection.clone()
}

// Profile returns the profile for which c was compiled. It is zero for a nil Collection and
// the zero one.
func (c *Collection) Profile() Profile {
	if c == nil || c.definition == nil {
		return Profile{}
	}
	return Profile{behaviour: c.definition.profile}
}

// Sources returns the names of the TTL sources; [policy.Decision.Source] is a
// position in this slice. The collection's own option comes first and is named
// "collection"; the TTL indexes follow in their order.
func (c *Collection) Sources() []string {
	names := make([]string, len(c.list()))
	for i, s := range c.list() {
		names[i] = s.name
	}
	return names
}

// SourceOf returns the name of the source that decided d, a decision of c. The name is
// empty if c has no sources, or if d cannot be a decision of c.
func (c *Collection) SourceOf(d policy.Decision) string {
	if int(d.Source) >= len(c.list()) {
		return ""
	}
	return c.sources[d.Source].name
}

// OnlySource returns the collection with only the source at a position among Sources,
// to separate the sources' answers. The result has no sources, and keeps every
// document, if no source has that position.
func (functions) OnlySource(c *Collection, source int) *Collection {
	if source < 0 || source >= len(c.list()) {
		return &Collection{}
	}
	of := *c.definition
	of.only = source
	return &Collection{sources: c.sources[source : source+1 : source+1], definition: &of}
}

// Bounds returns the first and the last date of the scan by which the source at a position
// among Sources deletes expired documents at now; the dates between them, both included, are
// expired. The scan goes over the keys of the index, or over _id of a clustered collection,
// that are Dates. If nothing is deleted, from is [policy.MaxInstant] and to is
// [policy.MinInstant]. It is so if there is no source at that position, and for a time-series
// collection, which deletes buckets: use Decide for these.
//
// A storage engine that keeps its keys sorted needs nothing else: a document for which the
// source holds keys, as [Collection.Key] reports, is expired exactly if one of the keys lies
// within the bounds (mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp). A partial index holds
// no keys of documents outside its filter.
func (c *Collection) Bounds(source int, now policy.Instant) (from, to policy.Instant) {
	b := noBounds
	if x := c.indexAt(source); x != nil {
		b = x.Bounds(now)
	}
	return b.from, b.to
}

// indexAt returns the index behind the source at a position; nil if there is none.
func (c *Collection) indexAt(source int) *indexSource {
	if source < 0 || source >= len(c.list()) {
		return nil
	}
	return c.sources[source].index
}

// Decide decides about doc at now. The earliest deadline decides; among equal
// deadlines the first source does. If no source gives a deadline, the decision
// has the rule of the first source.
func (c *Collection) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	if x := c.only(); x != nil {
		return x.Decide(doc, now)
	}
	r := fieldpath.Of(doc)
	return c.decide(&r, now)
}

// DecideBSON is Decide for raw BSON that need not have been checked. It reads no more of the
// document than the answer needs: it skips earlier fields by their lengths and does not read
// later ones, in embedded documents too. Damage in the part that it reads keeps the document
// by the rule mongo.malformed. To check the whole document, use [policy.ParseBSON], which
// also returns the place.
func (c *Collection) DecideBSON(doc []byte, now policy.Instant) policy.Decision {
	if x := c.only(); x != nil {
		return x.DecideBSON(doc, now)
	}
	r := fieldpath.OfBSON(doc)
	return unlessDamaged(&r, c.decide(&r, now))
}

// list returns the sources of c, which may be nil.
func (c *Collection) list() []source {
	if c == nil {
		return nil
	}
	return c.sources
}

// only is for a collection with a single source, as most collections have: it returns the
// source's index, whose short cuts can then be used. For any other collection it returns
// nil.
func (c *Collection) only() *indexSource {
	if len(c.list()) != 1 {
		return nil
	}
	return c.sources[0].index
}

func (c *Collection) decide(r *fieldpath.Record, now policy.Instant) policy.Decision {
	if len(c.list()) == 0 {
		return keptBy(rules.NoTTL)
	}
	first := c.sources[0].decide(r, now)
	for i := 1; i < len(c.sources); i++ {
		d := c.sources[i].decide(r, now)
		d.Source = uint8(i)
		if isEarlier(d, first) {
			first = d
		}
	}
	return first
}

// isEarlier reports whether d has an earlier deadline than e, or a deadline while e has
// none.
func isEarlier(d, e policy.Decision) bool {
	deadline, expires := d.Deadline()
	other, _ := e.Deadline() // MaxInstant if e has no deadline
	return expires && (e.State == policy.Never || deadline < other)
}

// Consulted returns the rules that the deciding source consulted on the way to d.
func (c *Collection) Consulted(d policy.Decision) []policy.Rule {
	if len(c.list()) == 0 {
		return consulted(nil, d.Rule)
	}
	if int(d.Source) >= len(c.sources) {
		return nil
	}
	return consulted(c.sources[d.Source].ladder, d.Rule)
}

// A definition is the specification that an evaluator was compiled from. It shares no
// memory that callers may change.
type definition struct {
	collection CollectionSpec
	profile    behaviour.Profile
	only       int // the position of the only source, -1 for all
}

func definitionOf(c CollectionSpec, p behaviour.Profile) *definition {
	c = c.clone()
	c.TimeSeries, c.ExpireAfterSeconds = owned(c.TimeSeries), owned(c.ExpireAfterSeconds)
	for i := range c.Indexes {
		x := &c.Indexes[i]
		for _, v := range []*policy.Value{&x.Version, &x.ExpireAfterSeconds, &x.PartialFilterExpression, &x.Collation} {
			*v = owned(*v)
		}
		for _, fields := range []policy.D{x.Key, x.Options} {
			for i := range fields {
				fields[i].Value = owned(fields[i].Value)
			}
		}
	}
	return &definition{c, p, -1}
}

// owned returns a copy of v in memory of its own, because the bytes or the documents behind v
// belong to the caller. It returns a value that BSON cannot hold as it is.
func owned(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Missing, policy.Null, policy.Bool, policy.Int32, policy.Int64, policy.Double:
		return v
	}
	data, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "v", Value: v}}))
	if err != nil {
		return v
	}
	b, err := policy.ParseBSON(data)
	if err != nil {
		return v
	}
	return b.Field("v")
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

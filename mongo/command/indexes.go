package command

import (
	"cmp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A CreateIndexesResult is the outcome for an index that a release accepts. The zero
// CreateIndexesResult creates nothing.
//
// Experimental: it may change in a minor release.
type CreateIndexesResult struct {
	// Index is the index as the catalog holds it, with expireAfterSeconds converted if
	// the release converts it. If no index is created, Index is the existing index; up to
	// 2.4 its name and options may differ from the requested ones.
	Index mongo.IndexSpec
	// Created is false if the collection has that very index already, so that
	// the command succeeds and changes nothing.
	Created bool
	// Ignored are the options that the release stores without reading them, such as
	// partialFilterExpression up to 3.0: they have no effect on the index. It is empty
	// since 3.4, which refuses unknown options.
	Ignored []string
}

// ValidateCreateIndexes reports how a release answers createIndexes for one index of
// a collection: what it stores, or why it refuses. The index is the document that the
// server gets, with the name that drivers and shells add; an index without a name is
// refused, and [WithDefaultName] adds one. The indexes of c are the existing ones;
// the one on _id may be left out. now matters for releases that bound the delay by
// the seconds since 1970.
//
// Validate the indexes of one command one after another, each against a collection with
// those before it; after an error store none of them. The same index twice in one
// command is not covered.
//
// The error is a [*mongo.SpecError] with the server's code and reason, and with the rule
// by which it refuses. If there are several faults, the one that the server finds first
// decides: up to 2.4 the index is inserted into system.indexes, up to 3.2 a catalog
// checks the specification as a whole, and since 3.4 the server checks for unknown fields
// first, then the other fields in their order, then the TTL options, then the index
// against the collection (mongodb/mongo: src/mongo/db/commands/create_indexes.cpp).
// Options that do not affect expiry are checked only if they decide whether the index can
// be created. The namespace of c decides whether clients may make an index there at
// all. A server checks more, which is not covered: the contents of a wildcard projection and
// of the options of storage engines, the collection's default collation, the number of its
// indexes and its documents, and values that a storage
// engine cannot store (code 22). The error wraps [policy.ErrUnspecified] if the reply of
// the release is unspecified or depends on the storage engine, and
// [mongo.ErrUnknownVersion] for the zero Profile.
// The error for a definition that BSON cannot hold, such as one with a
// [policy.OpaqueValue] or an unlisted map, is not a SpecError, because no server sends
// one. Neither is the error for a partial filter that has, together with those of c, more
// than 32,768 fields, elements and parts of paths.
//
// Experimental: a store calls [CreateIndexes] instead; this function may change in a minor release.
func ValidateCreateIndexes(c mongo.CollectionSpec, index policy.D, p mongo.Profile, now policy.Instant) (CreateIndexesResult, error) {
	if err := cmp.Or(mongofunc.F.CheckRelease(p), catalog.CheckStorable(index)); err != nil {
		return CreateIndexesResult{}, err
	}
	x := indexCommand{collection: c, index: policy.ObjectValue(index), profile: mongofunc.F.Behaviour(p), now: now}
	if err := filter.CheckSizes(x.filters); err != nil {
		return CreateIndexesResult{}, err
	}
	if x.profile.DocumentDB {
		index, created, err := createInDocumentDB(c, x.index, x.profile)
		return CreateIndexesResult{Index: index, Created: created}, err
	}
	if err := x.check(); err != nil {
		return CreateIndexesResult{}, err
	}
	x.restoreKey()
	x.spec.ExpireAfterSeconds = x.stored()
	exists, err := x.findExisting()
	if err == nil && !exists {
		err = x.checkBuild()
	}
	if err != nil {
		return CreateIndexesResult{}, err
	}
	if exists {
		return CreateIndexesResult{Index: x.spec}, nil
	}
	return CreateIndexesResult{Index: x.spec, Created: true, Ignored: x.ignored()}, nil
}

// filters yields the partial filters of the collection and of the index, each beside the
// name of its index.
func (x *indexCommand) filters(yield func(string, policy.Value) bool) {
	for _, other := range x.collection.Indexes {
		if !yield(other.Name, other.PartialFilterExpression) {
			return
		}
	}
	yield(value.Text(x.index.Field("name")), x.index.Field("partialFilterExpression"))
}

// ignored returns the options that the release keeps without reading them.
func (x *indexCommand) ignored() (names []string) {
	if x.profile.Specs == behaviour.SpecsByField {
		return nil
	}
	for f := x.index.Fields(); f.Next(); {
		name := f.Name()
		if !isKnownField(x.profile, name) || name == "collation" || name == "partialFilterExpression" && x.profile.Filters == behaviour.FiltersNone {
			names = append(names, name)
		}
	}
	return names
}

// check makes the checks that come before the search for an existing index, in the
// server's order.
func (x *indexCommand) check() error {
	return firstFailure(
		x.checkRelease, x.checkOwnNamespace,
		// a time-series collection rewrites the specification first
		x.checkTimeSeries,
		x.checkSpecification,
		// its TTL options
		x.checkCappedCluster, x.checkSeconds,
		// the collection
		x.checkCollection, x.checkCollation, x.checkOplog, x.checkCatalog, x.checkCapped,
	)
}

// restoreKey undoes convertSeries: listIndexes of a time-series collection shows the key
// that the client gave.
func (x *indexCommand) restoreKey() {
	if !x.measured.IsMissing() {
		x.spec.Key = policy.DOf(x.measured)
	}
}

// stored returns expireAfterSeconds as the catalog holds it.
func (x *indexCommand) stored() policy.Value {
	switch given := x.spec.ExpireAfterSeconds; {
	case given.IsNaN() && x.profile.CreateRepairsNaN:
		return catalog.RepairedSeconds
	case given.IsMissing() || !x.profile.StoresInt32:
		return given
	default:
		return policy.Int32Value(int32(value.WholeSeconds(given)))
	}
}

// checkRelease checks that the release is known and has this kind of
// collection.
func (x *indexCommand) checkRelease() error {
	c, p := x.collection, x.profile
	if p.CreateRange == behaviour.CreateRangeUnspecified || !c.TimeSeries.IsMissing() && !p.TimeSeries || c.Clustered && !p.Clustered || c.View && p.Specs != behaviour.SpecsByField || c.Encrypted && !p.Encrypted {
		return unspecified(rules.IndexUnspecified, "collection")
	}
	return nil
}

// WithDefaultName returns an index as a driver sends it to createIndexes: with a name
// of fields and directions joined by underscores, such as "createdAt_1", if it has
// none. An index without a key pattern is returned as it is.
func WithDefaultName(index policy.D) policy.D {
	v := policy.ObjectValue(index)
	if key := v.Field("key"); v.Field("name").IsMissing() && key.Kind() == policy.Object {
		return append(slices.Clip(index), policy.E{Key: "name", Value: policy.StringValue(catalog.DefaultName(policy.DOf(key)))})
	}
	return index
}

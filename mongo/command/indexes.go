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

// A createIndexesResult is the outcome for an index that a release accepts. The zero
// createIndexesResult creates nothing.
type createIndexesResult struct {
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

// ValidateCreateIndexes reports how a release answers createIndexes for one index of a
// collection that need not be stored: what it stores, or why it refuses. Its errors are those of
// [CreateIndexes].
func (functions) ValidateCreateIndexes(c mongo.CollectionSpec, index policy.D, p mongo.Profile, now policy.Instant) (result createIndexesResult, err error) {
	defer func() { err = named(err, p) }()
	if err := cmp.Or(mongofunc.F.CheckRelease(p), catalog.CheckStorable(index)); err != nil {
		return createIndexesResult{}, err
	}
	x := indexCommand{collection: c, index: policy.ObjectValue(index), profile: mongofunc.F.Behaviour(p), now: now}
	if err := filter.CheckSizes(x.filters); err != nil {
		return createIndexesResult{}, err
	}
	if x.profile.DocumentDB {
		index, created, err := createInDocumentDB(c, x.index, x.profile)
		return createIndexesResult{Index: index, Created: created}, err
	}
	if err := x.check(); err != nil {
		return createIndexesResult{}, err
	}
	x.restoreKey()
	x.spec.ExpireAfterSeconds = x.stored()
	exists, err := x.findExisting()
	if err == nil && !exists {
		err = x.checkBuild()
	}
	if err != nil {
		return createIndexesResult{}, err
	}
	if exists {
		return createIndexesResult{Index: x.spec}, nil
	}
	return createIndexesResult{Index: x.spec, Created: true, Ignored: x.ignored()}, nil
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

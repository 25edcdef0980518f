package command

import (
	"cmp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ValidateCollMod reports what a release does with a collMod command: what it
// replies and stores, or why it refuses. The command is the body without the
// collection's name:
//
//	{index: {keyPattern: {createdAt: 1}, expireAfterSeconds: 3600}}
//	{expireAfterSeconds: 3600}
//
// The first is for a TTL index, which may be addressed by its name as well. The second is
// for a time-series or clustered collection's own option, which the string "off" removes.
// With dryRun nothing changes. Other options of an index (hidden, unique, prepareUnique)
// are read only if they affect such a change. No other option of collMod changes the
// result, but the release may refuse the command for it, for example for a validator of a
// view, or for an option that the release does not know.
//
// The indexes of c are those that listIndexes shows; the one on _id may be left out. now
// matters for releases that refuse a delay reaching back before 1970.
//
// From 3.0 to 4.0 the stored number depends on the storage engine; set it as
// storageEngine with [mongo.Profile.WithParameter]. If the engine is not known and
// the engines would store different numbers, the error wraps [policy.ErrUnspecified]. If they
// store the same number, the result has the type that MMAPv1 stores.
//
// The result beside an error is zero, with one exception: 2.4 and 2.6 keep a change of an
// index even if they refuse the command for another field. The result then names the index,
// and its Collection is what the catalog holds in spite of the refusal.
//
// The error is a [*mongo.SpecError] with the server's code and reason, and with the
// rule by which it refuses; if there are several faults, the one that the server
// finds first decides. The error wraps [policy.ErrUnspecified] if the reply of the
// release is unspecified, and [mongo.ErrUnknownVersion] for the zero Profile. Servers up to 3.0 send a reason
// without a code; the error has the code of later servers (mongodb/mongo:
// src/mongo/db/catalog/coll_mod.cpp; documentdb/functional-tests:
// documentdb_tests/compatibility/tests/core/collections/commands/collMod).
//
// Experimental: a store calls [CollMod] instead; this function may change in a minor release.
func ValidateCollMod(c mongo.CollectionSpec, command policy.D, p mongo.Profile, now policy.Instant) (CollModResult, error) {
	result, _, err := collMod(c, command, p, now)
	return result, err
}

// collMod does the work of ValidateCollMod. It reports whether the release keeps a change in spite
// of its refusal.
func collMod(c mongo.CollectionSpec, command policy.D, p mongo.Profile, now policy.Instant) (result CollModResult, kept bool, err error) {
	if err := cmp.Or(mongofunc.F.CheckRelease(p), catalog.CheckStorable(command)); err != nil {
		return CollModResult{}, false, err
	}
	before := c.Indexes
	c.Indexes = slices.Clone(before)
	if b := mongofunc.F.Behaviour(p); b.DocumentDB {
		change, err := collModInDocumentDB(c, policy.ObjectValue(command), b)
		if err != nil {
			return CollModResult{}, false, err
		}
		result := CollModResult{Index: c.Indexes[change.at].Name, Collection: c}
		if change.before != change.now {
			c.Indexes[change.at].ExpireAfterSeconds = policy.Int32Value(change.now)
			result.Old, result.New = policy.Int64Value(int64(change.before)), policy.DoubleValue(float64(change.now))
		}
		return result, false, nil
	}
	m := collModCommand{arguments: arguments{command: policy.ObjectValue(command), profile: mongofunc.F.Behaviour(p)}, collection: c, now: now, position: implicit}
	err = firstFailure(m.checkRelease, m.arguments.check, m.read, m.applyCollectionSeconds, m.checkDryRunAlone, m.applyPrepareUnique, m.applySeconds)
	if kept = err != nil && m.changed && m.profile.CollModKeeps; err != nil && !kept {
		return CollModResult{}, false, err
	}
	if m.isDryRun() {
		copy(m.collection.Indexes, before)
	}
	m.result.Collection = m.collection
	return m.result, kept, err
}

// checkRelease checks that the release has the command and this kind of
// collection.
func (m *collModCommand) checkRelease() error {
	c, p := m.collection, m.profile
	if p.CollMod == behaviour.ReadingUnspecified || !c.TimeSeries.IsMissing() && !p.TimeSeries || c.Clustered && !p.Clustered {
		return unspecified(rules.CommandUnspecified, "collMod")
	}
	return nil
}

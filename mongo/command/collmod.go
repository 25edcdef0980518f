package command

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ValidateCollMod reports what a release does with a collMod command: what it
// replies and stores, or why it refuses. The command is the body without the
// collection's name:
//
//	{index: {keyPattern: {createdAt: 1}, expireAfterSeconds: 3600}}
//	{expireAfterSeconds: 3600}
//
// The first is for a TTL index, which may be addressed by its name as well. The
// second is for a time-series or clustered collection's own option, which the
// string "off" removes. With dryRun nothing changes. What else the command says of
// an index (hidden, unique, prepareUnique) is looked at as far as it bears on that; other
// options of collMod are not.
//
// The indexes of c are those that listIndexes shows; the one on _id need not be
// among them. Where a delay may not reach back before 1970, now plays a part.
//
// From 3.0 to 4.0 the storage engine decides what is stored, which
// [mongo.Profile.WithParameter] is told as [mongo.EngineParameter]. Where it is not known, and the
// engines would store different numbers, the error wraps [policy.ErrUnspecified]. Where they
// store the same number, it is returned in the type in which MMAPv1 leaves it.
//
// With an error the result is zero, except that 2.4 and 2.6 keep a change of an index whose
// command they refuse for another field: then the result names the index, and its Collection
// is what the catalog holds in spite of the refusal.
//
// The error is a [*mongo.SpecError] with the server's code and reason, and with the
// rule by which it refuses; of several faults the one that the server finds
// first decides. Where it is unspecified what the release does, and for the
// zero Profile, it wraps [policy.ErrUnspecified]. Servers up to 3.0 send a reason
// without a code; they are given the code of later ones (mongodb/mongo:
// src/mongo/db/catalog/coll_mod.cpp; documentdb/functional-tests:
// documentdb_tests/compatibility/tests/core/collections/commands/collMod).
func ValidateCollMod(c mongo.CollectionSpec, command policy.D, p mongo.Profile, now policy.Instant) (CollModResult, error) {
	if err := catalog.CheckStorable(command); err != nil {
		return CollModResult{}, err
	}
	before := c.Indexes
	c.Indexes = slices.Clone(before)
	m := collModCommand{collection: c, command: policy.ObjectValue(command), profile: behaviourOf(p), now: now, position: implicit}
	err := firstFailure(m.checkRelease, m.read, m.applyCollectionSeconds, m.checkDryRunAlone, m.applyPrepareUnique, m.applySeconds)
	if err != nil && !(m.changed && m.profile.CollModKeeps) {
		return CollModResult{}, err
	}
	if m.isDryRun() {
		copy(m.collection.Indexes, before)
	}
	m.result.Collection = m.collection
	return m.result, err
}

// checkRelease asks whether the release has the command, and such a collection.
func (m *collModCommand) checkRelease() error {
	c, p := m.collection, m.profile
	if p.CollMod == behaviour.ReadingUnspecified || !c.TimeSeries.IsMissing() && !p.TimeSeries || c.Clustered && !p.Clustered {
		return unspecified(rules.CommandUnspecified, "collMod")
	}
	return nil
}

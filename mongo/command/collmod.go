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

// ValidateCollMod reports what a release does with a collMod command on a collection that need
// not be stored: what it replies and stores, or why it refuses. Its argument and its errors are
// those of [CollMod].
func (functions) ValidateCollMod(c mongo.CollectionSpec, command policy.D, p mongo.Profile, now policy.Instant) (collModResult, error) {
	result, _, err := collMod(c, command, p, now)
	return result, err
}

// collMod does the work of ValidateCollMod. It reports whether the release keeps a change in spite
// of its refusal.
func collMod(c mongo.CollectionSpec, command policy.D, p mongo.Profile, now policy.Instant) (result collModResult, kept bool, err error) {
	defer func() { err = named(err, p) }()
	if err := cmp.Or(mongofunc.F.CheckRelease(p), catalog.CheckStorable(command)); err != nil {
		return collModResult{}, false, err
	}
	before := c.Indexes
	c.Indexes = slices.Clone(before)
	if b := mongofunc.F.Behaviour(p); b.DocumentDB {
		change, err := collModInDocumentDB(c, policy.ObjectValue(command), b)
		if err != nil {
			return collModResult{}, false, err
		}
		result := collModResult{Index: c.Indexes[change.at].Name, Collection: c}
		if change.before != change.now {
			c.Indexes[change.at].ExpireAfterSeconds = policy.Int32Value(change.now)
			result.Old, result.New = policy.Int64Value(int64(change.before)), policy.DoubleValue(float64(change.now))
		}
		return result, false, nil
	}
	m := collModCommand{arguments: arguments{command: policy.ObjectValue(command), profile: mongofunc.F.Behaviour(p)}, collection: c, now: now, position: implicit}
	err = firstFailure(m.checkRelease, m.arguments.check, m.read, m.applyCollectionSeconds, m.checkDryRunAlone, m.applyPrepareUnique, m.applySeconds)
	if kept = err != nil && m.changed && m.profile.CollModKeeps; err != nil && !kept {
		return collModResult{}, false, err
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

package mongo

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
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
// [Profile.WithParameter] is told as [EngineParameter]. Where it is not known, and the
// engines would store different numbers, the error wraps [policy.ErrUnspecified]. Where they
// store the same number, it is returned in the type in which MMAPv1 leaves it.
//
// With an error the result is zero, except that 2.4 and 2.6 keep a change of an index whose
// command they refuse for another field: then the result names the index, and its Collection
// is what the catalog holds in spite of the refusal.
//
// The error is a [*SpecError] with the server's code and reason, and with the
// rule by which it refuses; of several faults the one that the server finds
// first decides. Where it is unspecified what the release does, and for the
// zero Profile, it wraps [policy.ErrUnspecified]. Servers up to 3.0 send a reason
// without a code; they are given the code of later ones (mongodb/mongo:
// src/mongo/db/catalog/coll_mod.cpp; documentdb/functional-tests:
// documentdb_tests/compatibility/tests/core/collections/commands/collMod).
func ValidateCollMod(c CollectionSpec, command policy.D, p Profile, now policy.Instant) (CollModResult, error) {
	if err := catalog.CheckStorable(command); err != nil {
		return CollModResult{}, err
	}
	before := c.Indexes
	c.Indexes = slices.Clone(before)
	m := collModCommand{collection: c, command: policy.ObjectValue(command), profile: p.behaviour, now: now, position: implicit}
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

// applyPrepareUnique stores a new prepareUnique. A command that changes it may
// change nothing else.
func (m *collModCommand) applyPrepareUnique() error {
	wanted := m.change.prepareUnique
	if wanted.IsMissing() || value.IsTrue(wanted) == m.target.PrepareUnique || m.target.Unique {
		return nil
	}
	if m.modifications() > 1 {
		return refuseBy(InvalidOptions, rules.CollModPrepare, "index.prepareUnique", "prepareUnique cannot be combined with any other modification.")
	}
	m.target.PrepareUnique = value.IsTrue(wanted)
	m.store()
	return nil
}

// modifications counts what the command asks for.
func (m *collModCommand) modifications() (n int) {
	c := m.change
	for _, v := range []policy.Value{c.seconds, c.hidden, c.unique, c.prepareUnique} {
		if !v.IsMissing() {
			n++
		}
	}
	for f := m.command.Fields(); f.Next(); {
		if name := f.Name(); name != "index" && name != "collMod" && name != "dryRun" && !catalog.IsGenericArgument(name) && !value.IsOmitted(f.Value()) {
			n++
		}
	}
	return n
}

// applySeconds stores and reports an index's new expireAfterSeconds.
func (m *collModCommand) applySeconds() error {
	if m.change.seconds.IsMissing() {
		return nil
	}
	stored := m.target.ExpireAfterSeconds
	if !m.isReplyKnown(stored) {
		return unspecified(rules.CollModReplyUnspecified, "index.expireAfterSeconds")
	}
	changes := m.isChange(stored)
	if changes {
		seconds, err := m.storedSeconds(stored)
		if err != nil {
			return err
		}
		m.target.ExpireAfterSeconds, m.changed = seconds, true
		m.store()
	}
	if changes || !m.profile.CollModRepliesChange {
		m.report(stored)
	}
	return nil
}

// isChange reports whether the new option differs from the stored one. The
// releases that reply with elements compare elements; later ones compare whole
// seconds, and replace a NaN by whatever comes.
func (m *collModCommand) isChange(stored policy.Value) bool {
	switch {
	case stored.IsMissing():
		return true
	case m.profile.CollModReplies != behaviour.RepliesSeconds:
		return value.CompareNumbers(stored, m.change.seconds) != 0
	}
	_, isInteger := stored.AsInt64()
	return stored.IsNaN() || value.WholeSeconds(stored) != m.seconds || m.profile.CollModRewrites && !isInteger
}

// isReplyKnown reports whether it is established how the reply shows the options.
func (m *collModCommand) isReplyKnown(stored policy.Value) bool {
	if m.profile.CollModReplies == behaviour.RepliesUnspecified {
		wanted, whole := value.ExactInt64(m.change.seconds)
		return (stored.IsMissing() || isWhole(stored)) && whole && wanted == m.seconds
	}
	return m.profile.OutOfRange != behaviour.OptionUnspecified || value.InSeconds(value.WholeSeconds(stored))
}

// isWhole reports whether v is a whole number within the range of int64.
func isWhole(v policy.Value) bool {
	_, ok := value.ExactInt64(v)
	return ok
}

// report puts the options into the reply.
func (m *collModCommand) report(stored policy.Value) {
	if m.profile.CollModReplies == behaviour.RepliesElements {
		m.result.Old, m.result.New = stored, m.change.seconds
		return
	}
	m.result.Old, m.result.New = m.oldSeconds(stored), policy.Int64Value(m.seconds)
}

// oldSeconds returns a stored option as it is reported in whole seconds. What no index
// may have is reported as 0 by those that know it: NaN at first, later every
// such number.
func (m *collModCommand) oldSeconds(stored policy.Value) policy.Value {
	n := value.WholeSeconds(stored)
	switch {
	case stored.IsMissing():
		return policy.Value{}
	case m.profile.OutOfRange == behaviour.OptionSkipped && !value.InSeconds(n):
		return policy.Int64Value(0)
	}
	return policy.Int64Value(n)
}

// applyCollectionSeconds changes the option of the collection itself.
func (m *collModCommand) applyCollectionSeconds() error {
	const at = "expireAfterSeconds"
	c, wanted := m.collection, m.command.Field(at)
	if wanted.IsMissing() {
		return nil
	}
	text, isText := wanted.AsString()
	err := firstOf(
		refusal{c.View && m.profile.CollModViews != behaviour.Refused, 0, rules.CollModViewUnspecified, at, ""},
		refusal{c.View, InvalidOptions, rules.CollModView, at, "option not supported on a view: expireAfterSeconds"},
		refusal{!c.Clustered && c.TimeSeries.IsMissing(), InvalidOptions, rules.OwnKind, at,
			"'expireAfterSeconds' option is only supported on collections clustered by _id"},
		refusal{isText && text != "off", InvalidOptions, rules.OwnText, at,
			fmt.Sprintf("Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: '%s'. Accepted value is 'off'", text)},
	)
	if err != nil || isText {
		m.collection.ExpireAfterSeconds = policy.Value{}
		return err
	}
	m.collection.ExpireAfterSeconds, err = ownSeconds(wanted, m.profile, m.now)
	return err
}

// Package moves reports what becomes of a TTL index when its collection moves to another
// release of MongoDB.
package moves

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/compiled"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Operation is a way to bring a collection from one release to another. The
// zero Operation is not a valid one.
type Operation uint8

// The operations.
const (
	_ Operation = iota
	// Upgrade starts a later release on the data files of an earlier one, and keeps the
	// stored catalog unchanged.
	Upgrade
	// Downgrade starts an earlier release on the data files of a later one, and keeps the
	// stored catalog unchanged.
	Downgrade
	// InitialSync copies the collection to a new member of the replica set, with the
	// indexes as the sync source lists them.
	InitialSync
	// DumpRestore runs mongodump, which writes the listed indexes, and mongorestore,
	// which creates them anew.
	DumpRestore
)

var operationNames = []string{
	Upgrade: "upgrade", Downgrade: "downgrade", InitialSync: "initial sync", DumpRestore: "dump and restore",
}

// String returns "upgrade", "downgrade", "initial sync" or "dump and restore".
func (op Operation) String() string { return enum.String(op, operationNames) }

// The error for an unknown operation wraps errOperation.
var errOperation = errors.New("no such operation")

// An Effect compares the deadlines of documents after a move with those that
// the index gave them before. The zero Effect is [EffectUnspecified].
type Effect uint8

// The effects.
const (
	EffectUnspecified Effect = iota // unspecified
	EffectNone                      // every document is decided as before
	EffectKeeps                     // some documents expire later than before, or never; none expires earlier
	EffectDeletes                   // some documents expire that would have stayed, or expire earlier
)

var effectNames = []string{
	EffectUnspecified: "unspecified", EffectNone: "unchanged", EffectKeeps: "deletes fewer documents", EffectDeletes: "deletes more documents",
}

// String returns "unspecified", "unchanged", "deletes fewer documents" or
// "deletes more documents".
func (e Effect) String() string { return enum.String(e, effectNames) }

// severity orders effects: an effect that may delete documents is more severe than an
// effect that is known to keep them.
var severity = [...]int{EffectNone: 0, EffectKeeps: 1, EffectUnspecified: 2, EffectDeletes: 3}

// A Move is the outcome of moving a TTL index to another release. The zero Move
// means that nothing is known.
type Move struct {
	// Effect is the worst effect on documents: on arrival, after the repair, or if
	// the index is refused.
	Effect Effect
	// Rule is the reason for Effect.
	Rule policy.Rule
	// Arrives is expireAfterSeconds as the destination's catalog first holds it. It is
	// Missing if the index has no such option, if the index does not arrive, or if the
	// option is unspecified.
	Arrives policy.Value
	// Repaired is the option with which a member that becomes primary at the
	// destination replaces Arrives. It is Missing if the option stays.
	Repaired policy.Value
	// Refusal is the error with which the destination's createIndexes refuses the index, so
	// that a restore leaves it out; nil if it accepts the index.
	Refusal error
}

// Assess reports the effect on a TTL index when its collection moves from one release
// to another. stored is the index in the catalog of from; from and to include server
// parameters. Assess detects moves after which an expireAfterSeconds of NaN, or of
// another invalid value, deletes documents that were safe before (MongoDB manual: Expire
// Data from Collections by Setting TTL,
// https://www.mongodb.com/docs/manual/tutorial/expire-data/;
// https://jira.mongodb.org/browse/SERVER-68477), and moves after which the partial filter
// matches other documents.
//
// A dump or a listing shows the option as its release lists it, which hides a
// NaN from 5.0 on: pass the stored option if you can. Assess a path over
// several releases as one move for each: the option that arrives at one
// release, or its repaired form, is the stored option for the next. The index
// is taken as that of an ordinary collection.
//
// The caller must ensure that an upgrade leads to a later release, and a downgrade to an
// earlier one. The error wraps [mongo.ErrUnknownVersion] for the zero Profile, is the
// [*mongo.SpecError] of a partial filter that from cannot hold, or says that op is none
// of the operations.
func Assess(stored mongo.IndexSpec, from, to mongo.Profile, op Operation) (Move, error) {
	switch {
	case from == mongo.Profile{} || to == mongo.Profile{}:
		return Move{}, fmt.Errorf("%w: the zero Profile", mongo.ErrUnknownVersion)
	case op == 0 || int(op) >= len(operationNames):
		return Move{}, fmt.Errorf("%w: %s", errOperation, op)
	}
	before, err := sourceOf(stored, from)
	if err != nil {
		return Move{}, err
	}
	m := assessment{stored, before, from, to, op}
	return m.assess(), nil
}

func sourceOf(x mongo.IndexSpec, p mongo.Profile) (*compiled.Source, error) {
	index, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{x}}, p)
	if err != nil {
		return nil, err
	}
	sources := append(mongofunc.F.Sources(index), compiled.Source{}) // none without an expireAfterSeconds
	return &sources[0], nil
}

type assessment struct {
	stored          mongo.IndexSpec
	before          *compiled.Source
	source, arrival mongo.Profile
	op              Operation
}

func (m *assessment) assess() Move {
	if m.stored.ExpireAfterSeconds.IsMissing() {
		return Move{Effect: EffectNone, Rule: rules.NoTTL}
	}
	option := m.stored.ExpireAfterSeconds // as the operation sends it
	if m.op != Upgrade && m.op != Downgrade && !m.stored.Clustered {
		var ok bool
		if option, ok = mongofunc.F.Listed(m.source, m.stored.ExpireAfterSeconds); !ok {
			return Move{Rule: rules.MoveListedUnspecified}
		}
	}
	if m.op == DumpRestore {
		return m.restore(option)
	}
	return m.arrive(option)
}

// arrive returns the Move of an index that the destination's catalog first holds with
// this option. The effect is that of the option or of its repaired form, whichever is
// worse.
func (m *assessment) arrive(option policy.Value) Move {
	move := Move{Arrives: option}
	move.Effect, move.Rule = m.compare(option)
	repaired, ok := repaired(mongofunc.F.Behaviour(m.arrival), option)
	if !ok || m.stored.Clustered {
		return move
	}
	move.Repaired = repaired
	return move.worse(m.compare(repaired))
}

// worse returns m, with the effect e if e is worse than that of m.
func (m Move) worse(e Effect, why policy.Rule) Move {
	if severity[e] > severity[m.Effect] {
		m.Effect, m.Rule = e, why
	}
	return m
}

// compare returns the effect of an option at the destination, compared with the
// stored one at the origin, and the rule that is the reason.
func (m *assessment) compare(option policy.Value) (Effect, policy.Rule) {
	there := m.stored
	there.ExpireAfterSeconds = option
	after, err := sourceOf(there, m.arrival)
	if err != nil {
		if m.stored.Clustered {
			return EffectUnspecified, rules.MoveUnspecified
		}
		return EffectUnspecified, rules.MoveFilterUnspecified
	}
	switch {
	case m.before.Failed.IsUnspecified() || after.Failed.IsUnspecified():
		return EffectUnspecified, rules.MoveUnspecified
	case !after.Deletes && !m.before.Deletes:
		return EffectNone, rules.MoveUnchanged
	case !after.Deletes:
		return EffectKeeps, rules.MoveStops
	case !m.before.Deletes:
		return EffectDeletes, m.startRule(option)
	}
	effect, why := m.compareDeadlines(after, option)
	if e, rule := m.compareFilters(after); severity[e] > severity[effect] {
		return e, rule
	}
	return effect, why
}

func (m *assessment) compareFilters(after *compiled.Source) (Effect, policy.Rule) {
	switch c := filter.ChangeOf(m.before.Filter, after.Filter); {
	case c&filter.MatchesMore != 0:
		return EffectDeletes, rules.MoveFilterMore
	case c&filter.MatchesUnknown != 0:
		return EffectUnspecified, rules.MoveFilterUnspecified
	case c&filter.MatchesFewer != 0:
		return EffectKeeps, rules.MoveFilterFewer
	}
	return EffectNone, rules.MoveUnchanged
}

// startRule returns the rule for an index that deleted nothing, and now deletes
// by this option.
func (m *assessment) startRule(option policy.Value) policy.Rule {
	switch {
	case option.IsNaN():
		return rules.MoveNaNZero
	case isRepair(option):
		return rules.Move68Years
	}
	return rules.MoveStarts
}

func isRepair(option policy.Value) bool {
	n, ok := option.AsInt64()
	return ok && n == int64(policy.MaxSeconds)
}

func (m *assessment) compareDeadlines(after *compiled.Source, option policy.Value) (Effect, policy.Rule) {
	switch c := cmp.Compare(after.Lag(), m.before.Lag()); {
	case c < 0 && isRepair(option):
		return EffectDeletes, rules.Move68Years
	case c < 0:
		return EffectDeletes, rules.MoveEarlier
	case c > 0:
		return EffectKeeps, rules.MoveLater
	}
	return EffectNone, rules.MoveUnchanged
}

// firstClock is 2019-01-01. The first release that bounds expireAfterSeconds by the
// seconds since 1970 is 4.2, which was published later.
const firstClock policy.Instant = 1_546_300_800_000

// restore returns the move of an index that is created anew with this option. If
// createIndexes refuses the option at firstClock but accepts it at a later clock, restore
// reports the refusal, which is the worse outcome.
func (m *assessment) restore(option policy.Value) Move {
	created, err := commandfunc.F.ValidateCreateIndexes(mongo.CollectionSpec{}, m.asCreated(option), m.arrival, firstClock)
	switch {
	case errors.Is(err, policy.ErrUnspecified):
		return Move{Rule: rules.MoveUnspecified}
	case err != nil:
		return m.refused(err)
	}
	return m.arrive(created.Index.ExpireAfterSeconds)
}

func (m *assessment) asCreated(option policy.Value) policy.D {
	x := m.stored
	x.ExpireAfterSeconds = option
	if x.Name == "" {
		x.Name = catalog.DefaultName(x.Key)
	}
	x.Version, x.PrepareUnique, x.Clustered = policy.Value{}, false, false
	return x.Document()
}

func (m *assessment) refused(why error) Move {
	move := Move{Effect: EffectKeeps, Rule: rules.MoveRefused, Refusal: why}
	switch {
	case m.before.Failed.IsUnspecified():
		move.Effect = EffectUnspecified
	case !m.before.Deletes:
		move.Effect = EffectNone
	}
	return move
}

// repaired returns the option with which a member that becomes primary replaces a stored
// expireAfterSeconds. It reports false if the member leaves the option as it is, or if
// the repair is unspecified.
//
// The releases from 5.0 on that skip NaN replace it by 2147483647. Since 7.0 a member
// also replaces any other invalid value by 2147483647, and since 7.3 a valid number of
// another type by the same number as an int32. After the repair the index deletes by the
// option (mongodb/mongo: jstests/noPassthrough/ttl/ttl_invalid_expire_after_secs.js).
func repaired(p behaviour.Profile, stored policy.Value) (policy.Value, bool) {
	n := value.WholeSeconds(stored)
	switch {
	case stored.IsMissing():
		return stored, false
	case stored.IsNaN():
		return catalog.RepairedSeconds, p.Nan == behaviour.OptionSkipped && p.Conversion == behaviour.ConversionSaturating
	case !stored.Kind().IsNumber() || !value.InSeconds(n):
		return catalog.RepairedSeconds, p.OutOfRange == behaviour.OptionSkipped
	}
	return policy.Int32Value(int32(n)), p.StoresInt32 && stored.Kind() != policy.Int32
}

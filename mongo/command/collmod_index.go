package command

import (
	"iter"
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collModResult is the outcome of a collMod that a release accepts. The zero
// collModResult reports no change of an ordinary collection without indexes.
type collModResult struct {
	// Old and New are expireAfterSeconds_old and expireAfterSeconds_new of the server's
	// reply, Missing if they are not reported. Releases up to 4.4 report the stored and
	// the given value as they are, a fraction and NaN included; 5.0 reports the stored
	// value as it is, and the new one as an int32; releases since 5.3 report whole seconds
	// as an int64, at most 2147483647. For 5.1 and 5.2 the form of Old is unspecified: the
	// result is as in 5.0 if both forms have the same number, and an error otherwise.
	Old, New policy.Value `json:",omitzero"`
	// Index is the name of the index that was addressed; empty if none was.
	Index string
	// Collection is the collection as the catalog holds it afterwards. Its Indexes are a
	// new slice.
	Collection mongo.CollectionSpec
}

// collModCommand is a collMod command under check.
type collModCommand struct {
	arguments
	collection mongo.CollectionSpec
	now        policy.Instant

	change   indexChange
	target   mongo.IndexSpec // the index that change is about
	position int             // position of target among the collection's indexes, or implicit
	changed  bool            // whether an index's expireAfterSeconds changes
	seconds  int64           // change.seconds as a whole number
	result   collModResult
}

// implicit is the position of an index that is not listed.
const implicit = -1

// An indexChange holds the options that a command sets on an index. For
// releases that read commands strictly, null is Missing.
type indexChange struct {
	name, key                              policy.Value
	seconds, hidden, unique, prepareUnique policy.Value
}

// store writes the target back to the collection.
func (m *collModCommand) store() {
	if m.position != implicit {
		m.collection.Indexes[m.position] = m.target
	}
}

// findTarget looks for the index that the command addresses.
func (m *collModCommand) findTarget() error {
	if !m.change.name.IsMissing() {
		return m.findByName()
	}
	return m.findByKey()
}

func (m *collModCommand) findByName() error {
	name := value.Text(m.change.name)
	for i, x := range m.catalog() {
		if name == x.Name {
			m.setTarget(i, x)
			return nil
		}
	}
	return refuseBy(codes.IndexNotFound, rules.CollModNotFound, "index.name", "cannot find index %s", value.Shown(m.change.name))
}

func (m *collModCommand) findByKey() error {
	matches := 0
	for i, x := range m.catalog() {
		if c, ok := value.Compare(policy.ObjectValue(storedKey(x.Key)), m.change.key); !ok || c != 0 {
			continue
		}
		if matches++; matches > 1 {
			return refuseBy(codes.AmbiguousIndexKeyPattern, rules.CollModAmbiguous, "index.keyPattern",
				"index keyPattern %s matches several indexes, must use index name. Conflicting indexes: %s, %s", value.Shown(m.change.key), m.target.Name, x.Name)
		}
		m.setTarget(i, x)
	}
	if matches == 0 {
		return refuseBy(m.profile.CollModNotFound, rules.CollModNotFound, "index.keyPattern", "cannot find index %s", value.Shown(m.change.key))
	}
	return nil
}

// setTarget sets the target to an index of the catalog.
func (m *collModCommand) setTarget(position int, x mongo.IndexSpec) {
	m.target, m.result.Index = x, x.Name
	if m.position = position; position == len(m.collection.Indexes) {
		m.position = implicit
	}
}

// catalog yields the indexes that collMod can find: the listed indexes at their
// positions, and then an index on _id if it is not listed. It leaves out a clustered
// collection's own key; the buckets of a time-series collection have no index on _id.
func (m *collModCommand) catalog() iter.Seq2[int, mongo.IndexSpec] {
	return func(yield func(int, mongo.IndexSpec) bool) {
		hasID := m.collection.Clustered || !m.collection.TimeSeries.IsMissing()
		for i, x := range m.collection.Indexes {
			hasID = hasID || isOnID(x)
			if !x.Clustered && !yield(i, x) {
				return
			}
		}
		if !hasID {
			yield(len(m.collection.Indexes), idIndex)
		}
	}
}

// applyIndex checks the changes of an index in the server's order, and makes all of them
// except the changes of expireAfterSeconds and prepareUnique (mongodb/mongo:
// src/mongo/db/catalog/coll_mod.cpp, parseCollModRequest).
func (m *collModCommand) applyIndex() error {
	m.seconds = m.secondsRead()
	return firstFailure(m.checkIndex, m.findTarget, m.checkTarget, m.applyUnique, m.applyHidden)
}

// secondsRead returns the whole number that the server reads from the new option; 0 for
// none.
func (m *collModCommand) secondsRead() int64 {
	n := value.WholeSeconds(m.change.seconds)
	f, isDouble := m.change.seconds.AsDouble()
	reads := m.profile.CollModReads
	if isDouble && (reads == behaviour.ReadsPlain || reads == behaviour.ReadsLoosely && f == 1<<63) {
		n = plainInt64(f)
	}
	if m.profile.CollModRange == behaviour.CollModStoresAny {
		return n
	}
	return min(max(n, math.MinInt32), math.MaxInt32)
}

// nothingReason returns the reason with which a release refuses a command that changes
// nothing.
func nothingReason(p behaviour.Profile) string {
	switch {
	case p.LaterOptions != behaviour.Refused:
		return "no expireAfterSeconds, hidden, unique, or prepareUnique field"
	case p.HiddenIndexes:
		return "no expireAfterSeconds or hidden field"
	}
	return "no expireAfterSeconds field"
}

// checkIndex makes the checks that come before the search for the index.
func (m *collModCommand) checkIndex() error {
	const at = "index.expireAfterSeconds"
	c, p, x := m.change, m.profile, m.collection
	named, keyed, timed := !c.name.IsMissing(), !c.key.IsMissing(), !c.seconds.IsMissing()
	byHand := p.CollMod != behaviour.ReadingStrict // the server checks the types one by one
	changesNothing := !timed && c.hidden.IsMissing() && c.unique.IsMissing() && c.prepareUnique.IsMissing()
	bounded := p.CollModRange == behaviour.CollModSinceEpoch || p.CollModRange == behaviour.CollModClamps
	beyond := m.seconds*1000 > int64(m.now)
	perhaps := p.CollModRange == behaviour.CollModRangeUnspecified && (m.seconds < 0 || beyond)
	ofClusterKey := x.Clustered && (isClusterKey(c.key) || named && value.Text(c.name) == clusterName(x))
	return firstOf(
		refusal{x.View, codes.InvalidOptions, rules.CollModView, "index", "option not supported on a view: index"},
		refusal{!p.CollModNames && isEmptyPattern(c.key), codes.InvalidOptions, rules.CollModAddress, "index.keyPattern", "no keyPattern specified"},
		refusal{named && keyed, codes.InvalidOptions, rules.CollModAddress, "index", "Cannot specify both key pattern and name."},
		refusal{!named && !keyed, codes.InvalidOptions, rules.CollModAddress, "index", "Must specify either index name or key pattern."},
		refusal{named && c.name.Kind() != policy.String, codes.InvalidOptions, rules.CommandType, "index.name", "Index name must be a string."},
		refusal{keyed && p.CollModNames && c.key.Kind() != policy.Object, codes.InvalidOptions, rules.CommandType, "index.keyPattern", "Key pattern must be an object."},
		refusal{changesNothing, codes.InvalidOptions, rules.CollModNothing, "index", nothingReason(p)},
		refusal{c.seconds.Kind() == policy.Decimal && !p.Decimals, 0, rules.CommandUnspecified, at, ""},
		refusal{timed && !c.seconds.Kind().IsNumber(), codes.InvalidOptions, rules.CollModNotNumber, at, "expireAfterSeconds field must be a number"},
		refusal{byHand && !c.hidden.IsMissing() && c.hidden.Kind() != policy.Bool, codes.InvalidOptions, rules.CommandType, "index.hidden", "hidden field must be a boolean"},
		refusal{timed && !x.TimeSeries.IsMissing(), codes.InvalidOptions, rules.CollModSeries, at, "TTL indexes are not supported for time-series collections. " +
			"Please refer to the documentation and use the top-level 'expireAfterSeconds' option instead"},
		refusal{timed && x.Capped && p.CollModCapped == behaviour.Refused, codes.InvalidOptions, rules.CollModCapped, at, "TTL indexes are not supported for capped collections."},
		refusal{timed && x.Capped && p.CollModCapped == behaviour.AcceptanceUnspecified, 0, rules.CollModCappedUnspecified, at, ""},
		refusal{timed && perhaps, 0, rules.CommandUnspecified, at, ""},
		refusal{timed && bounded && m.seconds < 0, codes.InvalidOptions, rules.CollModNegative, at, negativeReason},
		refusal{timed && p.CollModRange == behaviour.CollModSinceEpoch && beyond, codes.InvalidOptions, rules.CollModLarge, at, largeReason},
		refusal{!c.hidden.IsMissing() && ofClusterKey, codes.HiddenClusterKey, rules.CollModHidden, "index.hidden", "The 'hidden' option is not supported for a clusteredIndex"},
	)
}

// checkTarget checks that the index may have expireAfterSeconds.
func (m *collModCommand) checkTarget() error {
	const at = "index.expireAfterSeconds"
	x, stored := m.target, m.target.ExpireAfterSeconds
	if m.change.seconds.IsMissing() {
		return nil
	}
	return firstOf(
		refusal{stored.IsMissing() && !m.profile.CollModConverts, codes.InvalidOptions, rules.CollModNoTTL, at, "no expireAfterSeconds field to update"},
		refusal{catalog.IsWildcard(x.Key) && m.profile.CollModConverts, codes.InvalidOptions, rules.CollModWildcard, at, "wildcard indexes do not support TTL"},
		refusal{!stored.IsMissing() && !stored.Kind().IsNumber(), codes.InvalidOptions, rules.CollModStored, at, "existing expireAfterSeconds field is not a number"},
		refusal{stored.Kind() == policy.Decimal && !m.profile.Decimals, 0, rules.CommandUnspecified, at, ""},
		refusal{stored.IsMissing() && isOnID(x), codes.InvalidOptions, rules.CollModID, at, "the _id field does not support TTL indexes"},
		refusal{stored.IsMissing() && len(storedKey(x.Key)) != 1, codes.InvalidOptions, rules.CollModCompound, at, singleFieldReason},
	)
}

// isEmptyPattern reports whether key is empty, or is neither a document nor an array.
func isEmptyPattern(key policy.Value) bool {
	f, e := key.Fields(), key.Elements()
	return !f.Next() && !e.Next()
}

// clusterName returns the name of a clustered collection's own key: the listed name, or
// the default name.
func clusterName(c mongo.CollectionSpec) string {
	for _, x := range c.Indexes {
		if x.Clustered {
			return x.Name
		}
	}
	return idIndex.Name
}

func (m *collModCommand) applyUnique() error {
	switch wanted := m.change.unique; {
	case wanted.IsMissing():
		return nil
	case !value.IsTrue(wanted):
		return refuseBy(codes.BadValue, rules.CollModUnique, "index.unique", "Cannot make index non-unique")
	case !m.target.Unique && !m.target.PrepareUnique:
		return refuseBy(codes.InvalidOptions, rules.CollModUnique, "index.unique", "Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.")
	}
	m.target.Unique, m.target.PrepareUnique = true, false
	m.store()
	return nil
}

func (m *collModCommand) applyHidden() error {
	strict := m.profile.CollMod == behaviour.ReadingStrict
	switch wanted := m.change.hidden; {
	case wanted.IsMissing(), strict && value.IsTrue(wanted) == m.target.Hidden: // the index is as it should be
		return nil
	case isSystemName(m.collection.Namespace):
		return refuseBy(codes.BadValue, rules.CollModHidden, "index.hidden", "Can't hide index on system collection")
	case isOnID(m.target):
		return refuseBy(codes.BadValue, rules.CollModHidden, "index.hidden", "can't hide _id index")
	default:
		m.target.Hidden = value.IsTrue(wanted)
	}
	m.store()
	return nil
}

package mongo

import (
	"iter"
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collModCommand is one command on its way through the checks.
type collModCommand struct {
	collection CollectionSpec
	command    policy.Value
	profile    Profile
	now        policy.Instant

	change   indexChange
	target   IndexSpec // the index that change is about
	position int       // of target among the collection's indexes, or implicit
	seconds  int64     // change.seconds as a whole number
	result   CollModResult
}

// implicit is the position of an index that is not listed.
const implicit = -1

// An indexChange is what a command says of an index. Where commands are read
// strictly, null is Missing.
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
	for i, x := range m.catalog() {
		if m.change.name.CompareText(x.Name) == 0 {
			m.setTarget(i, x)
			return nil
		}
	}
	return refuseBy(IndexNotFound, ruleCollModNotFound, "index.name", "cannot find index %s", shown(m.change.name))
}

func (m *collModCommand) findByKey() error {
	matches := 0
	for i, x := range m.catalog() {
		if c, ok := compareValues(policy.ObjectValue(storedKey(x.Key)), m.change.key); !ok || c != 0 {
			continue
		}
		if matches++; matches > 1 {
			return refuseBy(AmbiguousIndexKeyPattern, ruleCollModAmbiguous, "index.keyPattern",
				"index keyPattern %s matches several indexes, must use index name. Conflicting indexes: %s, %s", shown(m.change.key), m.target.Name, x.Name)
		}
		m.setTarget(i, x)
	}
	if matches == 0 {
		return refuseBy(IndexNotFound, ruleCollModNotFound, "index.keyPattern", "cannot find index %s", shown(m.change.key))
	}
	return nil
}

// setTarget makes an index of the catalog the target.
func (m *collModCommand) setTarget(position int, x IndexSpec) {
	m.target, m.result.Index = x, x.Name
	if m.position = position; position == len(m.collection.Indexes) {
		m.position = implicit
	}
}

// catalog yields the indexes that collMod can find, those listed at their
// positions and an index on _id that is not listed behind them. A clustered
// collection's own key is none, and the buckets of a time-series collection
// have none on _id.
func (m *collModCommand) catalog() iter.Seq2[int, IndexSpec] {
	return func(yield func(int, IndexSpec) bool) {
		hasID := m.collection.Clustered || !m.collection.TimeSeries.IsMissing()
		for i, x := range m.collection.Indexes {
			hasID = hasID || isIDPattern(policy.ObjectValue(x.Key))
			if !x.Clustered && !yield(i, x) {
				return
			}
		}
		if !hasID {
			yield(len(m.collection.Indexes), idIndex)
		}
	}
}

// indexChangeChecks are what collMod asks of a change to an index, in its own
// order (mongodb/mongo: src/mongo/db/catalog/coll_mod.cpp,
// parseCollModRequest).
var indexChangeChecks = []func(*collModCommand) error{
	(*collModCommand).checkView, (*collModCommand).checkAddress, (*collModCommand).checkAddressTypes, (*collModCommand).checkNotEmpty, (*collModCommand).checkTypes,
	(*collModCommand).checkTimeSeries, (*collModCommand).checkCapped, (*collModCommand).checkSeconds, (*collModCommand).checkClusterKey,
	(*collModCommand).findTarget, (*collModCommand).checkTarget, (*collModCommand).applyUnique, (*collModCommand).applyHidden,
}

// applyIndex checks what the command asks of an index, and makes all of it but
// the change of expireAfterSeconds and prepareUnique.
func (m *collModCommand) applyIndex() error {
	for _, passes := range indexChangeChecks {
		if err := passes(m); err != nil {
			return err
		}
	}
	return nil
}

// byHand reports whether types are looked at one by one.
func (m *collModCommand) byHand() bool {
	return m.profile.collMod == readingLax || m.profile.collMod == readingManual
}

func (m *collModCommand) checkView() error {
	if m.collection.View {
		return refuseBy(InvalidOptions, ruleCollModView, "index", "option not supported on a view: index")
	}
	return nil
}

func (m *collModCommand) checkAddress() error {
	named, keyed := !m.change.name.IsMissing(), !m.change.key.IsMissing()
	switch {
	case named && !m.profile.collModNames:
		return unspecified(ruleCommandUnspecified, "index.name")
	case named && keyed:
		return refuseBy(InvalidOptions, ruleCollModAddress, "index", "Cannot specify both key pattern and name.")
	case !named && !keyed:
		return refuseBy(InvalidOptions, ruleCollModAddress, "index", "Must specify either index name or key pattern.")
	}
	return nil
}

func (m *collModCommand) checkAddressTypes() error {
	name, key := m.change.name.Kind(), m.change.key.Kind()
	switch {
	case name != policy.Missing && name != policy.String:
		return refuseBy(InvalidOptions, ruleCommandType, "index.name", "Index name must be a string.")
	case key != policy.Missing && key != policy.Object:
		return refuseBy(InvalidOptions, ruleCommandType, "index.keyPattern", "Key pattern must be an object.")
	}
	return nil
}

// nothingReasons are what a release says of a command that changes nothing.
var nothingReasons = map[commandReading]string{
	readingLax:    "no expireAfterSeconds field",
	readingManual: "no expireAfterSeconds or hidden field",
	readingOpen:   "no expireAfterSeconds or hidden field",
	readingStrict: "no expireAfterSeconds, hidden, unique, or prepareUnique field",
}

func (m *collModCommand) checkNotEmpty() error {
	if c := m.change; c.seconds.IsMissing() && c.hidden.IsMissing() && c.unique.IsMissing() && c.prepareUnique.IsMissing() {
		return refuseBy(InvalidOptions, ruleCollModNothing, "index", "%s", nothingReasons[m.profile.collMod])
	}
	return nil
}

func (m *collModCommand) checkTypes() error {
	seconds, hidden := m.change.seconds.Kind(), m.change.hidden.Kind()
	switch {
	case seconds == policy.Decimal && !m.profile.decimals:
		return unspecified(ruleCommandUnspecified, "index.expireAfterSeconds")
	case seconds != policy.Missing && !seconds.IsNumber():
		return refuseBy(InvalidOptions, ruleCollModNotNumber, "index.expireAfterSeconds", "expireAfterSeconds field must be a number")
	case m.byHand() && hidden != policy.Missing && hidden != policy.Bool:
		return refuseBy(InvalidOptions, ruleCommandType, "index.hidden", "hidden field must be a boolean")
	}
	return nil
}

func (m *collModCommand) checkTimeSeries() error {
	if m.change.seconds.IsMissing() || m.collection.TimeSeries.IsMissing() {
		return nil
	}
	return refuseBy(InvalidOptions, ruleCollModSeries, "index.expireAfterSeconds", "TTL indexes are not supported for time-series collections. "+
		"Please refer to the documentation and use the top-level 'expireAfterSeconds' option instead")
}

func (m *collModCommand) checkCapped() error {
	switch {
	case m.change.seconds.IsMissing() || !m.collection.Capped || m.profile.collModCapped == accepted:
		return nil
	case m.profile.collModCapped == refused:
		return refuseBy(InvalidOptions, ruleCollModCapped, "index.expireAfterSeconds", "TTL indexes are not supported for capped collections.")
	}
	return unspecified(ruleCollModCappedUnspecified, "index.expireAfterSeconds")
}

// checkSeconds makes the new option a whole number.
func (m *collModCommand) checkSeconds() error {
	wanted := m.change.seconds
	m.seconds = wholeSeconds(wanted)
	if m.profile.collModRange == collModStoresAny {
		if m.profile.byQuery && (wanted.IsNaN() || saturates(wanted)) {
			return unspecified(ruleCommandUnspecified, "index.expireAfterSeconds")
		}
		return nil
	}
	m.seconds = min(max(m.seconds, math.MinInt32), math.MaxInt32)
	switch {
	case wanted.IsMissing():
	case m.seconds < 0:
		return refuseBy(InvalidOptions, ruleCollModNegative, "index.expireAfterSeconds", negativeReason)
	case m.profile.collModRange == collModSinceEpoch && m.seconds*1000 > int64(m.now):
		return refuseBy(InvalidOptions, ruleCollModLarge, "index.expireAfterSeconds", largeReason)
	}
	return nil
}

func (m *collModCommand) checkClusterKey() error {
	c := m.change
	if c.hidden.IsMissing() || !m.collection.Clustered || !isIDPattern(c.key) && c.name.CompareText("_id_") != 0 {
		return nil
	}
	return refuseBy(hiddenClusterKey, ruleCollModHidden, "index.hidden", "The 'hidden' option is not supported for a clusteredIndex")
}

// checkTarget asks whether the index may have expireAfterSeconds.
func (m *collModCommand) checkTarget() error {
	const at = "index.expireAfterSeconds"
	stored := m.target.ExpireAfterSeconds
	switch x := m.target; {
	case m.change.seconds.IsMissing():
		return nil
	case stored.IsMissing() && !m.profile.collModConverts:
		return refuseBy(InvalidOptions, ruleCollModNoTTL, at, "no expireAfterSeconds field to update")
	case isWildcard(x.Key) && m.profile.collModConverts:
		return refuseBy(InvalidOptions, ruleCollModWildcard, at, "wildcard indexes do not support TTL")
	case !stored.IsMissing() && !stored.Kind().IsNumber():
		return refuseBy(InvalidOptions, ruleCollModStored, at, "existing expireAfterSeconds field is not a number")
	case stored.IsMissing() && isIDPattern(policy.ObjectValue(x.Key)):
		return refuseBy(InvalidOptions, ruleCollModID, at, "the _id field does not support TTL indexes")
	case stored.IsMissing() && len(storedKey(x.Key)) != 1:
		return refuseBy(InvalidOptions, ruleCollModCompound, at, "TTL indexes are single-field indexes, compound indexes do not support TTL")
	}
	return nil
}

func (m *collModCommand) applyUnique() error {
	switch wanted := m.change.unique; {
	case wanted.IsMissing():
		return nil
	case !isTrue(wanted):
		return refuseBy(BadValue, ruleCollModUnique, "index.unique", "Cannot make index non-unique")
	case !m.target.Unique && !m.target.PrepareUnique:
		return refuseBy(InvalidOptions, ruleCollModUnique, "index.unique", "Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.")
	}
	m.target.Unique, m.target.PrepareUnique = true, false
	m.store()
	return nil
}

func (m *collModCommand) applyHidden() error {
	switch wanted := m.change.hidden; {
	case wanted.IsMissing():
		return nil
	case isIDPattern(policy.ObjectValue(m.target.Key)):
		return refuseBy(BadValue, ruleCollModHidden, "index.hidden", "can't hide _id index")
	default:
		m.target.Hidden = isTrue(wanted)
	}
	m.store()
	return nil
}

package command

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// applyPrepareUnique stores a new prepareUnique. A command that changes it may
// change nothing else.
func (m *collModCommand) applyPrepareUnique() error {
	wanted := m.change.prepareUnique
	if wanted.IsMissing() || value.IsTrue(wanted) == m.target.PrepareUnique || m.target.Unique {
		return nil
	}
	if m.modifications() > 1 {
		return refuseBy(codes.InvalidOptions, rules.CollModPrepare, "index.prepareUnique", "prepareUnique cannot be combined with any other modification.")
	}
	m.target.PrepareUnique = value.IsTrue(wanted)
	m.store()
	return nil
}

// modifications counts the changes that the command requests.
func (m *collModCommand) modifications() (n int) {
	c := m.change
	for _, v := range []policy.Value{c.seconds, c.hidden, c.unique, c.prepareUnique} {
		if !v.IsMissing() {
			n++
		}
	}
	for f := m.command.Fields(); f.Next(); {
		if name := f.Name(); name != "index" && name != "collMod" && name != "dryRun" && !m.passesOver(name) && !value.IsOmitted(f.Value()) {
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

// isChange reports whether the new option differs from the stored option. Each release
// compares the numbers with which it replies, and the last ones replace a stored NaN by any
// new option.
func (m *collModCommand) isChange(stored policy.Value) bool {
	switch {
	case stored.IsMissing():
		return true
	case m.profile.CollModReplies == behaviour.RepliesElements:
		return value.CompareNumbers(stored, m.change.seconds) != 0
	case m.profile.CollModReplies != behaviour.RepliesSeconds:
		return value.CompareNumbers(stored, policy.Int64Value(m.seconds)) != 0
	}
	_, isInteger := stored.AsInt64()
	return stored.IsNaN() || value.WholeSeconds(stored) != m.seconds || m.profile.CollModRewrites && !isInteger
}

// isReplyKnown reports whether the sources establish the form of the options in the
// reply.
func (m *collModCommand) isReplyKnown(stored policy.Value) bool {
	if m.profile.CollModReplies == behaviour.RepliesUnspecified {
		return stored.IsMissing() || isWhole(stored)
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
	switch m.profile.CollModReplies {
	case behaviour.RepliesElements:
		m.result.Old, m.result.New = stored, m.change.seconds
	case behaviour.RepliesSeconds:
		m.result.Old, m.result.New = m.oldSeconds(stored), policy.Int64Value(m.seconds)
	default:
		m.result.Old, m.result.New = stored, policy.Int32Value(int32(m.seconds))
	}
}

// oldSeconds returns the stored option as it is in the replies of releases that reply
// with whole seconds. All of these releases report NaN as 0. Those that skip an index
// with an invalid number report every invalid number as 0.
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
		refusal{c.View, codes.InvalidOptions, rules.CollModView, at, "option not supported on a view: expireAfterSeconds"},
		refusal{!c.Clustered && c.TimeSeries.IsMissing(), codes.InvalidOptions, rules.OwnKind, at,
			"'expireAfterSeconds' option is only supported on collections clustered by _id"},
		refusal{isText && text != "off", codes.InvalidOptions, rules.OwnText, at,
			fmt.Sprintf("Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: '%s'. Accepted value is 'off'", text)},
	)
	if err != nil || isText {
		m.collection.ExpireAfterSeconds = policy.Value{}
		return err
	}
	m.collection.ExpireAfterSeconds, err = ownSeconds(wanted, m.profile, m.now)
	return err
}

// storedSeconds returns the option that the catalog holds after the new option has
// replaced the stored option.
//
// MMAPv1 writes the number over the old one and in its type, so that an int32 loses the
// bits that do not fit: 4294967296 is stored as 0, and everything expires (mongodb/mongo:
// src/mongo/db/namespace_details.cpp of 2.4, updateTTLIndex;
// src/mongo/db/catalog/index_catalog.cpp of 2.6 and
// src/mongo/db/storage/mmap_v1/catalog/namespace_details_collection_entry.cpp of 3.0 to
// 4.0, updateTTLSetting). Other engines store an int64
// (src/mongo/db/storage/bson_collection_catalog_entry.cpp).
func (m *collModCommand) storedSeconds(stored policy.Value) (policy.Value, error) {
	const at = "index.expireAfterSeconds"
	anew, inPlace := policy.Int64Value(m.seconds), inPlaceOf(stored, m.seconds)
	switch m.profile.CollModStores {
	case behaviour.StoresByDouble:
		return byDouble(stored, m.change.seconds, inPlace), nil
	case behaviour.StoresInPlace:
		return inPlace, firstOf(refusal{inPlace.IsMissing(), codes.StoredNotNumber, rules.CollModInPlaceDecimal, at, "current 'expireAfterSeconds' is not a number"})
	case behaviour.StoresByEngine:
		differ := inPlace.IsMissing() || value.CompareNumbers(inPlace, anew) != 0
		return inPlace, firstOf(refusal{differ, 0, rules.CollModEngineUnspecified, at, ""})
	}
	if m.profile.StoresInt32 {
		return policy.Int32Value(int32(m.seconds)), nil
	}
	return anew, nil
}

// inPlaceOf returns the result of overwriting a stored number with n: an int32 takes the
// low 32 bits. It returns Missing for a decimal, which cannot be overwritten.
func inPlaceOf(stored policy.Value, n int64) policy.Value {
	switch stored.Kind() {
	case policy.Int32:
		return policy.Int32Value(int32(n))
	case policy.Double:
		return policy.DoubleValue(float64(n))
	case policy.Int64:
		return policy.Int64Value(n)
	}
	return policy.Value{}
}

// byDouble returns the result of overwriting a stored number as 2.4 does. Over an int32
// or a double the new number is first converted to a double, which keeps fractions and
// NaN. Over an int64 the result is inPlace.
func byDouble(stored, wanted, inPlace policy.Value) policy.Value {
	f, ok := wanted.AsDouble()
	if n, isInteger := wanted.AsInt64(); isInteger {
		f, ok = float64(n), true
	}
	switch {
	case !ok: // no other kind gets here
	case stored.Kind() == policy.Int32:
		return policy.Int32Value(plainInt32(f))
	case stored.Kind() == policy.Double:
		return policy.DoubleValue(f)
	}
	return inPlace
}

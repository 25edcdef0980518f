package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// What the server says of a delay that is out of range.
const (
	negativeReason = "TTL index 'expireAfterSeconds' option cannot be less than 0"
	largeReason    = "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number"
	beforeReason   = "TTL index 'expireAfterSeconds' option cannot exceed time since last epoch"
	overflowReason = "TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as milliseconds, found %d"
)

// changeOwn changes the option of the collection itself.
func (m *collMod) changeOwn() error {
	wanted := m.command.Field("expireAfterSeconds")
	text, isText := wanted.AsString()
	switch c := m.collection; {
	case wanted.IsMissing():
		return nil
	case c.View && m.profile.collModViews != refused:
		return unspecified(ruleCollModViewUnspecified, "expireAfterSeconds")
	case c.View:
		return refuseBy(InvalidOptions, ruleCollModView, "expireAfterSeconds", "option not supported on a view: expireAfterSeconds")
	case !c.Clustered && c.TimeSeries.IsMissing():
		return refuseBy(InvalidOptions, ruleOwnKind, "expireAfterSeconds", "'expireAfterSeconds' option is only supported on collections clustered by _id")
	case isText && text != "off":
		return refuseBy(InvalidOptions, ruleOwnText, "expireAfterSeconds",
			"Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: '%s'. Accepted value is 'off'", text)
	case isText:
		m.collection.ExpireAfterSeconds = policy.Value{}
		return nil
	}
	stored, err := ownSeconds(wanted, m.profile, m.now)
	m.collection.ExpireAfterSeconds = stored
	return err
}

// ownSeconds returns a collection's own option as it is stored: whole seconds
// from 0 to the seconds since 1970.
func ownSeconds(v policy.Value, p Profile, now policy.Instant) (policy.Value, error) {
	const at = "expireAfterSeconds"
	n := wholeSeconds(v)
	overflows := n > math.MaxInt64/1000
	switch {
	case n < 0:
		return v, refuseBy(InvalidOptions, ruleOwnNegative, at, negativeReason)
	case !overflows && n*1000 <= int64(now):
		return policy.Int64Value(n), nil
	case overflows && p.rangeReasons:
		return v, refuseBy(InvalidOptions, ruleOwnLarge, at, overflowReason, n)
	case p.rangeReasons:
		return v, refuseBy(InvalidOptions, ruleOwnLarge, at, beforeReason)
	}
	return v, refuseBy(InvalidOptions, ruleOwnLarge, at, largeReason)
}

package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// What the server asks of expireAfterSeconds before it looks at the collection
// (mongodb/mongo: src/mongo/db/index_key_validate.cpp, validateIndexSpecTTL).
// Releases up to 4.0 ask nothing.

func (x *newIndex) asksTTL() bool {
	return x.isTTL() && x.profile.createRange != createRangeUnchecked
}

func (x *newIndex) hasNumber() error {
	k := x.spec.ExpireAfterSeconds.Kind()
	switch {
	case !x.asksTTL() || k.IsNumber():
		return nil
	case x.profile.reasonLast:
		return x.refuseTTL(ruleSecondsType, "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '%s", k)
	}
	return x.refuseTTL(ruleSecondsType, "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '%s'", k)
}

func (x *newIndex) isNoNaN() error {
	switch {
	case !x.asksTTL() || !x.spec.ExpireAfterSeconds.IsNaN() || x.profile.createNaN == accepted:
		return nil
	case x.profile.createNaN == refused:
		return x.refuseTTL(ruleSecondsNaN, "TTL index 'expireAfterSeconds' option must not be NaN")
	}
	return unspecified(ruleSecondsNaNUnspecified, "expireAfterSeconds")
}

func (x *newIndex) isInRange() error {
	if !x.asksTTL() {
		return nil
	}
	n := wholeSeconds(x.spec.ExpireAfterSeconds)
	beforeEpoch := n > math.MaxInt64/1000 || n*1000 > int64(x.now)
	switch bound := x.profile.createRange; {
	case bound == createRangeInt32 && n != int64(int32(n)):
		return x.refuseTTL(ruleSecondsRange, "TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer")
	case n < 0:
		return x.refuseTTL(ruleSecondsNegative, negativeReason)
	case bound != createRangeInt32 && beforeEpoch:
		return x.refuseTTL(ruleSecondsBefore1970, largeReason)
	}
	return nil
}

func (x *newIndex) isSingle() error {
	if !x.asksTTL() || len(x.spec.Key) == 1 {
		return nil
	}
	const reason = "TTL indexes are single-field indexes, compound indexes do not support TTL"
	return refuseBy(CannotCreateIndex, ruleCompoundRefused, "key", "%s. Index spec: %s", reason, shown(x.index))
}

// refuseTTL returns the refusal of expireAfterSeconds. The specification stands
// behind the reason, or before it.
func (x *newIndex) refuseTTL(rule *policy.Rule, format string, args ...any) error {
	const at = "expireAfterSeconds"
	spec := shown(x.index)
	if x.profile.reasonLast {
		return refuseBy(CannotCreateIndex, rule, at, ". Index spec: %s :: caused by :: "+format, append([]any{spec}, args...)...)
	}
	return refuseBy(CannotCreateIndex, rule, at, format+". Index spec: %s", append(args, spec)...)
}

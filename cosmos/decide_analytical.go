package cosmos

import "github.com/ttlpolicy/ttlpolicy/policy"

// An AnalyticalStore decides about the rows of a container's analytical store, the
// copy for analysis beside the transactional one. Neither an item's ttl nor the
// container's defaultTtl counts in it: its rows outlive the items. A row that has
// expired is hidden, not erased; a longer setting shows it again. The zero
// AnalyticalStore is off.
//
// Experimental: it may change in a minor release.
type AnalyticalStore struct {
	ttl  TTL
	rule *policy.Rule // the rule that keeps every row; nil if rows expire
}

// CompileAnalytical prepares an analyticalStorageTtl for deciding: Missing, null
// or 0 for no analytical store, -1 for rows without limit, or seconds from 1 to
// 2147483647 (https://learn.microsoft.com/azure/cosmos-db/analytical-store-introduction).
// Any other value keeps every row, by an -unspecified rule.
//
// Experimental: it may change in a minor release.
func CompileAnalytical(setting policy.Value) *AnalyticalStore {
	ttl := TTLOf(setting)
	switch {
	case isAnalyticalOff(setting):
		return &AnalyticalStore{rule: ruleAnalyticalOff}
	case !ttl.isValid():
		return &AnalyticalStore{rule: ruleAnalyticalUnspecified}
	case ttl.isNever():
		return &AnalyticalStore{rule: ruleAnalyticalNever}
	}
	return &AnalyticalStore{ttl: ttl}
}

// isAnalyticalOff reports whether a setting means that there is no analytical store.
func isAnalyticalOff(setting policy.Value) bool {
	n, isInteger := setting.AsInt64()
	return setting.IsMissingOrNull() || isInteger && n == 0
}

// DecideAt returns the decision about the row of an item that was last written in
// the transactional store at ts. Expired means hidden.
//
// Experimental: see [AnalyticalStore].
func (s *AnalyticalStore) DecideAt(ts Timestamp, now policy.Instant) policy.Decision {
	switch {
	case s.rule != nil:
		return keptBy(s.rule)
	case s.ttl.isAbsent():
		return keptBy(ruleAnalyticalOff)
	}
	return expireAt(ts, s.ttl, ruleAnalytical, now)
}

// updateAnalytical returns the analyticalStorageTtl of a container after an update of a
// previous setting (Missing for a new container). An absent setting keeps the previous
// one. The effect of null or 0 while the store is on is unspecified, and so is the reply
// to a setting other than -1, 0 and 1 to 2147483647: the error then wraps
// [policy.ErrUnspecified].
func updateAnalytical(previous, setting policy.Value) (policy.Value, error) {
	const at = "analyticalStorageTtl"
	switch {
	case setting.IsMissing(), setting.IsMissingOrNull() && isAnalyticalOff(previous):
		return previous, nil
	case setting.IsMissingOrNull():
		return previous, unspecified(ruleAnalyticalNullUnspecified, at)
	case isAnalyticalOff(setting) && !isAnalyticalOff(previous):
		return previous, unspecified(ruleAnalyticalDisableUnspecified, at)
	case isAnalyticalOff(setting) || TTLOf(setting).isValid():
		return setting, nil
	}
	return previous, unspecified(ruleAnalyticalUnspecified, at)
}

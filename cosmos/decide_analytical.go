package cosmos

import "github.com/ttlpolicy/ttlpolicy/policy"

// isAnalyticalOff reports whether a setting means that there is no analytical store.
func isAnalyticalOff(setting policy.Value) bool {
	n, isInteger := setting.AsInt64()
	return setting.IsMissingOrNull() || isInteger && n == 0
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

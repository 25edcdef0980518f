package cosmos

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ValidateCreateIndexes reports whether the API for MongoDB accepts an index, as
// far as TTL is concerned, in a collection with the indexes of c. An index without
// expireAfterSeconds is accepted. A TTL index is on _ts, or with the capability
// [CustomPathCapability] on one other field; a collection has one of them. To create
// the same index again changes its value, which collMod cannot.
//
// The error is a [*SpecError], with the code and text of the service where they
// are known. What the service does with an option other than -1 and 1 to
// 2147483647 on _ts, with several fields, or with further options, is not
// established: the error wraps [policy.ErrUnspecified]. For a malformed server version it
// is not a SpecError
// (MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/feature-support-50.md).
func ValidateCreateIndexes(c CollectionSpec, index IndexSpec) error {
	version, err := c.version()
	if err != nil || index.ExpireAfterSeconds.IsMissing() {
		return err
	}
	onTS := slices.ContainsFunc(index.Key, func(e policy.E) bool { return e.Key == "_ts" })
	switch {
	case index.ExpireAfterSeconds.IsAbsent():
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !onTS && !c.allowsCustomPath(version):
		return &SpecError{Code: badValue, Rule: ruleIndexField, Field: "key", Reason: "The 'expireAfterSeconds' option is supported on '_ts' field only."}
	case slices.ContainsFunc(index.Key, isWildcard):
		return &SpecError{Rule: ruleIndexWildcard, Field: "key", Reason: "a wildcard index has no TTL"}
	case len(index.Key) != 1:
		return unspecified(ruleMongoIndexUnspecified, "key")
	case c.hasOtherTTL(index.Key[0].Key):
		return &SpecError{Rule: ruleIndexSecond, Field: "key", Reason: "a collection has one TTL field"}
	case onTS:
		return checkTSIndex(index)
	}
	return checkFieldIndex(index)
}

// hasOtherTTL reports whether there is a TTL index on another field.
func (s CollectionSpec) hasOtherTTL(field string) bool {
	return slices.ContainsFunc(s.Indexes, func(x IndexSpec) bool {
		return !x.ExpireAfterSeconds.IsAbsent() && len(x.Key) > 0 && x.Key[0].Key != field
	})
}

// checkTSIndex requires an ascending index and an option that switches TTL on.
// What any other does is not established.
func checkTSIndex(index IndexSpec) error {
	direction, ok := wholeInt32(index.Key[0].Value)
	switch {
	case !coerce(index.ExpireAfterSeconds).isValid():
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !ok || direction != 1:
		return unspecified(ruleMongoIndexUnspecified, "key")
	}
	return checkOptions(index)
}

// checkOptions requires an index without the options that the API for MongoDB
// does not support along with TTL. What it does with them is not established.
func checkOptions(index IndexSpec) error {
	if !index.isPlain() {
		return unspecified(ruleMongoIndexUnspecified, "options")
	}
	return nil
}

// checkFieldIndex requires a delay that can be counted from a field, and a plain
// index.
func checkFieldIndex(index IndexSpec) error {
	n, ok := wholeInt32(index.ExpireAfterSeconds)
	direction, isNumber := wholeInt32(index.Key[0].Value)
	switch {
	case !ok || n < 0:
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !isNumber || direction != 1 && direction != -1 || isWildcard(index.Key[0]):
		return unspecified(ruleMongoIndexUnspecified, "key")
	}
	return checkOptions(index)
}

// isWildcard reports whether a field of a key pattern makes the index a
// wildcard index.
func isWildcard(field policy.E) bool {
	return field.Key == "$**" || strings.HasSuffix(field.Key, ".$**")
}

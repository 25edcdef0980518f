package cosmos

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ValidateCreateIndexes reports whether the API for MongoDB takes an index, as
// far as TTL is concerned, in a collection with the indexes of c: nil for an
// index without expireAfterSeconds. A TTL index is on _ts, or with the
// capability [CustomPathCapability] on one other field; a collection has one of
// them. The same index again changes its value, which collMod cannot.
//
// The error is a [*SpecError], with the code and text of the service where they
// are known. What the service makes of an option other than -1 and 1 to
// 2147483647 on _ts, and of several fields, is not established: the error wraps
// [ErrUnspecified]
// (MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/feature-support-50.md).
func ValidateCreateIndexes(c CollectionSpec, index IndexSpec) error {
	if index.ExpireAfterSeconds.IsMissing() {
		return nil
	}
	onTS := slices.ContainsFunc(index.Key, func(e policy.E) bool { return e.Key == "_ts" })
	switch {
	case !onTS && !c.allowsCustomPath():
		return &SpecError{Code: BadValue, Rule: ruleIndexField, Field: "key", Reason: "The 'expireAfterSeconds' option is supported on '_ts' field only."}
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
		return !isAbsent(x.ExpireAfterSeconds) && len(x.Key) > 0 && x.Key[0].Key != field
	})
}

// checkTSIndex asks for an ascending index and an option that switches TTL on.
// What another does is not established.
func checkTSIndex(index IndexSpec) error {
	direction, ok := wholeInt32(index.Key[0].Value)
	switch {
	case !coerce(index.ExpireAfterSeconds).isValid():
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !ok || direction != 1:
		return unspecified(ruleMongoIndexUnspecified, "key")
	}
	return nil
}

// checkFieldIndex asks for a delay that can be counted from a field, and for a
// plain index.
func checkFieldIndex(index IndexSpec) error {
	n, ok := wholeInt32(index.ExpireAfterSeconds)
	direction, isNumber := wholeInt32(index.Key[0].Value)
	switch {
	case !ok || n < 0:
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !isNumber || direction != 1 && direction != -1 || isWildcardPath(index.Key[0].Key):
		return unspecified(ruleMongoIndexUnspecified, "key")
	}
	return nil
}

// isWildcardPath reports whether an index on path is a wildcard index, which
// can carry no TTL; how that is refused is not established.
func isWildcardPath(path string) bool {
	return path == "$**" || strings.HasSuffix(path, ".$**")
}

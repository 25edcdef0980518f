package cosmos

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ValidateCreateIndexes reports whether the API for MongoDB accepts an index, as far as
// TTL is concerned, in a collection with the indexes of c. An index without
// expireAfterSeconds is accepted. A TTL index is on _ts, or with the capability
// EnableTtlOnCustomPath on one other field. A collection has at most one TTL index;
// drop it before creating it with another value. The reply of version 3.2 to a TTL index
// on another field is unspecified.
//
// The error is a [*SpecError], with the code and text of the service where they are
// known. The reply is unspecified, and the error wraps [policy.ErrUnspecified], for an
// option on _ts other than -1 and 0 to 2147483647, several fields, an index on _id or
// ttl, or further options. The error for a malformed server version, or one that no
// account has ([ErrUnknownVersion]), is not a SpecError
// (MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/feature-support-70.md).
func ValidateCreateIndexes(c CollectionSpec, index IndexSpec) error {
	version, err := c.version()
	if err != nil || index.ExpireAfterSeconds.IsMissing() {
		return err
	}
	onTS := slices.ContainsFunc(index.Key, func(e policy.E) bool { return e.Key == "_ts" })
	switch {
	case index.ExpireAfterSeconds.IsMissingOrNull():
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !onTS && version < firstTTL: // where sources disagree
		return unspecified(ruleIndexFieldUnspecified, "key")
	case !onTS && !c.allowsCustomPath(version):
		return &SpecError{Code: badValue, Rule: ruleIndexField, Field: "key", Reason: "The 'expireAfterSeconds' option is supported on '_ts' field only."}
	case slices.ContainsFunc(index.Key, isWildcard):
		return &SpecError{Rule: ruleIndexWildcard, Field: "key", Reason: "a wildcard index has no TTL" + notSeen}
	case slices.ContainsFunc(index.Key, isHashed):
		return &SpecError{Rule: ruleIndexKind, Field: "key", Reason: "a hashed index is not supported" + notSeen}
	case !index.PartialFilterExpression.IsMissingOrNull():
		return &SpecError{Rule: ruleIndexKind, Field: "partialFilterExpression", Reason: "a partial index has no TTL" + notSeen}
	case len(index.Key) != 1:
		return unspecified(ruleMongoIndexUnspecified, "key")
	case c.hasOtherTTL(index.Key[0].Key):
		return &SpecError{Rule: ruleIndexSecond, Field: "key", Reason: "a collection has one TTL field" + notSeen}
	}
	check := checkFieldIndex
	if onTS {
		check = checkTSIndex
	}
	return firstRefusal(check(index), c.checkAgain(index))
}

// checkAgain refuses an index on _ts that has the name of an existing TTL index on _ts,
// but other seconds. For any other index on a field that already has an index, the
// outcome is unspecified, unless both have the same seconds.
func (s CollectionSpec) checkAgain(index IndexSpec) error {
	for _, x := range s.Indexes {
		switch {
		case len(x.Key) != 1 || x.Key[0].Key != index.Key[0].Key || x.hasSecondsOf(index):
		case x.Key[0].Key == "_ts" && x.name() == index.name() && !x.ExpireAfterSeconds.IsMissingOrNull():
			return &SpecError{Code: indexOptionsConflict, Rule: ruleIndexAgain, Field: "expireAfterSeconds",
				Reason: fmt.Sprintf("Index with name %s already exists with different options.", index.name())}
		default:
			return unspecified(ruleIndexAgainUnspecified, "expireAfterSeconds")
		}
	}
	return nil
}

// hasSecondsOf reports whether two indexes have the same whole number of seconds.
func (x IndexSpec) hasSecondsOf(y IndexSpec) bool {
	n, ok := wholeInt32(x.ExpireAfterSeconds)
	m, alsoOK := wholeInt32(y.ExpireAfterSeconds)
	return ok && alsoOK && n == m
}

// name returns the name of an index of one field: its own name, or the default name that
// drivers give, such as _ts_1.
func (x IndexSpec) name() string {
	direction, _ := wholeInt32(x.Key[0].Value)
	return cmp.Or(x.Name, fmt.Sprintf("%s_%d", x.Key[0].Key, direction))
}

// hasOtherTTL reports whether there is a TTL index on another field.
func (s CollectionSpec) hasOtherTTL(field string) bool {
	return slices.ContainsFunc(s.Indexes, func(x IndexSpec) bool {
		return !x.ExpireAfterSeconds.IsMissingOrNull() && len(x.Key) > 0 && x.Key[0].Key != field
	})
}

// checkTSIndex requires an ascending or descending index and an option that switches
// TTL on. The service was seen to refuse 0; the effect of any other option is
// unspecified.
func checkTSIndex(index IndexSpec) error {
	switch {
	case isZero(index.ExpireAfterSeconds):
		return &SpecError{Rule: ruleIndexZero, Field: "expireAfterSeconds", Reason: "0 is no time to live on _ts" + notSeen}
	case !coerce(index.ExpireAfterSeconds).isValid():
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !hasDirection(index.Key[0]):
		return unspecified(ruleMongoIndexUnspecified, "key")
	}
	return checkOptions(index)
}

// hasDirection reports whether a field of a key pattern is ascending or descending,
// which makes no difference.
func hasDirection(field policy.E) bool {
	direction, isNumber := wholeInt32(field.Value)
	return isNumber && (direction == 1 || direction == -1)
}

// checkOptions requires an index without the options that the API for MongoDB
// does not support along with TTL. Their effect is unspecified.
func checkOptions(index IndexSpec) error {
	if !index.isPlain() {
		return unspecified(ruleMongoIndexUnspecified, "options")
	}
	return nil
}

// checkFieldIndex requires a delay that can be counted from a field, and a plain
// index. The field ttl holds times to live, and _id has an index already: the effect
// of a TTL index on one of them is unspecified.
func checkFieldIndex(index IndexSpec) error {
	n, ok := wholeInt32(index.ExpireAfterSeconds)
	field := index.Key[0]
	switch {
	case !ok || n < 0:
		return unspecified(ruleMongoIndexUnspecified, "expireAfterSeconds")
	case !hasDirection(field) || isWildcard(field) || field.Key == "ttl" || field.Key == "_id":
		return unspecified(ruleMongoIndexUnspecified, "key")
	}
	return checkOptions(index)
}

// isWildcard reports whether a field of a key pattern makes the index a
// wildcard index.
func isWildcard(field policy.E) bool {
	return field.Key == "$**" || strings.HasSuffix(field.Key, ".$**")
}

func isHashed(field policy.E) bool {
	kind, _ := field.Value.AsString()
	return kind == "hashed"
}

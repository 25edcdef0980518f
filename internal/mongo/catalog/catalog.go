// Package catalog describes the contents of MongoDB's catalogs: key patterns, names of
// options, numbers.
package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// IsWildcard reports whether key is the pattern of a wildcard index.
func IsWildcard(key policy.D) bool {
	return slices.ContainsFunc(key, func(e policy.E) bool { return IsWildcardName(e.Key) })
}

// IsWildcardName reports whether a field of a key pattern stands for all fields of a
// document.
func IsWildcardName(name string) bool { return name == "$**" || strings.HasSuffix(name, ".$**") }

// IDName is the name of the index on _id, which every ordinary collection has.
const IDName = "_id_"

// IDPattern is the key pattern of the index on _id. It must not be changed.
var IDPattern = policy.D{{Key: "_id", Value: policy.Int32Value(1)}}

// DefaultName returns the name that drivers make for a key pattern, such as "a_1_b_-1".
func DefaultName(key policy.D) string {
	var parts []string
	for _, e := range key {
		direction, ok := e.Value.AsString()
		if !ok {
			direction = strconv.FormatInt(value.WholeSeconds(e.Value), 10)
		}
		parts = append(parts, e.Key, direction)
	}
	return strings.Join(parts, "_")
}

// SpecNames are the fields that the specification of an index in createIndexes may have
// in at least one release, sorted.
var SpecNames = []string{
	"2dsphereIndexVersion", "_id", "background", "bits", "bucketSize", "clustered", "coarsestIndexedLevel", "collation", "default_language", "dropDups",
	"expireAfterSeconds", "finestIndexedLevel", "hidden", "key", "language_override", "max", "min", "name", "ns", "originalSpec", "partialFilterExpression",
	"prepareUnique", "sparse", "storageEngine", "textIndexVersion", "unique", "v", "weights", "wildcardProjection",
}

// IndexFields are the fields that an index may have in at least one release, either in
// createIndexes or in the output of listIndexes.
var IndexFields = append(slices.Clip(SpecNames), "columnstoreProjection", "disallowNewDuplicateKeys")

// OtherCreateOptions are the options of create that this library does not read, in the
// releases that read create strictly.
var OtherCreateOptions = []string{
	"create", "autoIndexId", "idIndex", "storageEngine", "validator", "validationLevel", "validationAction",
	"indexOptionDefaults", "pipeline", "collation", "temp", "flags",
}

// CappedOptions are the options of create for a capped collection.
var CappedOptions = []string{"capped", "size", "max"}

// CollectionFields are the options that a collection may have in at least one release,
// either in create or in the output of listCollections, and its namespace.
var CollectionFields = slices.Concat(OtherCreateOptions, CappedOptions, []string{
	"ns", "uuid", "viewOn", "recordPreImages", "changeStreamPreAndPostImages", "encryptedFields", "timeseries", "clusteredIndex", "expireAfterSeconds", "requiresExtendedRangeSupport",
	"timeseriesBucketsMayHaveMixedSchemaData", "timeseriesBucketingParametersHaveChanged", "recordIdsReplicated",
})

// The fields of a collection's options timeseries and clusteredIndex.
var (
	TimeSeriesNames     = []string{"timeField", "metaField", "granularity", "bucketMaxSpanSeconds", "bucketRoundingSeconds"}
	ClusteredIndexNames = []string{"v", "key", "name", "unique"}
)

// A definition that BSON cannot hold is a mistake of the program that made it, and no
// server has a code for this mistake. In a filter an opaque value would be stored as
// something else, a missing value would match every document without the field, and a
// document that cannot list its fields would lose them. So the whole definition is
// refused.

// CheckStorable returns an error for a definition that BSON cannot hold, which no server
// sends. A top-level field of the definition that is Missing counts as absent.
func CheckStorable(definition policy.D) error {
	_, err := policy.AppendBSON(nil, policy.ObjectValue(WithoutMissing(slices.Clone(definition))))
	if err != nil {
		return fmt.Errorf("mongo: the definition cannot be stored: %w", err)
	}
	return nil
}

// WithoutMissing returns the fields that are not Missing.
func WithoutMissing(d policy.D) policy.D {
	return slices.DeleteFunc(d, func(e policy.E) bool { return e.Value.IsMissing() })
}

// RepairedSeconds is the number with which servers replace an invalid option. It is an
// ordinary delay: with it a date of 1956 expires in 2024 (mongodb/mongo:
// src/mongo/db/ttl/ttl_test.cpp, TTLkExpireAfterSecondsForInactiveTTLIndexIsValid).
var RepairedSeconds = policy.Int32Value(int32(policy.MaxSeconds))

// Granularities are the rounding and the span, in seconds, of each granularity
// (mongodb/mongo: src/mongo/db/timeseries/timeseries_options.cpp).
var Granularities = map[string][2]int64{
	"seconds": {60, 3600}, "minutes": {3600, 86400}, "hours": {86400, 2592000},
}

// MaxBucketSeconds is the greatest custom rounding and span: 365 days.
const MaxBucketSeconds = 31536000

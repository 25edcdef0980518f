package catalog

import (
	"slices"
	"strings"
)

// SpecNames are the fields that the specification of an index may have in one release or
// another: those of createIndexes, sorted.
var SpecNames = []string{
	"2dsphereIndexVersion", "_id", "background", "bits", "bucketSize", "clustered", "coarsestIndexedLevel", "collation", "default_language", "dropDups",
	"expireAfterSeconds", "finestIndexedLevel", "hidden", "key", "language_override", "max", "min", "name", "ns", "originalSpec", "partialFilterExpression",
	"prepareUnique", "sparse", "storageEngine", "textIndexVersion", "unique", "v", "weights", "wildcardProjection",
}

// IndexFields are the fields that an index has in one release or another, as somebody
// writes it or as listIndexes shows it.
var IndexFields = append(slices.Clip(SpecNames), "columnstoreProjection", "disallowNewDuplicateKeys")

// OtherCreateOptions are the options of create, in any release that reads it strictly,
// that this library does not read.
var OtherCreateOptions = []string{
	"create", "autoIndexId", "idIndex", "storageEngine", "validator", "validationLevel", "validationAction",
	"indexOptionDefaults", "pipeline", "collation", "temp", "flags",
}

// CappedOptions are the options of create for a capped collection.
var CappedOptions = []string{"capped", "size", "max"}

// CollectionFields are the options that a collection has in one release or another, as
// somebody writes them or as listCollections shows them, and its namespace.
var CollectionFields = slices.Concat(OtherCreateOptions, CappedOptions, []string{
	"ns", "uuid", "viewOn", "recordPreImages", "changeStreamPreAndPostImages", "encryptedFields", "timeseries", "clusteredIndex", "expireAfterSeconds", "requiresExtendedRangeSupport",
	"timeseriesBucketsMayHaveMixedSchemaData", "timeseriesBucketingParametersHaveChanged", "recordIdsReplicated",
})

// The options of the options timeseries and clusteredIndex of a collection.
var (
	TimeSeriesNames     = []string{"timeField", "metaField", "granularity", "bucketMaxSpanSeconds", "bucketRoundingSeconds"}
	ClusteredIndexNames = []string{"v", "key", "name", "unique"}
)

// IsGenericArgument reports whether every command accepts a field of this name
// (mongodb/mongo: src/mongo/idl/generic_argument.idl).
func IsGenericArgument(name string) bool {
	switch name {
	case "apiVersion", "apiStrict", "apiDeprecationErrors", "comment", "lsid", "maxTimeMS",
		"readConcern", "writeConcern", "txnNumber", "autocommit", "startTransaction":
		return true
	}
	return strings.HasPrefix(name, "$")
}

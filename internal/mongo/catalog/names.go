package catalog

import "slices"

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

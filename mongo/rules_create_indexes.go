package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// The codes of refusals that the server has no name for.
const (
	noIndexName        ErrorCode = 12523
	cappedClusterIndex ErrorCode = 6049202
)

// The sources of these rules.
var (
	srcCreateIndexes  = serverFile("createIndexes", "src/mongo/db/commands/create_indexes.cpp")
	srcIndexCatalog   = serverFile("catalog of indexes", "src/mongo/db/catalog/index_catalog_impl.cpp")
	srcIndexSignature = serverFile("what tells indexes apart", "src/mongo/db/catalog/index_descriptor.cpp")
	srcSeriesConvert  = serverFile("indexes of time-series collections", "src/mongo/db/timeseries/timeseries_commands_conversion_helper.cpp")
	srcOptionsTest    = serverFile("ttl_index_options.js", "jstests/core/ttl_index_options.js")
	srcSignatureTest  = serverFile("index_signature.js", "jstests/core/index_signature.js")
	srcSpecTest       = serverFile("validation of indexes, unit tests", "src/mongo/db/catalog/index_spec_validate_test.cpp")
	srcPartialDrop    = serverFile("index_partial_create_drop.js", "jstests/core/index_partial_create_drop.js")
	srcCreateTTLTest  = indexTest("properties/ttl/test_ttl_create.py")
	srcTTLErrorsTest  = indexTest("properties/ttl/test_ttl_errors.py")
	srcTTLTypesTest   = indexTest("properties/ttl/test_ttl_bson_type_validation.py")
	srcTTLStoredTest  = indexTest("properties/ttl/test_ttl_operations.py")
	srcKeyTest        = serverFile("key pattern tests", "src/mongo/db/catalog/index_key_validate_test.cpp")
	srcCappedSync     = policy.Citation{Title: "MongoDB server: the test of SERVER-104771 in 7.0.24", Address: "https://jira.mongodb.org/browse/SERVER-104771"}
	srcCappedCasing   = policy.Citation{Title: "SERVER-61545", Address: "https://jira.mongodb.org/browse/SERVER-61545"}
	srcCappedManual   = policy.Citation{Title: "DOCS-15313", Address: "https://jira.mongodb.org/browse/DOCS-15313"}
	srcCappedBackport = policy.Citation{Title: "SERVER-107495", Address: "https://jira.mongodb.org/browse/SERVER-107495"}
	srcTTLChecks      = policy.Citation{Title: "SERVER-10075", Address: "https://jira.mongodb.org/browse/SERVER-10075"}
)

// indexTest cites a test of indexes in a suite that runs against mongod
// 8.2.4.
func indexTest(path string) policy.Citation {
	return policy.Citation{Title: "Functional tests run against MongoDB", Address: "documentdb/functional-tests: documentdb_tests/compatibility/tests/core/indexes/" + path}
}

// The rules by which createIndexes refuses an index, in the order of its
// checks.
var (
	ruleIndexUnspecified = &policy.Rule{ID: "mongo.createindexes-unspecified", Citations: from(srcValidate), Confidence: policy.Unestablished,
		Statement: "What this release makes of the field, or of such a collection, is not established."}
	ruleIndexUnknownField = &policy.Rule{ID: "mongo.createindexes-unknown-field", Versions: "3.4 and later", Citations: from(srcValidate, srcSpecTest), Confidence: policy.VendorTest,
		Statement: "An option that the release does not know refuses the index."}
	ruleIndexFieldType = &policy.Rule{ID: "mongo.createindexes-field-type", Citations: from(srcValidate, srcSpecTest), Confidence: policy.VendorTest,
		Statement: "An option of the wrong type refuses the index; expireAfterSeconds has a refusal of its own."}
	ruleIndexKey = &policy.Rule{ID: "mongo.createindexes-key", Citations: from(srcKeyTest, srcValidate), Confidence: policy.VendorTest,
		Statement: "An index needs a key pattern of at least one field, each with a number other than 0 or the name of an index type."}
	ruleIndexName = &policy.Rule{ID: "mongo.createindexes-name", Citations: from(srcValidate, srcIndexCatalog), Confidence: policy.FromSource,
		Statement: "An index has a name, which drivers and shells make and the server does not: without one it is refused (FailedToParse since 3.4, CannotCreateIndex since 2.6, 12523 before). The name must be neither empty nor *, is _id_ for the index on _id only, from 8.3 on for none of a time-series collection, and belongs to one index of a collection."}
	ruleIndexID = &policy.Rule{ID: "mongo.createindexes-id", Versions: "3.4 and later", Citations: from(srcSpecTest, srcValidate, srcTTLErrorsTest), Confidence: policy.VendorTest,
		Statement: "The index on _id takes no expireAfterSeconds, no partial filter and no other option, which is checked before its TTL options; its key must be {_id: 1}. A hashed index on _id is an index like others."}
	ruleIndexFilterSyntax = &policy.Rule{ID: "mongo.createindexes-filter-syntax", Versions: "3.2 and later", Citations: from(srcPartialDrop, srcValidate), Confidence: policy.VendorTest,
		Statement: "A partial filter that is no expression of the query language, or that asks for JavaScript, text search or $expr, refuses the index. What an operand may be depends on the release: up to 4.2 the remainder of $mod may be anything (4.4 is not established), and in 3.2 $size may be a text, below 0 or a fraction."}
	ruleIndexSeriesCollation = &policy.Rule{ID: "mongo.createindexes-timeseries-collation", Versions: "5.0 and later", Citations: from(srcSeriesConvert, srcSeriesIndexing), Confidence: policy.VendorTest,
		Statement: "An index of a time-series collection cannot have a partial filter and a collation."}
	ruleIndexSeries = &policy.Rule{ID: "mongo.createindexes-timeseries", Versions: "5.0 to 6.2", Citations: from(srcSeriesConvert), Confidence: policy.FromSource,
		Statement: "A time-series collection takes no TTL index."}
	ruleIndexSeriesFilter = &policy.Rule{ID: "mongo.createindexes-timeseries-filter", Versions: "6.3 and later", Citations: from(srcSeriesIndexing, srcSeriesConvert), Confidence: policy.VendorTest,
		Statement: "A TTL index of a time-series collection needs a partial filter on the meta field, or on fields within it, alone."}
	ruleSecondsType = &policy.Rule{ID: "mongo.createindexes-seconds-type", Versions: "4.2 and later", Citations: from(srcOptionsTest, srcTTLTypesTest, srcValidate), Confidence: policy.VendorTest,
		Statement: "expireAfterSeconds must be a number; null and booleans are none."}
	ruleSecondsNaN = &policy.Rule{ID: "mongo.createindexes-seconds-nan", Versions: "7.0 and later", Citations: from(srcTTLErrorsTest, srcValidate), Confidence: policy.VendorTest,
		Statement: "expireAfterSeconds must not be NaN, of either type. Releases before 6.2 take it for 0 while they check it."}
	ruleSecondsNaNUnspecified = &policy.Rule{ID: "mongo.createindexes-seconds-nan-unspecified", Versions: "6.2 and 6.3", Citations: from(srcValidate), Confidence: policy.Unestablished,
		Statement: "Whether createIndexes refuses NaN yet is not established."}
	ruleSecondsRange = &policy.Rule{ID: "mongo.createindexes-seconds-range", Versions: "5.0.14 and later in 5.0, 6.0.2 and later", Citations: from(srcOptionsTest, srcValidate, srcNaN), Confidence: policy.VendorTest,
		Statement: "expireAfterSeconds must fit 32 bits once it is a whole number; 2147483647 does."}
	ruleSecondsNegative = &policy.Rule{ID: "mongo.createindexes-seconds-negative", Versions: "4.2 and later", Citations: from(srcOptionsTest, srcTTLErrorsTest), Confidence: policy.VendorTest,
		Statement: "expireAfterSeconds must not be below 0 once it is a whole number."}
	ruleSecondsBefore1970 = &policy.Rule{ID: "mongo.createindexes-seconds-before-1970", Versions: "4.2 to 5.0.13, 5.1 to 6.0.1", Citations: from(srcOptionsTest, srcValidate, srcNaN), Confidence: policy.VendorTest,
		Statement: "expireAfterSeconds must not reach back before 1970: its milliseconds are at most those since then, so that 2147483647 is refused."}
	ruleCompoundRefused = &policy.Rule{ID: "mongo.createindexes-compound", Versions: "4.2 and later", Citations: from(srcOptionsTest, srcManualTTL), Confidence: policy.VendorTest,
		Statement: "An index of several fields takes no expireAfterSeconds. A field of that name in the key is a field like others."}
	ruleIndexSeriesKey = &policy.Rule{ID: "mongo.createindexes-timeseries-key", Versions: "6.3 and later", Citations: from(srcSeriesIndexing, srcSeriesConvert), Confidence: policy.VendorTest,
		Statement: "The key of a TTL index of a time-series collection is the time field."}
	ruleIndexView = &policy.Rule{ID: "mongo.createindexes-view", Versions: "3.4 and later", Citations: from(indexTest("commands/createIndexes/test_createIndexes_errors.py"), srcCreateIndexes), Confidence: policy.VendorTest,
		Statement: "A view has no indexes."}
	ruleIndexWildcard = &policy.Rule{ID: "mongo.createindexes-wildcard", Versions: "4.2 and later", Citations: from(srcTTLErrorsTest, srcValidate), Confidence: policy.VendorTest,
		Statement: "A wildcard index takes no expireAfterSeconds."}
	ruleIndexPartialSparse = &policy.Rule{ID: "mongo.createindexes-partial-sparse", Versions: "3.2 and later", Citations: from(srcPartialDrop, srcPartial, srcIndexCatalog), Confidence: policy.VendorTest,
		Statement: "An index cannot be partial and sparse."}
	ruleIndexFilterLanguage = &policy.Rule{ID: "mongo.createindexes-filter-language", Versions: "3.2 and later", Citations: from(srcPartialDrop, srcPartial), Confidence: policy.VendorTest,
		Statement: "A partial filter speaks a small part of the query language: comparisons, $exists: true, $type and $and; since 6.0 also $or, $in, geometry and four levels of nesting."}
	ruleIndexCappedCluster = &policy.Rule{ID: "mongo.createindexes-capped-clustered", Versions: "5.3 and later", Citations: from(srcIndexCatalog), Confidence: policy.FromSource,
		Statement: "A capped collection that is clustered takes no TTL index beside its own option."}
	ruleIndexCapped = &policy.Rule{ID: "mongo.createindexes-capped", Versions: "5.2 to 6.0.24, 6.1 to 7.0.24", Citations: from(srcIndexCatalog, srcCappedSync, srcCappedCasing, srcCappedManual), Confidence: policy.FromSource,
		Statement: "A capped collection takes no TTL index. Releases up to 5.1, and those from 5.2 to 6.0 while their feature compatibility version is below 5.2, take one that never deletes; those since 7.1 take one that does."}
	ruleIndexCappedUnspecified = &policy.Rule{ID: "mongo.createindexes-capped-unspecified", Versions: "6.0.25 and later in 6.0, 7.0.25 and later in 7.0", Citations: from(srcCappedDeletes, srcCappedBackport), Confidence: policy.Unestablished,
		Statement: "Whether a capped collection takes a TTL index is not established: a ticket brings what 7.1 does to these lines, and the patch is not pinned."}
	ruleIndexConflict = &policy.Rule{ID: "mongo.createindexes-conflict", Versions: "3.0 and later", Citations: from(srcSignatureTest, srcIndexSignature), Confidence: policy.VendorTest,
		Statement: "A second index on the same key is refused if only expireAfterSeconds differs, or only the name. What makes it another index is the collation since 3.4, and since 5.0 also the partial filter, in whatever order its clauses are, sparse and unique. hidden, v and background never do."}
	ruleIndexConflictUnspecified = &policy.Rule{ID: "mongo.createindexes-conflict-unspecified", Versions: "up to 2.6; up to 4.0 the very index under another name", Citations: from(srcIndexCatalog), Confidence: policy.Unestablished,
		Statement: "What becomes of an index that is like one that exists is not established."}
)

// createIndexRules are the rules by which createIndexes refuses an index, or
// by which that is open.
var createIndexRules = []*policy.Rule{
	ruleIndexUnspecified, ruleIndexUnknownField, ruleIndexFieldType, ruleIndexKey, ruleIndexName, ruleIndexID, ruleIndexFilterSyntax,
	ruleIndexSeriesCollation, ruleIndexSeries, ruleIndexSeriesFilter,
	ruleSecondsType, ruleSecondsNaN, ruleSecondsNaNUnspecified, ruleSecondsRange, ruleSecondsNegative, ruleSecondsBefore1970,
	ruleCompoundRefused,
	ruleIndexSeriesKey, ruleIndexView, ruleIndexWildcard, ruleIndexPartialSparse, ruleIndexFilterLanguage, ruleIndexCappedCluster,
	ruleIndexCapped, ruleIndexCappedUnspecified, ruleIndexConflict, ruleIndexConflictUnspecified,
}

// createIndexStatements hold of what createIndexes accepts.
var createIndexStatements = []*policy.Rule{
	{ID: "mongo.createindexes-unchecked", Versions: "up to 4.0", Citations: from(srcCreateIndexes, srcTTLChecks), Confidence: policy.FromSource,
		Statement: "expireAfterSeconds is not looked at: strings, negative numbers and indexes of several fields are stored with it."},
	{ID: "mongo.createindexes-conversion", Versions: "4.2 and later", Citations: from(srcBSONElement, srcTTLStoredTest), Confidence: policy.FromSource,
		Statement: "A double is truncated towards zero and a decimal rounded half to even before the range is looked at, so that -0.9 is a legal 0 as a double and an illegal -1 as a decimal."},
	{ID: "mongo.createindexes-stored", Versions: "7.3 and later", Citations: from(srcNonInt, srcTTLStoredTest), Confidence: policy.VendorTest,
		Statement: "The catalog keeps expireAfterSeconds as an int32. Earlier releases keep the number as it was given and use it as the same whole seconds."},
	{ID: "mongo.createindexes-special", Citations: from(srcCreateTTLTest), Confidence: policy.VendorTest,
		Statement: "Hashed, text, 2d and 2dsphere indexes take expireAfterSeconds, by which they never delete."},
	{ID: "mongo.createindexes-no-op", Citations: from(srcSignatureTest, srcIndexCatalog), Confidence: policy.VendorTest,
		Statement: "An index that exists under the same name with the same options is created without effect, numbers of different types being the same."},
}

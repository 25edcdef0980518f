package rules

import "github.com/ttlpolicy/ttlpolicy/policy"

// The sources that rules cite: the manual, tickets, and the server's own tests and source
// (mongodb/mongo; the main branch unless the text names another one).
var (
	srcBSON         = policy.Citation{Title: "BSON specification", Address: "https://bsonspec.org/spec.html"}
	srcManualTTL    = policy.Citation{Title: "MongoDB manual: TTL Indexes", Address: "https://www.mongodb.com/docs/manual/core/index-ttl/"}
	srcManualExpire = policy.Citation{Title: "MongoDB manual: Expire Data from Collections by Setting TTL", Address: "https://www.mongodb.com/docs/manual/tutorial/expire-data/"}
	srcManualCreate = policy.Citation{Title: "MongoDB manual: create", Address: "https://www.mongodb.com/docs/manual/reference/command/create/"}
	srcPartial      = policy.Citation{Title: "MongoDB manual: Partial Indexes", Address: "https://www.mongodb.com/docs/manual/core/index-partial/"}
	srcNull         = policy.Citation{Title: "MongoDB manual: Query for Null or Missing Fields", Address: "https://www.mongodb.com/docs/manual/tutorial/query-for-null-fields/"}
	srcTypeManual   = policy.Citation{Title: "MongoDB manual: $type", Address: "https://www.mongodb.com/docs/manual/reference/operator/query/type/"}
	srcNotes90      = policy.Citation{Title: "MongoDB manual: Release Notes for MongoDB 9.0", Address: "https://www.mongodb.com/docs/manual/release-notes/9.0/"}
	srcNotNumber    = policy.Citation{Title: "SERVER-11194: an expireAfterSeconds that is no number, fixed in 2.4.9", Address: "https://jira.mongodb.org/browse/SERVER-11194"}
	srcNaNLogged    = policy.Citation{Title: "SERVER-68359: NaN in 4.2 and 4.4", Address: "https://jira.mongodb.org/browse/SERVER-68359"}
	srcNaN          = policy.Citation{Title: "SERVER-68477", Address: "https://jira.mongodb.org/browse/SERVER-68477"}

	srcMonitor       = serverFile("TTL monitor", "src/mongo/db/ttl/ttl_monitor.cpp")
	srcMonitorTest   = serverFile("TTL unit tests", "src/mongo/db/ttl/ttl_test.cpp")
	srcParameters    = serverFile("TTL parameters", "src/mongo/db/ttl/ttl.idl")
	srcOldTTL        = serverFile("TTL thread of the branches v2.2 to v6.1", "src/mongo/db/ttl.cpp")
	srcKeys          = serverFile("key generation", "src/mongo/db/index/btree_key_generator.cpp")
	srcKeysTest      = serverFile("key generation tests", "src/mongo/db/index/btree_key_generator_test.cpp")
	srcValidate      = serverFile("validation of indexes", "src/mongo/db/index_key_validate.cpp")
	srcListing       = serverFile("the reply of listIndexes", "src/mongo/db/list_indexes.idl")
	srcBSONElement   = serverFile("BSON numbers", "src/mongo/bson/bsonelement.h")
	srcRecheck       = serverFile("check before a delete", "src/mongo/db/exec/write_stage_common.cpp")
	srcObjectID      = serverFile("ObjectId", "src/mongo/bson/oid.cpp")
	srcSeriesOptions = serverFile("time-series options", "src/mongo/db/timeseries/timeseries_options.cpp")
	srcBuckets       = serverFile("catalog of buckets", "src/mongo/db/timeseries/bucket_catalog.cpp")
	srcSeriesREADME  = serverFile("time-series README", "src/mongo/db/timeseries/README.md")

	srcTTL1             = serverFile("ttl1.js", "jstests/noPassthroughWithMongod/ttl/ttl1.js")
	srcSecondary        = serverFile("ttl_repl_secondary_disabled.js", "jstests/noPassthroughWithMongod/ttl/ttl_repl_secondary_disabled.js")
	srcMaintenance      = serverFile("ttl_repl_maintenance.js", "jstests/noPassthroughWithMongod/ttl/ttl_repl_maintenance.js")
	srcHidden           = serverFile("ttl_hidden_index.js", "jstests/noPassthrough/ttl/ttl_hidden_index.js")
	srcMultiple         = serverFile("ttl_multiple_indexes_and_collections.js", "jstests/noPassthrough/ttl/ttl_multiple_indexes_and_collections.js")
	srcPartialTest      = serverFile("ttl_partial_index.js", "jstests/noPassthrough/ttl/ttl_partial_index.js")
	srcNonInt           = serverFile("ttl_non_int_expire_after_seconds.js", "jstests/noPassthrough/ttl/ttl_non_int_expire_after_seconds.js")
	srcInvalid          = serverFile("ttl_invalid_expire_after_secs.js", "jstests/noPassthrough/ttl/ttl_invalid_expire_after_secs.js")
	srcNaNCompatibility = policy.Citation{Title: "SERVER-68522", Address: "https://jira.mongodb.org/browse/SERVER-68522"}
	srcNaNStartup       = serverFile("ttl_expire_nan_warning_on_startup.js", "jstests/noPassthrough/ttl/ttl_expire_nan_warning_on_startup.js")
	srcResharding       = serverFile("ttl_resharding_collection.js", "jstests/noPassthrough/ttl/ttl_resharding_collection.js")
	srcBatches          = serverFile("ttl_batch_deletes.js", "jstests/noPassthrough/ttl/ttl_batch_deletes.js")
	srcSleep            = serverFile("ttlMonitorSleepSecs_parameter.js", "jstests/noPassthrough/ttl/ttlMonitorSleepSecs_parameter.js")
	srcNaNTest          = serverFile("ttl_expire_nan.js", "jstests/noPassthrough/ttl_expire_nan.js")
	srcCapped           = serverFile("ttl_capped.js", "jstests/noPassthrough/ttl_capped.js")
	srcCappedDeletes    = serverFile("TTL index on a capped collection", "jstests/noPassthroughWithMongod/capped/")
	srcOrphans          = serverFile("ttl_deletes_not_targeting_orphaned_documents.js", "jstests/sharding/ttl_deletes_not_targeting_orphaned_documents.js")
	srcWriteBlock       = serverFile("user_write_blocking_ttl_index.js", "jstests/noPassthrough/user_write_blocking_ttl_index.js")
	srcClustered        = serverFile("clustered_collection_ttl.js", "jstests/noPassthrough/clustered_collections/clustered_collection_ttl.js")
	srcSeriesTTL        = serverFile("timeseries_ttl.js", "jstests/noPassthrough/timeseries/ttl/timeseries_ttl.js")
	srcSeriesPartial    = serverFile("timeseries_expires_with_partial_index.js", "jstests/noPassthrough/timeseries/ttl/timeseries_expires_with_partial_index.js")
	srcSeriesIndexTest  = serverFile("timeseries_index.js", "jstests/core/timeseries/ddl/timeseries_index.js")
	srcSeriesIndexing   = serverFile("timeseries_index_ttl_partial.js", "jstests/core/timeseries/ddl/timeseries_index_ttl_partial.js")
)

// The sources of rules about collections with an expireAfterSeconds of their own.
var (
	srcExtended      = ticket("SERVER-97368")
	srcExtendedSkip  = ticket("SERVER-79864")
	srcExtendedTest  = serverFile("timeseries_extended_range_ttl.js, up to SERVER-97368", "jstests/noPassthrough/timeseries_extended_range_ttl.js")
	srcAllowedWrites = serverFile("namespaces that take writes", "src/mongo/db/ops/insert.cpp")
	srcMetadata      = serverFile("time-series metadata", "src/mongo/db/timeseries/metadata.cpp")
	srcScanStart     = ticket("SERVER-76560")
	srcRounding1970  = ticket("SERVER-67816")
	srcViewless      = ticket("TOOLS-4182")
	srcDumpPaths     = policy.Citation{Title: "MongoDB Database Tools: where mongodump writes", Address: "mongodb/mongo-tools: mongodump/prepare.go"}
	srcMoved         = ticket("SERVER-99527")
	srcMovedArchived = ticket("SERVER-94559")
	srcManualSeries  = policy.Citation{Title: "MongoDB manual: Set up Automatic Removal for Time Series Collections", Address: "https://www.mongodb.com/docs/manual/core/timeseries/timeseries-automatic-removal/"}
)

// The sources of rules about old releases, whose files have other paths today.
var (
	srcCutoff            = ticket("SERVER-38445")
	srcSecondaryWork     = ticket("SERVER-96050")
	srcDuration          = serverFile("durations", "src/mongo/util/duration.h")
	srcOldDelete         = serverFile("deletes of the branches v2.2 and v2.4", "src/mongo/db/ops/delete.cpp")
	srcOldTime           = serverFile("dates and durations", "src/mongo/util/time_support.h")
	srcOldCompare        = serverFile("comparison of values of the branches v2.2 to v2.6", "src/mongo/bson/bson-inl.h")
	srcOldIndexTypes     = serverFile("index types of the branches v2.2 and v2.4", "src/mongo/db/indexkey.cpp")
	srcOldSpec           = serverFile("catalog of indexes of the branches v2.6 and v3.0", "src/mongo/db/catalog/index_catalog.cpp")
	srcOrdering          = serverFile("ascending and descending keys", "src/mongo/bson/ordering.h")
	srcVersionZero       = serverFile("order of keys of the branches v2.2 to v2.6", "src/mongo/db/key.cpp")
	srcVersionZeroCursor = serverFile("cursors of MMAPv1 of the branches v3.2 to v4.0", "src/mongo/db/storage/mmap_v1/btree/btree_interface.cpp")
)

// The sources of rules about partial filters.
var (
	srcNullPaths   = policy.Citation{Title: "MongoDB manual: Compatibility Changes in MongoDB 9.0", Address: "https://www.mongodb.com/docs/manual/release-notes/9.0-compatibility/"}
	srcComparisons = serverFile("comparisons of queries", "src/mongo/db/matcher/expression_leaf.cpp")
	srcNinNull     = serverFile("nin_null.js", "jstests/core/query/nin/nin_null.js")
	srcKnobs       = serverFile("parameters of queries", "src/mongo/db/query/query_execution_knobs.idl")
	srcPaths       = serverFile("paths of queries", "src/mongo/db/matcher/path.cpp")
)

// ticket cites a ticket of the server.
func ticket(id string) policy.Citation {
	return policy.Citation{Title: id, Address: "https://jira.mongodb.org/browse/" + id}
}

// serverFile cites a file of the server's repository.
func serverFile(title, path string) policy.Citation {
	return policy.Citation{Title: "MongoDB server: " + title, Address: "mongodb/mongo: " + path}
}

func from(sources ...policy.Citation) []policy.Citation { return sources }

// The sources of these rules.
var (
	srcCreateIndexes  = serverFile("createIndexes", "src/mongo/db/commands/create_indexes.cpp")
	srcIndexCatalog   = serverFile("catalog of indexes", "src/mongo/db/catalog/index_catalog_impl.cpp")
	srcCollator       = serverFile("collations", "src/mongo/db/query/collation/collator_factory_icu.cpp")
	srcText           = serverFile("text indexes", "src/mongo/db/fts/fts_spec.cpp")
	srcAccess         = serverFile("options of special indexes", "src/mongo/db/index/expression_params.cpp")
	srcIndexSignature = serverFile("what tells indexes apart", "src/mongo/db/catalog/index_descriptor.cpp")
	srcSeriesConvert  = serverFile("indexes of time-series collections", "src/mongo/db/timeseries/timeseries_commands_conversion_helper.cpp")
	srcOptionsTest    = serverFile("ttl_index_options.js", "jstests/core/ttl_index_options.js")
	srcSignatureTest  = serverFile("index_signature.js", "jstests/core/index_signature.js")
	srcHiddenConflict = serverFile("hidden_index.js", "jstests/core/index/hidden_index.js")
	srcHiddenReport   = policy.Citation{Title: "pyeve/eve#1551: what 7 accepts and 8 refuses", Address: "https://github.com/pyeve/eve/issues/1551"}
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
	srcTTLOptions     = serverFile("createIndexes of the newer releases", "src/mongo/db/commands/create_indexes_cmd.cpp")
	srcTTLChecks      = policy.Citation{Title: "SERVER-10075", Address: "https://jira.mongodb.org/browse/SERVER-10075"}
)

// indexTest cites a test of indexes in a suite that runs against mongod
// 8.2.4.
func indexTest(path string) policy.Citation {
	return policy.Citation{Title: "Functional tests run against MongoDB", Address: "documentdb/functional-tests: documentdb_tests/compatibility/tests/core/indexes/" + path}
}

// The sources of these rules.
var (
	srcCollMod        = serverFile("collMod", "src/mongo/db/catalog/coll_mod.cpp")
	srcCollModOld     = serverFile("collMod of the branches v2.2 to v3.0", "src/mongo/db/dbcommands.cpp")
	srcUpdate24       = serverFile("namespaces of the branches v2.2 to v2.6", "src/mongo/db/namespace_details.cpp")
	srcUpdate26       = serverFile("in-place change of a TTL index of the branch v2.6", "src/mongo/db/catalog/index_catalog.cpp")
	srcMMAPv1Update   = serverFile("catalog of MMAPv1 of the branches v3.0 to v4.0", "src/mongo/db/storage/mmap_v1/catalog/namespace_details_collection_entry.cpp")
	srcKVUpdate       = serverFile("catalog of the other storage engines of the branches v3.0 to v4.0", "src/mongo/db/storage/bson_collection_catalog_entry.cpp")
	srcCollModIndex   = serverFile("collMod of an index", "src/mongo/db/catalog/coll_mod_index.cpp")
	srcCollModIDL     = serverFile("collMod's fields", "src/mongo/db/coll_mod.idl")
	srcIDL            = serverFile("parser of commands", "src/mongo/idl/idl_parser.cpp")
	srcCreate         = serverFile("create", "src/mongo/db/commands/create_command.cpp")
	srcCreateOld      = serverFile("create of the branches v3.4 to v4.4", "src/mongo/db/commands/dbcommands.cpp")
	srcCreateChecks   = serverFile("creation of collections", "src/mongo/db/catalog/create_collection.cpp")
	srcUserCreate     = serverFile("collections of a database", "src/mongo/db/catalog/database_impl.cpp")
	srcAgainTicket    = policy.Citation{Title: "SERVER-60064", Address: "https://jira.mongodb.org/browse/SERVER-60064"}
	srcClusteredUtil  = serverFile("clustered collections", "src/mongo/db/catalog/clustered_collection_util.cpp")
	srcViewTicket     = policy.Citation{Title: "SERVER-63859", Address: "https://jira.mongodb.org/browse/SERVER-63859"}
	srcReplyTicket    = policy.Citation{Title: "SERVER-62068", Address: "https://jira.mongodb.org/browse/SERVER-62068"}
	srcRewriteTicket  = policy.Citation{Title: "SERVER-92366", Address: "https://jira.mongodb.org/browse/SERVER-92366"}
	srcCollModTest    = serverFile("collmod.js", "jstests/core/collmod.js")
	srcConvertTest    = serverFile("coll_mod_convert_to_ttl.js", "jstests/core/coll_mod_convert_to_ttl.js")
	srcSeriesTest     = serverFile("timeseries_create.js", "jstests/core/timeseries/timeseries_create.js")
	srcExpireTest     = suiteFile("collMod/test_collMod_index_expire.py")
	srcIdentifierTest = suiteFile("collMod/test_collMod_index_identifier.py")
	srcArgumentTest   = suiteFile("collMod/test_collMod_index_argument.py")
	srcPrepareTest    = suiteFile("collMod/test_collMod_index_prepare_unique.py")
	srcUniqueTest     = suiteFile("collMod/test_collMod_index_unique.py")
	srcHiddenTest     = suiteFile("collMod/test_collMod_index_hidden.py")
	srcDryRunTest     = suiteFile("collMod/test_collMod_dry_run.py")
	srcOwnModTest     = suiteFile("collMod/test_collMod_time_series_expire.py")
	srcOwnCreateTest  = suiteFile("create/test_create_expire_after_seconds.py")
	srcBucketTest     = suiteFile("create/test_create_timeseries_validation.py")
	srcClusterTest    = suiteFile("create/test_create_clustered_index_validation.py")
	srcSizeTest       = suiteFile("create/test_create_size.py")
)

// suiteFile cites a test of a suite that runs against mongod 8.2.4.
func suiteFile(path string) policy.Citation {
	return policy.Citation{Title: "Functional tests run against MongoDB", Address: "documentdb/functional-tests: documentdb_tests/compatibility/tests/core/collections/commands/" + path}
}

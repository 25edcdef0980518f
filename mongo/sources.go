package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// The sources that rules cite: the manual, tickets, and the server's own tests
// and source (mongodb/mongo, its main branch unless said otherwise).
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
	srcBSONElement   = serverFile("BSON numbers", "src/mongo/bson/bsonelement.h")
	srcRecheck       = serverFile("check before a delete", "src/mongo/db/exec/write_stage_common.cpp")
	srcObjectID      = serverFile("ObjectId", "src/mongo/bson/oid.cpp")
	srcSeriesOptions = serverFile("time-series options", "src/mongo/db/timeseries/timeseries_options.cpp")
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
	srcToggle           = serverFile("ttl_monitor_enabled_runtime_toggle.js", "jstests/noPassthrough/ttl/ttl_monitor_enabled_runtime_toggle.js")
	srcSleep            = serverFile("ttlMonitorSleepSecs_parameter.js", "jstests/noPassthrough/ttl/ttlMonitorSleepSecs_parameter.js")
	srcNaNTest          = serverFile("ttl_expire_nan.js", "jstests/noPassthrough/ttl_expire_nan.js")
	srcCapped           = serverFile("ttl_capped.js", "jstests/noPassthrough/ttl_capped.js")
	srcCappedDeletes    = serverFile("TTL index on a capped collection", "jstests/noPassthroughWithMongod/capped/")
	srcOrphans          = serverFile("ttl_deletes_not_targeting_orphaned_documents.js", "jstests/sharding/ttl_deletes_not_targeting_orphaned_documents.js")
	srcWriteBlock       = serverFile("user_write_blocking_ttl_index.js", "jstests/noPassthrough/user_write_blocking_ttl_index.js")
	srcClustered        = serverFile("clustered_collection_ttl.js", "jstests/noPassthrough/clustered_collections/clustered_collection_ttl.js")
	srcSeriesTTL        = serverFile("timeseries_ttl.js", "jstests/noPassthrough/timeseries/ttl/timeseries_ttl.js")
	srcSeriesPartial    = serverFile("timeseries_expires_with_partial_index.js", "jstests/noPassthrough/timeseries/ttl/timeseries_expires_with_partial_index.js")
	srcSeriesIndexing   = serverFile("timeseries_index_ttl_partial.js", "jstests/core/timeseries/ddl/timeseries_index_ttl_partial.js")
)

// The sources of rules about collections that carry the option themselves.
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

// The sources of rules about old releases, whose files are elsewhere today.
var (
	srcCutoff            = ticket("SERVER-38445")
	srcSecondaryWork     = ticket("SERVER-96050")
	srcDuration          = serverFile("durations", "src/mongo/util/duration.h")
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

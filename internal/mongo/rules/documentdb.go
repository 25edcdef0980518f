package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// documentDB cites a file of the engine, as it was read at b2e220c4 (0.108). The tags 0.102
// to 0.106 do the same.
func documentDB(title, path string) policy.Citation {
	return policy.Citation{Title: "DocumentDB, " + title, Address: "microsoft/documentdb: " + path}
}

// laterDocumentDB cites a file of the line 0.112.
func laterDocumentDB(title, path string) policy.Citation {
	return policy.Citation{Title: "DocumentDB 0.112, " + title, Address: "documentdb/documentdb: " + path}
}

var (
	srcDocumentDBSweep     = documentDB("TTL indexes", "pg_documentdb/src/ttl/ttl_index.c")
	srcDocumentDBNewSweep  = laterDocumentDB("TTL indexes", "pg_documentdb/src/ttl/ttl_index.c")
	srcDocumentDBLess      = documentDB("comparisons of queries", "pg_documentdb/src/operators/bson_dollar_operators.c")
	srcDocumentDBSettings  = documentDB("settings of the TTL job", "pg_documentdb/src/configs/background_job_configs.c")
	srcDocumentDBChanges   = laterDocumentDB("changelog", "CHANGELOG.md")
	srcDocumentDBCreate    = documentDB("creation of indexes", "pg_documentdb/src/commands/create_indexes.c")
	srcDocumentDBNewCreate = laterDocumentDB("creation of indexes", "pg_documentdb/src/commands/create_indexes.c")
	srcDocumentDBCollMod   = documentDB("collMod", "pg_documentdb/src/commands/coll_mod.c")
	srcDocumentDBNewMod    = laterDocumentDB("collMod", "pg_documentdb/src/commands/coll_mod.c")
	srcDocumentDBNew       = documentDB("create", "pg_documentdb/src/commands/create_collection_view.c")
	srcDocumentDBGateway   = documentDB("codes of its gateway", "pg_documentdb_gw/src/responses/pg.rs")
	srcDocumentDBTest      = documentDB("its test of deletes", "pg_documentdb/src/test/regress/expected/ttl_index_delete_rows.out")
	srcDocumentDBTest2     = documentDB("its test of TTL indexes", "internal/pg_documentdb_distributed/src/test/regress/expected/commands_create_ttl_indexes.out")
	srcDocumentDBModTest   = documentDB("its test of collMod", "internal/pg_documentdb_distributed/src/test/regress/expected/commands_coll_mod.out")
)

// The rules about documents in DocumentDB. The rules of package mongo about what a field
// holds are the same there.
var (
	DocumentDBCollectionUnspecified = rule(engine.Entry{ID: "documentdb.collection-unspecified", Citations: from(srcDocumentDBNew), Confidence: engine.Unspecified,
		Statement: "DocumentDB has no capped, clustered or time-series collections. A definition that says so comes from elsewhere, and the document is kept; a command on such a collection, or on a view, is not decided."})
	DocumentDBPathUnspecified = rule(engine.Entry{ID: "documentdb.path-unspecified", Citations: from(srcDocumentDBSweep, srcDocumentDBLess), Confidence: engine.Unspecified,
		Statement: "It is unspecified which field an index of DocumentDB reads in three cases: a name occurs twice, a field's name holds the dots of the path, or a number in the path is both a position of an array and a field's name in the array's elements. In these cases DocumentDB's index terms and its comparison of documents differ. 0.108 was seen to delete by any of the fields. The document is kept."})
	DocumentDBFilterUnspecified = rule(engine.Entry{ID: "documentdb.filter-unspecified", Citations: from(srcDocumentDBSweep, srcDocumentDBLess), Confidence: engine.Unspecified,
		Statement: "MongoDB and DocumentDB 0.108 were seen to differ about a partial filter in three cases: null where an array breaks the path off, MinKey or MaxKey against another type or a missing field, and a Decimal128 against a double if rounding makes the two equal. In these cases it is not decided here whether the filter takes the document in. The document is kept."})
	DocumentDBDate = rule(engine.Entry{ID: "documentdb.date", Citations: from(srcDocumentDBSweep, srcDocumentDBNewSweep, srcDocumentDBTest), Confidence: engine.FromSource,
		Statement: "DocumentDB deletes a document when its date is before the clock less expireAfterSeconds ($lt): a document whose deadline is this very millisecond stays. The earliest date of an array counts. Only Dates count, before 1970 too."})
)

// The rules about commands of DocumentDB.
var (
	DocumentDBCreateSeconds = rule(engine.Entry{ID: "documentdb.createindexes-seconds", Citations: from(srcDocumentDBTest2, srcDocumentDBCreate, srcDocumentDBNewCreate), Confidence: engine.VendorTest,
		Statement: "createIndexes of DocumentDB refuses an expireAfterSeconds that is not an int, long or double, a Decimal128 too, that is outside 32 bits before its fraction is cut (2147483647.5), or that is below 0 after it (-0.9 is 0) (CannotCreateIndex). It stores the whole seconds as an int32."})
	DocumentDBCreateKey = rule(engine.Entry{ID: "documentdb.createindexes-key", Citations: from(srcDocumentDBTest2, srcDocumentDBCreate, srcDocumentDBGateway), Confidence: engine.VendorTest,
		Statement: "createIndexes of DocumentDB refuses a TTL index on _id or $** alone (InvalidIndexSpecificationOption), on several fields or a wildcard path (CannotCreateIndex), and a hashed, text, 2d, 2dsphere or cosmosSearch one: the engine calls that a feature that is not supported, which its gateway sends as CommandNotSupported and FerretDB as InternalError. Descending, sparse and unique TTL indexes are made."})
	DocumentDBCreateOptions = rule(engine.Entry{ID: "documentdb.createindexes-options", Citations: from(srcDocumentDBCreate, srcDocumentDBNewCreate, srcDocumentDBGateway), Confidence: engine.FromSource,
		Statement: "createIndexes of DocumentDB refuses hidden: true (a feature that is not supported) and a hidden that is no bool (CannotCreateIndex), a collation (CommandNotSupported), and sparse beside partialFilterExpression (InvalidIndexSpecificationOption). An index without key or name is refused with FailedToParse."})
	DocumentDBCreateFilter = rule(engine.Entry{ID: "documentdb.createindexes-filter", Citations: from(srcDocumentDBCreate), Confidence: engine.FromSource,
		Statement: "A partial filter of DocumentDB may have $eq, $gt, $gte, $lt, $lte, $type, $exists: true, and $and at the top; it refuses $or, $in, $not and other operators (CannotCreateIndex)."})
	DocumentDBCollModType = rule(engine.Entry{ID: "documentdb.collmod-index", Citations: from(srcDocumentDBModTest, srcDocumentDBCollMod, srcDocumentDBNewMod), Confidence: engine.VendorTest,
		Statement: "collMod of DocumentDB refuses an expireAfterSeconds that is no number (TypeMismatch) or is below 0 (InvalidOptions), an index that it does not find (IndexNotFound), both or none of name and keyPattern and an index without expireAfterSeconds (InvalidOptions), and a field that it does not know (40415). A plain index does not become a TTL index. hidden is refused up to 0.108 (a feature that is not supported)."})
	DocumentDBCollModWraps = rule(engine.Entry{ID: "documentdb.collmod-wraps", Citations: from(srcDocumentDBCollMod, srcDocumentDBNewMod), Confidence: engine.FromSource,
		Statement: "collMod of DocumentDB stores the low 32 bits of expireAfterSeconds: 4294967296 becomes 0, by which the next sweep deletes every document whose date is past. The reply has the old number as a long and the stored one as a double, and neither if they are equal. A decimal's fraction is cut."})
	DocumentDBCreateCollection = rule(engine.Entry{ID: "documentdb.create", Citations: from(srcDocumentDBNew), Confidence: engine.FromSource,
		Statement: "create of DocumentDB refuses capped: true, clusteredIndex and a timeseries that is not empty (CommandNotSupported), and ignores expireAfterSeconds."})
	DocumentDBCommandUnspecified = rule(engine.Entry{ID: "documentdb.command-unspecified", Citations: from(srcDocumentDBCreate, srcDocumentDBCollMod), Confidence: engine.Unspecified,
		Statement: "How DocumentDB answers is not decided here: options that do not bear on TTL, keys of unusual directions, filters with faults in their form, conflicts with existing indexes, several indexes of one key pattern, a number that wraps below 0, and NaN and numbers beyond 64 bits, whose conversion depends on the processor: NaN is refused on x86-64 and becomes 0 on ARM64, which deletes everything past."})
)

var documentDBCommandRules = []policy.Rule{
	DocumentDBCreateSeconds, DocumentDBCreateKey, DocumentDBCreateOptions, DocumentDBCreateFilter,
	DocumentDBCollModType, DocumentDBCollModWraps, DocumentDBCreateCollection, DocumentDBCommandUnspecified,
}

// The rules about the job that deletes in DocumentDB.
var documentDBStatements = []policy.Rule{
	rule(engine.Entry{ID: "documentdb.job", Citations: from(srcDocumentDBSettings, srcDocumentDBTest, srcDocumentDBChanges), Confidence: engine.FromSource,
		Statement: "A job of pg_cron runs each minute and deletes at most 10000 documents by each index of a shard (maxTTLDeleteBatchSize): a backlog of a million takes 100 minutes. From 0.110 on it can repeat its batches within the minute. It ends after 20 seconds (SingleTTLTaskTimeBudget). Without the job nothing expires. The hosted service may have other settings."}),
	rule(engine.Entry{ID: "documentdb.job-indexes", Citations: from(srcDocumentDBTest2, srcDocumentDBSweep), Confidence: engine.VendorTest,
		Statement: "The job reads the indexes that are valid and whose expireAfterSeconds is at least 0. It skips a collection that is locked until its next run."}),
	rule(engine.Entry{ID: "documentdb.job-stops", Citations: from(srcDocumentDBSweep), Confidence: engine.FromSource,
		Statement: "An error at one index is a warning in the log, and ends the run for the indexes after it."}),
}

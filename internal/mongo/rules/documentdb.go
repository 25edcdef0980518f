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
		Statement: "DocumentDB has no capped, clustered or time-series collections. A definition of one comes from another engine, and the document is kept. A command on such a collection, or on a view, is not decided."})
	DocumentDBPathUnspecified = rule(engine.Entry{ID: "documentdb.path-unspecified", Citations: from(srcDocumentDBSweep, srcDocumentDBLess), Confidence: engine.Unspecified,
		Statement: "No source says which field an index of DocumentDB reads in three cases. In the first, a name occurs twice. In the second, the name of a field contains the dots of the path. In the third, a number in the path is both a position of an array and a field name in its elements. In these cases DocumentDB's index terms and its comparison of documents differ. 0.108 was seen to delete by any of the fields. The document is kept."})
	DocumentDBFilterUnspecified = rule(engine.Entry{ID: "documentdb.filter-unspecified", Citations: from(srcDocumentDBSweep, srcDocumentDBLess), Confidence: engine.Unspecified,
		Statement: "MongoDB and DocumentDB 0.108 were seen to match a partial filter differently in three cases. In the first, the filter compares with null and an array interrupts the path. In the second, it compares MinKey or MaxKey with another type or a missing field. In the third, it compares a Decimal128 with a double, and rounding makes the two equal. It is not decided here whether the filter matches such a document. The document is kept."})
	DocumentDBDate = rule(engine.Entry{ID: "documentdb.date", Citations: from(srcDocumentDBSweep, srcDocumentDBNewSweep, srcDocumentDBTest), Confidence: engine.FromSource,
		Statement: "DocumentDB deletes a document when its date is before the clock less expireAfterSeconds ($lt). In the millisecond of its deadline a document still stays. The earliest date of an array counts. Only Dates count, also those before 1970."})
)

// The rules about commands of DocumentDB.
var (
	DocumentDBCreateSeconds = rule(engine.Entry{ID: "documentdb.createindexes-seconds", Citations: from(srcDocumentDBTest2, srcDocumentDBCreate, srcDocumentDBNewCreate), Confidence: engine.VendorTest,
		Statement: "createIndexes of DocumentDB refuses an expireAfterSeconds that is not an int, a long or a double, such as a Decimal128 (CannotCreateIndex). With its fraction it must fit 32 bits, so 2147483647.5 is refused too. Without its fraction it must not be below 0, so -0.9 is a legal 0. The whole seconds are stored as an int32."})
	DocumentDBCreateKey = rule(engine.Entry{ID: "documentdb.createindexes-key", Citations: from(srcDocumentDBTest2, srcDocumentDBCreate, srcDocumentDBGateway), Confidence: engine.VendorTest,
		Statement: "createIndexes of DocumentDB refuses three kinds of TTL indexes. An index on _id or on $** alone is refused with InvalidIndexSpecificationOption. An index of several fields or on a wildcard path is refused with CannotCreateIndex. A hashed, text, 2d, 2dsphere or cosmosSearch index is a feature that the engine does not support: its gateway sends CommandNotSupported, and FerretDB InternalError. Descending, sparse and unique TTL indexes are accepted."})
	DocumentDBCreateOptions = rule(engine.Entry{ID: "documentdb.createindexes-options", Citations: from(srcDocumentDBCreate, srcDocumentDBNewCreate, srcDocumentDBGateway), Confidence: engine.FromSource,
		Statement: "createIndexes of DocumentDB refuses some options. hidden: true is a feature that is not supported. A hidden that is no bool is refused with CannotCreateIndex, a collation with CommandNotSupported, and sparse beside partialFilterExpression with InvalidIndexSpecificationOption. An index without key or name is refused with FailedToParse."})
	DocumentDBCreateFilter = rule(engine.Entry{ID: "documentdb.createindexes-filter", Citations: from(srcDocumentDBCreate), Confidence: engine.FromSource,
		Statement: "A partial filter of DocumentDB may use $eq, $gt, $gte, $lt, $lte, $type and $exists: true, and $and at the top. $or, $in, $not and other operators are refused (CannotCreateIndex)."})
	DocumentDBCollModType = rule(engine.Entry{ID: "documentdb.collmod-index", Citations: from(srcDocumentDBModTest, srcDocumentDBCollMod, srcDocumentDBNewMod), Confidence: engine.VendorTest,
		Statement: "collMod of DocumentDB refuses an expireAfterSeconds that is no number (TypeMismatch) or is below 0 (InvalidOptions). It needs either name or keyPattern (InvalidOptions), of an index that exists (IndexNotFound) and has expireAfterSeconds (InvalidOptions). So a plain index cannot become a TTL index. A field that it does not know is refused (40415). Up to 0.108 hidden is refused, as a feature that is not supported."})
	DocumentDBCollModWraps = rule(engine.Entry{ID: "documentdb.collmod-wraps", Citations: from(srcDocumentDBCollMod, srcDocumentDBNewMod), Confidence: engine.FromSource,
		Statement: "collMod of DocumentDB stores the low 32 bits of expireAfterSeconds. 4294967296 becomes 0, and the next sweep deletes every document whose date is past. A decimal's fraction is cut. The reply has the old number as a long and the stored one as a double. If the two are equal, it has neither."})
	DocumentDBCreateCollection = rule(engine.Entry{ID: "documentdb.create", Citations: from(srcDocumentDBNew), Confidence: engine.FromSource,
		Statement: "create of DocumentDB refuses capped: true, clusteredIndex, and a timeseries that is not empty (CommandNotSupported). It ignores expireAfterSeconds."})
	DocumentDBCommandUnspecified = rule(engine.Entry{ID: "documentdb.command-unspecified", Citations: from(srcDocumentDBCreate, srcDocumentDBCollMod), Confidence: engine.Unspecified,
		Statement: "It is not decided here how DocumentDB answers some commands: options without effect on TTL, keys of unusual directions, malformed filters, conflicts with existing indexes, several indexes of one key pattern, and a number that wraps below 0. NaN and numbers beyond 64 bits are not decided either, because their conversion depends on the processor. On x86-64 NaN is refused. On ARM64 it becomes 0, and everything whose date is past is deleted."})
)

var documentDBCommandRules = []policy.Rule{
	DocumentDBCreateSeconds, DocumentDBCreateKey, DocumentDBCreateOptions, DocumentDBCreateFilter,
	DocumentDBCollModType, DocumentDBCollModWraps, DocumentDBCreateCollection, DocumentDBCommandUnspecified,
}

// The rules about the job that deletes in DocumentDB.
var documentDBStatements = []policy.Rule{
	rule(engine.Entry{ID: "documentdb.job", Citations: from(srcDocumentDBSettings, srcDocumentDBTest, srcDocumentDBChanges), Confidence: engine.FromSource,
		Statement: "A job of pg_cron runs each minute. By each index of a shard it deletes at most 10000 documents (maxTTLDeleteBatchSize), so a backlog of a million takes 100 minutes. From 0.110 on the job can repeat its batches within the minute. A run ends after 20 seconds (SingleTTLTaskTimeBudget). Without the job nothing expires. The hosted service may have other settings."}),
	rule(engine.Entry{ID: "documentdb.job-indexes", Citations: from(srcDocumentDBTest2, srcDocumentDBSweep), Confidence: engine.VendorTest,
		Statement: "The job uses indexes that are valid and whose expireAfterSeconds is at least 0. If a collection is locked, the job skips it in this run."}),
	rule(engine.Entry{ID: "documentdb.job-stops", Citations: from(srcDocumentDBSweep), Confidence: engine.FromSource,
		Statement: "An error at one index ends the run for all later indexes. The log shows it as a warning."}),
}

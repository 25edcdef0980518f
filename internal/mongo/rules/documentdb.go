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
		Statement: "DocumentDB has no capped, clustered or time-series collections. If this library is asked about such a collection in DocumentDB, it keeps the documents, and does not say how DocumentDB answers commands. It does not say how DocumentDB answers commands on a view either."})
	DocumentDBPathUnspecified = rule(engine.Entry{ID: "documentdb.path-unspecified", Citations: from(srcDocumentDBSweep, srcDocumentDBLess), Confidence: engine.Unspecified,
		Statement: "In three cases no source says which field an index of DocumentDB reads. First, a field name occurs twice. Second, the name of a field contains the dots of the path. Third, a number in the path is both a position of an array in the document and the name of a field in an element of that array. In these cases DocumentDB 0.108 was seen to delete by each of the fields that fit the path. This library keeps the document."})
	DocumentDBFilterUnspecified = rule(engine.Entry{ID: "documentdb.filter-unspecified", Citations: from(srcDocumentDBSweep, srcDocumentDBLess), Confidence: engine.Unspecified,
		Statement: "In three cases MongoDB and DocumentDB 0.108 were seen to differ on whether a partial filter matches a document. First, the filter compares with null, and an array on the path is empty, or has an element that is not a document. Second, the filter compares MinKey or MaxKey with another type or a missing field. Third, the filter compares a Decimal128 with a double, and rounding makes the two equal. In these cases this library keeps the document."})
	DocumentDBDate = rule(engine.Entry{ID: "documentdb.date", Citations: from(srcDocumentDBSweep, srcDocumentDBNewSweep, srcDocumentDBTest), Confidence: engine.FromSource,
		Statement: "DocumentDB deletes a document if its date is before clock - expireAfterSeconds ($lt). So the document expires one millisecond after date + expireAfterSeconds. In an array the earliest date counts. Only values of the type Date count. Dates before 1970 count too."})
)

// The rules about commands of DocumentDB.
var (
	DocumentDBCreateSeconds = rule(engine.Entry{ID: "documentdb.createindexes-seconds", Citations: from(srcDocumentDBTest2, srcDocumentDBCreate, srcDocumentDBNewCreate), Confidence: engine.VendorTest,
		Statement: "createIndexes of DocumentDB refuses an expireAfterSeconds that is not an int, a long or a double, such as a Decimal128 (CannotCreateIndex). It refuses every number above 2147483647, such as 2147483647.5. A negative number loses its fraction before the check: createIndexes accepts -0.9 as 0, and refuses -1. It stores the whole seconds as an int32."})
	DocumentDBCreateKey = rule(engine.Entry{ID: "documentdb.createindexes-key", Citations: from(srcDocumentDBTest2, srcDocumentDBCreate, srcDocumentDBGateway), Confidence: engine.VendorTest,
		Statement: "createIndexes of DocumentDB refuses a TTL index on _id, or on $** alone (InvalidIndexSpecificationOption). It refuses a TTL index of several fields, or on a wildcard path such as a.$** (CannotCreateIndex). It refuses hashed, text, 2d, 2dsphere and cosmosSearch TTL indexes: the gateway of DocumentDB sends CommandNotSupported, and FerretDB sends InternalError. It accepts descending, sparse and unique TTL indexes."})
	DocumentDBCreateOptions = rule(engine.Entry{ID: "documentdb.createindexes-options", Citations: from(srcDocumentDBCreate, srcDocumentDBNewCreate, srcDocumentDBGateway), Confidence: engine.FromSource,
		Statement: "createIndexes of DocumentDB refuses hidden: true (CommandNotSupported), a collation (CommandNotSupported), and a hidden that is not a boolean (CannotCreateIndex). It refuses an index that has both sparse and partialFilterExpression (InvalidIndexSpecificationOption). It refuses an index without key or without name (FailedToParse)."})
	DocumentDBCreateFilter = rule(engine.Entry{ID: "documentdb.createindexes-filter", Citations: from(srcDocumentDBCreate), Confidence: engine.FromSource,
		Statement: "createIndexes of DocumentDB refuses most operators in a partial filter, such as $or, $in and $not (CannotCreateIndex). It accepts only $eq, $gt, $gte, $lt, $lte, $type, $exists: true and, at the top level, $and."})
	DocumentDBCollModType = rule(engine.Entry{ID: "documentdb.collmod-index", Citations: from(srcDocumentDBModTest, srcDocumentDBCollMod, srcDocumentDBNewMod), Confidence: engine.VendorTest,
		Statement: "collMod of DocumentDB refuses an expireAfterSeconds that is not a number (TypeMismatch) or is below 0 (InvalidOptions). It needs either name or keyPattern (else InvalidOptions). The index must exist (else IndexNotFound) and have expireAfterSeconds already (else InvalidOptions), so a plain index cannot become a TTL index. collMod refuses a field that it does not know (40415). Up to 0.108 it does not support hidden."})
	DocumentDBCollModWraps = rule(engine.Entry{ID: "documentdb.collmod-wraps", Citations: from(srcDocumentDBCollMod, srcDocumentDBNewMod), Confidence: engine.FromSource,
		Statement: "collMod of DocumentDB stores only the low 32 bits of expireAfterSeconds. So 4294967296 becomes 0, and the next run of the job deletes every document whose date is past. collMod cuts off the fraction of a decimal. The reply has the old number as a long, and the stored number as a double. If these two numbers are equal, the reply has neither of them."})
	DocumentDBCreateCollection = rule(engine.Entry{ID: "documentdb.create", Citations: from(srcDocumentDBNew), Confidence: engine.FromSource,
		Statement: "create of DocumentDB refuses capped: true, clusteredIndex, and a timeseries that is not empty (CommandNotSupported). It ignores expireAfterSeconds."})
	DocumentDBCommandUnspecified = rule(engine.Entry{ID: "documentdb.command-unspecified", Citations: from(srcDocumentDBCreate, srcDocumentDBCollMod), Confidence: engine.Unspecified,
		Statement: "This library does not answer for DocumentDB in these cases: an option without effect on TTL; a direction such as 0 or true in a key; a malformed filter; a conflict with an existing index; several indexes with one key pattern; an expireAfterSeconds that is NaN, does not fit 64 bits, or becomes negative when cut to 32 bits. For NaN and numbers beyond 64 bits the answer of DocumentDB depends on the processor. For example, DocumentDB refuses NaN on x86-64. On ARM64 NaN becomes 0, so DocumentDB deletes every document whose date is past."})
)

var documentDBCommandRules = []policy.Rule{
	DocumentDBCreateSeconds, DocumentDBCreateKey, DocumentDBCreateOptions, DocumentDBCreateFilter,
	DocumentDBCollModType, DocumentDBCollModWraps, DocumentDBCreateCollection, DocumentDBCommandUnspecified,
}

// The rules about the job that deletes in DocumentDB.
var documentDBStatements = []policy.Rule{
	rule(engine.Entry{ID: "documentdb.job", Citations: from(srcDocumentDBSettings, srcDocumentDBTest, srcDocumentDBChanges), Confidence: engine.FromSource,
		Statement: "DocumentDB deletes expired documents by a job of pg_cron, which runs each minute. Without the job nothing expires. A run ends after 20 seconds (SingleTTLTaskTimeBudget). Before 0.110 a run deletes at most 10000 documents by each index of a shard (maxTTLDeleteBatchSize), so a million expired documents take 100 minutes. From 0.110 on a run can delete several batches of that size. The hosted service may have other settings."}),
	rule(engine.Entry{ID: "documentdb.job-indexes", Citations: from(srcDocumentDBTest2, srcDocumentDBSweep), Confidence: engine.VendorTest,
		Statement: "The TTL job of DocumentDB deletes only by indexes that are valid and whose expireAfterSeconds is 0 or more. A run of the job skips a collection that is locked."}),
	rule(engine.Entry{ID: "documentdb.job-stops", Citations: from(srcDocumentDBSweep), Confidence: engine.FromSource,
		Statement: "An error at one index ends the run of DocumentDB's TTL job. Indexes that the run has not reached yet delete nothing in that run. The log shows the error as a warning."}),
}

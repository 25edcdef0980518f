package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// SecondsListed is about the option in the output of listIndexes, which may fail.
var SecondsListed = rule(engine.Entry{ID: "mongo.seconds-listed", Citations: from(srcNaNTest, srcNaN, srcListing), Confidence: engine.VendorTest,
	Statement: "listIndexes shows NaN as NaN {in conversion@2.2}, as 0 where it is read as 0, and as 2147483647 where it is skipped. An initial sync and a dump take what listIndexes shows. {In conversion@5.0} other numbers are shown as whole seconds of 32 bits. Earlier releases store an option of a wrong type, such as sparse: \"x\" or expireAfterSeconds: \"60\". {In conversion@5.0} listIndexes fails at such an option (5254501), and then no index of the collection is listed, synced or dumped."})

// Statements are the rules that never decide about a document: rules about the form of
// keys, the reading of options, and the time of deletes.
var Statements = []policy.Rule{
	// Rules about the reading of an option.
	NaNZero, SecondsNotNumberZero, SecondsWrap, HashedDeletes, TypeUnknown, FilterIgnored, TimestampSorts,
	rule(engine.Entry{ID: "mongo.seconds-conversion", Citations: from(srcBSONElement, srcMonitorTest), Confidence: engine.FromSource,
		Statement: "Only the whole number of a stored expireAfterSeconds counts. A double is truncated towards zero, and a decimal is rounded half to even. So -0.9 is 0 as a double and -1 as a decimal."}),
	rule(engine.Entry{ID: "mongo.seconds-zero", Citations: from(srcManualExpire, srcHidden, srcOldTTL), Confidence: engine.Documented,
		Statement: "expireAfterSeconds 0 is legal. It makes the date itself the deadline, so that a document can expire at a given clock time."}),
	rule(engine.Entry{ID: "mongo.seconds-68-years", Citations: from(srcMonitorTest, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds 2147483647 does not mean never. It is a delay of a little over 68 years: a date of 1956 expires in 2024."}),
	SecondsListed,
	rule(engine.Entry{ID: "mongo.seconds-repaired", Versions: "{createRange@5.0.14}", Citations: from(srcInvalid, srcNaNTest), Confidence: engine.VendorTest,
		Statement: "A member that becomes primary replaces an expireAfterSeconds that no index may have by 2147483647. The index then deletes by that delay of 68 years. At first only NaN is replaced, {in outOfRange@7.0} every invalid value."}),
	rule(engine.Entry{ID: "mongo.seconds-normalised", Versions: "{storesInt32@7.3}", Citations: from(srcNonInt), Confidence: engine.VendorTest,
		Statement: "The catalog holds expireAfterSeconds as an int32, whatever number was given. The delay is the same as before."}),
	rule(engine.Entry{ID: "mongo.nan-startup-warning", Versions: "{createRange@5.0.14}", Citations: from(srcNaNStartup), Confidence: engine.VendorTest,
		Statement: "A server that starts with a NaN in an index logs a warning (id 6852200)."}),
	rule(engine.Entry{ID: "mongo.nan-compatibility", Versions: "5.0.11 to 5.0.13", Citations: from(srcNaNCompatibility), Confidence: engine.Documented,
		Statement: "At feature compatibility version 4.4 these releases do not start with a NaN in an index, and do not accept a NaN from createIndexes or an initial sync. They cannot go back to 4.4 with a NaN either. At version 5.0 they read NaN as 0, as 5.0.0 does."}),
	// Rules about the keys of an index.
	rule(engine.Entry{ID: "mongo.index-options", Citations: from(srcHidden, srcMonitor, srcOldTTL, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "Hidden, sparse, unique and descending indexes, and indexes with a collation, delete like any other. None of these options changes the key of a Date."}),
	rule(engine.Entry{ID: "mongo.index-collation-listed", Versions: "{listsCollation@9.0}", Citations: from(srcNotes90), Confidence: engine.Documented,
		Statement: "At feature compatibility version 9.0 listIndexes shows the collation {locale: \"simple\"} for an index without a collation. The index is still the same. Clients that compare listings literally drop the index and build it again, and nothing expires by it meanwhile. Such a client is syncIndexes of Mongoose before 8.24.5 and 9.10.4."}),
	rule(engine.Entry{ID: "mongo.array-position", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A number in a path selects that position of an array. In a document it selects the field of that name. If the array has no such position, the number is a field name of the array's elements. The name that BSON gives an element counts. It is the position, unless a client wrote another name; JSON cannot hold such names."}),
	rule(engine.Entry{ID: "mongo.first-field", Citations: from(srcKeys), Confidence: engine.FromSource,
		Statement: "If a field name is repeated, its first occurrence is indexed."}),
	rule(engine.Entry{ID: "mongo.earliest-source", Citations: from(srcTTL1, srcMultiple, srcSeriesPartial), Confidence: engine.VendorTest,
		Statement: "Each TTL index deletes on its own, and so does the collection's own option. The earliest deadline wins. A document without the field of one index can expire by another."}),
	rule(engine.Entry{ID: "mongo.index-built", Citations: from(srcMonitor, srcManualTTL, srcOldTTL), Confidence: engine.Documented,
		Statement: "An index deletes once its build has finished. It then deletes documents that were there before, too. A build in progress deletes nothing. Up to 2.4 the monitor does not ask whether the build has finished."}),
	// Rules about the documents of a partial index.
	rule(engine.Entry{ID: "mongo.filter-null-path", Versions: "{brokenPaths@9.0}", Citations: from(srcNullPaths, srcNinNull, srcPaths), Confidence: engine.VendorTest,
		Statement: "{\"a.b\": null} matches a document in which an array interrupts the path: an empty array, or an array with scalars or arrays in it, even beside subdocuments. {In brokenPaths@2.2} it matches no such document. So after an upgrade a partial TTL index matches more documents, and deletes them. The same holds for $eq, $in, $gte and $lte with null. $exists is as before. A number in the path is a position first. An array without that position interrupts the path. An empty array at that position does not."}),
	rule(engine.Entry{ID: "mongo.filter-extreme-types", Versions: "{filters@3.2/6.0}", Citations: from(srcComparisons), Confidence: engine.FromSource,
		Statement: "A comparison matches only values of the operand's type, with two exceptions: null, and MinKey or MaxKey as the operand. {In extremeKeysOrdered@4.2} every value, and a missing field, is greater than MinKey and less than MaxKey. {In extremeKeysOrdered@2.2} $gt, $gte, $lt and $lte of either match every value of another type."}),
	rule(engine.Entry{ID: "mongo.filter-null-parameter", Versions: "{brokenPaths@9.0}", Citations: from(srcNinNull, srcKnobs), Confidence: engine.VendorTest,
		Statement: "The server parameter internalQueryLegacyDottedPathNullSemantics is false by default. If it is true, null on dotted paths has the meaning of releases {in brokenPaths@8.3}. It can be set at run time, but a filter seems to keep the meaning from the time when its index was opened. So set it when the server starts."}),
	// Rules about time-series collections.
	rule(engine.Entry{ID: "mongo.timeseries-rounding", Versions: "{seriesRounds@5.2}", Citations: from(srcSeriesOptions, srcRounding1970), Confidence: engine.FromSource,
		Statement: "A bucket's minimum is its first time, rounded down. Granularity seconds rounds to a minute with a span of an hour, minutes to an hour with a span of a day, and hours to a day with a span of 30 days. {In bucketSpans@6.3} rounding and span can be set to one value from 1 to 31536000 seconds. {In roundsDown@2.2} a time before 1970 is rounded towards 1970. The bucket's identifier then has the rounded time, and its minimum is the time itself."}),
	rule(engine.Entry{ID: "mongo.timeseries-together", Versions: "{timeSeries@5.0}", Citations: from(srcSeriesREADME, srcMonitor), Confidence: engine.FromSource,
		Statement: "All measurements of a bucket expire together. A measurement that joined an open bucket expires earlier than one that opens a bucket. It does not expire before its own time plus expireAfterSeconds, as long as nothing is deleted from the bucket."}),
	rule(engine.Entry{ID: "mongo.timeseries-untouched", Versions: "{timeSeries@5.0}", Citations: from(srcMoved, srcMovedArchived), Confidence: engine.Inferred,
		Statement: "A decision about a measurement assumes that it is the first of its bucket, and that nothing was deleted from the bucket. Deleting measurements moves the bucket's minimum, but not its identifier. The collection's own option deletes by the identifier. So the other measurements of the bucket, and later ones, may expire earlier than the decision says. A decision about the stored bucket uses what the bucket holds."}),
	rule(engine.Entry{ID: "mongo.timeseries-metadata-sorted", Versions: "{timeSeriesIndexes@6.3}", Citations: from(srcMetadata), Confidence: engine.FromSource,
		Statement: "The server stores the fields of metadata sorted by name, at every depth. Arrays keep the order of their elements. A partial filter that compares the meta field with a document compares it with this sorted form."}),
	rule(engine.Entry{ID: "mongo.timeseries-namespace", Versions: "{timeSeries@5.0}", Citations: from(srcViewless, srcDumpPaths), Confidence: engine.FromSource,
		Statement: "Up to feature compatibility version 8.3, the buckets of NAME are stored in system.buckets.NAME, and NAME is a view. From 9.0 on they are stored in NAME itself. The monitor deletes in either. mongodump writes the buckets of servers up to 8.2 into system.buckets.NAME.bson, and those of later servers into NAME.bson."}),
	rule(engine.Entry{ID: "mongo.timeseries-option-change", Versions: "{timeSeries@5.0}", Citations: from(srcMonitor), Confidence: engine.FromSource,
		Statement: "A change of granularity or span moves the deadlines of all buckets from the next pass on."}),
	rule(engine.Entry{ID: "mongo.timeseries-bound-wraps", Versions: "{timeSeries@5.0}", Citations: from(srcObjectID, srcMonitor), Confidence: engine.FromSource,
		Statement: "The bound of the scan holds 32 bits of seconds since 1970. If expireAfterSeconds differs from the seconds since 1970 by less than one span, the bound is negative and wraps to a time about 2106. The scan then covers every bucket, and all are deleted at once, even the newest. create and collMod accept such a value. This was read in the source; no test confirms it."}),
	// Rules about the time of deletes.
	rule(engine.Entry{ID: "mongo.monitor-period", Citations: from(srcSleep, srcParameters), Confidence: engine.VendorTest,
		Statement: "A thread of each mongod makes a pass every ttlMonitorSleepSecs, by default 60 seconds. Up to 2.6 there is no such parameter, and the period is 60 seconds."}),
	rule(engine.Entry{ID: "mongo.monitor-pause", Versions: "2.4.6 and later", Citations: from(srcParameters, ticket("SERVER-10033")), Confidence: engine.FromSource,
		Statement: "The parameter ttlMonitorEnabled is true by default. If it is false, the monitor pauses; no deadline changes. 2.2 and 2.4.0 to 2.4.5 do not have it."}),
	rule(engine.Entry{ID: "mongo.monitor-clock", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "Since 8.1 the monitor reads the clock once for a whole pass. Before, it reads the clock once for each index."}),
	rule(engine.Entry{ID: "mongo.monitor-batches", Versions: "6.1 and later", Citations: from(srcBatches, srcParameters), Confidence: engine.VendorTest,
		Statement: "The monitor deletes in batches, and the indexes take turns. A pass still deletes everything that has expired. Only order and pace differ."}),
	rule(engine.Entry{ID: "mongo.monitor-recheck", Versions: "{byQuery@3.2}", Citations: from(srcRecheck), Confidence: engine.FromSource,
		Statement: "If a document changed since its key was read, the server compares its date with the cutoff again before the delete. So a later date saves the document. The server does not check the partial filter again."}),
	rule(engine.Entry{ID: "mongo.primary-deletes", Citations: from(srcSecondary, srcMaintenance, srcSecondaryWork), Confidence: engine.VendorTest,
		Statement: "Only the primary deletes, and secondaries replicate the deletes. The database local is not replicated, so secondaries delete in it too, up to 8.0 (SERVER-96050 ended this in 8.1). A member of a replica set that is started alone deletes nothing."}),
	rule(engine.Entry{ID: "mongo.orphans-kept", Versions: "6.0 and later", Citations: []policy.Citation{srcOrphans, ticket("SERVER-65112")}, Confidence: engine.VendorTest,
		Statement: "On a shard the monitor does not delete orphaned documents, but leaves them to the range deleter. Up to 5.3 it deletes them like others. Many expired orphans can delay the deletion of other documents of the shard (SERVER-92779)."}),
	rule(engine.Entry{ID: "mongo.user-write-block", Versions: "6.0 and later", Citations: []policy.Citation{srcWriteBlock, ticket("SERVER-63708")}, Confidence: engine.VendorTest,
		Statement: "While setUserWriteBlockMode blocks user writes, the monitor deletes only from the databases admin, config and local."}),
	rule(engine.Entry{ID: "mongo.fsync-lock", Citations: from(srcOldTTL, srcMonitor), Confidence: engine.FromSource,
		Statement: "While a server is locked by fsync, it skips whole passes."}),
	rule(engine.Entry{ID: "mongo.monitor-stops", Versions: "{errorsEndPass@2.2}", Citations: from(srcOldTTL, srcOldDelete), Confidence: engine.FromSource,
		Statement: "An error at one TTL index ends the pass over its database. Indexes that stand later in system.indexes, that is those created later, then delete nothing in any pass. Three deletes cause such an error: from a capped collection, from a system namespace that allows none, and from a namespace with a dollar sign in its name. {In errorsEndPass@3.0} an error stops only its own index."}),
	rule(engine.Entry{ID: "mongo.stale-shard-version", Versions: "5.3 and later", Citations: []policy.Citation{ticket("SERVER-63245")}, Confidence: engine.Documented,
		Statement: "A shard may have an outdated view of a collection's placement. It then skips that collection for one pass."}),
	rule(engine.Entry{ID: "mongo.expired-visible", Citations: from(srcManualTTL), Confidence: engine.Documented,
		Statement: "An expired document can be read and updated until a pass removes it. Reads do not filter it out."}),
	rule(engine.Entry{ID: "mongo.one-code-base", Citations: from(srcManualExpire), Confidence: engine.Documented,
		Statement: "Atlas, Enterprise Advanced and Community expire alike."}),
}

package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// SecondsListed is about the option in the output of listIndexes, which may fail.
var SecondsListed = rule(engine.Entry{ID: "mongo.seconds-listed", Citations: from(srcNaNTest, srcNaN, srcListing), Confidence: engine.VendorTest,
	Statement: "listIndexes, and with it an initial sync and a dump, shows NaN as it is {in conversion@2.2}, as 0 where it is read as 0, and as 2147483647 where it is skipped. {In conversion@5.0} it shows other numbers as whole seconds of 32 bits, and fails (5254501) at an option whose stored type is wrong, such as sparse: \"x\" or expireAfterSeconds: \"60\", which earlier releases store: then no index of the collection is listed, synced or dumped."})

// Statements are the rules that never decide about a document: rules about the form of
// keys, the reading of options, and the time of deletes.
var Statements = []policy.Rule{
	// Rules about the reading of an option.
	NaNZero, SecondsNotNumberZero, SecondsWrap, HashedDeletes, TypeUnknown, FilterIgnored, TimestampSorts,
	rule(engine.Entry{ID: "mongo.seconds-conversion", Citations: from(srcBSONElement, srcMonitorTest), Confidence: engine.FromSource,
		Statement: "A stored double is truncated towards zero, a decimal rounded half to even, and only the whole number is looked at: -0.9 is 0 as a double and -1 as a decimal."}),
	rule(engine.Entry{ID: "mongo.seconds-zero", Citations: from(srcManualExpire, srcHidden, srcOldTTL), Confidence: engine.Documented,
		Statement: "expireAfterSeconds 0 is legal and makes the date itself the deadline, which is how documents expire at a clock time."}),
	rule(engine.Entry{ID: "mongo.seconds-68-years", Citations: from(srcMonitorTest, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds 2147483647 is not 'never' but a delay of a little over 68 years: a date of 1956 expires in 2024."}),
	SecondsListed,
	rule(engine.Entry{ID: "mongo.seconds-repaired", Versions: "{createRange@5.0.14}", Citations: from(srcInvalid, srcNaNTest), Confidence: engine.VendorTest,
		Statement: "A member that becomes primary turns an expireAfterSeconds that no index may have into 2147483647, by which the index then deletes: NaN at first, {in outOfRange@7.0} every invalid value."}),
	rule(engine.Entry{ID: "mongo.seconds-normalised", Versions: "{storesInt32@7.3}", Citations: from(srcNonInt), Confidence: engine.VendorTest,
		Statement: "The catalog holds expireAfterSeconds as an int32, whatever number was given. The delay is the same as before."}),
	rule(engine.Entry{ID: "mongo.nan-startup-warning", Versions: "{createRange@5.0.14}", Citations: from(srcNaNStartup), Confidence: engine.VendorTest,
		Statement: "A server that starts with a NaN in an index logs a warning (id 6852200)."}),
	rule(engine.Entry{ID: "mongo.nan-compatibility", Versions: "5.0.11 to 5.0.13", Citations: from(srcNaNCompatibility), Confidence: engine.Documented,
		Statement: "At feature compatibility version 4.4 these releases do not start with a NaN in an index, do not accept one from createIndexes or an initial sync, and cannot go back to 4.4 with one. At 5.0 they read it as 0, as 5.0.0 does."}),
	// Rules about the keys of an index.
	rule(engine.Entry{ID: "mongo.index-options", Citations: from(srcHidden, srcMonitor, srcOldTTL, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "Hidden, sparse and unique indexes, descending ones and those with a collation delete like any other: none of the options changes a Date key."}),
	rule(engine.Entry{ID: "mongo.index-collation-listed", Versions: "{listsCollation@9.0}", Citations: from(srcNotes90), Confidence: engine.Documented,
		Statement: "At feature compatibility version 9.0 listIndexes shows the collation {locale: \"simple\"} for an index without a collation. It is the same index as without; clients that compare listings literally, such as syncIndexes of Mongoose before 8.24.5 and 9.10.4, drop it and build it anew, and meanwhile nothing expires by it."}),
	rule(engine.Entry{ID: "mongo.array-position", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A number in a path selects that position of an array, and its field of that name in a document; where the position is absent it is a field name of the array's elements. What counts is the name that BSON gives the element, which is its position unless a client wrote another; JSON cannot carry those."}),
	rule(engine.Entry{ID: "mongo.first-field", Citations: from(srcKeys), Confidence: engine.FromSource,
		Statement: "If a field name is repeated, its first occurrence is indexed."}),
	rule(engine.Entry{ID: "mongo.earliest-source", Citations: from(srcTTL1, srcMultiple, srcSeriesPartial), Confidence: engine.VendorTest,
		Statement: "Each TTL index, and the collection's own option, deletes on its own: the earliest deadline wins, and a document without the field of one index can expire by another."}),
	rule(engine.Entry{ID: "mongo.index-built", Citations: from(srcMonitor, srcManualTTL, srcOldTTL), Confidence: engine.Documented,
		Statement: "An index deletes once its build has finished, also documents that were there before; a build in progress deletes nothing. Up to 2.4 the monitor does not ask whether the build has finished."}),
	// Rules about the documents of a partial index.
	rule(engine.Entry{ID: "mongo.filter-null-path", Versions: "{brokenPaths@9.0}", Citations: from(srcNullPaths, srcNinNull, srcPaths), Confidence: engine.VendorTest,
		Statement: "{\"a.b\": null} takes in a document in which an array breaks the path off: one that is empty, or that holds scalars or arrays, be it beside subdocuments. {In brokenPaths@2.2} it takes in none of these, so that after an upgrade a partial TTL index takes in more documents and deletes them. It holds for $eq, $in, $gte and $lte with null; $exists is as before. A number in the path is a position first: an array without it breaks the path off, and an empty array in that position does not."}),
	rule(engine.Entry{ID: "mongo.filter-extreme-types", Versions: "{filters@3.2/6.0}", Citations: from(srcComparisons), Confidence: engine.FromSource,
		Statement: "Null aside, values of another type than the operand are taken in by no comparison except one with an extreme key: {in extremeKeysOrdered@4.2} every value is greater than MinKey and less than MaxKey, a missing one too. {In extremeKeysOrdered@2.2} $gt, $gte, $lt and $lte of either take in every value of another type."}),
	rule(engine.Entry{ID: "mongo.filter-null-parameter", Versions: "{brokenPaths@9.0}", Citations: from(srcNinNull, srcKnobs), Confidence: engine.VendorTest,
		Statement: "The server parameter internalQueryLegacyDottedPathNullSemantics, false by default, has null on dotted paths read as {in brokenPaths@8.3}. It can be set at run time too, but a filter seems to keep the way in which its index was opened: set it when the server starts."}),
	// Rules about time-series collections.
	rule(engine.Entry{ID: "mongo.timeseries-rounding", Versions: "{seriesRounds@5.2}", Citations: from(srcSeriesOptions, srcRounding1970), Confidence: engine.FromSource,
		Statement: "A bucket's minimum is its first time rounded down to a minute, an hour or a day for the granularities seconds, minutes and hours, and its span is an hour, a day or 30 days. {In bucketSpans@6.3} rounding and span can be set, to one value from 1 to 31536000 seconds. {In roundsDown@2.2} a time before 1970 is rounded towards 1970: the bucket's identifier takes the rounded time, and its minimum the time itself."}),
	rule(engine.Entry{ID: "mongo.timeseries-together", Versions: "{timeSeries@5.0}", Citations: from(srcSeriesREADME, srcMonitor), Confidence: engine.FromSource,
		Statement: "All measurements of a bucket expire together: one that joined an open bucket goes earlier than one that opens its own, but, as long as nothing is deleted from the bucket, not before its own time plus expireAfterSeconds."}),
	rule(engine.Entry{ID: "mongo.timeseries-untouched", Versions: "{timeSeries@5.0}", Citations: from(srcMoved, srcMovedArchived), Confidence: engine.Inferred,
		Statement: "A decision about a measurement assumes that the measurement is the first of its bucket, and that nothing has been deleted from the bucket. Deleting measurements moves the bucket's minimum and leaves its identifier as it is. The collection's own option deletes by the identifier, so measurements that are left, or are added later, may expire earlier than the decision says. A decision about the stored bucket uses what the bucket holds."}),
	rule(engine.Entry{ID: "mongo.timeseries-metadata-sorted", Versions: "{timeSeriesIndexes@6.3}", Citations: from(srcMetadata), Confidence: engine.FromSource,
		Statement: "The server stores the fields of metadata sorted by their names, at every depth. Arrays keep the order of their elements, which have their positions for names. A partial filter that compares the meta field with a document compares it with this sorted form."}),
	rule(engine.Entry{ID: "mongo.timeseries-namespace", Versions: "{timeSeries@5.0}", Citations: from(srcViewless, srcDumpPaths), Confidence: engine.FromSource,
		Statement: "Up to feature compatibility version 8.3, the buckets of NAME are stored in system.buckets.NAME, and NAME is a view. From 9.0 on they are stored in NAME itself. The monitor deletes in either. mongodump writes the buckets of servers up to 8.2 into system.buckets.NAME.bson, and those of later servers into NAME.bson."}),
	rule(engine.Entry{ID: "mongo.timeseries-option-change", Versions: "{timeSeries@5.0}", Citations: from(srcMonitor), Confidence: engine.FromSource,
		Statement: "A change of granularity or span moves the deadlines of all buckets from the next pass on."}),
	rule(engine.Entry{ID: "mongo.timeseries-bound-wraps", Versions: "{timeSeries@5.0}", Citations: from(srcObjectID, srcMonitor), Confidence: engine.FromSource,
		Statement: "The bound of the scan holds 32 bits of seconds since 1970. If expireAfterSeconds differs from the seconds since 1970 by less than one span, the bound is negative and wraps to a time about 2106. The scan then covers every bucket: all are deleted at once, the newest too. create and collMod accept such a value. Read in the source, confirmed by no test."}),
	// Rules about the time of deletes.
	rule(engine.Entry{ID: "mongo.monitor-period", Citations: from(srcSleep, srcParameters), Confidence: engine.VendorTest,
		Statement: "A thread of each mongod makes a pass every ttlMonitorSleepSecs, by default 60 seconds. Up to 2.6 it is 60 seconds, without a parameter."}),
	rule(engine.Entry{ID: "mongo.monitor-pause", Versions: "2.4.6 and later", Citations: from(srcParameters, ticket("SERVER-10033")), Confidence: engine.FromSource,
		Statement: "ttlMonitorEnabled, by default true, pauses the monitor; no deadline changes. 2.2 and 2.4.0 to 2.4.5 have no such parameter."}),
	rule(engine.Entry{ID: "mongo.monitor-clock", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "The clock is read once for a whole pass since 8.1, and for each index before."}),
	rule(engine.Entry{ID: "mongo.monitor-batches", Versions: "6.1 and later", Citations: from(srcBatches, srcParameters), Confidence: engine.VendorTest,
		Statement: "Deletes are made in batches, indexes taking turns. A pass still deletes everything that has expired; only order and pace differ."}),
	rule(engine.Entry{ID: "mongo.monitor-recheck", Versions: "{byQuery@3.2}", Citations: from(srcRecheck), Confidence: engine.FromSource,
		Statement: "A document that changed since its key was read is compared with the bounds again before it is deleted, so a later date saves it. The partial filter is not looked at again."}),
	rule(engine.Entry{ID: "mongo.primary-deletes", Citations: from(srcSecondary, srcMaintenance, srcSecondaryWork), Confidence: engine.VendorTest,
		Statement: "Only the primary deletes, and secondaries replicate the deletes; in the database local, which is not replicated, secondaries delete too, up to 8.0 (SERVER-96050 ended it with 8.1). A member of a replica set that is started on its own deletes nothing."}),
	rule(engine.Entry{ID: "mongo.orphans-kept", Versions: "6.0 and later", Citations: []policy.Citation{srcOrphans, ticket("SERVER-65112")}, Confidence: engine.VendorTest,
		Statement: "On a shard the monitor leaves orphaned documents to the range deleter. Up to 5.3 it deletes them like others. Many expired orphans can delay the documents that the shard owns (SERVER-92779)."}),
	rule(engine.Entry{ID: "mongo.user-write-block", Versions: "6.0 and later", Citations: []policy.Citation{srcWriteBlock, ticket("SERVER-63708")}, Confidence: engine.VendorTest,
		Statement: "While setUserWriteBlockMode blocks user writes, the monitor deletes only from the databases admin, config and local."}),
	rule(engine.Entry{ID: "mongo.fsync-lock", Citations: from(srcOldTTL, srcMonitor), Confidence: engine.FromSource,
		Statement: "A server that is locked by fsync skips whole passes until it is unlocked."}),
	rule(engine.Entry{ID: "mongo.monitor-stops", Versions: "{errorsEndPass@2.2}", Citations: from(srcOldTTL, srcOldDelete), Confidence: engine.FromSource,
		Statement: "An error while one TTL index is processed ends the pass over its database: indexes that stand later in system.indexes, which are those made after it, delete nothing in any pass. The errors are those of a delete from a capped collection, from a system namespace that takes none, and from one with a dollar sign in its name. {In errorsEndPass@3.0} each index fails by itself."}),
	rule(engine.Entry{ID: "mongo.stale-shard-version", Versions: "5.3 and later", Citations: []policy.Citation{ticket("SERVER-63245")}, Confidence: engine.Documented,
		Statement: "A shard whose view of a collection's placement is stale skips that collection for one pass."}),
	rule(engine.Entry{ID: "mongo.expired-visible", Citations: from(srcManualTTL), Confidence: engine.Documented,
		Statement: "An expired document stays readable and can be updated until a pass removes it; reads do not filter it out."}),
	rule(engine.Entry{ID: "mongo.one-code-base", Citations: from(srcManualExpire), Confidence: engine.Documented,
		Statement: "Atlas, Enterprise Advanced and Community expire alike."}),
}

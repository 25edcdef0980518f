package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// SecondsListed is about the option in the output of listIndexes, which may fail.
var SecondsListed = rule(engine.Entry{ID: "mongo.seconds-listed", Citations: from(srcNaNTest, srcNaN, srcListing), Confidence: engine.VendorTest,
	Statement: "An initial sync and a dump copy the expireAfterSeconds that listIndexes shows. {In conversion@2.2} that is the stored value, even NaN. {In conversion@5.0} it is a whole number of 32 bits. 5.0.0 to 5.0.13 and 5.1 to 6.0.1 show NaN as 0, and a number that does not fit 32 bits as the nearest number that does. 5.0.14 and later in 5.0, and 6.0.2 and later, show NaN as 2147483647. {In outOfRange@7.0} listIndexes also shows 2147483647 for a number whose whole seconds are below 0 or above 2147483647. For such numbers in 5.0.14 and later in 5.0, and in 6.0.2 to 6.3, see mongo.move-listed-unspecified. {In conversion@2.2} the server stores any option of the wrong type, such as sparse: \"x\". {In conversion@5.0} listIndexes fails at such an option (error 5254501), and then no index of the collection is listed, synced or dumped. One option is an exception: {in outOfRange@7.0} listIndexes shows an expireAfterSeconds of the wrong type as 2147483647."})

// Statements are the rules that never decide about a document: rules about the form of
// keys, the reading of options, and the time of deletes.
var Statements = []policy.Rule{
	// Rules about the reading of an option.
	NaNZero, SecondsNotNumberZero, SecondsWrap, HashedDeletes, TypeUnknown, FilterIgnored, TimestampSorts,
	rule(engine.Entry{ID: "mongo.seconds-conversion", Citations: from(srcBSONElement, srcMonitorTest), Confidence: engine.FromSource,
		Statement: "The server uses only the whole seconds of a stored expireAfterSeconds. It truncates a double towards zero, and rounds a decimal half to even. So -0.9 counts as 0 if it is a double, and as -1 if it is a decimal."}),
	rule(engine.Entry{ID: "mongo.seconds-zero", Citations: from(srcManualExpire, srcHidden, srcOldTTL), Confidence: engine.Documented,
		Statement: "expireAfterSeconds 0 is legal: the date in the document is then the deadline itself. Use it if each document should expire at a time of its own."}),
	rule(engine.Entry{ID: "mongo.seconds-68-years", Citations: from(srcMonitorTest, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds 2147483647 does not mean never. It is a delay of a little over 68 years: a document with a date of 1956 expires in 2024."}),
	SecondsListed,
	rule(engine.Entry{ID: "mongo.seconds-repaired", Versions: "{createRange@5.0.14}", Citations: from(srcInvalid, srcNaNTest), Confidence: engine.VendorTest,
		Statement: "A member that becomes primary replaces an invalid expireAfterSeconds in the catalog by 2147483647. From then on the index deletes with a delay of 68 years. {In outOfRange@7.0} three kinds of values are invalid: NaN, a number whose whole seconds are below 0 or above 2147483647, and a value of a type that is not a number. In earlier releases only NaN is invalid."}),
	rule(engine.Entry{ID: "mongo.seconds-normalised", Versions: "{storesInt32@7.3}", Citations: from(srcNonInt), Confidence: engine.VendorTest,
		Statement: "{In storesInt32@7.3} the server stores expireAfterSeconds as an int32, whatever the type of the given number is. Earlier releases use only the whole seconds of the number too, so the conversion to an int32 does not change the delay."}),
	rule(engine.Entry{ID: "mongo.nan-startup-warning", Versions: "{createRange@5.0.14}", Citations: from(srcNaNStartup), Confidence: engine.VendorTest,
		Statement: "If an index has expireAfterSeconds NaN when the server starts, the server logs a warning (id 6852200)."}),
	rule(engine.Entry{ID: "mongo.nan-compatibility", Versions: "5.0.11 to 5.0.13", Citations: from(srcNaNCompatibility), Confidence: engine.Documented,
		Statement: "In 5.0.11 to 5.0.13 the effect of expireAfterSeconds NaN depends on the feature compatibility version (FCV). With FCV 5.0 the server reads NaN as 0, as 5.0.0 does. With FCV 4.4 the server does not start if an index has NaN. It also refuses NaN in createIndexes and in an initial sync. So a server whose index has NaN cannot go back to 4.4."}),
	// Rules about the keys of an index.
	rule(engine.Entry{ID: "mongo.index-options", Citations: from(srcHidden, srcMonitor, srcOldTTL, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "Hidden, sparse, unique and descending TTL indexes, and TTL indexes with a collation, delete like any other TTL index. None of these properties changes which Date the index holds for a document."}),
	rule(engine.Entry{ID: "mongo.index-collation-listed", Versions: "{listsCollation@9.0}", Citations: from(srcNotes90), Confidence: engine.Documented,
		Statement: "At feature compatibility version 9.0 listIndexes shows {locale: \"simple\"} as the collation of an index that was created without a collation. The index itself has not changed. A client that compares this listing with its own definition finds a difference, drops the index and builds it again. syncIndexes of Mongoose did that until it was corrected in 8.24.5 and 9.10.4. Nothing expires by the index during the build."}),
	rule(engine.Entry{ID: "mongo.array-position", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "In an array, a number in a path selects an element by its position: a.0 is the first element of the array a. If the array has no such position, the number is a field name in the array's elements. In a document, the number is always a field name. BSON stores a name with each element of an array, normally its position: 0, 1 and so on. The server finds an element by that name. In BSON, but not in JSON, a client can give the elements other names. The server then goes by those names."}),
	rule(engine.Entry{ID: "mongo.first-field", Citations: from(srcKeys), Confidence: engine.FromSource,
		Statement: "If a document holds a field name twice, the server indexes the first of the two fields."}),
	rule(engine.Entry{ID: "mongo.earliest-source", Citations: from(srcTTL1, srcMultiple, srcSeriesPartial), Confidence: engine.VendorTest,
		Statement: "If several TTL indexes, or an index and the collection's own expireAfterSeconds, give a document a deadline, the document expires at the earliest deadline. A document without the field of one index can expire by another index."}),
	rule(engine.Entry{ID: "mongo.index-built", Citations: from(srcMonitor, srcManualTTL, srcOldTTL), Confidence: engine.Documented,
		Statement: "A TTL index deletes as soon as its build has finished, even documents that were written before the index was created. In 2.6 and later the monitor deletes nothing by an index while the index is being built. In 2.2 and 2.4 the monitor does not check whether the build has finished, so the index can delete during the build."}),
	// Rules about the documents of a partial index.
	rule(engine.Entry{ID: "mongo.filter-null-path", Versions: "{brokenPaths@9.0}", Citations: from(srcNullPaths, srcNinNull, srcPaths), Confidence: engine.VendorTest,
		Statement: "Suppose that a partial filter is {\"a.b\": null}, and that a is an array which is empty, or has an element that is not a document. {In brokenPaths@9.0} the filter matches the document with this array. {In brokenPaths@2.2} the filter does not match it. So after an upgrade a partial TTL index can hold, and delete, more documents. $eq, $in, $gte and $lte with null changed in the same way. $exists did not change. If the path has a position, as in a.0.b, the change concerns {a: []}, but not {a: [[]]}."}),
	rule(engine.Entry{ID: "mongo.filter-extreme-types", Versions: "{filters@3.2/6.0}", Citations: from(srcComparisons), Confidence: engine.FromSource,
		Statement: "A comparison in a partial filter, such as {a: {$gt: 5}}, matches only values of the operand's type. Only the operands null, MinKey and MaxKey also match other types. {In extremeKeysOrdered@4.2} MinKey is less, and MaxKey is greater, than any other value and than a missing field. {In extremeKeysOrdered@2.2} $gt, $gte, $lt and $lte with the operand MinKey or MaxKey match every value of another type, and a missing field."}),
	rule(engine.Entry{ID: "mongo.filter-null-parameter", Versions: "{brokenPaths@9.0}", Citations: from(srcNinNull, srcKnobs), Confidence: engine.VendorTest,
		Statement: "The server parameter internalQueryLegacyDottedPathNullSemantics is false by default. If it is true, null on dotted paths has the meaning of releases {in brokenPaths@8.3} (mongo.filter-null-path). Set the parameter when the server starts. A running server accepts a change of the parameter, but filters of existing indexes seem not to follow it until the server opens these indexes again."}),
	// Rules about time-series collections.
	rule(engine.Entry{ID: "mongo.timeseries-rounding", Versions: "{seriesRounds@5.2}", Citations: from(srcSeriesOptions, srcRounding1970), Confidence: engine.FromSource,
		Statement: "The server rounds the time of a bucket's first measurement down. The result is the bucket's minimum time. The granularity decides how far the server rounds. It also decides the span, which is the longest time that a bucket can cover. \"seconds\" rounds to the minute, with a span of an hour. \"minutes\" rounds to the hour, with a span of a day. \"hours\" rounds to the day, with a span of 30 days. {In bucketSpans@6.3} bucketRoundingSeconds and bucketMaxSpanSeconds can replace the granularity. Both must have the same value, from 1 to 31536000. {In roundsDown@2.2} a first measurement before 1970 is an exception. The minimum time of its bucket is the time of the measurement, not rounded. The bucket's identifier holds that time rounded up."}),
	rule(engine.Entry{ID: "mongo.timeseries-together", Versions: "{timeSeries@5.0}", Citations: from(srcSeriesREADME, srcMonitor), Confidence: engine.FromSource,
		Statement: "All measurements of a bucket expire at the same instant. So a measurement that joins an existing bucket has a shorter life than one that opens a bucket. No measurement expires before its own time + expireAfterSeconds, unless measurements were deleted from its bucket (mongo.timeseries-untouched)."}),
	rule(engine.Entry{ID: "mongo.timeseries-untouched", Versions: "{timeSeries@5.0}", Citations: from(srcMoved, srcMovedArchived), Confidence: engine.Inferred,
		Statement: "If you give this library a single measurement, this library assumes that the measurement opens a new bucket, and that nothing is deleted from that bucket. The server may delete the measurement earlier in two cases. First, an older measurement opened the bucket. Second, older measurements were deleted from the bucket. The bucket's minimum time can then become later, but the bucket's identifier keeps the older time. The collection's own expireAfterSeconds counts from the identifier. If you give this library the stored bucket, it uses the bucket's own identifier and times."}),
	rule(engine.Entry{ID: "mongo.timeseries-metadata-sorted", Versions: "{timeSeriesIndexes@6.3}", Citations: from(srcMetadata), Confidence: engine.FromSource,
		Statement: "The server stores the fields of a measurement's metadata sorted by name, at every depth. Arrays keep the order of their elements. If a partial filter compares the meta field with a document, the server compares the sorted form."}),
	rule(engine.Entry{ID: "mongo.timeseries-namespace", Versions: "{timeSeries@5.0}", Citations: from(srcViewless, srcDumpPaths), Confidence: engine.FromSource,
		Statement: "Up to feature compatibility version 8.3 the server stores the buckets of a time-series collection NAME in system.buckets.NAME, and NAME is a view. From feature compatibility version 9.0 on it stores the buckets in NAME itself. The monitor deletes the buckets in both cases. mongodump looks at the release of the server, and not at the feature compatibility version. Up to release 8.2 it writes the buckets to system.buckets.NAME.bson, and since release 8.3 to NAME.bson."}),
	rule(engine.Entry{ID: "mongo.timeseries-option-change", Versions: "{timeSeries@5.0}", Citations: from(srcMonitor), Confidence: engine.FromSource,
		Statement: "A change of granularity or span moves the deadlines of all buckets, also of existing ones, from the monitor's next pass on."}),
	rule(engine.Entry{ID: "mongo.timeseries-bound-wraps", Versions: "{timeSeries@5.0}", Citations: from(srcObjectID, srcMonitor), Confidence: engine.FromSource,
		Statement: "The monitor computes a time in seconds since 1970: clock - expireAfterSeconds - span. The span is the longest time that a bucket can cover. The monitor deletes each bucket that is older than the computed time. create and collMod accept any expireAfterSeconds up to clock, so the computed time can be below 0. The server keeps the time in 32 bits without a sign. So -3600 becomes 4294963696, a time in the year 2106. Then the monitor deletes every bucket at once, even the newest. This was read in the source; no test confirms it."}),
	// Rules about the time of deletes.
	rule(engine.Entry{ID: "mongo.monitor-period", Citations: from(srcSleep, srcParameters), Confidence: engine.VendorTest,
		Statement: "Each mongod has a thread that deletes, the TTL monitor. The monitor makes a pass over all TTL indexes every 60 seconds, or every ttlMonitorSleepSecs if that parameter is set. 2.2 to 2.6 do not have the parameter."}),
	rule(engine.Entry{ID: "mongo.monitor-pause", Versions: "2.4.6 and later", Citations: from(srcParameters, ticket("SERVER-10033")), Confidence: engine.FromSource,
		Statement: "The parameter ttlMonitorEnabled is true by default. If it is false, the monitor deletes nothing. Deadlines do not change during that time. 2.2 and 2.4.0 to 2.4.5 do not have the parameter."}),
	rule(engine.Entry{ID: "mongo.monitor-clock", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "Since 8.1 the monitor reads the clock once for a whole pass. Earlier releases read the clock once for each index."}),
	rule(engine.Entry{ID: "mongo.monitor-batches", Versions: "6.1 and later", Citations: from(srcBatches, srcParameters), Confidence: engine.VendorTest,
		Statement: "In 6.1 and later the monitor deletes in batches, and works on the indexes in turn. A pass deletes everything that has expired, as in 6.0 and earlier. Only the order and the pace of the deletes are different."}),
	rule(engine.Entry{ID: "mongo.monitor-recheck", Versions: "{byQuery@3.2}", Citations: from(srcRecheck), Confidence: engine.FromSource,
		Statement: "The monitor first reads a document's index key, and then deletes the document. If the document changes in between, the server checks the date again before the delete. So a new date that is not old enough saves the document. The server does not check the partial filter again."}),
	rule(engine.Entry{ID: "mongo.primary-deletes", Citations: from(srcSecondary, srcMaintenance, srcSecondaryWork), Confidence: engine.VendorTest,
		Statement: "In a replica set only the primary deletes, and the secondaries replicate its deletes. Up to 8.0 the secondaries also delete in their own database local, which is not replicated (SERVER-96050 ended this in 8.1). A member that is started alone, outside its replica set, deletes nothing."}),
	rule(engine.Entry{ID: "mongo.orphans-kept", Versions: "6.0 and later", Citations: []policy.Citation{srcOrphans, ticket("SERVER-65112")}, Confidence: engine.VendorTest,
		Statement: "In 6.0 and later the TTL monitor of a shard leaves expired orphaned documents to the range deleter. Many expired orphans can delay the monitor's deletes of other documents (SERVER-92779). Up to 5.3 the monitor deletes expired orphans too."}),
	rule(engine.Entry{ID: "mongo.user-write-block", Versions: "6.0 and later", Citations: []policy.Citation{srcWriteBlock, ticket("SERVER-63708")}, Confidence: engine.VendorTest,
		Statement: "While setUserWriteBlockMode blocks user writes, the monitor deletes only from the databases admin, config and local."}),
	rule(engine.Entry{ID: "mongo.fsync-lock", Citations: from(srcOldTTL, srcMonitor), Confidence: engine.FromSource,
		Statement: "While fsync locks a server, the server's monitor makes no pass."}),
	rule(engine.Entry{ID: "mongo.monitor-stops", Versions: "{errorsEndPass@2.2}", Citations: from(srcOldTTL, srcOldDelete), Confidence: engine.FromSource,
		Statement: "{In errorsEndPass@2.2} an error at one TTL index ends the monitor's pass over the database of that index. As long as the error lasts, the TTL indexes that were created later in the same database delete nothing. A delete causes such an error in a capped collection, in a system collection that allows no deletes, and in a collection with a dollar sign in its name. {In errorsEndPass@3.0} an error at one index does not stop the other indexes."}),
	rule(engine.Entry{ID: "mongo.stale-shard-version", Versions: "5.3 and later", Citations: []policy.Citation{ticket("SERVER-63245")}, Confidence: engine.Documented,
		Statement: "If a shard has an outdated view of where a collection's documents lie, its monitor skips that collection for one pass."}),
	rule(engine.Entry{ID: "mongo.expired-visible", Citations: from(srcManualTTL), Confidence: engine.Documented,
		Statement: "An expired document can be read and updated until a pass of the monitor deletes the document."}),
	rule(engine.Entry{ID: "mongo.one-code-base", Citations: from(srcManualExpire), Confidence: engine.Documented,
		Statement: "TTL works alike in Atlas, Enterprise Advanced and Community."}),
}

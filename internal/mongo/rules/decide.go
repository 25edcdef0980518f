package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The rules by which an index deletes nothing, in the order of its checks.
var (
	Malformed = rule(engine.Entry{ID: "mongo.malformed", Citations: from(srcBSON), Confidence: engine.Documented,
		Statement: "If the bytes are not a well-formed BSON document, this library keeps the document and gives no deadline."})
	NoTTL = rule(engine.Entry{ID: "mongo.no-ttl", Citations: from(srcTTL1, srcManualTTL, srcMonitor), Confidence: engine.VendorTest,
		Statement: "If neither an index nor the collection has expireAfterSeconds, nothing expires."})
	NamespaceExcluded = rule(engine.Entry{ID: "mongo.namespace-excluded", Citations: from(srcResharding, srcAllowedWrites, srcMonitor, srcOldTTL, srcOldDelete), Confidence: engine.FromSource,
		Statement: "The TTL monitor deletes nothing from three kinds of collections. First, temporary collections of resharding. Second, collections that are being dropped. Third, system collections that accept no writes, such as system.profile. The name of a system collection begins with \"system.\" or contains \".system.\" in the middle. The monitor does delete from system collections that accept writes, such as system.buckets.* and system.js. It also deletes in the databases admin, config and local, and from collections whose names begin with \"tmp.\"."})
	NamespaceUnspecified = rule(engine.Entry{ID: "mongo.namespace-unspecified", Citations: from(srcAllowedWrites, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "For some system collections, such as config.system.preimages in 5.1 to 5.3, no source says whether the monitor deletes from them. Since 5.0 a server accepts writes to the oplog only if replication is disabled, and this library does not know whether it is. In all these cases this library keeps the documents."})
	Compound = rule(engine.Entry{ID: "mongo.index-compound", Citations: from(srcMonitor, srcMonitorTest, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "An index of several fields never deletes, whatever its expireAfterSeconds is. {In createRange@2.2} the server creates such an index and ignores expireAfterSeconds. Later releases refuse to create an index of several fields with expireAfterSeconds."})
	Special = rule(engine.Entry{ID: "mongo.index-special", Citations: from(srcMonitorTest, srcMonitor, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "Hashed, text, 2d, 2dsphere and wildcard indexes never delete. Only ascending and descending indexes of one field delete."})
	SpecialUnspecified = rule(engine.Entry{ID: "mongo.index-special-unspecified", Citations: from(srcOldTTL), Confidence: engine.Unspecified,
		Statement: "In 3.0 and earlier a hashed TTL index deletes (mongo.index-hashed-deletes). For the other special types, such as 2d, no source says what a TTL index deletes in these releases. This library keeps the document."})
	HashedDeletes = rule(engine.Entry{ID: "mongo.index-hashed-deletes", Versions: "{hashedDeletes@2.2}", Citations: from(srcOldTTL), Confidence: engine.FromSource,
		Statement: "{In byQuery@2.2} a hashed TTL index deletes like an ascending one. The monitor deletes by a query on the field, and does not look at the type of the index."})
	TypeUnknown = rule(engine.Entry{ID: "mongo.index-type-unknown", Versions: "{unknownTypesPlain@2.2}", Citations: from(srcOldIndexTypes, srcOldTTL), Confidence: engine.FromSource,
		Statement: "MongoDB 2.2 does not know some types of indexes, such as text and 2dsphere. It logs a warning and builds an ordinary index, which deletes like any ordinary TTL index. MongoDB 2.4 refuses an index of an unknown type (error 16734)."})
	DirectionNaN = rule(engine.Entry{ID: "mongo.index-direction-nan", Citations: from(srcOldTTL, srcOrdering), Confidence: engine.Inferred,
		Statement: "An index deletes nothing if the direction of its field is NaN, in place of 1 or -1. The monitor begins at the wrong end of such an index, and finds no document. Such an index can be created {in specs@2.2/2.6}."})
	DirectionUnspecified = rule(engine.Entry{ID: "mongo.index-direction-unspecified", Citations: from(srcOldTTL, srcOrdering), Confidence: engine.Unspecified,
		Statement: "An index can have the direction NaN in place of 1 or -1. No source says which documents the monitor of 2.2 to 3.0 finds by such an index. This library keeps the document."})
	VersionZeroUnspecified = rule(engine.Entry{ID: "mongo.index-v0-unspecified", Citations: from(srcVersionZeroCursor, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "No source says what an index of version 0 deletes in 3.2 to 4.0. Such an index is left from an older release, and only the storage engine MMAPv1 can hold it. The index orders dates as unsigned numbers, but the monitor's scan of the index compares dates as signed numbers. This library keeps the document."})
	PathRefused = rule(engine.Entry{ID: "mongo.path-refused", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "The server refuses to index a path with an empty part, such as a..b, or with a part that begins with a dollar sign, such as a.$b. Only the fields of a DBRef, such as $id, may begin with a dollar sign. A refused index does not exist, so nothing expires by it."})
	PathUnspecified = rule(engine.Entry{ID: "mongo.path-unspecified", Citations: from(srcOldTTL, srcValidate), Confidence: engine.Unspecified,
		Statement: "{In specs@2.2} the server creates an index on a path with an empty part, or with a part that begins with a dollar sign. Later releases refuse to create such an index, but 2.6 and 3.0 keep one that exists already. No source says which documents the monitor of 2.2 to 3.0 finds by such an index. This library keeps the document."})
	SecondsNotNumber = rule(engine.Entry{ID: "mongo.seconds-not-number", Citations: from(srcMonitorTest, srcMonitor, srcOldTTL, srcNotNumber), Confidence: engine.VendorTest,
		Statement: "If the stored expireAfterSeconds is not a number, the monitor skips the index."})
	SecondsNotNumberZero = rule(engine.Entry{ID: "mongo.seconds-not-number-zero", Versions: "{notNumber@2.2}", Citations: from(srcOldTTL, srcNotNumber), Confidence: engine.FromSource,
		Statement: "{In notNumber@2.2} the server uses 0 in place of a stored expireAfterSeconds that is not a number. So every document whose date is in the past expires."})
	NaNAborts = rule(engine.Entry{ID: "mongo.nan-aborts", Citations: from(srcNaN, srcOldTTL, srcDuration), Confidence: engine.Documented,
		Statement: "On x86-64 the server reads expireAfterSeconds NaN as -2^63. Then every pass over the index fails with an error in the log, and nothing is deleted. On ARM64 (builds exist since 3.4) the server reads NaN as 0, and deletes every document whose date is in the past. The behaviour on ARM64 was read in the source, and not run."})
	NaNZero = rule(engine.Entry{ID: "mongo.nan-zero", Versions: "{nan@2.2}", Citations: from(srcNaN, srcManualExpire, srcBSONElement, srcOldTTL, srcOldTime), Confidence: engine.Documented,
		Statement: "The server reads expireAfterSeconds NaN as 0. Every document whose date is not in the future expires at once."})
	NaNSkipped = rule(engine.Entry{ID: "mongo.nan-skipped", Citations: from(srcNaNTest, srcNaN, srcNaNLogged), Confidence: engine.VendorTest,
		Statement: "The monitor skips an index whose expireAfterSeconds is NaN. In 4.2 and 4.4 createIndexes can create such an index. createIndexes stores 2147483647 in place of NaN ({createRepairsNaN@5.0.14}), or refuses NaN ({createNaN@7.0}). In the releases of these two lists an index has NaN only after an upgrade or an initial sync. No source says what createIndexes of 6.2 and 6.3 does with NaN."})
	SecondsInvalid = rule(engine.Entry{ID: "mongo.seconds-invalid", Citations: from(srcMonitorTest, srcMonitor), Confidence: engine.VendorTest,
		Statement: "The monitor skips an index whose stored expireAfterSeconds, as a whole number, is below 0 or above 2147483647."})
	SecondsOverflow = rule(engine.Entry{ID: "mongo.seconds-overflow", Citations: from(srcOldTTL, srcDuration, srcCutoff), Confidence: engine.FromSource,
		Statement: "If expireAfterSeconds * 1000 does not fit 64 bits, every pass over the index fails, and nothing is deleted. {In cutoffChecked@4.0.6} a pass also fails if (clock in milliseconds) - expireAfterSeconds * 1000 does not fit 64 bits. With expireAfterSeconds -9223372036854775 every pass fails for this reason. With -9223370336768375 each pass up to November 2023 deleted every document with a date, and each later pass fails."})
	SecondsUnspecified = rule(engine.Entry{ID: "mongo.seconds-unspecified",
		Citations: from(srcOldTTL, srcMonitor), Confidence: engine.Unspecified,
		Statement: "No source says what the monitor does with some stored values of expireAfterSeconds. These values are: any Decimal128 ({in decimals@2.2}); a value so far below 0 that (clock in milliseconds) - expireAfterSeconds * 1000 does not fit 64 bits ({in cutoffChecked@2.2}); and any value below 0 or above 2147483647 ({in outOfRange@6.2}). This library keeps the document."})
	SecondsWrap = rule(engine.Entry{ID: "mongo.seconds-wrap", Versions: "{secondsWrap@2.2}", Citations: from(srcOldTTL, srcOldTime), Confidence: engine.FromSource,
		Statement: "{In secondsWrap@2.2} the server computes the delay in milliseconds as expireAfterSeconds * 1000 in a signed number of 64 bits, and does not notice an overflow. So 9223372036854775807 becomes -1000 ms, and documents expire a second before their date. NaN, an infinity, and a double beyond 64 bits such as 1e300 become 0 ms. Then every document whose date is in the past expires."})
	Capped = rule(engine.Entry{ID: "mongo.capped", Citations: from(srcCapped, srcOldTTL, srcOldDelete, srcCappedSync), Confidence: engine.VendorTest,
		Statement: "Before 7.1 a TTL index deletes nothing from a capped collection, except perhaps in 6.0.25 and later in 6.0, and in 7.0.25 and later in 7.0 (mongo.capped-unspecified). Up to 4.4 the monitor tries to delete, and the delete fails. {In errorsEndPass@2.2} the failure also ends the pass over the database (mongo.monitor-stops). {In capped@7.1} a TTL index deletes from a capped collection as from any other."})
	CappedUnspecified = rule(engine.Entry{ID: "mongo.capped-unspecified", Citations: from(srcCappedBackport, srcCappedDeletes), Confidence: engine.Unspecified,
		Statement: "The change of SERVER-107495 lets TTL indexes of 6.0 and 7.0 delete from capped collections. No source says which patch release of 6.0 and of 7.0 is the first with this change. This library keeps the documents of capped collections in every patch release of 6.0 and 7.0."})
	FilterIgnored = rule(engine.Entry{ID: "mongo.filter-ignored", Versions: "{filters@2.2}", Citations: from(srcOldSpec, srcOldTTL, srcPartial), Confidence: engine.FromSource,
		Statement: "{In filters@2.2} there are no partial indexes: the server stores partialFilterExpression and ignores it. So each document expires by its date alone, even if the filter does not match the document."})
)

// The rules of an ordinary TTL index about a document, in the order in which they are
// consulted.
var (
	FilterUnspecified = rule(engine.Entry{ID: "mongo.filter-unspecified", Citations: from(srcPartial), Confidence: engine.Unspecified,
		Statement: "In some cases this library does not decide whether a partial filter matches a document, and keeps the document. Examples are a filter with geometry, a collation other than simple, a comparison of a string with a regular expression, and a document of a Go type that cannot list its fields. Another example is a comparison with MinKey or MaxKey, if the document has an array on the filter's path, and this array is empty or has an element that is not a document."})
	FilterMismatch = rule(engine.Entry{ID: "mongo.filter-mismatch", Citations: from(srcPartialTest, srcPartial), Confidence: engine.VendorTest,
		Statement: "A document that the partial filter does not match has no key in the index, so it never expires by that index."})
	FieldMissing = rule(engine.Entry{ID: "mongo.field-missing", Citations: from(srcTTL1, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A document without the indexed field never expires."})
	FieldNull = rule(engine.Entry{ID: "mongo.field-null", Citations: from(srcTTL1, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A document whose indexed field is null never expires, because its key in the index is null. With an index on a.b the key is also null if a is an empty array, or a value that is neither an array nor a document."})
	ArrayEmpty = rule(engine.Entry{ID: "mongo.array-empty", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A document never expires by an index if the index's path ends at an empty array in the document. The index then holds the BSON value undefined for the document."})
	ArrayNested = rule(engine.Entry{ID: "mongo.array-nested", Citations: from(srcKeysTest, srcKeys), Confidence: engine.VendorTest,
		Statement: "Dates in an array that is inside another array do not count. In {a: [[date]]} the path a finds the inner array, which is not a Date. In {a: [[{b: date}]]} the path a.b finds nothing, because a field name does not lead into an inner array."})
	FieldNotDate = rule(engine.Entry{ID: "mongo.field-not-date", Citations: from(srcTTL1, srcClustered, srcMonitor), Confidence: engine.VendorTest,
		Statement: "{In timestampsSort@3.0} only a BSON Date expires: strings, numbers, ObjectIds, replication timestamps and values of all other types never do. {In timestampsSort@2.2} a replication timestamp can expire as well as a Date (mongo.timestamp-sorts)."})
	FieldOpaque = rule(engine.Entry{ID: "mongo.field-opaque", Citations: from(srcBSON), Confidence: engine.Inferred,
		Statement: "A program that calls this library can pass a value of a type that BSON does not have (policy.Opaque). This library does not treat such a value as a Date, and keeps the document."})
	VersionZero = rule(engine.Entry{ID: "mongo.index-v0", Citations: from(srcVersionZero), Confidence: engine.FromSource,
		Statement: "A document whose date is before 1970 never expires by an index of version 0, because the index orders such dates after all others. In the path a.0 of such an index, 0 is a field name, and not a position of an array. Only the storage engine MMAPv1 has indexes of version 0."})
	TimestampUnspecified = rule(engine.Entry{ID: "mongo.timestamp-unspecified", Citations: from(srcOldTTL, srcOldCompare), Confidence: engine.Unspecified,
		Statement: "In 2.2 to 2.6 the number clock - expireAfterSeconds can be negative if expireAfterSeconds is above 1325376000 (42 years). The index reads the negative number as signed, but the query reads it as unsigned. No source says which replication timestamps expire then. This library keeps the document."})
	TimestampSorts = rule(engine.Entry{ID: "mongo.timestamp-sorts", Versions: "{timestampsSort@2.2}", Citations: from(srcOldTTL, srcOldCompare), Confidence: engine.FromSource,
		Statement: "{In timestampsSort@2.2} the server compares a replication timestamp with dates as a number of milliseconds: seconds * 4294967296 + ordinal. So Timestamp(100, 1) counts as 429496729601 ms, a date in 1983, and expires. Timestamp(1700000000, 1), a time in 2023, counts as a date so far in the future that it never expires."})
	PathAmbiguous = rule(engine.Entry{ID: "mongo.path-ambiguous", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A number in an index's path can be both a position of an array in the document and the name of a field in an element of that array. An example is the path a.0 if the first element of the array a is a document with a field named 0. The server refuses to index a document with such an array (error 16746; 15855 up to 2.4), so the document cannot expire by the index."})
	Unreachable = rule(engine.Entry{ID: "mongo.unreachable", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "A document never expires if its deadline, date + expireAfterSeconds, is later than any time that a 64-bit millisecond clock can show. The server compares the date with clock - expireAfterSeconds, so an overflow of date + expireAfterSeconds cannot occur."})
	Earliest = rule(engine.Entry{ID: "mongo.array-earliest", Citations: from(srcManualExpire, srcKeysTest), Confidence: engine.Documented,
		Statement: "If the path leads to Dates in an array, or in the subdocuments of an array, the earliest Date decides. Elements of other types change nothing."})
	Date = rule(engine.Entry{ID: "mongo.date", Citations: from(srcOldTTL, srcMonitor, srcTTL1, srcMonitorTest), Confidence: engine.FromSource,
		Statement: "A document expires in the very millisecond in which its date plus expireAfterSeconds is reached. Dates before 1970 expire like any other."})
	DateStrict = rule(engine.Entry{ID: "mongo.date-strict", Citations: from(srcOldTTL), Confidence: engine.FromSource,
		Statement: "{In byQuery@2.2} a document expires one millisecond after its date plus expireAfterSeconds. In the millisecond of the deadline itself the document still stays."})
)

// The rules of collections with an expireAfterSeconds of their own.
var (
	CollectionSecondsUnspecified = rule(engine.Entry{ID: "mongo.collection-seconds-unspecified", Citations: from(srcMonitor), Confidence: engine.Unspecified,
		Statement: "The server stores a collection's own expireAfterSeconds as whole seconds, 0 or more. No source says what the server does if the catalog holds another value. This library keeps the document."})
	ClusteredNotDate = rule(engine.Entry{ID: "mongo.clustered-not-date", Citations: from(srcClustered), Confidence: engine.VendorTest,
		Statement: "In a clustered collection with expireAfterSeconds a document expires only if its _id is a Date."})
	ClusteredFloor = rule(engine.Entry{ID: "mongo.clustered-before-1970", Citations: from(srcMonitor, srcScanStart), Confidence: engine.Inferred,
		Statement: "Since the change of SERVER-76560 the monitor's scan of a clustered collection begins at 1970-01-01T00:00:00.000Z. So a document never expires if its _id is before 1970. Without that change the scan begins at the earliest Date, and the monitor deletes such a document."})
	ClusteredFloorUnspecified = rule(engine.Entry{ID: "mongo.clustered-before-1970-unspecified", Citations: from(srcScanStart, srcMonitor), Confidence: engine.Unspecified,
		Statement: "No source says whether the monitor of 7.1 to 7.3 begins its scan of a clustered collection at 1970-01-01T00:00:00.000Z. This library keeps a document whose _id is before that time."})
	Clustered = rule(engine.Entry{ID: "mongo.clustered", Citations: from(srcClustered), Confidence: engine.VendorTest,
		Statement: "In a clustered collection a document expires when the time _id + expireAfterSeconds is reached. The _id must be a Date."})
	SeriesBoundUnspecified = rule(engine.Entry{ID: "mongo.timeseries-bound-unspecified", Citations: from(srcObjectID, srcMonitor), Confidence: engine.Unspecified,
		Statement: "The server possibly deletes every bucket of a time-series collection at once if expireAfterSeconds + span is more than 1626134400 s (51.5 years). The reason is in mongo.timeseries-bound-wraps. For example, the granularity \"seconds\" has a span of 3600 s, so every expireAfterSeconds above 1626130800 is affected. No test shows what the server deletes. This library keeps the document."})
	SeriesIndexRefused = rule(engine.Entry{ID: "mongo.timeseries-index-refused", Citations: from(srcSeriesConvert), Confidence: engine.FromSource,
		Statement: "Before 6.3 the server refuses every TTL index of a time-series collection, so nothing expires by such an index. Use the collection's own expireAfterSeconds."})
	SeriesIndexShape = rule(engine.Entry{ID: "mongo.timeseries-index-shape", Citations: from(srcSeriesIndexing), Confidence: engine.VendorTest,
		Statement: "In a time-series collection nothing expires by a TTL index unless the index is on the time field, and has a partial filter that uses only the meta field. The server refuses to create any other TTL index of such a collection."})
	SeriesExtendedSkipped = rule(engine.Entry{ID: "mongo.timeseries-extended-range", Citations: from(srcExtendedTest, srcExtendedSkip, srcManualSeries), Confidence: engine.VendorTest,
		Statement: "The monitor skips a whole time-series collection, and its TTL indexes, if one of its buckets begins before 1970-01-01T00:00:00.000Z or after 2038-01-19T03:14:07.000Z. The monitor deletes from the collection again once such buckets are gone and the server has restarted. Releases without the change of SERVER-79864, such as 7.0.4 and 7.1, do not skip the collection. They use the time in a bucket's identifier, which has only 32 bits of seconds."})
	SeriesExtendedUnspecified = rule(engine.Entry{ID: "mongo.timeseries-extended-range-unspecified",
		Citations: from(srcExtended, srcMonitor), Confidence: engine.Unspecified,
		Statement: "No source says when the server deletes a time-series bucket whose minimum time is before 1901-12-13 or after 2106-02-07. The bucket's identifier holds only 32 bits of seconds, so it looks like the identifier of a bucket of another time. This library keeps the bucket."})
	SeriesNoTime = rule(engine.Entry{ID: "mongo.timeseries-no-time", Citations: from(srcManualCreate), Confidence: engine.Documented,
		Statement: "The server puts no measurement into a time-series collection if its time field is not a Date. It also stores no bucket without a minimum and a maximum time. This library keeps every such measurement and bucket that you give it."})
	SeriesExtendedDate = rule(engine.Entry{ID: "mongo.timeseries-extended-date", Citations: from(srcSeriesTTL, srcMonitor, srcExtended), Confidence: engine.VendorTest,
		Statement: "If a time-series collection has dates before 1970 or after 2038, the deadline of a bucket depends on T, the time in the bucket's identifier. It also depends on the span, the longest time that a bucket can cover. Let L be (time of the bucket's last measurement) + expireAfterSeconds. If T is before 1970, or if T + span is 2038-01-19T03:14:08Z or later, the bucket expires at L. Any other bucket expires at L or at the deadline of mongo.timeseries-bucket, whichever is later."})
	SeriesStart = rule(engine.Entry{ID: "mongo.timeseries-before-2017", Citations: from(srcOldTTL, srcObjectID, srcScanStart), Confidence: engine.Inferred,
		Statement: "The monitor begins its scan of a time-series collection at 2017-11-28T00:21:29Z. It skips every bucket whose identifier holds an earlier time, so such a bucket never expires by the collection's own expireAfterSeconds. The reason is a conversion. The server means to begin at the earliest possible Date, but an identifier holds only the lowest 32 bits of the seconds. For the earliest possible Date these bits give 2017-11-28T00:21:29Z. A TTL index deletes such buckets as usual. No source names the change that ended the skipping. This library infers that it is SERVER-76560."})
	SeriesStartUnspecified = rule(engine.Entry{ID: "mongo.timeseries-before-2017-unspecified", Citations: from(srcScanStart, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "The identifier of a bucket contains a time. If that time is before 2017-11-28T00:21:29Z, no source says whether 5.1, 5.2 and 7.1 to 7.3 delete the bucket by the collection's own expireAfterSeconds. Compare mongo.timeseries-before-2017. This library keeps the bucket."})
	SeriesRoundingUnspecified = rule(engine.Entry{ID: "mongo.timeseries-rounding-unspecified", Citations: from(srcBuckets, srcSeriesOptions), Confidence: engine.Unspecified,
		Statement: "No source says whether 5.0 and 5.1 round the time of a bucket down. The server's source code did not round in May 2021, before 5.0.0. In November 2021 it did. This library assumes no rounding, because the deadline is then later. If the server rounds, it deletes a measurement earlier: up to a minute earlier with granularity \"seconds\", an hour with \"minutes\", and a day with \"hours\"."})
	SeriesBucket = rule(engine.Entry{ID: "mongo.timeseries-bucket", Citations: from(srcSeriesTTL, srcSeriesPartial, srcMonitor), Confidence: engine.VendorTest,
		Statement: "A time-series bucket expires as a whole, at (minimum time, rounded down) + span + expireAfterSeconds. With granularity seconds the minimum time is rounded down to the minute, and the span is one hour. If expireAfterSeconds is 60, a bucket whose minimum time is 10:00:30 expires at 10:00 + 1 h + 60 s = 11:01. For a single measurement this library assumes that its time is the bucket's minimum time (mongo.timeseries-untouched)."})
)

// Deciding holds every rule that can decide about a document: first the rules of indexes
// of ordinary collections, and then those of clustered and time-series collections, each
// in the order in which they are consulted.
var Deciding = []policy.Rule{
	Malformed, NoTTL, NamespaceExcluded, NamespaceUnspecified, Compound, Special, SpecialUnspecified,
	DirectionNaN, DirectionUnspecified, VersionZeroUnspecified, PathRefused, PathUnspecified,
	SecondsNotNumber, NaNAborts, NaNSkipped, SecondsInvalid,
	SecondsUnspecified, SecondsOverflow, Capped, CappedUnspecified, DocumentDBCollectionUnspecified,
	DocumentDBPathUnspecified, DocumentDBFilterUnspecified, FilterUnspecified, FilterMismatch, FieldMissing, FieldNull, ArrayEmpty, ArrayNested,
	FieldNotDate, FieldOpaque, TimestampUnspecified, VersionZero, PathAmbiguous, Unreachable, Earliest, DateStrict, DocumentDBDate, Date,

	CollectionSecondsUnspecified, ClusteredNotDate, ClusteredFloor, ClusteredFloorUnspecified, Clustered,
	SeriesIndexRefused, SeriesIndexShape, SeriesExtendedSkipped, SeriesExtendedUnspecified,
	SeriesNoTime, SeriesExtendedDate, SeriesStart, SeriesStartUnspecified, SeriesBoundUnspecified, SeriesRoundingUnspecified, SeriesBucket,
}

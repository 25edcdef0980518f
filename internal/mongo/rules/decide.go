package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The rules by which an index deletes nothing, in the order of its checks.
var (
	Malformed = rule(engine.Entry{ID: "mongo.malformed", Citations: from(srcBSON), Confidence: engine.Documented,
		Statement: "Bytes that are not a well-formed BSON document are never decided about. The document is kept."})
	NoTTL = rule(engine.Entry{ID: "mongo.no-ttl", Citations: from(srcTTL1, srcManualTTL, srcMonitor), Confidence: engine.VendorTest,
		Statement: "If neither an index nor the collection has expireAfterSeconds, nothing expires."})
	NamespaceExcluded = rule(engine.Entry{ID: "mongo.namespace-excluded", Citations: from(srcResharding, srcAllowedWrites, srcMonitor, srcOldTTL, srcOldDelete), Confidence: engine.FromSource,
		Statement: "The monitor deletes nothing from some namespaces: temporary collections of resharding, collections that are being dropped, system.profile, and other system namespaces in which the server accepts no writes. System namespaces have names that begin with system. or contain .system. in the middle. The server accepts writes in a few of them, such as system.buckets.* and system.js. Names that begin with tmp, and the databases admin, config and local, are like any other."})
	NamespaceUnspecified = rule(engine.Entry{ID: "mongo.namespace-unspecified", Citations: from(srcAllowedWrites, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "Whether this release deletes in this namespace is not known, or depends on the deployment. Since 5.0 the oplog accepts no writes where replication is enabled. The document is kept."})
	Compound = rule(engine.Entry{ID: "mongo.index-compound", Citations: from(srcMonitor, srcMonitorTest, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "An index of several fields never deletes, whatever its expireAfterSeconds is. Releases {in createRange@2.2} create such an index and ignore the option. Later ones refuse it."})
	Special = rule(engine.Entry{ID: "mongo.index-special", Citations: from(srcMonitorTest, srcMonitor, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "Hashed, text, 2d, 2dsphere and wildcard indexes never delete. Only plain ascending and descending indexes do."})
	SpecialUnspecified = rule(engine.Entry{ID: "mongo.index-special-unspecified", Citations: from(srcOldTTL), Confidence: engine.Unspecified,
		Statement: "In these releases the monitor deletes by a query, and does not look at the type of the index. No source says what a special index does here, except a hashed one. The document is kept."})
	HashedDeletes = rule(engine.Entry{ID: "mongo.index-hashed-deletes", Versions: "{hashedDeletes@2.2}", Citations: from(srcOldTTL), Confidence: engine.FromSource,
		Statement: "A hashed TTL index deletes like a plain one. The monitor deletes by a query on the field, and does not look at the type of the index."})
	TypeUnknown = rule(engine.Entry{ID: "mongo.index-type-unknown", Versions: "{unknownTypesPlain@2.2}", Citations: from(srcOldIndexTypes, srcOldTTL), Confidence: engine.FromSource,
		Statement: "The server builds an index of a type that the release does not know, such as text or 2dsphere, as an ordinary index, and logs a warning. The index then deletes like an ordinary one. 2.4 refuses it (error 16734)."})
	DirectionNaN = rule(engine.Entry{ID: "mongo.index-direction-nan", Citations: from(srcOldTTL, srcOrdering), Confidence: engine.Inferred,
		Statement: "{In specs@2.2/2.6} the key pattern of an index can hold NaN. Nothing expires by such an index. Its keys ascend, but the monitor scans them backward from the earliest date, and finds no document."})
	DirectionUnspecified = rule(engine.Entry{ID: "mongo.index-direction-unspecified", Citations: from(srcOldTTL, srcOrdering), Confidence: engine.Unspecified,
		Statement: "No source says which documents the query of the monitor finds in an index whose key pattern holds NaN. The document is kept."})
	VersionZeroUnspecified = rule(engine.Entry{ID: "mongo.index-v0-unspecified", Citations: from(srcVersionZeroCursor, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "An index of version 0 is left from old releases on MMAPv1. It compares its dates as unsigned numbers, and the end of a scan as a signed number. No source says what such a scan deletes. The document is kept."})
	PathRefused = rule(engine.Entry{ID: "mongo.path-refused", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "The server refuses to index a path with an empty part, or with a part that begins with a dollar sign, except the fields of a DBRef. So nothing expires by such a path."})
	PathUnspecified = rule(engine.Entry{ID: "mongo.path-unspecified", Citations: from(srcOldTTL, srcValidate), Confidence: engine.Unspecified,
		Statement: "2.2 and 2.4 create an index on any path, also if a part of it is empty or begins with a dollar sign. 2.6 and 3.0 keep such an index. No source says what the query of their monitor finds by it. The document is kept."})
	SecondsNotNumber = rule(engine.Entry{ID: "mongo.seconds-not-number", Citations: from(srcMonitorTest, srcMonitor, srcOldTTL, srcNotNumber), Confidence: engine.VendorTest,
		Statement: "If the stored expireAfterSeconds is not a number, the monitor skips the index."})
	SecondsNotNumberZero = rule(engine.Entry{ID: "mongo.seconds-not-number-zero", Versions: "{notNumber@2.2}", Citations: from(srcOldTTL, srcNotNumber), Confidence: engine.FromSource,
		Statement: "A stored expireAfterSeconds that is not a number is read as 0. Every document whose date is in the past expires."})
	NaNAborts = rule(engine.Entry{ID: "mongo.nan-aborts", Citations: from(srcNaN, srcOldTTL, srcDuration), Confidence: engine.Documented,
		Statement: "With expireAfterSeconds NaN every pass over the index fails with an error in the log, and nothing is deleted. That is so on x86-64, where NaN becomes the smallest integer. On ARM64 NaN becomes 0, and the same code deletes every document whose date is in the past. There are builds for ARM64 from 3.4 on. This was read in the source, and not run."})
	NaNZero = rule(engine.Entry{ID: "mongo.nan-zero", Versions: "{nan@2.2}", Citations: from(srcNaN, srcManualExpire, srcBSONElement, srcOldTTL, srcOldTime), Confidence: engine.Documented,
		Statement: "expireAfterSeconds NaN is read as 0. Every document whose date is not in the future expires at once."})
	NaNSkipped = rule(engine.Entry{ID: "mongo.nan-skipped", Citations: from(srcNaNTest, srcNaN, srcNaNLogged), Confidence: engine.VendorTest,
		Statement: "An index with expireAfterSeconds NaN is skipped until it is repaired. {In createRepairsNaN@5.0.14} createIndexes stores 2147483647 in place of NaN, and only an upgrade or an initial sync brings a NaN into the catalog. Later releases refuse NaN."})
	SecondsInvalid = rule(engine.Entry{ID: "mongo.seconds-invalid", Citations: from(srcMonitorTest, srcMonitor), Confidence: engine.VendorTest,
		Statement: "The monitor skips an index whose stored expireAfterSeconds, as a whole number, is below 0 or above 2147483647."})
	SecondsOverflow = rule(engine.Entry{ID: "mongo.seconds-overflow", Citations: from(srcOldTTL, srcDuration, srcCutoff), Confidence: engine.FromSource,
		Statement: "Some negative values delete everything until a certain year, and nothing from then on. If the milliseconds of a stored expireAfterSeconds do not fit 64 bits, every pass over the index fails, and nothing is deleted. {In cutoffChecked@4.0.6} a pass also fails if the cutoff, which is the clock less the delay, does not fit 64 bits. -9223372036854775 is such a value."})
	SecondsUnspecified = rule(engine.Entry{ID: "mongo.seconds-unspecified",
		Citations: from(srcOldTTL, srcMonitor), Confidence: engine.Unspecified,
		Statement: "No source says what this stored expireAfterSeconds does in this release. Such values are a Decimal128 {in decimals@2.2}, a negative value by which the cutoff overflows {in cutoffChecked@2.2}, and {in outOfRange@6.2} a value outside 0 to 2147483647. The document is kept."})
	SecondsWrap = rule(engine.Entry{ID: "mongo.seconds-wrap", Versions: "{secondsWrap@2.2}", Citations: from(srcOldTTL, srcOldTime), Confidence: engine.FromSource,
		Statement: "If the milliseconds of a stored expireAfterSeconds do not fit 64 bits, their lowest 64 bits are the delay. A double beyond 64 bits, such as 1e300 or an infinity, becomes the smallest integer, as NaN does. The delay is then 0, and everything whose date is in the past expires. 9223372036854775807 becomes -1000 ms, so the cutoff is a second ahead of the clock."})
	Capped = rule(engine.Entry{ID: "mongo.capped", Citations: from(srcCapped, srcOldTTL, srcOldDelete, srcCappedSync), Confidence: engine.VendorTest,
		Statement: "A TTL index deletes nothing from a capped collection, and the documents stay. Up to 4.4 its deletes fail. In later releases the monitor is not told of the index. {In errorsEndPass@3.0} other collections are not affected. {In errorsEndPass@2.2} the failure ends the pass over the database (mongo.monitor-stops). {In capped@7.1} such an index deletes like any other."})
	CappedUnspecified = rule(engine.Entry{ID: "mongo.capped-unspecified", Citations: from(srcCappedBackport, srcCappedDeletes), Confidence: engine.Unspecified,
		Statement: "SERVER-107495 allows TTL indexes on capped collections in these release lines. No source says which patch is the first with it. The document is kept."})
	FilterIgnored = rule(engine.Entry{ID: "mongo.filter-ignored", Versions: "{filters@2.2}", Citations: from(srcOldSpec, srcOldTTL, srcPartial), Confidence: engine.FromSource,
		Statement: "A release without partial indexes stores partialFilterExpression and ignores it. The index holds every document. Each expires by its date alone, also outside the filter."})
)

// The rules of an ordinary TTL index about a document, in the order in which they are
// consulted.
var (
	FilterUnspecified = rule(engine.Entry{ID: "mongo.filter-unspecified", Citations: from(srcPartial), Confidence: engine.Unspecified,
		Statement: "It is not decided here whether the partial filter matches the document. The reason is geometry, another collation, MinKey or MaxKey on a path that an array interrupts, or a document that cannot list its fields. The document is kept."})
	FilterMismatch = rule(engine.Entry{ID: "mongo.filter-mismatch", Citations: from(srcPartialTest, srcPartial), Confidence: engine.VendorTest,
		Statement: "A document that the partial filter does not match has no key in the index. It never expires by that index."})
	FieldMissing = rule(engine.Entry{ID: "mongo.field-missing", Citations: from(srcTTL1, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A document without the indexed field never expires."})
	FieldNull = rule(engine.Entry{ID: "mongo.field-null", Citations: from(srcTTL1, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A document whose field is null never expires: its key is null. A scalar or an empty array in the middle of the path gives a null key too."})
	ArrayEmpty = rule(engine.Entry{ID: "mongo.array-empty", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "An empty array at the end of the path never expires: its key is undefined."})
	ArrayNested = rule(engine.Entry{ID: "mongo.array-nested", Citations: from(srcKeysTest, srcKeys), Confidence: engine.VendorTest,
		Statement: "Dates in an array that is inside another array do not count. At the end of the path the inner array is one key, and not a Date. Before the end, a field name does not lead into it."})
	FieldNotDate = rule(engine.Entry{ID: "mongo.field-not-date", Citations: from(srcTTL1, srcClustered, srcMonitor), Confidence: engine.VendorTest,
		Statement: "Only a BSON Date expires. Strings, numbers, ObjectIds and values of all other types never do. {In timestampsSort@3.0} replication timestamps never do either."})
	FieldOpaque = rule(engine.Entry{ID: "mongo.field-opaque", Citations: from(srcBSON), Confidence: engine.Inferred,
		Statement: "A caller can pass a value of a type that BSON does not have, as opaque. Such a value is not known to be a Date. The document is kept."})
	VersionZero = rule(engine.Entry{ID: "mongo.index-v0", Citations: from(srcVersionZero), Confidence: engine.FromSource,
		Statement: "Only MMAPv1 has indexes of version 0. Such an index orders dates before 1970 after all others, where the monitor's query does not find them: they never expire. A number in its path is a field name, and not a position."})
	TimestampUnspecified = rule(engine.Entry{ID: "mongo.timestamp-unspecified", Citations: from(srcOldTTL, srcOldCompare), Confidence: engine.Unspecified,
		Statement: "With an expireAfterSeconds above 1325376000 the cutoff may lie before 1970. A scan compares it with a replication timestamp as a signed number, and the query as an unsigned one. No source says which timestamps are deleted. The document is kept."})
	TimestampSorts = rule(engine.Entry{ID: "mongo.timestamp-sorts", Versions: "{timestampsSort@2.2}", Citations: from(srcOldTTL, srcOldCompare), Confidence: engine.FromSource,
		Statement: "A replication timestamp is compared with dates as a number: its seconds times 4294967296, plus its ordinal, are taken as milliseconds. Timestamps of fewer than about 400 seconds, such as Timestamp(100, 1), are deleted. All others stand for a time that no clock reaches."})
	PathAmbiguous = rule(engine.Entry{ID: "mongo.path-ambiguous", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A number in the path may be both a position of an array and the name of a field in an element. The server then refuses to index the document (error 16746, 15855 up to 2.4). So the document cannot expire by the index."})
	Unreachable = rule(engine.Entry{ID: "mongo.unreachable", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "A date so late that no 64-bit millisecond clock reaches its deadline never expires. The server compares the date with the clock less the delay, so date plus delay cannot overflow."})
	Earliest = rule(engine.Entry{ID: "mongo.array-earliest", Citations: from(srcManualExpire, srcKeysTest), Confidence: engine.Documented,
		Statement: "In an array, or in the subdocuments of an array, each Date is a key, and the earliest Date decides. Elements of other types change nothing."})
	Date = rule(engine.Entry{ID: "mongo.date", Citations: from(srcOldTTL, srcMonitor, srcTTL1, srcMonitorTest), Confidence: engine.FromSource,
		Statement: "A document expires in the very millisecond in which its date plus expireAfterSeconds is reached. Dates before 1970 expire like any other."})
	DateStrict = rule(engine.Entry{ID: "mongo.date-strict", Citations: from(srcOldTTL), Confidence: engine.FromSource,
		Statement: "A document expires one millisecond after its date plus expireAfterSeconds. In the millisecond of the deadline itself it is still kept."})
)

// The rules of collections with an expireAfterSeconds of their own.
var (
	CollectionSecondsUnspecified = rule(engine.Entry{ID: "mongo.collection-seconds-unspecified", Citations: from(srcMonitor), Confidence: engine.Unspecified,
		Statement: "A collection's own expireAfterSeconds is stored as whole seconds, 0 or more. No source says what another value in the catalog does. The document is kept."})
	ClusteredNotDate = rule(engine.Entry{ID: "mongo.clustered-not-date", Citations: from(srcClustered), Confidence: engine.VendorTest,
		Statement: "In a clustered collection with expireAfterSeconds a document expires only if its _id is a Date."})
	ClusteredFloor = rule(engine.Entry{ID: "mongo.clustered-before-1970", Citations: from(srcMonitor, srcScanStart), Confidence: engine.Inferred,
		Statement: "In a clustered collection the scan begins at 1970-01-01T00:00:00.000Z, so a document with an earlier _id never expires. Releases before the change of SERVER-76560 begin at the earliest Date, and delete it."})
	ClusteredFloorUnspecified = rule(engine.Entry{ID: "mongo.clustered-before-1970-unspecified", Citations: from(srcScanStart, srcMonitor), Confidence: engine.Unspecified,
		Statement: "No source says whether these releases begin the scan of a clustered collection at 1970-01-01T00:00:00.000Z. A document with an earlier _id is kept."})
	Clustered = rule(engine.Entry{ID: "mongo.clustered", Citations: from(srcClustered), Confidence: engine.VendorTest,
		Statement: "In a clustered collection a document expires when its _id, a Date, plus expireAfterSeconds is reached."})
	SeriesBoundUnspecified = rule(engine.Entry{ID: "mongo.timeseries-bound-unspecified", Citations: from(srcObjectID, srcMonitor), Confidence: engine.Unspecified,
		Statement: "If expireAfterSeconds is more than 1626134400 less the span, the bound of the scan may wrap and cover every bucket (mongo.timeseries-bound-wraps). No test shows what is deleted then. The document is kept here, but the server may have deleted it."})
	SeriesIndexRefused = rule(engine.Entry{ID: "mongo.timeseries-index-refused", Citations: from(srcSeriesConvert), Confidence: engine.FromSource,
		Statement: "A time-series collection cannot have a TTL index beside its own option. Nothing expires by such an index."})
	SeriesIndexShape = rule(engine.Entry{ID: "mongo.timeseries-index-shape", Citations: from(srcSeriesIndexing), Confidence: engine.VendorTest,
		Statement: "A TTL index of a time-series collection deletes only if it is on the time field, with a partial filter on the meta field alone. Any other is refused, and nothing expires by it."})
	SeriesExtendedSkipped = rule(engine.Entry{ID: "mongo.timeseries-extended-range", Citations: from(srcExtendedTest, srcExtendedSkip, srcManualSeries), Confidence: engine.VendorTest,
		Statement: "The monitor skips a whole time-series collection, and its TTL indexes, if one of its buckets begins before 1970-01-01T00:00:00.000Z or after 2038-01-19T03:14:07.000Z. That ends when the server restarts and there is no such bucket. Releases before the change of SERVER-79864 do not check this. They delete by the 32 bits of seconds in the identifiers of the buckets."})
	SeriesExtendedUnspecified = rule(engine.Entry{ID: "mongo.timeseries-extended-range-unspecified",
		Citations: from(srcExtended, srcMonitor), Confidence: engine.Unspecified,
		Statement: "A bucket before 1901-12-13 or after 2106-02-07 has a time that looks like an ordinary one in 32 bits of seconds. The server leaves to chance what happens to it, and no test shows it. The bucket is kept."})
	SeriesNoTime = rule(engine.Entry{ID: "mongo.timeseries-no-time", Citations: from(srcManualCreate), Confidence: engine.Documented,
		Statement: "A time-series collection holds no measurement whose time field is not a Date, and no bucket without bounds. Such a document is kept."})
	SeriesExtendedDate = rule(engine.Entry{ID: "mongo.timeseries-extended-date", Citations: from(srcSeriesTTL, srcMonitor, srcExtended), Confidence: engine.VendorTest,
		Statement: "In a time-series collection with dates outside 1970 to 2038, some buckets expire when their last measurement plus expireAfterSeconds is reached. These are the buckets whose identifier is later than one span before 2038-01-19T03:14:08Z, or before 1970. No bucket expires earlier than that."})
	SeriesStart = rule(engine.Entry{ID: "mongo.timeseries-before-2017", Citations: from(srcOldTTL, srcObjectID, srcScanStart), Confidence: engine.Inferred,
		Statement: "A bucket whose identifier is before 2017-11-28T00:21:29Z never expires by the collection's own option. The scan begins at the earliest Date, of which an ObjectId holds only 32 bits of seconds, and so never reaches the bucket. A TTL index is not affected. It is inferred that SERVER-76560 is the repair."})
	SeriesStartUnspecified = rule(engine.Entry{ID: "mongo.timeseries-before-2017-unspecified", Citations: from(srcScanStart, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "No source says whether the scan by a time-series collection's own option visits a bucket whose identifier is before 2017-11-28T00:21:29Z in these releases. The bucket is kept."})
	SeriesRoundingUnspecified = rule(engine.Entry{ID: "mongo.timeseries-rounding-unspecified", Citations: from(srcBuckets, srcSeriesOptions), Confidence: engine.Unspecified,
		Statement: "No source says whether these releases round the time of a bucket. The server did not in May 2021, before 5.0.0, and did in November 2021. The later of the two deadlines counts here, so a measurement is kept until it has expired either way. The server may delete it earlier by up to a minute, an hour or a day, depending on the granularity."})
	SeriesBucket = rule(engine.Entry{ID: "mongo.timeseries-bucket", Citations: from(srcSeriesTTL, srcSeriesPartial, srcMonitor), Confidence: engine.VendorTest,
		Statement: "A time-series bucket expires as a whole. Its deadline is its minimum time, rounded down, plus the bucket span, plus expireAfterSeconds. A measurement is decided about as if it were the first of its own bucket and nothing had been deleted from that bucket (mongo.timeseries-untouched)."})
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

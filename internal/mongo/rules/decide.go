package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The rules by which an index deletes nothing, in the order of its checks.
var (
	Malformed = rule(engine.Entry{ID: "mongo.malformed", Citations: from(srcBSON), Confidence: engine.Documented,
		Statement: "Bytes that are not a well-formed BSON document are never decided; the document is kept."})
	NoTTL = rule(engine.Entry{ID: "mongo.no-ttl", Citations: from(srcTTL1, srcManualTTL, srcMonitor), Confidence: engine.VendorTest,
		Statement: "Without expireAfterSeconds on an index or on the collection nothing expires."})
	NamespaceExcluded = rule(engine.Entry{ID: "mongo.namespace-excluded", Citations: from(srcResharding, srcAllowedWrites, srcMonitor, srcOldTTL, srcOldDelete), Confidence: engine.FromSource,
		Statement: "Nothing is deleted from temporary collections of resharding, from collections being dropped, from system.profile, and from other system namespaces that the server accepts no writes for: names that begin with system. or have .system. within, except a few such as system.buckets.* and system.js. Names that begin with tmp, and the databases admin, config and local, are like any other."})
	NamespaceUnspecified = rule(engine.Entry{ID: "mongo.namespace-unspecified", Citations: from(srcAllowedWrites, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "Whether this release deletes in this namespace is unspecified, or depends on what is not known of the deployment: since 5.0 the oplog takes no writes where replication is enabled. The document is kept."})
	Compound = rule(engine.Entry{ID: "mongo.index-compound", Citations: from(srcMonitor, srcMonitorTest, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "An index of several fields never deletes, whatever expireAfterSeconds it carries. Releases {in createRange@2.2} create one and ignore the option; later ones refuse it."})
	Special = rule(engine.Entry{ID: "mongo.index-special", Citations: from(srcMonitorTest, srcMonitor, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "A hashed, text, 2d, 2dsphere or wildcard index never deletes: only plain ascending or descending indexes do."})
	SpecialUnspecified = rule(engine.Entry{ID: "mongo.index-special-unspecified", Citations: from(srcOldTTL), Confidence: engine.Unspecified,
		Statement: "The monitor does not look at the type of an index before it deletes by a query; what a special index other than a hashed one does is unspecified, and the document is kept."})
	HashedDeletes = rule(engine.Entry{ID: "mongo.index-hashed-deletes", Versions: "{hashedDeletes@2.2}", Citations: from(srcOldTTL), Confidence: engine.FromSource,
		Statement: "A hashed TTL index deletes as a plain one does: the monitor deletes by a query on the field and does not look at the type of the index."})
	TypeUnknown = rule(engine.Entry{ID: "mongo.index-type-unknown", Versions: "{unknownTypesPlain@2.2}", Citations: from(srcOldIndexTypes, srcOldTTL), Confidence: engine.FromSource,
		Statement: "An index of a type that the release does not know, such as text or 2dsphere, is built as an ordinary one with a warning in the log, and deletes like one. 2.4 refuses it (error 16734)."})
	DirectionNaN = rule(engine.Entry{ID: "mongo.index-direction-nan", Citations: from(srcOldTTL, srcOrdering), Confidence: engine.Inferred,
		Statement: "An index whose key pattern holds NaN, as one could be made {in specs@2.2/2.6}, finds nothing: its keys ascend, and the monitor scans them backward from the earliest date. Nothing expires by it."})
	DirectionUnspecified = rule(engine.Entry{ID: "mongo.index-direction-unspecified", Citations: from(srcOldTTL, srcOrdering), Confidence: engine.Unspecified,
		Statement: "Which documents the query of the monitor finds in an index whose key pattern holds NaN is unspecified; the document is kept."})
	VersionZeroUnspecified = rule(engine.Entry{ID: "mongo.index-v0-unspecified", Citations: from(srcVersionZeroCursor, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "An index of version 0, left from old releases on MMAPv1, compares its dates as unsigned, and the end of a scan as signed numbers. What such a scan deletes is unspecified, and the document is kept."})
	PathRefused = rule(engine.Entry{ID: "mongo.path-refused", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "A path with an empty part, or with one that begins with a dollar sign, cannot be indexed, except the fields of a DBRef; nothing expires by it."})
	PathUnspecified = rule(engine.Entry{ID: "mongo.path-unspecified", Citations: from(srcOldTTL, srcValidate), Confidence: engine.Unspecified,
		Statement: "2.2 and 2.4 make an index on any path, with an empty part or one that begins with a dollar sign too, and 2.6 and 3.0 keep it. What the query of their monitor finds on such a path is unspecified; the document is kept."})
	SecondsNotNumber = rule(engine.Entry{ID: "mongo.seconds-not-number", Citations: from(srcMonitorTest, srcMonitor, srcOldTTL, srcNotNumber), Confidence: engine.VendorTest,
		Statement: "A stored expireAfterSeconds that is not a number makes the monitor skip the index."})
	SecondsNotNumberZero = rule(engine.Entry{ID: "mongo.seconds-not-number-zero", Versions: "{notNumber@2.2}", Citations: from(srcOldTTL, srcNotNumber), Confidence: engine.FromSource,
		Statement: "A stored expireAfterSeconds that is not a number is read as 0: every document whose date is in the past expires."})
	NaNAborts = rule(engine.Entry{ID: "mongo.nan-aborts", Citations: from(srcNaN, srcOldTTL, srcDuration), Confidence: engine.Documented,
		Statement: "expireAfterSeconds NaN makes every pass over the index fail with an error in the log; nothing is deleted. That is so on x86-64, where NaN becomes the smallest integer. On ARM64, for which there are builds from 3.4 on, it becomes 0, so that the same code deletes every document whose date is in the past: read in the source, and not run."})
	NaNZero = rule(engine.Entry{ID: "mongo.nan-zero", Versions: "{nan@2.2}", Citations: from(srcNaN, srcManualExpire, srcBSONElement, srcOldTTL, srcOldTime), Confidence: engine.Documented,
		Statement: "expireAfterSeconds NaN is read as 0: every document whose date is not in the future expires at once."})
	NaNSkipped = rule(engine.Entry{ID: "mongo.nan-skipped", Citations: from(srcNaNTest, srcNaN, srcNaNLogged), Confidence: engine.VendorTest,
		Statement: "An index with expireAfterSeconds NaN is skipped until it is repaired. {In createRepairsNaN@5.0.14} a NaN gets into the catalog by an upgrade or an initial sync alone: createIndexes stores 2147483647 in its place. Later releases refuse it."})
	SecondsInvalid = rule(engine.Entry{ID: "mongo.seconds-invalid", Citations: from(srcMonitorTest, srcMonitor), Confidence: engine.VendorTest,
		Statement: "A stored expireAfterSeconds that is below 0 or above 2147483647, once it is a whole number, makes the monitor skip the index."})
	SecondsOverflow = rule(engine.Entry{ID: "mongo.seconds-overflow", Citations: from(srcOldTTL, srcDuration, srcCutoff), Confidence: engine.FromSource,
		Statement: "Some negative values delete everything until a certain year, and nothing from then on. A stored expireAfterSeconds whose milliseconds do not fit 64 bits makes every pass over the index fail; nothing is deleted. {In cutoffChecked@4.0.6} so does a negative one by which the cutoff, the clock less the delay, does not fit: -9223372036854775, say."})
	SecondsUnspecified = rule(engine.Entry{ID: "mongo.seconds-unspecified",
		Citations: from(srcOldTTL, srcMonitor), Confidence: engine.Unspecified,
		Statement: "What this stored expireAfterSeconds does in this release is unspecified: a Decimal128 {in decimals@2.2}, a negative one by which the cutoff overflows {in cutoffChecked@2.2}, and {in outOfRange@6.2} one outside 0 to 2147483647. The document is kept."})
	SecondsWrap = rule(engine.Entry{ID: "mongo.seconds-wrap", Versions: "{secondsWrap@2.2}", Citations: from(srcOldTTL, srcOldTime), Confidence: engine.FromSource,
		Statement: "A stored expireAfterSeconds whose milliseconds do not fit 64 bits is cut: their lowest 64 bits are the delay. A double beyond 64 bits, such as 1e300 or an infinity, becomes the smallest integer as NaN does, and so a delay of 0: everything whose date is in the past expires. 9223372036854775807 becomes -1000 ms: the cutoff is a second ahead of the clock."})
	Capped = rule(engine.Entry{ID: "mongo.capped", Citations: from(srcCapped, srcOldTTL, srcOldDelete, srcCappedSync), Confidence: engine.VendorTest,
		Statement: "A TTL index deletes nothing from a capped collection: up to 4.4 its deletes fail, later the monitor is not told of it. The documents stay. Other collections are not affected {in errorsEndPass@3.0}; {in errorsEndPass@2.2} the failure ends the pass over the database (mongo.monitor-stops). {In capped@7.1} such an index deletes like any other."})
	CappedUnspecified = rule(engine.Entry{ID: "mongo.capped-unspecified", Citations: from(srcCappedBackport, srcCappedDeletes), Confidence: engine.Unspecified,
		Statement: "SERVER-107495 lets these lines have TTL indexes on capped collections. The first patch with it is unspecified, so the document is kept."})
	FilterIgnored = rule(engine.Entry{ID: "mongo.filter-ignored", Versions: "{filters@2.2}", Citations: from(srcOldSpec, srcOldTTL, srcPartial), Confidence: engine.FromSource,
		Statement: "A release without partial indexes stores partialFilterExpression and does not look at it: the index holds every document, and each expires by its date alone, within the filter or not."})
)

// The rules of an ordinary TTL index about a document, in the order in which they are
// consulted.
var (
	FilterUnspecified = rule(engine.Entry{ID: "mongo.filter-unspecified", Citations: from(srcPartial), Confidence: engine.Unspecified,
		Statement: "Whether the partial filter takes the document in is not decided here (geometry, another collation, an extreme key on a path that an array breaks off, a document that cannot list its fields); the document is kept."})
	FilterMismatch = rule(engine.Entry{ID: "mongo.filter-mismatch", Citations: from(srcPartialTest, srcPartial), Confidence: engine.VendorTest,
		Statement: "A document outside the partial filter has no keys in the index and never expires through it."})
	FieldMissing = rule(engine.Entry{ID: "mongo.field-missing", Citations: from(srcTTL1, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A document without the indexed field never expires."})
	FieldNull = rule(engine.Entry{ID: "mongo.field-null", Citations: from(srcTTL1, srcKeysTest), Confidence: engine.VendorTest,
		Statement: "A null gives a null key and never expires; so does a scalar or an empty array in the middle of the path."})
	ArrayEmpty = rule(engine.Entry{ID: "mongo.array-empty", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "An empty array at the end of the path gives an undefined key and never expires."})
	ArrayNested = rule(engine.Entry{ID: "mongo.array-nested", Citations: from(srcKeysTest, srcKeys), Confidence: engine.VendorTest,
		Statement: "An array inside an array is one key at the end of the path, and a field name before the end does not lead into it; its dates do not count."})
	FieldNotDate = rule(engine.Entry{ID: "mongo.field-not-date", Citations: from(srcTTL1, srcClustered, srcMonitor), Confidence: engine.VendorTest,
		Statement: "Only a BSON Date expires: strings, numbers, ObjectIds and all other types never do, nor do replication timestamps {in timestampsSort@3.0}."})
	FieldOpaque = rule(engine.Entry{ID: "mongo.field-opaque", Citations: from(srcBSON), Confidence: engine.Inferred,
		Statement: "A value that the caller hands over as opaque, because BSON does not have its type, is not known to be a Date: the document is kept."})
	VersionZero = rule(engine.Entry{ID: "mongo.index-v0", Citations: from(srcVersionZero), Confidence: engine.FromSource,
		Statement: "An index of version 0, of which only MMAPv1 has some, orders dates before 1970 after all others, where the query does not find them: they never expire. A number in its path is a field's name and no position."})
	TimestampUnspecified = rule(engine.Entry{ID: "mongo.timestamp-unspecified", Citations: from(srcOldTTL, srcOldCompare), Confidence: engine.Unspecified,
		Statement: "With an expireAfterSeconds above 1325376000 the cutoff may lie before 1970. A scan compares that with a replication timestamp as a signed number, and the query as an unsigned one; which timestamps go is unspecified, and the document is kept."})
	TimestampSorts = rule(engine.Entry{ID: "mongo.timestamp-sorts", Versions: "{timestampsSort@2.2}", Citations: from(srcOldTTL, srcOldCompare), Confidence: engine.FromSource,
		Statement: "A replication timestamp sorts among the dates: its 64 bits, the seconds times 4294967296 plus the ordinal, are compared with the milliseconds of the cutoff. Those of fewer than about 400 seconds are deleted, such as Timestamp(100, 1); the others hold a time that no clock reaches."})
	PathAmbiguous = rule(engine.Entry{ID: "mongo.path-ambiguous", Citations: from(srcKeysTest), Confidence: engine.VendorTest,
		Statement: "If a number in the path is both a position of an array and the name of a field of an element, the server refuses to index the document (error 16746, 15855 up to 2.4). So the document cannot expire through the index."})
	Unreachable = rule(engine.Entry{ID: "mongo.unreachable", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "The date is compared with the clock less the delay, so no sum of the two overflows: a date so late that no 64-bit millisecond clock reaches its deadline never expires."})
	Earliest = rule(engine.Entry{ID: "mongo.array-earliest", Citations: from(srcManualExpire, srcKeysTest), Confidence: engine.Documented,
		Statement: "Each Date of an array, or of the subdocuments in one, is a key, and the earliest decides; elements of other types change nothing."})
	Date = rule(engine.Entry{ID: "mongo.date", Citations: from(srcOldTTL, srcMonitor, srcTTL1, srcMonitorTest), Confidence: engine.FromSource,
		Statement: "A document is expired from the millisecond at which its date plus expireAfterSeconds is reached; that millisecond counts. Dates before 1970 expire like any other."})
	DateStrict = rule(engine.Entry{ID: "mongo.date-strict", Citations: from(srcOldTTL), Confidence: engine.FromSource,
		Statement: "A document is expired from the millisecond after its date plus expireAfterSeconds."})
)

// The rules of collections with an expireAfterSeconds of their own.
var (
	CollectionSecondsUnspecified = rule(engine.Entry{ID: "mongo.collection-seconds-unspecified", Citations: from(srcMonitor), Confidence: engine.Unspecified,
		Statement: "A collection's own expireAfterSeconds is stored as whole seconds from 0 on. If the catalog holds another value, its effect is unspecified, and the document is kept."})
	ClusteredNotDate = rule(engine.Entry{ID: "mongo.clustered-not-date", Citations: from(srcClustered), Confidence: engine.VendorTest,
		Statement: "In a clustered collection with expireAfterSeconds only an _id that is a Date expires."})
	ClusteredFloor = rule(engine.Entry{ID: "mongo.clustered-before-1970", Citations: from(srcMonitor, srcScanStart), Confidence: engine.Inferred,
		Statement: "In a clustered collection the scan begins at 1970-01-01T00:00:00.000Z: an earlier _id never expires. Releases before the change of SERVER-76560 begin at the earliest Date, and delete it."})
	ClusteredFloorUnspecified = rule(engine.Entry{ID: "mongo.clustered-before-1970-unspecified", Citations: from(srcScanStart, srcMonitor), Confidence: engine.Unspecified,
		Statement: "Whether the scan of a clustered collection begins at 1970-01-01T00:00:00.000Z in these releases is unspecified; an earlier _id is kept."})
	Clustered = rule(engine.Entry{ID: "mongo.clustered", Citations: from(srcClustered), Confidence: engine.VendorTest,
		Statement: "In a clustered collection a Date _id expires when it plus expireAfterSeconds is reached."})
	SeriesBoundUnspecified = rule(engine.Entry{ID: "mongo.timeseries-bound-unspecified", Citations: from(srcObjectID, srcMonitor), Confidence: engine.Unspecified,
		Statement: "With an expireAfterSeconds that is more than 1626134400, less the span, the bound of the scan may wrap and cover every bucket (mongo.timeseries-bound-wraps). No test asserts what is deleted then; the document is kept here, and may be gone."})
	SeriesIndexRefused = rule(engine.Entry{ID: "mongo.timeseries-index-refused", Citations: from(srcSeriesConvert), Confidence: engine.FromSource,
		Statement: "A time-series collection cannot have a TTL index beside its own option; nothing expires by one."})
	SeriesIndexShape = rule(engine.Entry{ID: "mongo.timeseries-index-shape", Citations: from(srcSeriesIndexing), Confidence: engine.VendorTest,
		Statement: "A TTL index of a time-series collection is on the time field, with a partial filter on the meta field alone. Others are refused; nothing expires by one."})
	SeriesExtendedSkipped = rule(engine.Entry{ID: "mongo.timeseries-extended-range", Citations: from(srcExtendedTest, srcExtendedSkip, srcManualSeries), Confidence: engine.VendorTest,
		Statement: "A time-series collection that holds a bucket which begins before 1970-01-01T00:00:00.000Z or after 2038-01-19T03:14:07.000Z is skipped as a whole, its TTL indexes included, until the server restarts without such a bucket. Releases before the change of SERVER-79864 do not look, and delete by the 32 bits of seconds in the identifiers of the buckets."})
	SeriesExtendedUnspecified = rule(engine.Entry{ID: "mongo.timeseries-extended-range-unspecified",
		Citations: from(srcExtended, srcMonitor), Confidence: engine.Unspecified,
		Statement: "What becomes of a bucket whose time 32 bits of seconds cannot tell from an ordinary one, before 1901-12-13 or after 2106-02-07, is left to chance by the server, and asserted by no test; it is kept."})
	SeriesNoTime = rule(engine.Entry{ID: "mongo.timeseries-no-time", Citations: from(srcManualCreate), Confidence: engine.Documented,
		Statement: "A measurement whose time field is not a Date cannot exist, nor a bucket without bounds; such a document is kept."})
	SeriesExtendedDate = rule(engine.Entry{ID: "mongo.timeseries-extended-date", Citations: from(srcSeriesTTL, srcMonitor, srcExtended), Confidence: engine.VendorTest,
		Statement: "In a time-series collection with dates outside 1970 to 2038, a bucket whose identifier lies less than a span before 2038-01-19T03:14:08Z or later, which takes in those before 1970, expires when its last measurement plus expireAfterSeconds is reached; no bucket expires earlier."})
	SeriesStart = rule(engine.Entry{ID: "mongo.timeseries-before-2017", Citations: from(srcOldTTL, srcObjectID, srcScanStart), Confidence: engine.Inferred,
		Statement: "The scan by a time-series collection's own option begins at the earliest Date, of which an ObjectId holds 32 bits of seconds: a bucket whose identifier is before 2017-11-28T00:21:29Z is never visited. A TTL index is not affected. That SERVER-76560 is the repair is inferred."})
	SeriesStartUnspecified = rule(engine.Entry{ID: "mongo.timeseries-before-2017-unspecified", Citations: from(srcScanStart, srcOldTTL), Confidence: engine.Unspecified,
		Statement: "Whether the scan by a time-series collection's own option visits a bucket whose identifier is before 2017-11-28T00:21:29Z is unspecified for these releases; it is kept."})
	SeriesRoundingUnspecified = rule(engine.Entry{ID: "mongo.timeseries-rounding-unspecified", Citations: from(srcBuckets, srcSeriesOptions), Confidence: engine.Unspecified,
		Statement: "Whether these releases round the time of a bucket is unspecified: the server did not in May 2021, before 5.0.0, and did in November 2021. The later of the two deadlines counts, so that a measurement is kept until it has expired either way; the server may delete it up to a minute, an hour or a day earlier, by granularity."})
	SeriesBucket = rule(engine.Entry{ID: "mongo.timeseries-bucket", Citations: from(srcSeriesTTL, srcSeriesPartial, srcMonitor), Confidence: engine.VendorTest,
		Statement: "A time-series bucket expires as a whole when its minimum time, rounded down, plus the bucket span plus expireAfterSeconds is reached. A measurement counts as the first of a bucket of its own, from which nothing has been deleted (mongo.timeseries-untouched)."})
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

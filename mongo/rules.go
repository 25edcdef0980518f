package mongo

import (
	"iter"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The sources that rules cite.
var (
	srcManualTTL    = policy.Source{Title: "MongoDB manual: TTL Indexes", Address: "https://www.mongodb.com/docs/manual/core/index-ttl/"}
	srcManualExpire = policy.Source{Title: "MongoDB manual: Expire Data from Collections by Setting TTL", Address: "https://www.mongodb.com/docs/manual/tutorial/expire-data/"}
	srcMonitor      = policy.Source{Title: "MongoDB server: TTL monitor", Address: "mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp"}
	srcMonitorTest  = policy.Source{Title: "MongoDB server: TTL unit tests", Address: "mongodb/mongo: src/mongo/db/ttl/ttl_test.cpp"}
	srcTTL1         = policy.Source{Title: "MongoDB server: ttl1.js", Address: "mongodb/mongo: jstests/noPassthrough/ttl/ttl1.js"}
	srcHidden       = policy.Source{Title: "MongoDB server: ttl_hidden_index.js", Address: "mongodb/mongo: jstests/noPassthrough/ttl/ttl_hidden_index.js"}
	srcKeys         = policy.Source{Title: "MongoDB server: key generation", Address: "mongodb/mongo: src/mongo/db/index/btree_key_generator.cpp"}
	srcKeysTest     = policy.Source{Title: "MongoDB server: key generation tests", Address: "mongodb/mongo: src/mongo/db/index/btree_key_generator_test.cpp"}
	srcNaN          = policy.Source{Title: "SERVER-68477", Address: "https://jira.mongodb.org/browse/SERVER-68477"}
	srcNaNTest      = policy.Source{Title: "MongoDB server: ttl_expire_nan.js", Address: "mongodb/mongo: jstests/noPassthrough/ttl/ttl_expire_nan.js"}
	srcPartialTest  = policy.Source{Title: "MongoDB server: ttl_partial_index.js", Address: "mongodb/mongo: jstests/noPassthrough/ttl/ttl_partial_index.js"}
	srcPartial      = policy.Source{Title: "MongoDB manual: Partial Indexes", Address: "https://www.mongodb.com/docs/manual/core/index-partial/"}
	srcCapped       = policy.Source{Title: "MongoDB server: ttl_capped.js and ttl_index_with_capped_collection.js", Address: "mongodb/mongo: jstests/noPassthrough/ttl/"}
	srcOldTTL       = policy.Source{Title: "MongoDB server up to 4.4: TTL thread", Address: "mongodb/mongo: src/mongo/db/ttl.cpp (branches v2.2 to v4.4)"}
	srcBSON         = policy.Source{Title: "BSON specification", Address: "https://bsonspec.org/spec.html"}
	srcClustered    = policy.Source{Title: "MongoDB server: clustered_collection_ttl.js", Address: "mongodb/mongo: jstests/noPassthrough/ttl/clustered_collection_ttl.js"}
	srcTimeSeries   = policy.Source{Title: "MongoDB server: timeseries_ttl.js", Address: "mongodb/mongo: jstests/noPassthrough/timeseries/timeseries_ttl.js"}
	srcExtended     = policy.Source{Title: "SERVER-97368", Address: "https://jira.mongodb.org/browse/SERVER-97368"}
)

func from(sources ...policy.Source) []policy.Source { return sources }

// The rules of an ordinary TTL index, in the order they are consulted.
var (
	ruleMalformed = &policy.Rule{ID: "mongo.malformed", Sources: from(srcBSON), Confidence: policy.Documented,
		Statement: "Bytes that are no well-formed BSON document are never decided; the document is kept."}
	ruleNoTTL = &policy.Rule{ID: "mongo.no-ttl", Sources: from(srcManualTTL, srcMonitor), Confidence: policy.Tested,
		Statement: "Without expireAfterSeconds on an index or on the collection nothing expires."}
	ruleCompound = &policy.Rule{ID: "mongo.index-compound", Sources: from(srcMonitor, srcMonitorTest), Confidence: policy.Tested,
		Statement: "An index of several fields never deletes, whatever expireAfterSeconds it carries."}
	ruleSpecial = &policy.Rule{ID: "mongo.index-special", Sources: from(srcMonitor, srcMonitorTest), Confidence: policy.Tested,
		Statement: "A hashed, text, 2d, 2dsphere or wildcard index never deletes: only plain ascending or descending indexes do."}
	ruleOptionNotNumber = &policy.Rule{ID: "mongo.seconds-not-number", Sources: from(srcMonitor, srcMonitorTest), Confidence: policy.Tested,
		Statement: "A stored expireAfterSeconds that is no number makes the monitor skip the index."}
	ruleNaNAborts = &policy.Rule{ID: "mongo.nan-aborts", Versions: "up to 4.4", Sources: from(srcNaN, srcOldTTL), Confidence: policy.Documented,
		Statement: "expireAfterSeconds NaN makes every pass over the index fail with an error in the log; nothing is deleted."}
	ruleNaNSkipped = &policy.Rule{ID: "mongo.nan-skipped", Versions: "5.0.14 and later in 5.0, 6.0.2 and later", Sources: from(srcNaNTest, srcNaN), Confidence: policy.Tested,
		Statement: "An index with expireAfterSeconds NaN is skipped until it is repaired. The server itself rewrites the option to 2147483647 when a primary steps up, and that is an ordinary delay of 68 years."}
	ruleNaNUnspecified = &policy.Rule{ID: "mongo.nan-unspecified", Versions: "5.1 to 5.3", Sources: from(srcNaN), Confidence: policy.Unestablished,
		Statement: "What expireAfterSeconds NaN does in the rapid releases 5.1 to 5.3 is not established; the document is kept."}
	ruleOptionOutOfRange = &policy.Rule{ID: "mongo.seconds-invalid", Versions: "7.0 and later", Sources: from(srcMonitorTest, srcMonitor), Confidence: policy.Tested,
		Statement: "A stored expireAfterSeconds below 0 or above 2147483647 makes the monitor skip the index."}
	ruleOptionOverflows = &policy.Rule{ID: "mongo.seconds-overflow", Versions: "up to 5.0.13, 6.0.0 and 6.0.1", Sources: from(srcOldTTL), Confidence: policy.FromSource,
		Statement: "A stored expireAfterSeconds whose milliseconds do not fit 64 bits makes every pass over the index fail; nothing is deleted."}
	ruleOptionUnspecified = &policy.Rule{ID: "mongo.seconds-unspecified", Versions: "up to 4.4 beyond 64 bits; 5.0.14 to 6.3 outside 0 to 2147483647", Sources: from(srcOldTTL, srcMonitor), Confidence: policy.Unestablished,
		Statement: "What this stored expireAfterSeconds does in this release is not established; the document is kept."}
	ruleCappedKeeps = &policy.Rule{ID: "mongo.capped", Versions: "up to 4.4", Sources: from(srcCapped), Confidence: policy.Tested,
		Statement: "A TTL index on a capped collection is accepted, but its deletes fail; documents stay."}
	ruleCappedUnspecified = &policy.Rule{ID: "mongo.capped-unspecified", Versions: "5.0 to 7.0", Sources: from(srcCapped), Confidence: policy.Unestablished,
		Statement: "A TTL index on a capped collection is refused about here; what one left from before does is not established, and the document is kept."}
	ruleFilterUnspecified = &policy.Rule{ID: "mongo.filter-unspecified", Versions: "3.2 and later", Sources: from(srcPartial), Confidence: policy.Unestablished,
		Statement: "Whether the partial filter takes the document in is not decided here (geometry, another collation, an extreme key, a document that cannot list its fields); the document is kept."}
	ruleFilterMismatch = &policy.Rule{ID: "mongo.filter-mismatch", Versions: "3.2 and later", Sources: from(srcPartialTest, srcPartial), Confidence: policy.Tested,
		Statement: "A document outside the partial filter has no keys in the index and never expires through it."}
	ruleFieldMissing = &policy.Rule{ID: "mongo.field-missing", Sources: from(srcTTL1, srcKeysTest), Confidence: policy.Tested,
		Statement: "A document without the indexed field never expires."}
	ruleFieldNull = &policy.Rule{ID: "mongo.field-null", Sources: from(srcTTL1, srcKeysTest), Confidence: policy.Tested,
		Statement: "A null, a scalar in the middle of the path, or an array there without subdocuments gives a null key and never expires."}
	ruleArrayEmpty = &policy.Rule{ID: "mongo.array-empty", Sources: from(srcKeysTest), Confidence: policy.Tested,
		Statement: "An empty array gives an undefined key and never expires."}
	ruleArrayNested = &policy.Rule{ID: "mongo.array-nested", Sources: from(srcKeysTest, srcKeys), Confidence: policy.Tested,
		Statement: "An array inside an array is a key as it stands, or is not entered; dates in it do not count."}
	ruleFieldNotDate = &policy.Rule{ID: "mongo.field-not-date", Sources: from(srcTTL1, srcMonitor), Confidence: policy.Tested,
		Statement: "Only a BSON Date expires: strings, numbers, ObjectIds, timestamps and all other types never do."}
	rulePathAmbiguous = &policy.Rule{ID: "mongo.path-ambiguous", Sources: from(srcKeysTest), Confidence: policy.Tested,
		Statement: "Where a position of an array is also a field of an element, the server refuses to index the document (error 16746), so it cannot expire through the index."}
	ruleUnreachable = &policy.Rule{ID: "mongo.unreachable", Sources: from(srcMonitor), Confidence: policy.FromSource,
		Statement: "A date so late that date and delay together exceed the last instant of a 64-bit millisecond clock never expires."}
	ruleEarliest = &policy.Rule{ID: "mongo.array-earliest", Sources: from(srcManualExpire, srcKeysTest), Confidence: policy.Tested,
		Statement: "Of an array, the earliest Date decides; elements of other types are ignored."}
	ruleDate = &policy.Rule{ID: "mongo.date", Sources: from(srcHidden, srcMonitor, srcMonitorTest), Confidence: policy.Tested, Versions: "3.2 and later",
		Statement: "A document is expired from the millisecond at which its date plus expireAfterSeconds is reached; that millisecond counts."}
	ruleDateStrict = &policy.Rule{ID: "mongo.date-strict", Sources: from(srcOldTTL), Confidence: policy.FromSource, Versions: "up to 3.0",
		Statement: "A document is expired from the millisecond after its date plus expireAfterSeconds."}
)

// The rules of collections that carry the option themselves.
var (
	ruleClusteredSkipped = &policy.Rule{ID: "mongo.collection-seconds-invalid", Versions: "5.0 and later", Sources: from(srcMonitor), Confidence: policy.Unestablished,
		Statement: "A collection's own expireAfterSeconds that no release accepts is not used; the document is kept."}
	ruleClusteredNotDate = &policy.Rule{ID: "mongo.clustered-not-date", Versions: "5.3 and later", Sources: from(srcClustered), Confidence: policy.Tested,
		Statement: "In a clustered collection with expireAfterSeconds only an _id that is a Date expires."}
	ruleClusteredFloor = &policy.Rule{ID: "mongo.clustered-before-1970", Versions: "5.3 and later", Sources: from(srcMonitor), Confidence: policy.FromSource,
		Statement: "In a clustered collection the scan begins at 1970-01-01T00:00:00Z: an earlier _id never expires."}
	ruleClustered = &policy.Rule{ID: "mongo.clustered", Versions: "5.3 and later", Sources: from(srcClustered), Confidence: policy.Tested,
		Statement: "In a clustered collection a Date _id expires when it plus expireAfterSeconds is reached."}
	ruleSeriesExtended = &policy.Rule{ID: "mongo.timeseries-extended-range", Versions: "5.0 to 8.0.4", Sources: from(srcTimeSeries, srcExtended), Confidence: policy.Tested,
		Statement: "A time-series collection that holds a bucket before 1970 or after 2038-01-19T03:14:07Z is skipped as a whole."}
	ruleSeriesExtendedOpen = &policy.Rule{ID: "mongo.timeseries-extended-range-unspecified", Versions: "8.0.5 and later; distant dates in 8.1 and later", Sources: from(srcExtended), Confidence: policy.Disputed,
		Statement: "What becomes of this document of a time-series collection with dates outside 1970 to 2038 is not established; it is kept."}
	ruleSeriesNoTime = &policy.Rule{ID: "mongo.timeseries-no-time", Versions: "5.0 and later", Sources: from(srcTimeSeries), Confidence: policy.Documented,
		Statement: "A measurement whose time field is no Date cannot exist; such a document is kept."}
	ruleSeriesBucket = &policy.Rule{ID: "mongo.timeseries-bucket", Versions: "5.0 and later", Sources: from(srcTimeSeries, srcMonitor), Confidence: policy.Tested,
		Statement: "A time-series bucket expires as a whole when its minimum time, rounded down, plus the bucket span plus expireAfterSeconds is reached."}
)

// keyLadder holds the reasons that keys may give, the most telling last.
var keyLadder = []*policy.Rule{
	ruleFieldMissing, ruleFieldNull, ruleArrayEmpty, ruleArrayNested, ruleFieldNotDate, rulePathAmbiguous,
}

// indexLadder is the order in which an index consults its rules.
var indexLadder = slices.Concat([]*policy.Rule{
	ruleMalformed, ruleNoTTL, ruleCompound, ruleSpecial, ruleOptionNotNumber, ruleNaNAborts, ruleNaNSkipped,
	ruleNaNUnspecified, ruleOptionOutOfRange, ruleOptionOverflows, ruleOptionUnspecified, ruleCappedKeeps,
	ruleCappedUnspecified, ruleFilterUnspecified, ruleFilterMismatch,
}, keyLadder, []*policy.Rule{ruleUnreachable, ruleEarliest, ruleDateStrict, ruleDate})

// clusteredLadder is the order for a clustered collection's own option.
var clusteredLadder = []*policy.Rule{
	ruleMalformed, ruleNoTTL, ruleClusteredSkipped, ruleClusteredNotDate, ruleClusteredFloor, ruleUnreachable, ruleClustered,
}

// seriesLadder is the order for a time-series collection's own option.
var seriesLadder = []*policy.Rule{
	ruleMalformed, ruleNoTTL, ruleClusteredSkipped, ruleSeriesExtended, ruleSeriesExtendedOpen, ruleFilterUnspecified,
	ruleFilterMismatch, ruleSeriesNoTime, ruleUnreachable, ruleSeriesBucket,
}

// Rules yields the catalogue: every rule of this package, those of ordinary
// indexes first, each set in the order it is consulted.
func Rules() iter.Seq[*policy.Rule] {
	return func(yield func(*policy.Rule) bool) {
		var seen []*policy.Rule
		for _, r := range slices.Concat(indexLadder, clusteredLadder, seriesLadder) {
			if slices.Contains(seen, r) {
				continue
			}
			seen = append(seen, r)
			if !yield(r) {
				return
			}
		}
	}
}

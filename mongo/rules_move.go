package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// The rules of a move to another release, in the order they are consulted.
var (
	ruleMoveListedUnspecified = &policy.Rule{ID: "mongo.move-listed-unspecified", Versions: "from 5.1 to 5.3, and from 5.0.14 to 6.3",
		Citations: from(srcNaN, srcInvalid), Confidence: policy.Unestablished,
		Statement: "An initial sync and a dump carry away what listIndexes shows. What these releases show for this expireAfterSeconds, NaN up to 5.3 and later other invalid values, is not established."}
	ruleMoveRefused = &policy.Rule{ID: "mongo.move-refused", Citations: from(srcOptionsTest, srcCreateTTLTest), Confidence: policy.VendorTest,
		Statement: "A restore has the indexes created anew. What createIndexes of the destination refuses is not there afterwards, and nothing expires by it."}
	ruleMoveFilterUnspecified = &policy.Rule{ID: "mongo.move-filter-unspecified", Citations: from(srcPartial), Confidence: policy.Unestablished,
		Statement: "One of the two releases does not know what the partial filter says, or what it takes in there is not established; nor is which documents the index then holds."}
	ruleMoveFilterMore = &policy.Rule{ID: "mongo.move-filter-more", Citations: from(srcNullPaths, srcNull, srcTypeManual, srcComparisons, srcPartial), Confidence: policy.Documented,
		Statement: "At the destination the partial filter takes in documents that it leaves out where the index comes from: by null at a dotted path those in which an array breaks the path off, from 9.0 on; by null those with an undefined field, up to 7.3; by $type: \"array\" those with an array, since 3.6; by $lt and $gt with MinKey and MaxKey those with any other type, up to 4.0. A document gets its key when it is written or the index is built there, by an initial sync or a restore for instance, and expires from then on; that this is when follows from how indexes work."}
	ruleMoveFilterFewer = &policy.Rule{ID: "mongo.move-filter-fewer", Citations: from(srcNullPaths, srcNull, srcTypeManual, srcComparisons, srcPartial), Confidence: policy.Documented,
		Statement: "At the destination the partial filter leaves out documents that it takes in where the index comes from, and these stay. A document that the index holds already may expire all the same, until the index is built anew; that follows from how indexes work."}
	ruleMoveUnspecified = &policy.Rule{ID: "mongo.move-unspecified", Citations: from(srcNaN, srcMonitor), Confidence: policy.Unestablished,
		Statement: "What the index does in one of the two releases, or whether createIndexes takes it, is not established, and so is what the move does to documents."}
	ruleMoveNaNZero = &policy.Rule{ID: "mongo.move-nan-zero", Versions: "to 5.0.0 to 5.0.13, 5.1 to 6.0.1", Citations: from(srcManualExpire, srcNaN), Confidence: policy.Documented,
		Statement: "expireAfterSeconds NaN, by which other releases delete nothing, arrives where it is taken for 0: by an upgrade or a downgrade, an initial sync, or a restored dump. Every document whose date is not in the future expires at once."}
	ruleMove68Years = &policy.Rule{ID: "mongo.move-68-years", Citations: from(srcNaNTest, srcMonitorTest), Confidence: policy.VendorTest,
		Statement: "2147483647 takes the place of an expireAfterSeconds that no index may have: it is what later releases list, and write when a member becomes primary. It is a delay of 68 years like any other, so that documents with older dates expire which were safe before."}
	ruleMoveWakes = &policy.Rule{ID: "mongo.move-wakes", Citations: from(srcMonitor, srcOldTTL), Confidence: policy.FromSource,
		Statement: "The index deletes nothing where it comes from and deletes at the destination, which takes its expireAfterSeconds as it is."}
	ruleMoveEarlier = &policy.Rule{ID: "mongo.move-earlier", Citations: from(srcMonitor, srcOldTTL), Confidence: policy.FromSource,
		Statement: "The destination deletes documents earlier: from 3.2 on by one millisecond, as the date of the cutoff itself has expired."}
	ruleMoveSleeps = &policy.Rule{ID: "mongo.move-sleeps", Citations: from(srcMonitorTest, srcNaN), Confidence: policy.VendorTest,
		Statement: "The index deletes where it comes from; the destination skips it, or its passes fail, so that what would have expired stays."}
	ruleMoveLater = &policy.Rule{ID: "mongo.move-later", Citations: from(srcMonitor, srcInvalid), Confidence: policy.FromSource,
		Statement: "The destination deletes documents later: up to 3.0 by one millisecond, and by a repaired expireAfterSeconds of 2147483647 after 68 years."}
	ruleMoveUnchanged = &policy.Rule{ID: "mongo.move-unchanged", Citations: from(srcMonitor, srcNonInt), Confidence: policy.FromSource,
		Statement: "The index decides about every document at the destination as it did where it comes from, also if expireAfterSeconds is written down there as another number."}
)

// moveRules are what [Move.Rule] may be besides mongo.no-ttl.
var moveRules = []*policy.Rule{
	ruleMoveListedUnspecified, ruleMoveRefused, ruleMoveFilterUnspecified, ruleMoveUnspecified,
	ruleMoveNaNZero, ruleMove68Years, ruleMoveWakes, ruleMoveEarlier,
	ruleMoveFilterMore, ruleMoveFilterFewer, ruleMoveSleeps, ruleMoveLater, ruleMoveUnchanged,
}

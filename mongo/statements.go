package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// statements are the rules that decide nothing by themselves: what shapes the
// keys, how an option is read, and when the deleting happens.
var statements = []*policy.Rule{
	// How an option is read.
	ruleNaNZero,
	{ID: "mongo.seconds-conversion", Sources: from(srcNonInt, srcBSONElement), Confidence: policy.VendorTest,
		Statement: "A stored double is truncated towards zero, a decimal rounded half to even, and only the whole number is looked at: -0.9 is 0 as a double and -1 as a decimal."},
	{ID: "mongo.seconds-zero", Sources: from(srcManualExpire, srcHidden), Confidence: policy.VendorTest,
		Statement: "expireAfterSeconds 0 is legal and makes the date itself the deadline, which is how documents expire at a clock time."},
	{ID: "mongo.seconds-68-years", Sources: from(srcMonitorTest), Confidence: policy.VendorTest,
		Statement: "expireAfterSeconds 2147483647 is not 'never' but a delay of a little over 68 years: a date of 1956 expires in 2024."},
	{ID: "mongo.seconds-listed", Sources: from(srcNaNTest, srcNaN), Confidence: policy.VendorTest,
		Statement: "listIndexes, and with it an initial sync and a dump, shows NaN as it is up to 4.4, as 0 where it is taken for 0, and as 2147483647 where it is skipped."},
	{ID: "mongo.seconds-repaired", Versions: "5.0.14 and later in 5.0, 6.0.2 and later", Sources: from(srcInvalid, srcNaNTest), Confidence: policy.VendorTest,
		Statement: "A member that becomes primary turns an option that no index may have into 2147483647, by which the index then deletes: NaN at first, since 7.0 every invalid value."},
	{ID: "mongo.seconds-normalised", Versions: "7.3 and later", Sources: from(srcNonInt), Confidence: policy.VendorTest,
		Statement: "The catalog holds expireAfterSeconds as an int32, whatever number was given. The delay is the same as before."},
	{ID: "mongo.nan-startup-warning", Versions: "5.0.14 and later in 5.0, 6.0.2 and later", Sources: from(srcNaNStartup), Confidence: policy.VendorTest,
		Statement: "A server that starts with a NaN in an index logs a warning (id 6852200)."},
	// What shapes the keys.
	{ID: "mongo.index-options", Sources: from(srcHidden, srcMonitor, srcKeysTest), Confidence: policy.VendorTest,
		Statement: "Hidden, sparse and unique indexes, descending ones and those with a collation delete like any other: none of the options changes a Date key."},
	{ID: "mongo.array-position", Sources: from(srcKeysTest), Confidence: policy.VendorTest,
		Statement: "A number in a path selects that position of an array, and its field of that name in a document; where the position is absent it is a field name of the array's elements."},
	{ID: "mongo.first-field", Sources: from(srcKeys), Confidence: policy.FromSource,
		Statement: "Of a repeated field name the first occurrence is indexed."},
	{ID: "mongo.earliest-source", Sources: from(srcTTL1, srcMultiple, srcSeriesPartial), Confidence: policy.VendorTest,
		Statement: "Each TTL index, and the collection's own option, deletes on its own: the earliest deadline wins, and lacking the field of one index protects from no other."},
	{ID: "mongo.index-built", Sources: from(srcMonitor, srcManualTTL), Confidence: policy.Documented,
		Statement: "An index deletes from when its build has finished, also what was there before; a build in progress deletes nothing."},
	// Time series.
	{ID: "mongo.timeseries-rounding", Versions: "5.0 and later", Sources: from(srcSeriesOptions), Confidence: policy.VendorTest,
		Statement: "A bucket's minimum is its first time rounded down to a minute, an hour or a day for the granularities seconds, minutes and hours, and its span is an hour, a day or 30 days. Since 6.3 rounding and span can be set, to one value from 1 to 31536000 seconds."},
	{ID: "mongo.timeseries-together", Versions: "5.0 and later", Sources: from(srcSeriesREADME, srcMonitor), Confidence: policy.FromSource,
		Statement: "All measurements of a bucket expire together: one that joined an open bucket goes earlier than one that opens its own, but never before its own time plus expireAfterSeconds."},
	{ID: "mongo.timeseries-option-change", Versions: "5.0 and later", Sources: from(srcMonitor), Confidence: policy.FromSource,
		Statement: "A change of granularity or span moves the deadlines of all buckets from the next pass on."},
	{ID: "mongo.timeseries-bound-wraps", Versions: "5.0 and later", Sources: from(srcObjectID, srcMonitor), Confidence: policy.FromSource,
		Statement: "The bound of the scan holds 32 bits of seconds. With an expireAfterSeconds within one span of the seconds since 1970 it is negative and wraps to about 2106, so that the scan covers every bucket. Read in the source, confirmed by no test; not imitated here."},
	// When the deleting happens.
	{ID: "mongo.monitor-period", Sources: from(srcSleep, srcParameters), Confidence: policy.VendorTest,
		Statement: "A thread of each mongod makes a pass every ttlMonitorSleepSecs, by default 60 seconds."},
	{ID: "mongo.monitor-pause", Sources: from(srcToggle, srcParameters), Confidence: policy.VendorTest,
		Statement: "ttlMonitorEnabled, by default true, pauses the monitor; no deadline changes."},
	{ID: "mongo.monitor-clock", Sources: from(srcMonitor), Confidence: policy.FromSource,
		Statement: "The clock is read once for a whole pass since 8.1, and for each index before."},
	{ID: "mongo.monitor-batches", Versions: "6.1 and later", Sources: from(srcBatches, srcParameters), Confidence: policy.VendorTest,
		Statement: "Deletes are made in batches, indexes taking turns. A pass still deletes everything that has expired; only order and pace differ."},
	{ID: "mongo.monitor-recheck", Versions: "3.2 and later", Sources: from(srcRecheck), Confidence: policy.FromSource,
		Statement: "A document that changed since its key was read is compared with the bounds again before it is deleted, so a later date saves it. The partial filter is not looked at again."},
	{ID: "mongo.primary-deletes", Sources: from(srcSecondary, srcMaintenance), Confidence: policy.VendorTest,
		Statement: "Only the primary deletes, and secondaries repeat it. A member of a replica set that is started on its own deletes nothing."},
	{ID: "mongo.namespace-excluded", Sources: from(srcResharding, srcMonitor), Confidence: policy.VendorTest,
		Statement: "Nothing is deleted from temporary collections of resharding, from collections being dropped, and from those the server accepts no writes for."},
	{ID: "mongo.expired-visible", Sources: from(srcManualTTL), Confidence: policy.Documented,
		Statement: "An expired document stays readable and can be updated until a pass removes it; reads do not filter it out."},
	{ID: "mongo.one-code-base", Sources: from(srcManualExpire), Confidence: policy.Documented,
		Statement: "Atlas, Enterprise Advanced and Community expire alike."},
}

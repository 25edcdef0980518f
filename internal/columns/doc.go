// Package columns decides about millions of documents that a store keeps column by
// column. It marks them in a bitmap or counts them in a histogram, with the same
// answers as single decisions in a fraction of the time.
//
// [Items] hold _ts and ttl of the items of one container of Azure Cosmos DB, [Dates]
// the keys of a MongoDB TTL index. Both have AppendExpired for the bitmap and
// CountDeadlines for the histogram, whose intervals are [Buckets]. Nothing allocates
// except to grow a slice.
//
// The package is outside the promise of stability of this module: its functions follow what
// processors do well, and may change in any release. Their answers equal those of the
// evaluators.
package columns

// Package columns decides about documents by the million: what a store keeps column
// by column is marked in a bitmap, or counted in a histogram, in a fraction of the
// time of one decision after the other, and with the same answers.
//
// [Items] hold _ts and ttl of the items of one container of Azure Cosmos DB, [Dates]
// the keys of a MongoDB TTL index. Either has AppendExpired, for the bitmap, and
// CountDeadlines, for the histogram, whose intervals are [Buckets]. Nothing
// allocates except to grow a slice.
//
// The package is outside the promise of stability of this module: its functions
// follow what processors do well, and may change in any release. Their answers are
// those of the evaluators.
package columns

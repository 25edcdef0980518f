// Package columns decides about millions of documents that a store keeps column by
// column. It marks them in a bitmap or counts them in a histogram, with the same
// answers as single decisions in a fraction of the time.
//
// [Items] hold _ts and ttl of the items of one container of Azure Cosmos DB. Their
// AppendExpired makes the bitmap and CountDeadlines the histogram, whose intervals are
// [Buckets]. Nothing allocates except to grow a slice.
package columns

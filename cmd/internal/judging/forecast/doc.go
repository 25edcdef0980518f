// Package forecast computes the effect of a TTL policy on a whole collection: the numbers
// of documents that have expired, will expire and never expire, with the times and the
// reasons.
//
// [Run] streams a collection's files through one evaluator on all cores. Workers decide
// blocks in any order, and the tallies are added in the order of the files. So the
// result, samples included, does not depend on scheduling, and an interrupted run has
// counted exactly the first documents of the input.
package forecast

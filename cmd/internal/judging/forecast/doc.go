// Package forecast says what a TTL policy does to a whole collection: how many
// documents have expired, will expire and never will, when, and why.
//
// [Run] streams a collection's files through one evaluator on all cores. The
// blocks are decided in any order and added up in the order of the files, so
// that the outcome, samples included, does not depend on scheduling, and what
// an interrupted run has counted is exactly a beginning of the input.
package forecast

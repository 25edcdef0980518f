// Package forecast says what a TTL policy does to a whole collection: how many
// documents have expired, will expire and never will, when, and why.
//
// [Run] streams a collection's files through one evaluator on all cores. Blocks are decided
// in any order and added up in the order of the files. So the result, samples included,
// does not depend on scheduling, and an interrupted run has counted exactly a beginning of
// the input.
package forecast

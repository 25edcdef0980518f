// Package aggregation compiles policies of MongoDB into aggregation pipelines. With the
// pipelines a server counts the documents that the policies delete.
//
// For each document, a pipeline computes the keys in a TTL index, as [mongo.Index.Decide]
// does: a list of values, extended by each component of the path. Then it takes the
// earliest date, or the reason why there is none, and groups the results. $match has the
// partial filters as stored, so that the server's own matcher decides. Each combination
// of filters has a pipeline of its own.
//
// The rules, the delay, and other behaviour of the release come from the evaluator: it
// decides about a few sample documents that are made for this purpose.
//
// Every expression has a value for every document. Servers also evaluate branches that
// they do not take, so a condition cannot protect an operator from a bad operand.
// Instead, expressions replace bad operands first.
package aggregation

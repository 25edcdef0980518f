// Package aggregation compiles policies of MongoDB into aggregation pipelines. With these a
// server counts the documents that the policies delete.
//
// A pipeline computes the keys that a TTL index holds of each document, as
// [mongo.Index.Decide] does: a list of values, extended by each component of the path. Then
// it takes the earliest date, or the reason why there is none, and groups. Partial filters
// stand in $match as stored, so that the server's own matcher decides. Each combination of
// filters has a pipeline of its own.
//
// The evaluator gives the names of rules, the delay, and other behaviour of the release, by
// deciding about a few sample documents made for the purpose.
//
// Every expression has a value for every document. Servers also evaluate branches that they
// do not take. So a branch cannot guard an operator: operands that the operator would
// refuse are replaced first.
package aggregation

// Package aggregation compiles policies of MongoDB into pipelines of its aggregation,
// by which a server counts what they delete.
//
// A pipeline makes of each document the keys that a TTL index holds of it, as
// [mongo.Index.Decide] does: a list of values, which each component of the path leads on.
// Then it takes the earliest date, or the reason why there is none, and groups. Partial
// filters stand in $match as they are stored, so that the server's own matcher decides
// who is within: documents of each combination of filters are counted by a pipeline of
// their own.
//
// What a rule is called, what a delay is and what else a release does, the evaluator is
// asked: it decides about a few documents that are made for the purpose.
//
// Every expression has a value for every document. Servers evaluate branches that they do
// not take, so that nothing is guarded: what an operator would refuse is replaced first.
package aggregation

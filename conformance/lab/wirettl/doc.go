// Package wirettl serves MongoDB's drivers and shells, with a TTL monitor and documents in
// memory: a small server that keeps the TTL rules of any release that package mongo
// describes, and in which "ttl conform run --mongodb-uri" must find no fault.
//
//	go run ./conformance/lab/wirettl/server --server 4.4.29 --sleep 1
//	mongosh mongodb://127.0.0.1:27017
//
// The library decides what a release accepts, stores, replies and expires, and which error it
// sends: a collection is a [mongo.Collection], which the functions of package command change.
// Queries are matched by the library's partial filters, so that there is one way to compare
// values here.
//
// # What has to hold
//
//   - A command that is not understood in full is refused, not answered in part: a find
//     whose sort were ignored would be a wrong answer.
//   - The clock may be wrong, and what a wrong clock deletes stays deleted: where it leaps
//     ahead, the monitor disables itself (monitor.go).
//   - One pass of the monitor has one clock for all collections, and no command runs
//     meanwhile. A client that sees the count of passes rise twice has seen a whole pass that
//     began later.
//
// # Left out
//
// Users and roles, replication, transactions, updates other than of one document by its _id,
// sort, skip, projections that exclude or name paths, aggregation other than a count,
// reading views, and validation of documents: of those that no index can hold, only an
// ambiguous path of a TTL index is refused. Each measurement of a time-series collection is a
// bucket of its own, and the collection is never flagged as holding dates before 1970 or after
// 2038. Documents are returned in the order of the keys of their _ids. The wire protocol is
// that of a recent release for any release's rules, because no driver of today speaks to 2.2.
package wirettl

// Package mongoquery compiles policies of MongoDB into commands for a server: a find that
// selects the documents that have expired, and an aggregate that counts them by a TTL index
// alone.
//
// The dates that a source deletes now are the evaluator's [mongo.Collection.Bounds]. A partial filter
// stands in the query as it is stored, so that the server's own matcher decides.
package mongoquery

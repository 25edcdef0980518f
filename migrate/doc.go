// Package migrate translates TTL policies between MongoDB and Azure Cosmos DB:
// what a document must hold there so that it expires when it would have here.
//
// MongoDB counts from a date in the document and Cosmos DB from the last write,
// so a policy alone does not carry over: each document is decided where it
// comes from, and its deadline is what is carried.
//
//   - To Cosmos DB, for NoSQL or for MongoDB: the container's default is -1, and
//     each document that expires gets a ttl of its own, counted from the second
//     of its import ([TTL], [ToItem]).
//   - To MongoDB: each document that expires gets a date, its deadline, under a
//     TTL index with expireAfterSeconds 0 ([ToDocument]).
//   - To Cosmos DB for MongoDB with TTL on a field of its own, the index goes
//     over as it is, as far as the documents mean the same there ([Compare]).
//
// No document expires earlier than it would have, and what a translation cannot
// say keeps the document. [ToCosmos] and [ToMongoDB] say what of a policy
// carries over exactly, what only for now, and what not at all.
//
// The package imports both engines, which know nothing of each other.
package migrate

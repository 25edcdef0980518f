// Package migrate translates TTL policies between MongoDB and Azure Cosmos DB.
// It computes the fields that a document needs in the other database to expire
// at the same time.
//
//	now := policy.InstantOf(time.Now())
//	d := sessions.Decide(doc, now)        // by the policy here, a mongo.Collection
//	imported := cosmos.TimestampAt(now)   // the second in which the item is written there
//	item, fidelity, err := migrate.ToItem(policy.ObjectValue(doc), d, imported)
//	if fidelity != migrate.Exact {
//		// the item expires later than the document would have, or never
//	}
//
// MongoDB counts from a date in the document and Cosmos DB from the last write,
// so a policy alone does not carry over: decide about each document by the
// policy of its origin, and carry the deadline over.
//
//   - To Cosmos DB, for NoSQL or for MongoDB ([ToItem]): the container's default is
//     -1, and each document that expires gets a ttl of its own, counted from the
//     second of its import.
//   - To MongoDB ([ToDocument]): each document that expires gets a date, its
//     deadline, under a TTL index with expireAfterSeconds 0.
//   - To Cosmos DB for MongoDB with TTL on other fields than _ts ([Unchanged]): the
//     index is copied, and so is each document that does not expire earlier there.
//
// No document expires earlier than it would have, and a document whose deadline
// cannot be expressed is kept. [ToCosmos], [FieldIndex] and [ToMongoDB] return which
// parts of a policy carry over exactly, approximately, or not at all.
//
// The package imports both engines. Neither engine imports the other.
//
// Experimental: these names may change in a minor release.
package migrate

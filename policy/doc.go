// Package policy is the vocabulary that the TTL semantics of MongoDB and of Azure
// Cosmos DB share: documents, values, instants, decisions and rules. The packages mongo
// and cosmos compile policies to evaluators, which return a [Decision]:
//
//	profile, err := mongo.ProfileOf(mongo.Latest())
//	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{
//		Indexes: []mongo.IndexSpec{mongo.TTLIndex("seen", 3600)},
//	}, profile)
//	now := policy.InstantOf(time.Now())
//	d := sessions.Decide(policy.Map{"seen": seen}, now)
//	fmt.Println(d)                           // expired at 2026-11-20T12:00:00.000Z by mongo.date
//	fmt.Println(d.State == policy.Expired)   // or policy.Pending, or policy.Never
//	fmt.Println(d.Rule.Citations)            // why: the sources of the rule
//	deadline, ok := d.Deadline()             // the first instant at which it is expired, if any
//	tomorrow := d.At(now + 86_400_000)       // the decision a day later, without the document
//
// A TTL policy gives a document a deadline or no deadline; only the final comparison
// depends on the current time, with one exception below. An evaluator holds a compiled
// policy. Its method Decide reads a [Document], finds the [Rule] that applies, and returns a
// [Decision]: [Never], [Pending] or [Expired], the deadline if there is one, and the
// rule. Deciding is pure and total: it reads no clock, returns no error, and allocates
// nothing. [Decision.At] gives the decision at another instant without the document:
//
//	e.Decide(doc, t).At(u) == e.Decide(doc, u)
//
// The exception is a stored delay of about -9.2e15 seconds on MongoDB up to 6.1. Until
// the clock reaches a certain year an index with this delay deletes every document with a
// date, and afterwards none, by the rule mongo.seconds-overflow (up to 4.0.5
// mongo.seconds-unspecified). A store therefore decides at an instant that is not later
// than the clock, such as 0, and again before it deletes, as package sweep does.
//
// A Decision can also be stored as JSON, and read back with its rule: [Decision.MarshalJSON] and
// [Decision.UnmarshalJSON]. The zero value of every type keeps documents.
//
// # Documents
//
// A database makes its own storage a [Document] with a single method, Field, which
// returns a [Value]; the evaluators handle dotted paths, arrays and comparisons. Four
// kinds of documents need no type of their own. [Map] reads maps of Go values, such as those
// that encoding/json decodes with UseNumber. [BSON] reads raw BSON, and [JSON] raw JSON. [ParseBSON] and [ParseJSON] check all bytes, so that malformed input yields a
// [*SyntaxError] with the place, and never a decision. A [D] is a document in memory.
//
// [ParseExtJSON] and [AppendExtJSON] read and write MongoDB Extended JSON v2, and
// [AppendBSON] writes BSON.
package policy

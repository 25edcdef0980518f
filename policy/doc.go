// Package policy is the vocabulary that both TTL semantics share.
//
// A TTL policy turns a document into a deadline or none; the current time enters
// only in the final comparison. An [Evaluator] holds a compiled policy. Its Decide reads a
// [Document], finds the [Rule] that settles the matter, and answers with a
// [Decision]: [Never], [Pending] or [Expired], the deadline if there is one,
// and the rule. Deciding is pure and total: it reads no clock, returns no
// error, and allocates nothing. A Decision can be judged again at another
// instant without the document:
//
//	e.Decide(doc, t).At(u) == e.Decide(doc, u)
//
// It can be stored, too, and read back with its rule: [Decision.AppendText] and
// [ParseDecision]. The zero value of every type keeps documents.
//
// The evaluators live in the packages mongo and cosmos. A database plugs in
// its own storage by implementing the one method of [Document]; dotted paths,
// arrays and comparison are the evaluators' business.
//
// Documents that are bytes need no plug. [BSON] reads raw BSON and [JSON]
// reads raw JSON; both are checked whole when they are made, so that damaged
// input is an error of the reader, which names the place, and never a
// decision. Nor do items that encoding/json has decoded: [DecodedJSON].
// [ParseExtJSON] and [AppendExtJSON] read and write MongoDB
// Extended JSON v2, and [AppendBSON] writes BSON.
package policy

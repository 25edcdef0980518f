// Package cosmossql writes a container's policy as queries of Azure Cosmos DB for NoSQL.
// The service counts, and no item is read.
//
// [Compile] asks the evaluator about one item of each kind that its rules tell apart, and
// writes a condition for the items of that kind. The conditions of [Queries.Counts]
// exclude one another, and every item meets one, so that their counts add up to all.
//
// A query is true, false or undefined, and only true counts. So each comparison stands
// beside a test of the type: without it NOT of an undefined comparison would leave out
// items that are meant.
//
// Numbers are doubles in a query. A query cannot tell 20.0, which is not an integer to this
// library, from 20; [Caveats] says so. Beyond 2^52 it cannot add exactly. [Queries.Unclear]
// counts such items, and a single one makes the counts worthless.
package cosmossql

// Package cosmossql writes a container's policy as queries of Azure Cosmos DB for NoSQL.
// The service counts the items, and sends none of them.
//
// [Compile] has the evaluator decide about one item of each kind that the rules
// distinguish, and writes a condition for the items of that kind. Every item meets
// exactly one condition of [Queries.Counts], so that the counts add up to the number of
// all items.
//
// A condition of a query is true, false or undefined, and a query selects only items for
// which it is true. NOT of an undefined comparison is undefined too, and would leave out
// items that should count. So each comparison is combined with a test of the type.
//
// Numbers are doubles in a query. To a query, 20.0 equals 20, but this library does not
// accept 20.0 as an integer; [Caveats] explains that. Beyond 2^52 a query cannot add
// exactly. [Queries.Unclear] counts the items with such numbers. If there is one, the
// counts are not valid.
package cosmossql

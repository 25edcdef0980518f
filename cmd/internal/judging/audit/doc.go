// Package audit looks for what is wrong with stored TTL policies: the indexes
// and options of MongoDB collections, and the settings of Azure Cosmos DB
// containers. With documents at hand it also finds what only they show: fields
// that hold no date, filters that take in nothing, items whose ttl is not what
// its writer meant.
//
// Package catalog reads what is stored, and [Audit] judges it. What a policy does
// is asked of the packages mongo and cosmos; a [Finding] names their rule. What is
// here is which of it is a hazard, how to say so, and the commands that put it
// right.
package audit

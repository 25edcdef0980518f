// Package cosmos decides which items Azure Cosmos DB's time to live expires,
// exactly when, and by which rule: for the core engine (the API for NoSQL) and
// for the API for MongoDB (RU).
//
// The core's answer is a matrix. The container's defaultTtl is absent, -1 or a
// number of seconds; the item's ttl likewise:
//
//	item \ container   absent   -1      n
//	absent             never    never   n
//	-1                 never    never   never
//	m                  never    m       m
//
// The seconds count from _ts, the item's last write, and the second _ts + ttl
// itself counts as expired. Absent on the container is off, and beats
// everything; -1 is on, without a default. Where the service's behaviour is
// not established the item is kept, by a rule whose identifier ends in
// -unspecified.
//
// The API for MongoDB switches TTL on by an index on _ts with
// expireAfterSeconds. A document's ttl then counts only if it is coercible to
// an int32; any other value is stored and ignored.
//
// [Compile] makes the evaluator of a container, [CompileCollection] that of a
// collection of the API for MongoDB. Items whose properties are at hand are asked
// about as an [Item], by the million as [Columns]; one whose [Timestamp] was not
// set has nothing to count from, and is kept.
//
// What the service takes at all say [ValidateContainer], [ValidateItem] and
// [ValidateCreateIndexes]; what a change of settings does to the items that are
// there says [AssessChange]. [AnalyticalStore] is the other time to live of a
// container, that of its analytical copy.
//
// An expired item is invisible at once, to every operation, and purged later
// ([IsVisible], [IsRemovable]): MongoDB does it the other way round.
package cosmos

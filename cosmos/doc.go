// Package cosmos decides which items Azure Cosmos DB's time to live expires,
// exactly when, and by which rule: for the core engine (the API for NoSQL) and
// for the API for MongoDB (RU).
//
//	spec, err := cosmos.ParseListedContainer([]byte(`{"id":"carts","defaultTtl":3600}`)) // as the service shows it
//	carts, err := cosmos.CompileContainer(spec)
//	d := carts.DecideJSON([]byte(`{"_ts":1795161600}`), policy.InstantOf(time.Now()))
//	if d.State == policy.Expired {
//		// hide it, and delete it later
//	}
//
// [CompileContainer] returns the evaluator of a container and [CompileCollection] that of a
// collection of the API for MongoDB; [ParseContainerSpec] and [ParseIndexSpec] read settings
// that a person wrote, [ParseListedContainer] and [ParseListedIndex] settings that the
// service shows. [Container.Decide] decides about an item of any type, [Container.DecideJSON]
// about raw JSON, and [Container.DecideItem] about an [Item], which holds only ttl and _ts.
// An item whose [Timestamp] was not set has no time to count from, and is kept.
//
// The core's answer is a matrix. The container's defaultTtl is absent, -1 or a
// number of seconds; the item's ttl likewise:
//
//	item \ container   absent   -1      n
//	absent             never    never   n
//	-1                 never    never   never
//	m                  never    m       m
//
// The seconds count from _ts, the item's last write; at the instant _ts + ttl
// the item has expired. An absent defaultTtl means off, and overrides
// every item's ttl; -1 means on, without a default. If the service's behaviour
// is unspecified, a rule whose identifier ends in -unspecified keeps the item.
//
// The API for MongoDB switches TTL on by an index on _ts with
// expireAfterSeconds. A document's ttl then counts only if it is coercible to
// an int32; any other value is stored and ignored.
//
// Deciding takes time in proportion to the item, once for each level of a
// ttlPropertyPath, and allocates nothing. Twice the input takes at most 2.2 times the
// instructions, also for malformed items; docs/api.md has the bounds.
//
// [ValidateContainer], [ValidateItem] and [ValidateCreateIndexes] report what the service
// accepts. A store calls [ValidateItem] on each write, sets _ts to [TimestampAt] of the
// clock, and hides expired items from reads.
//
// An expired item is invisible at once, and purged later, at an unspecified time. After
// its deadline, reads and deletes answer 404, queries leave the item out, no other
// operation finds it, and a create or upsert makes a new item under its id. It becomes
// visible again if a change of the container's setting before the purge moves its
// deadline into the future. In MongoDB it is the reverse: an expired document stays
// visible until it is removed (https://learn.microsoft.com/azure/cosmos-db/time-to-live;
// Azure/azure-cosmos-python: test/ttl_tests.py).
package cosmos

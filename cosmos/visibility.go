package cosmos

import "github.com/ttlpolicy/ttlpolicy/policy"

// IsVisible reports whether any operation finds an item about which d was
// decided: not once it has expired. From the deadline on, point reads, replaces,
// patches and deletes answer 404, queries leave the item out, and a create or
// upsert makes a new item under its id. MongoDB is the other way round: its
// expired documents stay visible until they are removed
// (https://learn.microsoft.com/azure/cosmos-db/time-to-live;
// Azure/azure-cosmos-python: test/ttl_tests.py).
func IsVisible(d policy.Decision) bool { return d.State != policy.Expired }

// IsRemovable reports whether the background task may purge an item about which
// d was decided. When it does is unspecified, and no client can tell: until
// then the item is there but invisible, and comes back if the container's
// setting is changed so that it has not expired after all.
func IsRemovable(d policy.Decision) bool { return d.State == policy.Expired }

// Rewritten returns the item as it is after a write at an instant. Every write
// restarts the clock, one that changes nothing included, because it sets _ts,
// which is the whole second of the write. Reads do not. To change the ttl set
// it first; to take it away set [TTL] to its zero, and the container's default
// counts from the write; to exempt the item set -1
// (https://learn.microsoft.com/azure/cosmos-db/time-to-live).
func (i Item) Rewritten(at policy.Instant) Item {
	i.TS = TimestampAt(at)
	return i
}

package cosmos_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A cache stamps each item at its write and keeps the deadline beside it. A changed setting has
// another fingerprint, and then the cache decides about its items again.
func ExampleStamp() {
	type entry struct {
		item     []byte
		deadline policy.Instant
		by       policy.Fingerprint
	}
	decided := func(c *cosmos.Container, item []byte, now policy.Instant) entry {
		deadline, _ := c.DecideJSON(item, now).Deadline() // MaxInstant for none
		return entry{item, deadline, c.Fingerprint()}
	}
	const now = policy.Instant(1_700_000_000_500)
	carts := compile(`{"defaultTtl":3600}`)
	item, err := cosmos.Stamp(nil, []byte(`{"id":"a","_ts":5}`), now) // a client's _ts does not count
	if err != nil {
		fmt.Println(err)
		return
	}
	e := decided(carts, item, now)
	fmt.Println(string(e.item), e.deadline)

	spec := carts.Spec()
	spec.DefaultTTL = policy.Int32Value(60)
	if carts, _, err = carts.Replace(spec); err != nil {
		fmt.Println(err)
		return
	}
	if e.by != carts.Fingerprint() {
		e = decided(carts, e.item, now)
	}
	fmt.Println("now", e.deadline)
	// Output:
	// {"id":"a","_ts":1700000000} 2023-11-14T23:13:20.000Z
	// now 2023-11-14T22:14:20.000Z
}

// Items in columns, such as those of Arrow, are decided one by one. Deciding allocates nothing.
// A null in the column stands for an item without a ttl, which is the zero TTL.
func ExampleContainer_DecideItem() {
	carts := compile(`{"defaultTtl":3600}`)
	ts := []int64{1_700_000_000, 1_700_000_000, 1_700_000_000}
	ttl, valid := []int32{60, -1, 0}, []bool{true, true, false}
	expired := 0
	for i := range ts {
		item := cosmos.Item{TS: cosmos.TimestampSeconds(ts[i])}
		if valid[i] {
			item.TTL = cosmos.TTLSeconds(int64(ttl[i]))
		}
		d := carts.DecideItem(item, 1_700_001_000_000)
		fmt.Println(d)
		if d.State == policy.Expired {
			expired++
		}
	}
	fmt.Println(expired, "expired")
	// Output:
	// expired at 2023-11-14T22:14:20.000Z by cosmos.item
	// never by cosmos.item-never
	// pending at 2023-11-14T23:13:20.000Z by cosmos.default
	// 1 expired
}

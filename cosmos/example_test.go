package cosmos_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func compile(text string) *cosmos.Container {
	spec, err := cosmos.ParseContainerSpec([]byte(text))
	if err != nil {
		panic(err)
	}
	c, err := cosmos.CompileContainer(spec)
	if err != nil {
		panic(err)
	}
	return c
}

// The deadline is the whole second _ts + ttl, at which the item has already expired.
func ExampleContainer_DecideJSON() {
	c := compile(`{"id":"sessions","defaultTtl":3600}`)
	item := []byte(`{"id":"a","ttl":60,"_ts":1700000000}`)
	for _, now := range []policy.Instant{1_700_000_059_999, 1_700_000_060_000} {
		d := c.DecideJSON(item, now)
		fmt.Println(d)
	}
	// Output:
	// pending at 2023-11-14T22:14:20.000Z by cosmos.item
	// expired at 2023-11-14T22:14:20.000Z by cosmos.item
}

// Without UseNumber every number becomes a float64, which cannot tell 60 from 60.0. No source
// says what the service does with a ttl of 60.0, so the item is kept.
func ExampleContainer_Decide_decoded() {
	c := compile(`{"id":"sessions","defaultTtl":3600}`)
	const text = `{"id":"a","ttl":60,"_ts":1700000000}`
	var item, floats map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := errors.Join(decoder.Decode(&item), json.Unmarshal([]byte(text), &floats)); err != nil {
		panic(err)
	}
	fmt.Println(c.Decide(policy.Map(item), 1_700_000_060_000))
	fmt.Println(c.Decide(policy.Map(floats), 1_700_000_060_000))
	// Output:
	// expired at 2023-11-14T22:14:20.000Z by cosmos.item
	// never by cosmos.item-unspecified
}

// A container without defaultTtl is off, whatever its items say; -1 is on.
func ExampleCompileContainer_offIsNotMinusOne() {
	item := []byte(`{"ttl":1,"_ts":1700000000}`)
	for _, settings := range []string{`{}`, `{"defaultTtl":-1}`} {
		d := compile(settings).DecideJSON(item, 1_800_000_000_000)
		fmt.Println(d.State, d.Rule)
	}
	// Output:
	// never cosmos.off
	// expired cosmos.item
}

// A document's ttl counts in the API for MongoDB only if it is coercible to an int32; any
// other ttl is ignored in favour of the collection's value.
func ExampleCollection_DecideAt() {
	c, err := cosmos.CompileCollection(cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{{
		Key:                policy.D{{Key: "_ts", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(10),
	}}})
	if err != nil {
		panic(err)
	}
	for _, ttl := range []policy.Value{policy.DoubleValue(20), policy.DoubleValue(20.5)} {
		d := c.DecideAt(policy.D{{Key: "ttl", Value: ttl}}, cosmos.TimestampSeconds(1_700_000_000), 1_700_000_000_000)
		fmt.Println(d)
	}
	// Output:
	// pending at 2023-11-14T22:13:40.000Z by cosmos.item
	// pending at 2023-11-14T22:13:30.000Z by cosmos.mongo-ttl-ignored
}

// A query for the deciding properties need not fetch whole items.
func ExampleContainer_Reads() {
	fmt.Println(compile(`{"defaultTtl":60}`).Reads())
	// Output: [_ts ttl]
}

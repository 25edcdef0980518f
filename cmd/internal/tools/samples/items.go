package main

import (
	"fmt"
	"strconv"
)

// items are the shopping carts of a container that forgets them 14 days after
// the last change, with items that ask for something else. Some were written
// before the container had a default, when nobody checked their ttl.
var items = part{
	name:   "items",
	file:   "cosmos/items.jsonl",
	docs:   2000,
	beside: []string{"cosmos/container.json"},
	append: appendItem,
}

// ttls are what items say about their time to live.
var ttls = []choice[func(r *random) string]{
	{6800, func(*random) string { return "" }},
	{1600, func(r *random) string { return `"ttl":` + strconv.Itoa(3600*(1+r.below(1000))) + "," }},
	{800, func(*random) string { return `"ttl":-1,` }},
	{300, func(*random) string { return `"ttl":"86400",` }}, // a string
	{200, func(*random) string { return `"ttl":0,` }},       // "at once", somebody thought
	{150, func(*random) string { return `"TimeToLive":3600,` }},
	{80, func(*random) string { return `"ttl":null,` }},
	{50, func(*random) string { return `"ttl":1796000000000,` }}, // an instant, in milliseconds
	{20, func(*random) string { return `"ttl":3600.5,` }},
}

func appendItem(dst []byte, r *random, i, n int) []byte {
	id, etag := r.next(), r.next()
	dst = fmt.Appendf(dst, `{"id":"%08x-%04x-4%03x-%04x-%012x","customer":"c%05d","lines":%d,"total":%d.%02d,`,
		uint32(id>>32), uint16(id>>16), id&0xfff, 0x8000|etag>>50, etag&0xffffffffffff,
		r.below(90000), 1+r.below(9), 3+r.below(400), r.below(100))
	dst = append(dst, choose(r, ttls)(r)...)
	dst = fmt.Appendf(dst, `"_etag":"\"%08x\""`, uint32(etag))
	if r.below(500) > 0 { // a few were exported by a query that leaves _ts out
		dst = fmt.Appendf(dst, `,"_ts":%d`, int64(now/second)-int64(r.below(25*day/second)))
	}
	return append(dst, "}\n"...)
}

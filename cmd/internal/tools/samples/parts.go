package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// sessions has two TTL indexes: guests are forgotten 14 days after any of their devices
// was last seen, and a session with an expiresAt goes at that instant. Members without an
// expiresAt stay.
var sessions = part{
	name:   "sessions",
	file:   "shop/sessions.bson",
	docs:   2000,
	beside: []string{"shop/sessions.metadata.json"},
	append: documents(session),
}

var (
	kinds   = []choice[string]{{600, "guest"}, {350, "member"}, {50, "service"}}
	names   = []string{"phone", "tablet", "laptop", "kiosk"}
	devices = []choice[func(r *random, seen int64) any]{
		{600, someDevices},
		{300, func(r *random, seen int64) any { return device(r, seen) }}, // one device, not in an array
		{60, func(*random, int64) any { return bson.A{} }},
		{40, func(*random, int64) any { return missing{} }},
	}
)

func session(r *random, i, n int) bson.D {
	seen := int64(now) - int64(r.below(30*day))
	d := bson.D{
		{Key: "_id", Value: hex(r.next())},
		{Key: "kind", Value: choose(r, kinds)},
		{Key: "devices", Value: choose(r, devices)(r, seen)},
	}
	if r.below(5) == 0 {
		d = append(d, bson.E{Key: "expiresAt", Value: bson.DateTime(seen + int64(r.below(60))*day)})
	}
	return d
}

// someDevices draws one to three devices: the first was seen at an instant, and the
// others before it.
func someDevices(r *random, seen int64) any {
	var list bson.A
	for i := range 1 + r.below(3) {
		list = append(list, device(r, seen-int64(i*r.below(5*day))))
	}
	return list
}

func device(r *random, seen int64) bson.D {
	d := bson.D{{Key: "name", Value: r.among(names)}}
	if r.below(20) == 0 {
		return d // never seen again
	}
	return append(d, bson.E{Key: "lastSeen", Value: bson.DateTime(seen)})
}

const (
	second = 1000
	hour   = 3600 * second
	day    = 24 * hour
)

// logs is a log that was to be kept for 30 days. Over the years several
// programs wrote createdAt, and not all of them wrote a Date.
var logs = part{
	name:   "logs",
	file:   "shop/logs.bson",
	docs:   2000,
	beside: []string{"shop/logs.metadata.json"},
	append: documents(log),
}

// createdAt are the ways in which createdAt was written.
var createdAt = []choice[func(at int64) any]{
	{8800, func(at int64) any { return bson.DateTime(at) }},
	{500, func(at int64) any { return iso(at) }},
	{190, func(at int64) any { return at }},
	{150, func(int64) any { return missing{} }},
	{110, func(int64) any { return nil }},
	{100, func(at int64) any { return dates(at, at+2*hour, at+26*hour) }}, // the dates of a job and of its two repetitions
	{50, func(int64) any { return bson.A{} }},
	{40, func(at int64) any { return bson.Timestamp{T: uint32(at / second), I: 1} }},
	{30, func(int64) any { return bson.DateTime(253_402_300_799_999) }},        // "keep for ever", somebody thought
	{20, func(at int64) any { return bson.D{{Key: "$date", Value: iso(at)}} }}, // Extended JSON that a script inserted as it stood
	{10, func(int64) any { return bson.DateTime(math.MaxInt64) }},              // later than any clock can be
}

var (
	services = []string{"cart", "checkout", "search", "payments", "catalogue", "mailer"}
	levels   = []choice[string]{{700, "info"}, {220, "debug"}, {60, "warn"}, {20, "error"}}
	messages = []string{
		"request served", "cache miss, asking the origin", "retrying after a timeout of the upstream",
		"order placed", "payment authorised", "connection returned to the pool",
	}
)

func log(r *random, i, n int) bson.D {
	at := logTime(r, i, n)
	return bson.D{
		{Key: "_id", Value: objectID(at, i)},
		{Key: "createdAt", Value: choose(r, createdAt)(at)},
		{Key: "service", Value: r.among(services)},
		{Key: "host", Value: fmt.Sprintf("ip-10-0-%d-%d", r.below(4), r.below(250))},
		{Key: "level", Value: choose(r, levels)},
		{Key: "message", Value: r.among(messages)},
		{Key: "status", Value: int32(200 + 100*r.below(4))},
		{Key: "millis", Value: float64(r.below(40000)) / 16},
		{Key: "trace", Value: hex(r.next()) + hex(r.next())},
		{Key: "sampled", Value: r.below(8) == 0},
	}
}

// logTime returns the instant at which line i of n was logged, within the last 45 days.
// Later days have more lines, because the shop grew, and days have more than nights.
func logTime(r *random, i, n int) int64 {
	const span = 45 * day
	share := math.Sqrt((float64(i) + 1) / float64(n))
	at := now - span + int64(share*span)
	at = at/day*day + (at%day+int64(r.below(12))*hour)/2 + 6*hour // quiet from 18:00 to 06:00
	return min(at, now-1) - int64(r.below(second))
}

// objectID returns the identifier of document i, made at an instant.
func objectID(at int64, i int) (id bson.ObjectID) {
	binary.BigEndian.PutUint64(id[:], uint64(at/second)<<32|0x5f3a91c2)
	binary.BigEndian.PutUint32(id[8:], uint32(i))
	return id
}

func iso(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

// hex returns a number in 16 hexadecimal digits.
func hex(n uint64) string { return fmt.Sprintf("%016x", n) }

// hazards is a sample for audits: a dump of an old server, where hardly any TTL index
// does what it seems to do, and settings of Cosmos DB of the same kind.
var hazards = part{
	name:   "hazards",
	file:   "hazards/events.bson",
	docs:   200,
	beside: []string{"hazards/prelude.json", "hazards/events.metadata.json", "hazards/container.json", "hazards/template.json"},
	append: documents(event),
}

var regions = []string{"ams", "fra", "iad", "sin"}

func event(r *random, i, n int) bson.D {
	at := int64(now) - int64(r.below(60*day))
	d := bson.D{
		{Key: "_id", Value: int32(i)},
		{Key: "kind", Value: r.among([]string{"click", "view", "order"})},
		{Key: "region", Value: r.among(regions)},
		{Key: "at", Value: bson.DateTime(at)},
		{Key: "seenAt", Value: iso(at)},
		// The users are 18 to 83 years old, and some were born more than 68 years ago.
		{Key: "born", Value: bson.DateTime(int64(now) - 18*365*day - int64(r.below(65))*365*day)},
	}
	if r.below(3) == 0 {
		d = append(d, bson.E{Key: "cachedAt", Value: bson.DateTime(at + hour)})
	}
	return d
}

// upgrade is a dump of 8.0 whose partial TTL index holds more documents from 9.0 on:
// orders without a sent shipment are forgotten 30 days after they were made. Up to 8.3 an
// order whose shipments are an empty list, or the numbers that the carrier gave, does not
// count as an order without a sent shipment.
var upgrade = part{
	name:   "upgrade",
	file:   "upgrade/orders.bson",
	docs:   300,
	beside: []string{"upgrade/prelude.json", "upgrade/orders.metadata.json"},
	append: documents(order),
}

// shipments are the values of the field shipments of an order.
var shipments = []choice[func(r *random, at int64) any]{
	{30, func(*random, int64) any { return missing{} }},                       // an order that nobody took up
	{10, func(*random, int64) any { return bson.A{shipment()} }},              // packed, not sent
	{40, func(_ *random, at int64) any { return bson.A{sent(at)} }},           // sent
	{10, func(*random, int64) any { return bson.A{} }},                        // nothing to send, such as a voucher
	{8, func(r *random, _ int64) any { return bson.A{number(r)} }},            // sent, in an older form
	{2, func(r *random, at int64) any { return bson.A{sent(at), number(r)} }}, // both
}

func order(r *random, i, n int) bson.D {
	at := int64(now) - int64(r.below(60*day))
	return bson.D{
		{Key: "_id", Value: int32(i)},
		{Key: "madeAt", Value: bson.DateTime(at)},
		{Key: "shipments", Value: choose(r, shipments)(r, at)},
	}
}

func shipment() bson.D { return bson.D{{Key: "carrier", Value: "post"}} }

func sent(at int64) bson.D {
	return append(shipment(), bson.E{Key: "sentAt", Value: bson.DateTime(at + day)})
}

// number draws a tracking number of the carrier.
func number(r *random) string { return "1Z" + hex(r.next())[:10] }

// items are the shopping carts of a container whose default deletes a cart 14 days after
// its last change. Some carts have a ttl of their own. Some of these were written before
// the container had a default, when nobody checked the ttl.
var items = part{
	name:   "items",
	file:   "cosmos/items.jsonl",
	docs:   2000,
	beside: []string{"cosmos/container.json"},
	append: appendItem,
}

// ttls are the ttl properties of items.
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

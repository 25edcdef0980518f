package main

import "go.mongodb.org/mongo-driver/v2/bson"

// upgrade is a dump of 8.0 whose partial TTL index holds more documents from
// 9.0 on: orders of which no shipment was sent are forgotten 30 days after they
// were made. Up to 8.3 an order whose shipments are an empty list, or the
// numbers that the carrier gave, does not count as one.
var upgrade = part{
	name:   "upgrade",
	file:   "upgrade/orders.bson",
	docs:   300,
	beside: []string{"upgrade/prelude.json", "upgrade/orders.metadata.json"},
	append: documents(order),
}

// shipments are what an order says about them.
var shipments = []choice[func(r *random, at int64) any]{
	{30, func(*random, int64) any { return missing{} }},                       // an order that nobody took up
	{10, func(*random, int64) any { return bson.A{shipment()} }},              // packed, not sent
	{40, func(_ *random, at int64) any { return bson.A{sent(at)} }},           // sent
	{10, func(*random, int64) any { return bson.A{} }},                        // nothing to send, such as a voucher
	{8, func(r *random, _ int64) any { return bson.A{number(r)} }},            // sent, as it was noted once
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

// number is the one that the carrier gave.
func number(r *random) string { return "1Z" + hex(r.next())[:10] }

package main

import (
	"fmt"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// upgrade is a dump of 8.0 whose partial TTL index holds more documents from
// 9.0 on: orders of which no shipment was sent are forgotten 30 days after they
// were made. Up to 8.3 an order whose shipments are an empty list, or the
// numbers that the carrier gave, does not count as one.
var upgrade = part{
	name:   "upgrade",
	file:   "upgrade/orders.bson",
	docs:   300,
	beside: []string{"upgrade/prelude.json", "upgrade/orders.metadata.json"},
	append: appendOrder,
}

// shipments are what an order says of them, and whether that is a sent one.
var shipments = []choice[func(dst []byte, r *random, at int64) []byte]{
	{30, func(dst []byte, r *random, at int64) []byte { return dst }},                                      // an order that nobody took up
	{10, func(dst []byte, r *random, at int64) []byte { return appendShipments(dst, carrier) }},            // packed, not sent
	{40, func(dst []byte, r *random, at int64) []byte { return appendShipments(dst, sent(at)) }},           // sent
	{10, func(dst []byte, r *random, at int64) []byte { return appendShipments(dst) }},                     // nothing to send, as of a voucher
	{8, func(dst []byte, r *random, at int64) []byte { return appendShipments(dst, number(r)) }},           // sent, as it was noted once
	{2, func(dst []byte, r *random, at int64) []byte { return appendShipments(dst, sent(at), number(r)) }}, // both
}

func appendOrder(dst []byte, r *random, i, n int) []byte {
	at := int64(now) - int64(r.below(60*day))
	start, dst := bsoncore.AppendDocumentStart(dst)
	dst = bsoncore.AppendInt32Element(dst, "_id", int32(i))
	dst = bsoncore.AppendDateTimeElement(dst, "madeAt", at)
	dst = choose(r, shipments)(dst, r, at)
	return end(dst, start)
}

// An element appends an element of an array under its position.
type element func(dst []byte, key string) []byte

func appendShipments(dst []byte, elements ...element) []byte {
	array, dst := bsoncore.AppendArrayElementStart(dst, "shipments")
	for i, e := range elements {
		dst = e(dst, fmt.Sprint(i))
	}
	return end(dst, array)
}

func carrier(dst []byte, key string) []byte {
	start, dst := bsoncore.AppendDocumentElementStart(dst, key)
	return end(bsoncore.AppendStringElement(dst, "carrier", "post"), start)
}

func sent(at int64) element {
	return func(dst []byte, key string) []byte {
		start, dst := bsoncore.AppendDocumentElementStart(dst, key)
		dst = bsoncore.AppendStringElement(dst, "carrier", "post")
		return end(bsoncore.AppendDateTimeElement(dst, "sentAt", at+day), start)
	}
}

func number(r *random) element {
	return func(dst []byte, key string) []byte {
		return bsoncore.AppendStringElement(dst, key, "1Z"+hex(r.next())[:10])
	}
}

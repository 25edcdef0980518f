package main

import "go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

// sessions has two TTL indexes: guests are forgotten 14 days after any of
// their devices was last seen, and whatever has an expiresAt goes at that
// instant. Members stay unless they have one.
var sessions = part{
	name:   "sessions",
	file:   "shop/sessions.bson",
	docs:   2000,
	beside: []string{"shop/sessions.metadata.json"},
	append: appendSession,
}

var (
	kinds   = []choice[string]{{600, "guest"}, {350, "member"}, {50, "service"}}
	names   = []string{"phone", "tablet", "laptop", "kiosk"}
	devices = []choice[func(dst []byte, r *random, seen int64) []byte]{
		{600, appendDevices},
		{300, func(dst []byte, r *random, seen int64) []byte { // one device, not in an array
			start, dst := bsoncore.AppendDocumentElementStart(dst, "devices")
			return end(appendDevice(dst, r, seen), start)
		}},
		{60, func(dst []byte, r *random, seen int64) []byte { return appendDates(dst, "devices") }},
		{40, func(dst []byte, r *random, seen int64) []byte { return dst }},
	}
)

func appendSession(dst []byte, r *random, i, n int) []byte {
	seen := int64(now) - int64(r.below(30*day))
	start, dst := bsoncore.AppendDocumentStart(dst)
	dst = bsoncore.AppendStringElement(dst, "_id", hex(r.next()))
	dst = bsoncore.AppendStringElement(dst, "kind", choose(r, kinds))
	dst = choose(r, devices)(dst, r, seen)
	if r.below(5) == 0 {
		dst = bsoncore.AppendDateTimeElement(dst, "expiresAt", seen+int64(r.below(60))*day)
	}
	return end(dst, start)
}

// appendDevices appends one to three devices, the first seen at an instant and
// the others before.
func appendDevices(dst []byte, r *random, seen int64) []byte {
	array, dst := bsoncore.AppendArrayElementStart(dst, "devices")
	for i := range 1 + r.below(3) {
		start, with := bsoncore.AppendDocumentElementStart(dst, string(rune('0'+i)))
		dst = end(appendDevice(with, r, seen-int64(i*r.below(5*day))), start)
	}
	return end(dst, array)
}

func appendDevice(dst []byte, r *random, seen int64) []byte {
	dst = bsoncore.AppendStringElement(dst, "name", r.among(names))
	if r.below(20) == 0 {
		return dst // never seen again
	}
	return bsoncore.AppendDateTimeElement(dst, "lastSeen", seen)
}

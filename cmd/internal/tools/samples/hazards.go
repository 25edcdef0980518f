package main

import "go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

// hazards is what an audit is for: a dump of an old server whose TTL indexes
// nearly all do something else than they seem to, and settings of Cosmos DB
// that do so too.
var hazards = part{
	name:   "hazards",
	file:   "hazards/events.bson",
	docs:   200,
	beside: []string{"hazards/prelude.json", "hazards/events.metadata.json", "hazards/container.json", "hazards/template.json"},
	append: appendEvent,
}

var regions = []string{"ams", "fra", "iad", "sin"}

func appendEvent(dst []byte, r *random, i, n int) []byte {
	at := int64(now) - int64(r.below(60*day))
	start, dst := bsoncore.AppendDocumentStart(dst)
	dst = bsoncore.AppendInt32Element(dst, "_id", int32(i))
	dst = bsoncore.AppendStringElement(dst, "kind", r.among([]string{"click", "view", "order"}))
	dst = bsoncore.AppendStringElement(dst, "region", r.among(regions))
	dst = bsoncore.AppendDateTimeElement(dst, "at", at)
	dst = bsoncore.AppendStringElement(dst, "seenAt", iso(at))
	// The users are 18 to 83 years old, and some were born more than 68 years ago.
	dst = bsoncore.AppendDateTimeElement(dst, "born", int64(now)-18*365*day-int64(r.below(65))*365*day)
	if r.below(3) == 0 {
		dst = bsoncore.AppendDateTimeElement(dst, "cachedAt", at+hour)
	}
	return end(dst, start)
}

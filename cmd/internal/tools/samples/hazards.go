package main

import "go.mongodb.org/mongo-driver/v2/bson"

// hazards is what an audit is for: a dump of an old server whose TTL indexes
// nearly all do something else than they seem to, and settings of Cosmos DB
// that do so too.
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

package main

import "go.mongodb.org/mongo-driver/v2/bson"

// sessions has two TTL indexes: guests are forgotten 14 days after any of
// their devices was last seen, and whatever has an expiresAt goes at that
// instant. Members stay unless they have one.
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
		{300, func(r *random, seen int64) any { return device(r, seen) }}, // one, not in an array
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

// someDevices are one to three devices, the first seen at an instant and the
// others before.
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

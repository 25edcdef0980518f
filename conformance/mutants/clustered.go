package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// clustered holds misreadings of collections that are clustered by _id.
var clustered = []entry{
	{"clustered-ignored", "mongo.clustered", "A clustered collection expires by TTL indexes alone.", "",
		asks(decide, func(q query) query { return q.with(policy.Value{}, "collection", option) }).in("clusteredIndex")},
	{"clustered-exclusive", "mongo.clustered", "An _id on its deadline has not expired yet.", "",
		shifts(decide, ownAlone, 1).in("clusteredIndex")},
	{"clustered-in-milliseconds", "mongo.clustered", "A clustered collection's own option is milliseconds.", "",
		moves(decide, ownAlone, func(q query, due policy.Instant) policy.Instant {
			return due - 999*policy.Instant(number(q.get("collection", option)))
		}).in("clusteredIndex")},
	{"clustered-zero-is-off", "mongo.clustered", "A clustered collection's option of 0 switches expiry off.", "",
		asks(decide, func(q query) query {
			if number(q.get("collection", option)) == 0 {
				return q.with(policy.Value{}, "collection", option)
			}
			return q
		}).in("clusteredIndex")},
	{"clustered-of-32-bits", "mongo.clustered", "A clustered collection's own option is clamped to 2147483647.", "",
		asks(decide, func(q query) query {
			return q.with(policy.Int64Value(min(math.MaxInt32, int64(number(q.get("collection", option))))), "collection", option)
		}).in("clusteredIndex")},
	{"clustered-objectid-is-a-date", "mongo.clustered-not-date", "An ObjectId as _id is the date of its time.", "", idsAre(objectIDTime)},
	{"clustered-int64-is-a-date", "mongo.clustered-not-date", "An int64 as _id is milliseconds since 1970.", "",
		idsAre(func(v policy.Value) (policy.Instant, bool) { n, ok := v.AsInt64(); return policy.Instant(n), ok })},
	{"clustered-timestamp-is-a-date", "mongo.clustered-not-date", "A replication timestamp as _id is a date.", "",
		idsAre(func(v policy.Value) (policy.Instant, bool) {
			s, _, ok := v.AsTimestamp()
			return policy.Instant(s) * 1000, ok
		})},
	{"clustered-document-holds-dates", "mongo.clustered-not-date", "The first date in a subdocument as _id counts.", "",
		idsAre(func(v policy.Value) (policy.Instant, bool) { return walker{lookInside: true}.first(v) })},
	{"clustered-types-sort-together", "mongo.clustered-not-date", "Whatever sorts before the cutoff in the order of all types has expired.", "",
		idsAre(func(v policy.Value) (policy.Instant, bool) { return 0, sortsBeforeDates(v) })},
	{"clustered-any-date", "mongo.clustered-not-date", "Where _id is no date another field that is one counts.", "",
		asks(decide, func(q query) query {
			for _, e := range policy.DOf(q.get("document")) {
				if e.Value.Kind() == policy.Date && q.get("document", "_id").Kind() != policy.Date {
					return q.with(e.Value, "document", "_id")
				}
			}
			return q
		}).in("clusteredIndex")},
	{"clustered-before-1970-expires", "mongo.clustered-before-1970", "An _id before 1970 expires like any other.", "",
		only(decide, func(q query) bool {
			i, ok := q.get("document", "_id").AsDate()
			return ok && i < 0 && ownAlone(q)
		}, func(q query) conformance.Answer {
			i, _ := q.get("document", "_id").AsDate()
			return q.expire(i + 1000*policy.Instant(number(q.get("collection", option))))
		}).in("clusteredIndex")},
	{"clustered-before-1970-never", "mongo.clustered", "An _id before 1970 never expires, in whatever release.", "",
		keeps(decide, test(ownAlone).and(func(q query) bool {
			i, ok := q.get("document", "_id").AsDate()
			return ok && i < 0
		})).in("clusteredIndex")},
	{"clustered-1970-excluded", "mongo.clustered-before-1970", "The scan begins after 1970-01-01T00:00:00.000Z.", "",
		keeps(decide, func(q query) bool {
			i, ok := q.get("document", "_id").AsDate()
			return ok && i == 0
		}).in("clusteredIndex")},
	{"clustered-indexes-begin-in-1970", "mongo.clustered-before-1970", "The TTL indexes of a clustered collection begin in 1970 too.", "",
		keeps(decide, func(q query) bool {
			i, ok := q.date()
			return ok && i < 0
		}).in("clusteredIndex")},
}

// in lets a misreading bear on collections of a kind with an option of their
// own.
func (m misreading) in(kind string) misreading {
	return only(decide, test(has("collection", kind)).and(has("collection", option)), m)
}

// ownAlone tests for a collection without TTL indexes.
func ownAlone(q query) bool { return len(q.ttlIndexes()) == 0 }

// idsAre decides by dates in place of an _id that is none.
func idsAre(date func(policy.Value) (policy.Instant, bool)) misreading {
	return asks(decide, func(q query) query {
		if i, ok := date(q.get("document", "_id")); ok {
			return q.with(policy.DateValue(i), "document", "_id")
		}
		return q
	}).in("clusteredIndex")
}

// first returns the first date in a value.
func (w walker) first(v policy.Value) (policy.Instant, bool) {
	if v.Kind() != policy.Object {
		return 0, false
	}
	dates := datesOf(w.end(v))
	if len(dates) == 0 {
		return 0, false
	}
	return dates[0].AsDate()
}

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// clustered holds misreadings of collections that are clustered by _id.
var clustered = map[string]misreading{
	"clustered-ignored":              forgets(decide, always, "collection", option).in("clusteredIndex"),
	"clustered-exclusive":            shifts(decide, ownAlone, 1).in("clusteredIndex"),
	"clustered-in-milliseconds":      moves(decide, ownAlone, ownInMilliseconds).in("clusteredIndex"),
	"clustered-zero-is-off":          forgets(decide, where(equals(0), "collection", option), "collection", option).in("clusteredIndex"),
	"clustered-of-32-bits":           changes(decide, always, func(v policy.Value) policy.Value { return policy.Int64Value(min(math.MaxInt32, int64(number(v)))) }, "collection", option).in("clusteredIndex"),
	"clustered-objectid-is-a-date":   idsAre(objectIDTime),
	"clustered-int64-is-a-date":      idsAre(integerTime(1)),
	"clustered-timestamp-is-a-date":  idsAre(timestampTime),
	"clustered-document-holds-dates": idsAre(walker{lookInside: true}.first),
	"clustered-types-sort-together":  idsAre(fixedTime(0, sortsBeforeDates)),
	"clustered-any-date": asks(decide, func(q query) query {
		for _, e := range policy.DOf(q.get("document")) {
			if e.Value.Kind() == policy.Date && q.get("document", "_id").Kind() != policy.Date {
				return q.with(e.Value, "document", "_id")
			}
		}
		return q
	}).in("clusteredIndex"),
	"clustered-before-1970-expires": only(decide, every(ownAlone, within(query.id, policy.MinInstant, -1)), func(q query) conformance.Answer {
		i, _ := q.id()
		return q.expire(i + q.ownDelay())
	}).in("clusteredIndex"),
	"clustered-before-1970-never":     keeps(decide, every(ownAlone, within(query.id, policy.MinInstant, -1))).in("clusteredIndex"),
	"clustered-1970-excluded":         keeps(decide, within(query.id, 0, 0)).in("clusteredIndex"),
	"clustered-indexes-begin-in-1970": keeps(decide, within(query.date, policy.MinInstant, -1)).in("clusteredIndex"),
}

// in lets a misreading bear on collections of a kind with an option of their
// own.
func (m misreading) in(kind string) misreading {
	return only(decide, every(has("collection", kind), has("collection", option)), m)
}

// id returns an _id that is a date, ownDelay the collection's own option in
// milliseconds.
func (q query) id() (policy.Instant, bool) { return q.get("document", "_id").AsDate() }
func (q query) ownDelay() policy.Instant {
	return 1000 * policy.Instant(number(q.get("collection", option)))
}

// ownInMilliseconds takes the collection's own option for milliseconds.
func ownInMilliseconds(q query, due policy.Instant) policy.Instant {
	return due - 999*q.ownDelay()/1000
}

// ownAlone tests for a collection without TTL indexes.
func ownAlone(q query) bool { return len(q.ttlIndexes()) == 0 }

// idsAre decides by dates in place of an _id that is not one.
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

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// clustered holds misreadings of collections that are clustered by _id.
var clustered = map[string]misreading{
	"clustered-ignored":   asks(decide, func(q query) query { return q.with(policy.Value{}, "collection", option) }).in("clusteredIndex"),
	"clustered-exclusive": shifts(decide, ownAlone, 1).in("clusteredIndex"),
	"clustered-in-milliseconds": moves(decide, ownAlone, func(q query, due policy.Instant) policy.Instant {
		return due - 999*policy.Instant(number(q.get("collection", option)))
	}).in("clusteredIndex"),
	"clustered-zero-is-off": asks(decide, func(q query) query {
		if number(q.get("collection", option)) == 0 {
			return q.with(policy.Value{}, "collection", option)
		}
		return q
	}).in("clusteredIndex"),
	"clustered-of-32-bits": asks(decide, func(q query) query {
		return q.with(policy.Int64Value(min(math.MaxInt32, int64(number(q.get("collection", option))))), "collection", option)
	}).in("clusteredIndex"),
	"clustered-objectid-is-a-date": idsAre(objectIDTime),
	"clustered-int64-is-a-date":    idsAre(func(v policy.Value) (policy.Instant, bool) { n, ok := v.AsInt64(); return policy.Instant(n), ok }),
	"clustered-timestamp-is-a-date": idsAre(func(v policy.Value) (policy.Instant, bool) {
		s, _, ok := v.AsTimestamp()
		return policy.Instant(s) * 1000, ok
	}),
	"clustered-document-holds-dates": idsAre(func(v policy.Value) (policy.Instant, bool) { return walker{lookInside: true}.first(v) }),
	"clustered-types-sort-together":  idsAre(func(v policy.Value) (policy.Instant, bool) { return 0, sortsBeforeDates(v) }),
	"clustered-any-date": asks(decide, func(q query) query {
		for _, e := range policy.DOf(q.get("document")) {
			if e.Value.Kind() == policy.Date && q.get("document", "_id").Kind() != policy.Date {
				return q.with(e.Value, "document", "_id")
			}
		}
		return q
	}).in("clusteredIndex"),
	"clustered-before-1970-expires": only(decide, func(q query) bool {
		i, ok := q.get("document", "_id").AsDate()
		return ok && i < 0 && ownAlone(q)
	}, func(q query) conformance.Answer {
		i, _ := q.get("document", "_id").AsDate()
		return q.expire(i + 1000*policy.Instant(number(q.get("collection", option))))
	}).in("clusteredIndex"),
	"clustered-before-1970-never": keeps(decide, test(ownAlone).and(func(q query) bool {
		i, ok := q.get("document", "_id").AsDate()
		return ok && i < 0
	})).in("clusteredIndex"),
	"clustered-1970-excluded": keeps(decide, func(q query) bool {
		i, ok := q.get("document", "_id").AsDate()
		return ok && i == 0
	}).in("clusteredIndex"),
	"clustered-indexes-begin-in-1970": keeps(decide, func(q query) bool {
		i, ok := q.date()
		return ok && i < 0
	}).in("clusteredIndex"),
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

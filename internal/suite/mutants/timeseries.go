package mutants

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// timeseries holds misreadings of time-series collections: buckets, their
// rounding and span, dates outside 1970 to 2038, and TTL indexes.
var timeseries = map[string]misreading{
	"timeseries-by-measurement":  moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() + q.rounded() }).ofBuckets(),
	"timeseries-span-ignored":    moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() }).ofBuckets(),
	"timeseries-exclusive":       shifts(decide, always, 1).ofBuckets(),
	"timeseries-in-milliseconds": moves(decide, ownAlone, ownInMilliseconds).ofBuckets(),
	"timeseries-zero-is-off":     keeps(decide, every(ownAlone, where(equals(0), "collection", option))).ofBuckets(),
	"timeseries-not-rounded":     moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due + q.rounded() }).ofBuckets(),
	"timeseries-rounded-up":      moves(decide, every(inRange, isRounded), func(q query, due policy.Instant) policy.Instant { return due + q.rounding() }).ofBuckets(),
	"timeseries-rounded-to-span": roundsTo(always, query.span),
	"timeseries-always-seconds":  forgets(decide, always, "collection", "timeseries", "granularity").ofBuckets(),
	"timeseries-hours-of-a-day":  shifts(decide, every(inRange, where(isText("hours"), "collection", "timeseries", "granularity")), -29*86_400_000).ofBuckets(),
	"timeseries-own-span-ignored": asks(decide, func(q query) query {
		return q.with(missing, "collection", "timeseries", "bucketMaxSpanSeconds").with(missing, "collection", "timeseries", "bucketRoundingSeconds")
	}).ofBuckets(),
	"timeseries-own-span-by-minutes":      roundsTo(has("collection", "timeseries", "bucketMaxSpanSeconds"), minute),
	"timeseries-option-change-of-span":    roundsTo(has("collection", "timeseries", "granularity"), minute),
	"timeseries-no-time-is-1970":          times(fixedTime(0, policy.Value.IsMissing)),
	"timeseries-number-is-a-time":         times(integerTime(1)),
	"timeseries-text-is-a-time":           times(textTime),
	"timeseries-never-extended":           only(decide, until("8.0.12"), byBucket).ofBuckets(),
	"timeseries-extended-per-document":    forgets(decide, always, "collection", "requiresExtendedRangeSupport").ofBuckets(),
	"timeseries-extended-from-2106":       only(decide, every(until("8.0.12"), between(query.time, 1, 4_294_967_295_999)), byBucket).ofBuckets(),
	"timeseries-extended-from-2038-01-01": keeps(decide, every(until("8.0.12"), between(query.time, 2_145_916_800_000, policy.MaxInstant))).ofBuckets(),
	"timeseries-extended-without-1970":    keeps(decide, every(until("8.0.12"), between(query.time, policy.MinInstant, 59_999))).ofBuckets(),
	"timeseries-extended-never-expires":   atRelease(decide, "8.0.11", since("8.0.12")).ofBuckets(),
	"timeseries-extended-repaired-in-8.0": atRelease(decide, "8.1.0", every(since("8.0.0"), until("8.0.12"))).ofBuckets(),
	"timeseries-extended-repaired-in-8.1": atRelease(decide, "8.0.11", every(since("8.0.12"), until("8.1.0"))).ofBuckets(),
	"timeseries-extended-always-skipped":  atRelease(decide, "8.0.11", every(until("7.2.0"), outOfRange)).ofBuckets(),
	"timeseries-extended-skipped-by-main-releases": atRelease(decide, "8.0.11", every(outOfRange, func(q query) bool {
		return q.before("5.1.0") || !q.before("6.0.0") && q.before("6.1.0") || !q.before("7.0.0") && q.before("7.1.0")
	})).ofBuckets(),
	"timeseries-extended-with-all-digits": only(decide, every(until("5.0.24"), outOfRange), byBucket).ofBuckets(),
	"timeseries-before-2017-expires":      only(decide, every(since("5.3.0"), until("8.0.0"), inRange, ownAlone), byBucket).ofBuckets(),
	"timeseries-before-2017-for-good":     atRelease(decide, "7.0.4", every(since("8.0.0"), inRange, ownAlone)).ofBuckets(),
	"timeseries-before-2017-in-5.0":       atRelease(decide, "7.0.4", every(until("5.1.0"), inRange, ownAlone)).ofBuckets(),
	"timeseries-before-2017-not-in-6.0":   atRelease(decide, "5.0.0", every(since("5.3.0"), until("7.0.0"), inRange, ownAlone)).ofBuckets(),
	"timeseries-before-2017-exclusive":    keeps(decide, every(since("5.3.0"), until("7.0.5"), ownAlone, between(query.time, policy.MinInstant, 1_511_828_489_999))).ofBuckets(),
	"timeseries-before-2017-by-day":       only(decide, every(since("5.3.0"), until("7.0.5"), ownAlone, between(query.time, 1_511_827_200_000, policy.MaxInstant)), byBucket).ofBuckets(),
	"timeseries-before-2017-by-index":     keeps(decide, every(until("7.0.5"), not(ownAlone), between(query.time, 0, 1_511_828_488_999))).ofBuckets(),
	"timeseries-rounded-down-always":      atTime(until("8.0.4"), func(q query, i policy.Instant) policy.Instant { return floor(i, q.rounding()) }),
	"timeseries-rounded-towards-1970":     atTime(since("8.0.4"), func(q query, i policy.Instant) policy.Instant { return i - i%q.rounding() }),
	"timeseries-bucket-is-a-measurement":  forgets(decide, between(query.time, policy.MinInstant, policy.MaxInstant), "document", "control").ofBuckets(),
	"timeseries-metadata-as-written":      asBucket(func(meta policy.Value) policy.Value { return meta }),
	"timeseries-metadata-sorted-on-top":   asBucket(sorted),
	"timeseries-metadata-arrays-sorted":   asBucket(func(meta policy.Value) policy.Value { return deep(turned)(deep(sorted)(meta)) }),
	"timeseries-filter-sorted":            refilters(deep(sorted)).ofBuckets(),
	"timeseries-control-is-a-bucket":      keeps(decide, every(has("document", "control"), not(has("document", "control", "max")))).ofBuckets(),
	"timeseries-extended-with-span":       only(decide, since("8.0.12"), byBucket).ofBuckets(),
	"timeseries-extended-all-by-time": only(decide, every(since("8.0.12"), inRange, expires, has("collection", "requiresExtendedRangeSupport")), func(q query) conformance.Answer {
		i, _ := q.time()
		return q.expire(i + q.ownDelay())
	}).ofBuckets(),
	"timeseries-index-always":         only(decide, until("6.3.0"), ownFromIndex(anyIndex)).ofBuckets(),
	"timeseries-index-never":          puts(decide, always, noElements, "indexes").ofBuckets(),
	"timeseries-index-without-filter": ownFromIndex(not(named(partial))).ofBuckets(),
	"timeseries-index-of-any-filter":  ownFromIndex(every(named(partial), not(named(partial, "m.k")))).ofBuckets(),
	"timeseries-index-of-any-field":   ownFromIndex(func(x policy.Value) bool { return pathOf(x) != "t" }).ofBuckets(),
}

// ofBuckets lets a misreading bear on time-series collections.
func (m misreading) ofBuckets() misreading { return only(decide, has("collection", "timeseries"), m) }

// timeField returns the name of the field with the time of a measurement, time the time.
func (q query) timeField() string {
	name, _ := q.get("collection", "timeseries", "timeField").AsString()
	return name
}

func (q query) time() (policy.Instant, bool) { return q.get("document", q.timeField()).AsDate() }

// inRange tests for a time that no release takes for one outside the range.
func inRange(q query) bool {
	i, ok := q.time()
	return ok && i >= 0 && i <= math.MaxInt32*1000
}

// outOfRange tests for a collection that is flagged, or would be.
func outOfRange(q query) bool {
	flag, _ := q.get("collection", "requiresExtendedRangeSupport").AsBool()
	_, ok := q.time()
	return flag || ok && !inRange(q)
}

// atTime decides as if the time of the measurement, if it has one before 1970, were
// another.
func atTime(when test, edit func(q query, i policy.Instant) policy.Instant) misreading {
	return only(decide, every(when, between(query.time, policy.MinInstant, -1)), asks(decide, func(q query) query {
		i, _ := q.time()
		return q.with(policy.DateValue(edit(q, i)), "document", q.timeField())
	})).ofBuckets()
}

// asBucket decides about the bucket that the measurement opens in place of it, if it has
// metadata that is a document or an array.
func asBucket(edit change) misreading {
	return asks(decide, func(q query) query {
		field, _ := q.get("collection", "timeseries", "metaField").AsString()
		i, ok := q.time()
		meta := q.get("document", field)
		if !ok || meta.Kind() != policy.Object && meta.Kind() != policy.List {
			return q
		}
		bound := func(i policy.Instant) policy.Value { return object(q.timeField(), policy.DateValue(i)) }
		first := floor(i, q.rounding())
		var id [12]byte
		binary.BigEndian.PutUint32(id[:], uint32(first/1000))
		return q.with(policy.ObjectValue(policy.D{
			{Key: "_id", Value: policy.ObjectIDValue(id)},
			{Key: "control", Value: policy.ObjectValue(policy.D{{Key: "min", Value: bound(first)}, {Key: "max", Value: bound(i)}})},
			{Key: "meta", Value: edit(meta)},
		}), "document")
	}).ofBuckets()
}

// turned turns an array round.
var turned = given(ofType(policy.List), func(v policy.Value) policy.Value {
	a := policy.AOf(v)
	slices.Reverse(a)
	return policy.ListValue(a)
})

// rounding and span return those of the collection, in milliseconds.
func (q query) rounding() policy.Instant { return q.bucket(60_000, 3_600_000, 86_400_000) }
func (q query) span() policy.Instant     { return q.bucket(3_600_000, 86_400_000, 30*86_400_000) }

func (q query) bucket(seconds, minutes, hours policy.Instant) policy.Instant {
	switch own := q.get("collection", "timeseries", "bucketMaxSpanSeconds"); {
	case !own.IsMissing():
		return policy.Instant(number(own)) * 1000
	case isText("minutes")(q.get("collection", "timeseries", "granularity")):
		return minutes
	case isText("hours")(q.get("collection", "timeseries", "granularity")):
		return hours
	}
	return seconds
}

// rounded returns by how much the time is rounded down.
func (q query) rounded() policy.Instant {
	i, _ := q.time()
	return i - floor(i, q.rounding())
}

func isRounded(q query) bool { return q.rounded() != 0 }

// expires tests for a document that the reference finds a deadline for.
func expires(q query) bool { _, ok := q.due(); return ok }

func minute(query) policy.Instant { return 60_000 }

// roundsTo rounds times to another unit.
func roundsTo(when test, unit func(query) policy.Instant) misreading {
	return moves(decide, every(inRange, when), func(q query, due policy.Instant) policy.Instant {
		i, _ := q.time()
		return due + q.rounded() - (i - floor(i, unit(q)))
	}).ofBuckets()
}

// byBucket decides by the bucket, wherever its time lies.
func byBucket(q query) conformance.Answer {
	i, ok := q.time()
	if !ok || !has("collection", option)(q) {
		return q.ask()
	}
	return q.expire(floor(i, q.rounding()) + q.span() + q.ownDelay())
}

// times stores a time in place of one that is not one.
func times(date func(policy.Value) (policy.Instant, bool)) misreading {
	return asks(decide, func(q query) query { return q.change(dateBy(date), "document", q.timeField()) }).ofBuckets()
}

// ownFromIndex decides by the option of such an index as the collection's own, if that
// has none.
func ownFromIndex(such shape) misreading {
	return only(decide, not(has("collection", option)), asks(decide, func(q query) query {
		if i := slices.IndexFunc(q.ttlIndexes(), such); i >= 0 {
			return q.with(q.ttlIndexes()[i].Field(option), "collection", option)
		}
		return q
	}))
}

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
	"clustered-before-1970-expires": only(decide, every(ownAlone, between(query.id, policy.MinInstant, -1)), func(q query) conformance.Answer {
		i, _ := q.id()
		return q.expire(i + q.ownDelay())
	}).in("clusteredIndex"),
	"clustered-before-1970-never":     keeps(decide, every(ownAlone, between(query.id, policy.MinInstant, -1))).in("clusteredIndex"),
	"clustered-1970-excluded":         keeps(decide, between(query.id, 0, 0)).in("clusteredIndex"),
	"clustered-indexes-begin-in-1970": keeps(decide, between(query.date, policy.MinInstant, -1)).in("clusteredIndex"),
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
	return changes(decide, always, dateBy(date), "document", "_id").in("clusteredIndex")
}

// first returns the first date in a value.
func (w walker) first(v policy.Value) (policy.Instant, bool) {
	if dates := datesOf(w.end(v)); v.Kind() == policy.Object && len(dates) > 0 {
		return dates[0].AsDate()
	}
	return 0, false
}

// namespaces holds misreadings of where nothing is deleted.
var namespaces = map[string]misreading{
	"namespace-ignored":                    forgets(decide, always, "collection", "ns"),
	"namespace-resharding-alone":           asNamed(func(_, name string) bool { return !strings.Contains(name, "resharding") }, "logs"),
	"namespace-without-resharding":         asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.resharding.") }, "logs"),
	"namespace-resharding-without-buckets": only(decide, since("8.0.0"), asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.buckets.resharding.") }, "system.buckets.weather")),
	"namespace-without-drops":              asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.drop.") }, "logs"),
	"namespace-without-profile":            asNamed(func(_, name string) bool { return name == "system.profile" }, "logs"),
	"namespace-by-beginning":               asNamed(func(_, name string) bool { return !strings.HasPrefix(name, "system.") }, "logs"),
	"namespace-without-dot": keepsNames(func(_, name string) bool {
		return strings.HasPrefix(name, "system") && !strings.HasPrefix(name, "system.")
	}),
	"namespace-by-end":              keepsNames(func(_, name string) bool { return strings.HasSuffix(name, ".system") }),
	"namespace-without-exceptions":  keepsNames(func(_, name string) bool { return strings.Contains("."+name, ".system.") }),
	"namespace-tmp":                 keepsNames(func(_, name string) bool { return strings.HasPrefix(name, "tmp") }),
	"namespace-admin":               keepsNames(func(database, _ string) bool { return database == "admin" }),
	"namespace-config":              keepsNames(func(database, _ string) bool { return database == "config" }),
	"namespace-local":               keepsNames(func(database, _ string) bool { return database == "local" }),
	"namespace-system-database":     asNamed(func(database, _ string) bool { return database == "system" }, "logs"),
	"namespace-any-database":        only(decide, not(until("3.6.0")), asNamed(func(_, name string) bool { return name == "system.keys" }, "logs")),
	"namespace-exceptions-of-today": atRelease(decide, mongo.Latest.String(), every(isNamed, since("3.2.0"))),
	"namespace-exceptions-of-4.2":   atRelease(decide, "4.2.25", every(isNamed, since("3.2.0"), not(has("collection", option)))),
	"namespace-oplog":               keepsNames(func(_, name string) bool { return strings.HasPrefix(name, "oplog.") }),
	"namespace-with-dollar":         only(decide, until("4.4.0"), asNamed(func(_, name string) bool { return strings.Contains(name, "$") }, "logs")),
	"namespace-dollar-in-database":  only(decide, until("3.2.0"), asNamed(func(database, _ string) bool { return strings.Contains(database, "$") }, "logs")),
	"namespace-users-to-the-letter": only(decide, until("3.2.0"), keepsNames(func(_, name string) bool {
		return strings.Contains("."+name, ".system.users") && name != "system.users"
	})),
	"namespace-inside-never":   only(decide, until("3.2.0"), keepsNames(func(_, name string) bool { return strings.Contains(name, ".system.") })),
	"namespace-admin-in-2.4":   keeps(decide, every(since("2.4.8"), until("2.6.0"), func(q query) bool { database, _, _ := q.namespace(); return database == "admin" })),
	"namespace-new-users-lost": only(decide, since("5.0.0"), keepsNames(func(_, name string) bool { return name == "system.new_users" })),
	"namespace-of-indexes":     only(decide, has("collection", option), forgets(decide, always, "collection", "ns")),
	"namespace-of-timeseries":  only(decide, has("collection", "timeseries"), keepsNames(func(_, _ string) bool { return true })),
}

// namespace returns the database and the name of the collection. It reports false if the
// question does not name them.
func (q query) namespace() (database, name string, ok bool) {
	ns, _ := q.get("collection", "ns").AsString()
	return strings.Cut(ns, ".")
}

func isNamed(q query) bool { _, _, ok := q.namespace(); return ok }

// asNamed takes collections whose namespace has a shape for one of another name.
func asNamed(such func(database, name string) bool, to string) misreading {
	return asks(decide, func(q query) query {
		if database, name, ok := q.namespace(); ok && such(database, name) {
			return q.with(policy.StringValue("shop."+to), "collection", "ns")
		}
		return q
	})
}

// keepsNames keeps documents of collections whose namespace has a shape.
func keepsNames(such func(database, name string) bool) misreading {
	return keeps(decide, func(q query) bool {
		database, name, ok := q.namespace()
		return ok && such(database, name)
	})
}

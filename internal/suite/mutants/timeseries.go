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
var timeseries = of("timeseries", []Mutant{
	{Name: "timeseries-by-measurement", Rule: "mongo.timeseries-bucket", Text: "A measurement expires by its own time, not with its bucket.",
		Wild:    "the MongoDB manual's first sentence about it",
		misread: moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() + q.rounded() }).ofBuckets()},
	{Name: "timeseries-span-ignored", Rule: "mongo.timeseries-bucket", Text: "A bucket expires by its minimum, without its span.",
		misread: moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() }).ofBuckets()},
	{Name: "timeseries-exclusive", Rule: "mongo.timeseries-bucket", Text: "A bucket on its deadline has not expired yet.",
		misread: shifts(decide, always, 1).ofBuckets()},
	{Name: "timeseries-in-milliseconds", Rule: "mongo.timeseries-bucket", Text: "A time-series collection's own option is milliseconds.",
		misread: moves(decide, ownAlone, ownInMilliseconds).ofBuckets()},
	{Name: "timeseries-zero-is-off", Rule: "mongo.timeseries-bucket", Text: "A time-series collection's option of 0 switches expiry off.",
		misread: keeps(decide, every(ownAlone, where(equals(0), "collection", option))).ofBuckets()},
	{Name: "timeseries-not-rounded", Rule: "mongo.timeseries-rounding", Text: "A bucket's minimum is its first time as it is.",
		misread: moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due + q.rounded() }).ofBuckets()},
	{Name: "timeseries-rounded-up", Rule: "mongo.timeseries-rounding", Text: "A bucket's minimum is its first time rounded up.",
		misread: moves(decide, every(inRange, isRounded), func(q query, due policy.Instant) policy.Instant { return due + q.rounding() }).ofBuckets()},
	{Name: "timeseries-rounded-to-span", Rule: "mongo.timeseries-rounding", Text: "A bucket's minimum is rounded down to its span.",
		misread: roundsTo(always, query.span)},
	{Name: "timeseries-always-seconds", Rule: "mongo.timeseries-rounding", Text: "Every granularity has buckets of an hour.",
		misread: forgets(decide, always, "collection", "timeseries", "granularity").ofBuckets()},
	{Name: "timeseries-hours-of-a-day", Rule: "mongo.timeseries-rounding", Text: "The span of the granularity hours is a day.",
		misread: shifts(decide, every(inRange, where(isText("hours"), "collection", "timeseries", "granularity")), -29*86_400_000).ofBuckets()},
	{Name: "timeseries-own-span-ignored", Rule: "mongo.timeseries-rounding", Text: "A span of one's own is that of the granularity seconds.",
		misread: asks(decide, func(q query) query {
			return q.with(missing, "collection", "timeseries", "bucketMaxSpanSeconds").with(missing, "collection", "timeseries", "bucketRoundingSeconds")
		}).ofBuckets()},
	{Name: "timeseries-own-span-by-minutes", Rule: "mongo.timeseries-rounding", Text: "With a span of one's own a bucket's minimum is rounded down to a minute.",
		misread: roundsTo(has("collection", "timeseries", "bucketMaxSpanSeconds"), minute)},
	{Name: "timeseries-option-change-of-span", Rule: "mongo.timeseries-option-change", Text: "A change of granularity changes the span, but buckets stay rounded as they were made, by seconds.",
		misread: roundsTo(has("collection", "timeseries", "granularity"), minute)},
	{Name: "timeseries-no-time-is-1970", Rule: "mongo.timeseries-no-time", Text: "A measurement without a time is one of 1970.",
		misread: times(fixedTime(0, policy.Value.IsMissing))},
	{Name: "timeseries-number-is-a-time", Rule: "mongo.timeseries-no-time", Text: "A time may be a number of milliseconds.",
		misread: times(integerTime(1))},
	{Name: "timeseries-text-is-a-time", Rule: "mongo.timeseries-no-time", Text: "A time may be an ISO 8601 text.",
		misread: times(textTime)},
	{Name: "timeseries-never-extended", Rule: "mongo.timeseries-extended-range", Text: "Dates outside 1970 to 2038 are like any other.",
		misread: only(decide, until("8.0.12"), byBucket).ofBuckets()},
	{Name: "timeseries-extended-per-document", Rule: "mongo.timeseries-extended-range", Text: "A date outside 1970 to 2038 stops the expiry of its own bucket alone.",
		misread: forgets(decide, always, "collection", "requiresExtendedRangeSupport").ofBuckets()},
	{Name: "timeseries-extended-from-2106", Rule: "mongo.timeseries-extended-range", Text: "The identifiers of buckets reach to 2106.",
		misread: only(decide, every(until("8.0.12"), between(query.time, 1, 4_294_967_295_999)), byBucket).ofBuckets()},
	{Name: "timeseries-extended-from-2038-01-01", Rule: "mongo.timeseries-extended-range", Text: "Dates of 2038 are outside the range.",
		misread: keeps(decide, every(until("8.0.12"), between(query.time, 2_145_916_800_000, policy.MaxInstant))).ofBuckets()},
	{Name: "timeseries-extended-without-1970", Rule: "mongo.timeseries-extended-range", Text: "The first instant of 1970 is outside the range.",
		misread: keeps(decide, every(until("8.0.12"), between(query.time, policy.MinInstant, 59_999))).ofBuckets()},
	{Name: "timeseries-extended-never-expires", Rule: "mongo.timeseries-extended-date", Text: "A collection with such dates is skipped in every release.",
		Wild:    "the MongoDB manual",
		misread: atRelease(decide, "8.0.11", since("8.0.12")).ofBuckets()},
	{Name: "timeseries-extended-repaired-in-8.0", Rule: "mongo.timeseries-extended-range", Text: "Such collections expire since 8.0.",
		Wild:    "blogs about SERVER-97368, as of 8.0.5",
		misread: atRelease(decide, "8.1.0", every(since("8.0.0"), until("8.0.12"))).ofBuckets()},
	{Name: "timeseries-extended-repaired-in-8.1", Rule: "mongo.timeseries-extended-date", Text: "Such collections expire since 8.1, and in no 8.0.",
		misread: atRelease(decide, "8.0.11", every(since("8.0.12"), until("8.1.0"))).ofBuckets()},
	{Name: "timeseries-extended-always-skipped", Rule: "mongo.timeseries-extended-range", Text: "Such collections are skipped by every release up to 8.0.11.",
		misread: atRelease(decide, "8.0.11", every(until("7.2.0"), outOfRange)).ofBuckets()},
	{Name: "timeseries-extended-skipped-by-main-releases", Rule: "mongo.timeseries-extended-range", Text: "Such collections are skipped from 5.0.0, 6.0.0 and 7.0.0 on.",
		misread: atRelease(decide, "8.0.11", every(outOfRange, func(q query) bool {
			return q.before("5.1.0") || !q.before("6.0.0") && q.before("6.1.0") || !q.before("7.0.0") && q.before("7.1.0")
		})).ofBuckets()},
	{Name: "timeseries-extended-with-all-digits", Rule: "mongo.timeseries-bucket", Text: "The identifier of a bucket holds its whole time.",
		misread: only(decide, every(until("5.0.24"), outOfRange), byBucket).ofBuckets()},
	{Name: "timeseries-before-2017-expires", Rule: "mongo.timeseries-before-2017", Text: "A bucket before 2017-11-28 expires like any other.",
		misread: only(decide, every(since("5.3.0"), until("8.0.0"), inRange, ownAlone), byBucket).ofBuckets()},
	{Name: "timeseries-before-2017-for-good", Rule: "mongo.timeseries-before-2017", Text: "No later release visits a bucket before 2017-11-28 either.",
		misread: atRelease(decide, "7.0.4", every(since("8.0.0"), inRange, ownAlone)).ofBuckets()},
	{Name: "timeseries-before-2017-in-5.0", Rule: "mongo.timeseries-before-2017", Text: "5.0 does not visit a bucket before 2017-11-28 either.",
		misread: atRelease(decide, "7.0.4", every(until("5.1.0"), inRange, ownAlone)).ofBuckets()},
	{Name: "timeseries-before-2017-not-in-6.0", Rule: "mongo.timeseries-before-2017", Text: "Only 7.0 left out buckets before 2017-11-28.",
		misread: atRelease(decide, "5.0.0", every(since("5.3.0"), until("7.0.0"), inRange, ownAlone)).ofBuckets()},
	{Name: "timeseries-before-2017-exclusive", Rule: "mongo.timeseries-before-2017", Text: "The scan begins after 2017-11-28T00:21:29Z.",
		misread: keeps(decide, every(since("5.3.0"), until("7.0.5"), ownAlone, between(query.time, policy.MinInstant, 1_511_828_489_999))).ofBuckets()},
	{Name: "timeseries-before-2017-by-day", Rule: "mongo.timeseries-before-2017", Text: "The scan begins on 2017-11-28T00:00:00Z.",
		misread: only(decide, every(since("5.3.0"), until("7.0.5"), ownAlone, between(query.time, 1_511_827_200_000, policy.MaxInstant)), byBucket).ofBuckets()},
	{Name: "timeseries-before-2017-by-index", Rule: "mongo.timeseries-before-2017", Text: "A TTL index leaves out buckets before 2017-11-28 too.",
		misread: keeps(decide, every(until("7.0.5"), not(ownAlone), between(query.time, 0, 1_511_828_488_999))).ofBuckets()},
	{Name: "timeseries-rounded-down-always", Rule: "mongo.timeseries-rounding", Text: "A time before 1970 is rounded towards the past in every release.",
		misread: atTime(until("8.0.4"), func(q query, i policy.Instant) policy.Instant { return floor(i, q.rounding()) })},
	{Name: "timeseries-rounded-towards-1970", Rule: "mongo.timeseries-rounding", Text: "A time before 1970 is rounded towards 1970 in every release.",
		misread: atTime(since("8.0.4"), func(q query, i policy.Instant) policy.Instant { return i - i%q.rounding() })},
	{Name: "timeseries-bucket-is-a-measurement", Rule: "mongo.timeseries-bucket", Text: "A document whose time field is a date is a measurement, a bucket with a date for metadata too.",
		misread: forgets(decide, between(query.time, policy.MinInstant, policy.MaxInstant), "document", "control").ofBuckets()},
	{Name: "timeseries-metadata-as-written", Rule: "mongo.timeseries-metadata-sorted", Text: "A filter compares with metadata as it was written.",
		misread: asBucket(func(meta policy.Value) policy.Value { return meta })},
	{Name: "timeseries-metadata-sorted-on-top", Rule: "mongo.timeseries-metadata-sorted", Text: "Only the fields of the metadata itself are sorted.",
		misread: asBucket(sorted)},
	{Name: "timeseries-metadata-arrays-sorted", Rule: "mongo.timeseries-metadata-sorted", Text: "The elements of arrays are sorted too.",
		misread: asBucket(func(meta policy.Value) policy.Value { return deep(turned)(deep(sorted)(meta)) })},
	{Name: "timeseries-filter-sorted", Rule: "mongo.timeseries-metadata-sorted", Text: "The documents in a filter are sorted as metadata is.",
		misread: refilters(deep(sorted)).ofBuckets()},
	{Name: "timeseries-control-is-a-bucket", Rule: "mongo.timeseries-bucket", Text: "A document with a field control is a bucket.",
		misread: keeps(decide, every(has("document", "control"), not(has("document", "control", "max")))).ofBuckets()},
	{Name: "timeseries-extended-with-span", Rule: "mongo.timeseries-extended-date", Text: "A bucket outside the range expires with its span too.",
		misread: only(decide, since("8.0.12"), byBucket).ofBuckets()},
	{Name: "timeseries-extended-all-by-time", Rule: "mongo.timeseries-extended-date", Text: "In a collection with such dates every bucket expires by its last measurement.",
		misread: only(decide, every(since("8.0.12"), inRange, expires, has("collection", "requiresExtendedRangeSupport")), func(q query) conformance.Answer {
			i, _ := q.time()
			return q.expire(i + q.ownDelay())
		}).ofBuckets()},
	{Name: "timeseries-index-always", Rule: "mongo.timeseries-index-refused", Text: "A TTL index of a time-series collection works in every release.",
		misread: only(decide, until("6.3.0"), ownFromIndex(anyIndex)).ofBuckets()},
	{Name: "timeseries-index-never", Rule: "mongo.timeseries-index-shape", Text: "A TTL index of a time-series collection deletes nothing.",
		misread: puts(decide, always, noElements, "indexes").ofBuckets()},
	{Name: "timeseries-index-without-filter", Rule: "mongo.timeseries-index-shape", Text: "A TTL index of a time-series collection needs no filter.",
		misread: ownFromIndex(not(named(partial))).ofBuckets()},
	{Name: "timeseries-index-of-any-filter", Rule: "mongo.timeseries-index-shape", Text: "The filter of a TTL index may be on any field of a measurement.",
		misread: ownFromIndex(every(named(partial), not(named(partial, "m.k")))).ofBuckets()},
	{Name: "timeseries-index-of-any-field", Rule: "mongo.timeseries-index-shape", Text: "A TTL index of a time-series collection may be on any field.",
		misread: ownFromIndex(func(x policy.Value) bool { return pathOf(x) != "t" }).ofBuckets()},
})

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
var clustered = of("clustered", []Mutant{
	{Name: "clustered-ignored", Rule: "mongo.clustered", Text: "A clustered collection expires by TTL indexes alone.",
		misread: forgets(decide, always, "collection", option).in("clusteredIndex")},
	{Name: "clustered-exclusive", Rule: "mongo.clustered", Text: "An _id on its deadline has not expired yet.",
		misread: shifts(decide, ownAlone, 1).in("clusteredIndex")},
	{Name: "clustered-in-milliseconds", Rule: "mongo.clustered", Text: "A clustered collection's own option is milliseconds.",
		misread: moves(decide, ownAlone, ownInMilliseconds).in("clusteredIndex")},
	{Name: "clustered-zero-is-off", Rule: "mongo.clustered", Text: "A clustered collection's option of 0 switches expiry off.",
		misread: forgets(decide, where(equals(0), "collection", option), "collection", option).in("clusteredIndex")},
	{Name: "clustered-of-32-bits", Rule: "mongo.clustered", Text: "A clustered collection's own option is clamped to 2147483647.",
		misread: changes(decide, always, func(v policy.Value) policy.Value { return policy.Int64Value(min(math.MaxInt32, int64(number(v)))) }, "collection", option).in("clusteredIndex")},
	{Name: "clustered-objectid-is-a-date", Rule: "mongo.clustered-not-date", Text: "An ObjectId as _id is the date of its time.",
		misread: idsAre(objectIDTime)},
	{Name: "clustered-int64-is-a-date", Rule: "mongo.clustered-not-date", Text: "An int64 as _id is milliseconds since 1970.",
		misread: idsAre(integerTime(1))},
	{Name: "clustered-timestamp-is-a-date", Rule: "mongo.clustered-not-date", Text: "A replication timestamp as _id is a date.",
		misread: idsAre(timestampTime)},
	{Name: "clustered-document-holds-dates", Rule: "mongo.clustered-not-date", Text: "The first date in a subdocument as _id counts.",
		misread: idsAre(walker{lookInside: true}.first)},
	{Name: "clustered-types-sort-together", Rule: "mongo.clustered-not-date", Text: "Whatever sorts before the cutoff in the order of all types has expired.",
		misread: idsAre(fixedTime(0, sortsBeforeDates))},
	{Name: "clustered-any-date", Rule: "mongo.clustered-not-date", Text: "Where _id is no date another field that is one counts.",
		misread: asks(decide, func(q query) query {
			for _, e := range policy.DOf(q.get("document")) {
				if e.Value.Kind() == policy.Date && q.get("document", "_id").Kind() != policy.Date {
					return q.with(e.Value, "document", "_id")
				}
			}
			return q
		}).in("clusteredIndex")},
	{Name: "clustered-before-1970-expires", Rule: "mongo.clustered-before-1970", Text: "An _id before 1970 expires like any other.",
		misread: only(decide, every(ownAlone, between(query.id, policy.MinInstant, -1)), func(q query) conformance.Answer {
			i, _ := q.id()
			return q.expire(i + q.ownDelay())
		}).in("clusteredIndex")},
	{Name: "clustered-before-1970-never", Rule: "mongo.clustered", Text: "An _id before 1970 never expires, in whatever release.",
		misread: keeps(decide, every(ownAlone, between(query.id, policy.MinInstant, -1))).in("clusteredIndex")},
	{Name: "clustered-1970-excluded", Rule: "mongo.clustered-before-1970", Text: "The scan begins after 1970-01-01T00:00:00.000Z.",
		misread: keeps(decide, between(query.id, 0, 0)).in("clusteredIndex")},
	{Name: "clustered-indexes-begin-in-1970", Rule: "mongo.clustered-before-1970", Text: "The TTL indexes of a clustered collection begin in 1970 too.",
		misread: keeps(decide, between(query.date, policy.MinInstant, -1)).in("clusteredIndex")},
})

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
var namespaces = of("namespaces", []Mutant{
	{Name: "namespace-ignored", Rule: "mongo.namespace-excluded", Text: "A TTL index deletes wherever it is.",
		Wild:    "every implementation that is asked about an index alone",
		misread: forgets(decide, always, "collection", "ns")},
	{Name: "namespace-resharding-alone", Rule: "mongo.namespace-excluded", Text: "Only temporary collections of resharding are left alone.",
		misread: asNamed(func(_, name string) bool { return !strings.Contains(name, "resharding") }, "logs")},
	{Name: "namespace-without-resharding", Rule: "mongo.namespace-excluded", Text: "A temporary collection of resharding is like any other.",
		misread: asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.resharding.") }, "logs")},
	{Name: "namespace-resharding-without-buckets", Rule: "mongo.namespace-excluded", Text: "The buckets of a time-series collection that is being resharded are like any other.",
		misread: only(decide, since("8.0.0"), asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.buckets.resharding.") }, "system.buckets.weather"))},
	{Name: "namespace-without-drops", Rule: "mongo.namespace-excluded", Text: "A collection that is being dropped is like any other.",
		misread: asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.drop.") }, "logs")},
	{Name: "namespace-without-profile", Rule: "mongo.namespace-excluded", Text: "system.profile is like any other.",
		misread: asNamed(func(_, name string) bool { return name == "system.profile" }, "logs")},
	{Name: "namespace-by-beginning", Rule: "mongo.namespace-excluded", Text: "A system collection is one whose name begins with system.",
		misread: asNamed(func(_, name string) bool { return !strings.HasPrefix(name, "system.") }, "logs")},
	{Name: "namespace-without-dot", Rule: "mongo.namespace-excluded", Text: "A system collection is one whose name begins with system, whatever follows.",
		misread: keepsNames(func(_, name string) bool {
			return strings.HasPrefix(name, "system") && !strings.HasPrefix(name, "system.")
		})},
	{Name: "namespace-by-end", Rule: "mongo.namespace-excluded", Text: "A name that ends with .system is one of the system.",
		misread: keepsNames(func(_, name string) bool { return strings.HasSuffix(name, ".system") })},
	{Name: "namespace-without-exceptions", Rule: "mongo.namespace-excluded", Text: "Nothing is deleted from any system collection.",
		misread: keepsNames(func(_, name string) bool { return strings.Contains("."+name, ".system.") })},
	{Name: "namespace-tmp", Rule: "mongo.namespace-excluded", Text: "Nothing is deleted from temporary collections.",
		misread: keepsNames(func(_, name string) bool { return strings.HasPrefix(name, "tmp") })},
	{Name: "namespace-admin", Rule: "mongo.namespace-excluded", Text: "Nothing is deleted in the database admin.",
		misread: keepsNames(func(database, _ string) bool { return database == "admin" })},
	{Name: "namespace-config", Rule: "mongo.namespace-excluded", Text: "Nothing is deleted in the database config.",
		misread: keepsNames(func(database, _ string) bool { return database == "config" })},
	{Name: "namespace-local", Rule: "mongo.namespace-excluded", Text: "Nothing is deleted in the database local.",
		misread: keepsNames(func(database, _ string) bool { return database == "local" })},
	{Name: "namespace-system-database", Rule: "mongo.namespace-excluded", Text: "A database called system is like any other.",
		misread: asNamed(func(database, _ string) bool { return database == "system" }, "logs")},
	{Name: "namespace-any-database", Rule: "mongo.namespace-excluded", Text: "What one database may hold any may.",
		misread: only(decide, not(until("3.6.0")), asNamed(func(_, name string) bool { return name == "system.keys" }, "logs"))},
	{Name: "namespace-exceptions-of-today", Rule: "mongo.namespace-excluded", Text: "The exceptions of today hold in every release.",
		misread: atRelease(decide, mongo.Latest.String(), every(isNamed, since("3.2.0")))},
	{Name: "namespace-exceptions-of-4.2", Rule: "mongo.namespace-excluded", Text: "The exceptions of 4.2 hold in every release.",
		misread: atRelease(decide, "4.2.25", every(isNamed, since("3.2.0"), not(has("collection", option))))},
	{Name: "namespace-oplog", Rule: "mongo.namespace-excluded", Text: "Nothing has ever been deleted from the oplog.",
		misread: keepsNames(func(_, name string) bool { return strings.HasPrefix(name, "oplog.") })},
	{Name: "namespace-with-dollar", Rule: "mongo.namespace-excluded", Text: "A name with a dollar sign is like any other.",
		misread: only(decide, until("4.4.0"), asNamed(func(_, name string) bool { return strings.Contains(name, "$") }, "logs"))},
	{Name: "namespace-dollar-in-database", Rule: "mongo.namespace-excluded", Text: "A dollar sign in the database's name does not matter.",
		misread: only(decide, until("3.2.0"), asNamed(func(database, _ string) bool { return strings.Contains(database, "$") }, "logs"))},
	{Name: "namespace-users-to-the-letter", Rule: "mongo.namespace-excluded", Text: "Up to 3.0 only system.users itself takes writes, not what begins like it.",
		misread: only(decide, until("3.2.0"), keepsNames(func(_, name string) bool {
			return strings.Contains("."+name, ".system.users") && name != "system.users"
		}))},
	{Name: "namespace-inside-never", Rule: "mongo.namespace-excluded", Text: "A name with .system. within has never been processed.",
		misread: only(decide, until("3.2.0"), keepsNames(func(_, name string) bool { return strings.Contains(name, ".system.") }))},
	{Name: "namespace-admin-in-2.4", Rule: "mongo.namespace-excluded", Text: "The system collections of admin take writes from 2.6 on.",
		misread: keeps(decide, every(since("2.4.8"), until("2.6.0"), func(q query) bool { database, _, _ := q.namespace(); return database == "admin" }))},
	{Name: "namespace-new-users-lost", Rule: "mongo.namespace-excluded", Text: "admin.system.new_users takes no writes since 5.0.",
		misread: only(decide, since("5.0.0"), keepsNames(func(_, name string) bool { return name == "system.new_users" }))},
	{Name: "namespace-of-indexes", Rule: "mongo.namespace-excluded", Text: "The namespace decides about TTL indexes alone, not about a collection's own option.",
		misread: only(decide, has("collection", option), forgets(decide, always, "collection", "ns"))},
	{Name: "namespace-of-timeseries", Rule: "mongo.namespace-excluded", Text: "A time-series collection stores its buckets in a system collection, from which nothing is deleted.",
		misread: only(decide, has("collection", "timeseries"), keepsNames(func(_, _ string) bool { return true }))},
})

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

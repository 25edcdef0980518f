package mutants

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// timeseries holds misreadings of time-series collections: buckets, their
// rounding and span, dates outside 1970 to 2038, and TTL indexes.
var timeseries = []entry{
	{"timeseries-by-measurement", "mongo.timeseries-bucket", "A measurement expires by its own time, not with its bucket.", "the MongoDB manual's first sentence about it",
		moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() + q.rounded() }).ofBuckets()},
	{"timeseries-span-ignored", "mongo.timeseries-bucket", "A bucket expires by its minimum, without its span.", "",
		moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() }).ofBuckets()},
	{"timeseries-exclusive", "mongo.timeseries-bucket", "A bucket on its deadline has not expired yet.", "",
		shifts(decide, always, 1).ofBuckets()},
	{"timeseries-in-milliseconds", "mongo.timeseries-bucket", "A time-series collection's own option is milliseconds.", "",
		moves(decide, ownAlone, func(q query, due policy.Instant) policy.Instant {
			return due - 999*policy.Instant(number(q.get("collection", option)))
		}).ofBuckets()},
	{"timeseries-zero-is-off", "mongo.timeseries-bucket", "A time-series collection's option of 0 switches expiry off.", "",
		keeps(decide, func(q query) bool {
			return has("collection", option)(q) && number(q.get("collection", option)) == 0 && ownAlone(q)
		}).ofBuckets()},
	{"timeseries-not-rounded", "mongo.timeseries-rounding", "A bucket's minimum is its first time as it is.", "",
		moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due + q.rounded() }).ofBuckets()},
	{"timeseries-rounded-up", "mongo.timeseries-rounding", "A bucket's minimum is its first time rounded up.", "",
		moves(decide, inRange, func(q query, due policy.Instant) policy.Instant {
			if q.rounded() == 0 {
				return due
			}
			return due + q.rounding()
		}).ofBuckets()},
	{"timeseries-rounded-to-span", "mongo.timeseries-rounding", "A bucket's minimum is rounded down to its span.", "",
		moves(decide, inRange, func(q query, due policy.Instant) policy.Instant {
			i, _ := q.time()
			return due + q.rounded() - (i - floor(i, q.span()))
		}).ofBuckets()},
	{"timeseries-always-seconds", "mongo.timeseries-rounding", "Every granularity has buckets of an hour.", "",
		asks(decide, func(q query) query { return q.with(policy.Value{}, "collection", "timeseries", "granularity") }).ofBuckets()},
	{"timeseries-hours-of-a-day", "mongo.timeseries-rounding", "The span of the granularity hours is a day.", "",
		moves(decide, test(inRange).and(func(q query) bool { return isText("hours")(q.get("collection", "timeseries", "granularity")) }),
			func(_ query, due policy.Instant) policy.Instant { return due - 29*86_400_000 }).ofBuckets()},
	{"timeseries-own-span-ignored", "mongo.timeseries-rounding", "A span of one's own is that of the granularity seconds.", "",
		asks(decide, func(q query) query {
			return q.with(policy.Value{}, "collection", "timeseries", "bucketMaxSpanSeconds").with(policy.Value{}, "collection", "timeseries", "bucketRoundingSeconds")
		}).ofBuckets()},
	{"timeseries-own-span-by-minutes", "mongo.timeseries-rounding", "With a span of one's own a bucket's minimum is rounded down to a minute.", "",
		moves(decide, test(inRange).and(has("collection", "timeseries", "bucketMaxSpanSeconds")), func(q query, due policy.Instant) policy.Instant {
			i, _ := q.time()
			return due + q.rounded() - (i - floor(i, 60_000))
		}).ofBuckets()},
	{"timeseries-option-change-of-span", "mongo.timeseries-option-change", "A change of granularity changes the span, but buckets stay rounded as they were made, by seconds.", "",
		moves(decide, test(inRange).and(has("collection", "timeseries", "granularity")), func(q query, due policy.Instant) policy.Instant {
			i, _ := q.time()
			return due + q.rounded() - (i - floor(i, 60_000))
		}).ofBuckets()},
	{"timeseries-no-time-is-1970", "mongo.timeseries-no-time", "A measurement without a time is one of 1970.", "",
		times(func(v policy.Value) (policy.Instant, bool) { return 0, v.IsMissing() })},
	{"timeseries-number-is-a-time", "mongo.timeseries-no-time", "A time may be a number of milliseconds.", "",
		times(func(v policy.Value) (policy.Instant, bool) { n, ok := v.AsInt64(); return policy.Instant(n), ok })},
	{"timeseries-text-is-a-time", "mongo.timeseries-no-time", "A time may be an ISO 8601 text.", "",
		times(textTime)},
	{"timeseries-never-extended", "mongo.timeseries-extended-range", "Dates outside 1970 to 2038 are like any other.", "",
		only(decide, until("8.0.12"), byBucket).ofBuckets()},
	{"timeseries-extended-per-document", "mongo.timeseries-extended-range", "A date outside 1970 to 2038 stops the expiry of its own bucket alone.", "",
		asks(decide, func(q query) query { return q.with(policy.Value{}, "collection", "requiresExtendedRangeSupport") }).ofBuckets()},
	{"timeseries-extended-from-2106", "mongo.timeseries-extended-range", "The identifiers of buckets reach to 2106.", "",
		only(decide, test(until("8.0.12")).and(func(q query) bool { i, ok := q.time(); return ok && i > 0 && i < 4_294_967_296_000 }), byBucket).ofBuckets()},
	{"timeseries-extended-from-2038-01-01", "mongo.timeseries-extended-range", "Dates of 2038 are outside the range.", "",
		keeps(decide, test(until("8.0.12")).and(func(q query) bool { i, ok := q.time(); return ok && i >= 2_145_916_800_000 })).ofBuckets()},
	{"timeseries-extended-without-1970", "mongo.timeseries-extended-range", "The first instant of 1970 is outside the range.", "",
		keeps(decide, test(until("8.0.12")).and(func(q query) bool { i, ok := q.time(); return ok && i < 60_000 })).ofBuckets()},
	{"timeseries-extended-never-expires", "mongo.timeseries-extended-date", "A collection with such dates is skipped in every release.", "the MongoDB manual",
		atRelease(decide, "8.0.11", since("8.0.12")).ofBuckets()},
	{"timeseries-extended-repaired-in-8.0", "mongo.timeseries-extended-range", "Such collections expire since 8.0.", "blogs about SERVER-97368, as of 8.0.5",
		atRelease(decide, "8.1.0", test(since("8.0.0")).and(until("8.0.12"))).ofBuckets()},
	{"timeseries-extended-repaired-in-8.1", "mongo.timeseries-extended-date", "Such collections expire since 8.1, and in no 8.0.", "",
		atRelease(decide, "8.0.11", test(since("8.0.12")).and(until("8.1.0"))).ofBuckets()},
	{"timeseries-extended-always-skipped", "mongo.timeseries-extended-range", "Such collections are skipped by every release up to 8.0.11.", "",
		atRelease(decide, "8.0.11", test(until("7.2.0")).and(outOfRange)).ofBuckets()},
	{"timeseries-extended-skipped-by-main-releases", "mongo.timeseries-extended-range", "Such collections are skipped from 5.0.0, 6.0.0 and 7.0.0 on.", "",
		atRelease(decide, "8.0.11", test(outOfRange).and(func(q query) bool {
			return q.before("5.1.0") || !q.before("6.0.0") && q.before("6.1.0") || !q.before("7.0.0") && q.before("7.1.0")
		})).ofBuckets()},
	{"timeseries-extended-with-all-digits", "mongo.timeseries-bucket", "The identifier of a bucket holds its whole time.", "",
		only(decide, test(until("5.0.24")).and(outOfRange), byBucket).ofBuckets()},
	{"timeseries-before-2017-expires", "mongo.timeseries-before-2017", "A bucket before 2017-11-28 expires like any other.", "",
		only(decide, test(since("5.3.0")).and(until("8.0.0")).and(inRange).and(ownAlone), byBucket).ofBuckets()},
	{"timeseries-before-2017-for-good", "mongo.timeseries-before-2017", "No later release visits a bucket before 2017-11-28 either.", "",
		atRelease(decide, "7.0.4", test(since("8.0.0")).and(inRange).and(ownAlone)).ofBuckets()},
	{"timeseries-before-2017-in-5.0", "mongo.timeseries-before-2017", "5.0 does not visit a bucket before 2017-11-28 either.", "",
		atRelease(decide, "7.0.4", test(until("5.1.0")).and(inRange).and(ownAlone)).ofBuckets()},
	{"timeseries-before-2017-not-in-6.0", "mongo.timeseries-before-2017", "Only 7.0 left out buckets before 2017-11-28.", "",
		atRelease(decide, "5.0.0", test(since("5.3.0")).and(until("7.0.0")).and(inRange).and(ownAlone)).ofBuckets()},
	{"timeseries-before-2017-exclusive", "mongo.timeseries-before-2017", "The scan begins after 2017-11-28T00:21:29Z.", "",
		keeps(decide, test(since("5.3.0")).and(until("7.0.5")).and(ownAlone).and(func(q query) bool {
			i, ok := q.time()
			return ok && i < 1_511_828_490_000
		})).ofBuckets()},
	{"timeseries-before-2017-by-day", "mongo.timeseries-before-2017", "The scan begins on 2017-11-28T00:00:00Z.", "",
		only(decide, test(since("5.3.0")).and(until("7.0.5")).and(ownAlone).and(func(q query) bool {
			i, ok := q.time()
			return ok && i >= 1_511_827_200_000
		}), byBucket).ofBuckets()},
	{"timeseries-before-2017-by-index", "mongo.timeseries-before-2017", "A TTL index leaves out buckets before 2017-11-28 too.", "",
		keeps(decide, test(until("7.0.5")).and(not(ownAlone)).and(func(q query) bool {
			i, ok := q.time()
			return ok && i >= 0 && i < 1_511_828_489_000
		})).ofBuckets()},
	{"timeseries-rounded-down-always", "mongo.timeseries-rounding", "A time before 1970 is rounded towards the past in every release.", "",
		only(decide, until("8.0.4"), asks(decide, func(q query) query {
			return q.atTime(func(i policy.Instant) policy.Instant { return floor(i, q.rounding()) })
		})).ofBuckets()},
	{"timeseries-rounded-towards-1970", "mongo.timeseries-rounding", "A time before 1970 is rounded towards 1970 in every release.", "",
		only(decide, since("8.0.4"), asks(decide, func(q query) query {
			return q.atTime(func(i policy.Instant) policy.Instant { return i - i%q.rounding() })
		})).ofBuckets()},
	{"timeseries-bucket-is-a-measurement", "mongo.timeseries-bucket", "A document whose time field is a date is a measurement, a bucket with a date for metadata too.", "",
		asks(decide, func(q query) query {
			if _, ok := q.time(); ok {
				return q.with(policy.Value{}, "document", "control")
			}
			return q
		}).ofBuckets()},
	{"timeseries-metadata-as-written", "mongo.timeseries-metadata-sorted", "A filter compares with metadata as it was written.", "",
		asks(decide, func(q query) query { return q.asBucket(func(meta policy.Value) policy.Value { return meta }) }).ofBuckets()},
	{"timeseries-metadata-sorted-on-top", "mongo.timeseries-metadata-sorted", "Only the fields of the metadata itself are sorted.", "",
		asks(decide, func(q query) query { return q.asBucket(sorted) }).ofBuckets()},
	{"timeseries-metadata-arrays-sorted", "mongo.timeseries-metadata-sorted", "The elements of arrays are sorted too.", "",
		asks(decide, func(q query) query {
			return q.asBucket(func(meta policy.Value) policy.Value { return turned(sortedDeep(meta)) })
		}).ofBuckets()},
	{"timeseries-filter-sorted", "mongo.timeseries-metadata-sorted", "The documents in a filter are sorted as metadata is.", "",
		asks(decide, func(q query) query {
			return q.each("indexes", func(x policy.Value) policy.Value { return put(x, sortedDeep(x.Field(partial)), partial) })
		}).ofBuckets()},
	{"timeseries-control-is-a-bucket", "mongo.timeseries-bucket", "A document with a field control is a bucket.", "",
		keeps(decide, test(has("document", "control")).and(not(has("document", "control", "max")))).ofBuckets()},
	{"timeseries-extended-with-span", "mongo.timeseries-extended-date", "A bucket outside the range expires with its span too.", "",
		only(decide, since("8.0.12"), byBucket).ofBuckets()},
	{"timeseries-extended-all-by-time", "mongo.timeseries-extended-date", "In a collection with such dates every bucket expires by its last measurement.", "",
		moves(decide, test(since("8.0.12")).and(inRange).and(has("collection", "requiresExtendedRangeSupport")),
			func(q query, _ policy.Instant) policy.Instant {
				i, _ := q.time()
				return i + 1000*policy.Instant(number(q.get("collection", option)))
			}).ofBuckets()},
	{"timeseries-index-always", "mongo.timeseries-index-refused", "A TTL index of a time-series collection works in every release.", "",
		asks(decide, func(q query) query { return q.ownFromIndex(anyIndex) }).until("6.3.0")},
	{"timeseries-index-never", "mongo.timeseries-index-shape", "A TTL index of a time-series collection deletes nothing.", "",
		asks(decide, func(q query) query { return q.with(policy.ListValue(policy.A{}), "indexes") }).ofBuckets()},
	{"timeseries-index-without-filter", "mongo.timeseries-index-shape", "A TTL index of a time-series collection needs no filter.", "",
		asks(decide, func(q query) query { return q.ownFromIndex(func(x policy.Value) bool { return !named(partial)(x) }) }).ofBuckets()},
	{"timeseries-index-of-any-filter", "mongo.timeseries-index-shape", "The filter of a TTL index may be on any field of a measurement.", "",
		asks(decide, func(q query) query {
			return q.ownFromIndex(func(x policy.Value) bool { return named(partial)(x) && !named(partial, "m.k")(x) })
		}).ofBuckets()},
	{"timeseries-index-of-any-field", "mongo.timeseries-index-shape", "A TTL index of a time-series collection may be on any field.", "",
		asks(decide, func(q query) query {
			return q.ownFromIndex(func(x policy.Value) bool { path, _, _ := keyOf(x); return path != "t" })
		}).ofBuckets()},
}

// ofBuckets lets a misreading bear on time-series collections.
func (m misreading) ofBuckets() misreading { return only(decide, has("collection", "timeseries"), m) }

func (m misreading) until(release string) misreading {
	return only(decide, test(has("collection", "timeseries")).and(until(release)), m)
}

// time returns the time of the measurement.
func (q query) time() (policy.Instant, bool) {
	field, _ := q.get("collection", "timeseries", "timeField").AsString()
	return q.get("document", field).AsDate()
}

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

// atTime returns q with another time of the measurement, if it has one before
// 1970.
func (q query) atTime(edit func(policy.Instant) policy.Instant) query {
	if i, ok := q.time(); ok && i < 0 {
		field, _ := q.get("collection", "timeseries", "timeField").AsString()
		return q.with(policy.DateValue(edit(i)), "document", field)
	}
	return q
}

// asBucket returns q with the bucket that the measurement opens in place of it,
// if it has metadata that is a document or an array.
func (q query) asBucket(edit func(meta policy.Value) policy.Value) query {
	field, _ := q.get("collection", "timeseries", "metaField").AsString()
	i, ok := q.time()
	meta := q.get("document", field)
	if !ok || meta.Kind() != policy.Object && meta.Kind() != policy.List {
		return q
	}
	timeField, _ := q.get("collection", "timeseries", "timeField").AsString()
	bound := func(i policy.Instant) policy.Value {
		return policy.ObjectValue(policy.D{{Key: timeField, Value: policy.DateValue(i)}})
	}
	first := floor(i, q.rounding())
	var id [12]byte
	binary.BigEndian.PutUint32(id[:], uint32(first/1000))
	return q.with(policy.ObjectValue(policy.D{
		{Key: "_id", Value: policy.ObjectIDValue(id)},
		{Key: "control", Value: policy.ObjectValue(policy.D{{Key: "min", Value: bound(first)}, {Key: "max", Value: bound(i)}})},
		{Key: "meta", Value: edit(meta)},
	}), "document")
}

// sortedDeep sorts the fields of every document in a value.
func sortedDeep(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.DOf(v)
		for i := range d {
			d[i].Value = sortedDeep(d[i].Value)
		}
		return sorted(policy.ObjectValue(d))
	case policy.List:
		a := policy.AOf(v)
		for i := range a {
			a[i] = sortedDeep(a[i])
		}
		return policy.ListValue(a)
	}
	return v
}

// turned returns v with the arrays in it turned round.
func turned(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.DOf(v)
		for i := range d {
			d[i].Value = turned(d[i].Value)
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.AOf(v)
		slices.Reverse(a)
		return policy.ListValue(a)
	}
	return v
}

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

// byBucket decides by the bucket, wherever its time lies.
func byBucket(q query) conformance.Answer {
	i, ok := q.time()
	if !ok || !has("collection", option)(q) {
		return q.ask()
	}
	return q.expire(floor(i, q.rounding()) + q.span() + 1000*policy.Instant(number(q.get("collection", option))))
}

// times stores a time in place of one that is none.
func times(date func(policy.Value) (policy.Instant, bool)) misreading {
	return asks(decide, func(q query) query {
		field, _ := q.get("collection", "timeseries", "timeField").AsString()
		if i, ok := date(q.get("document", field)); ok {
			return q.with(policy.DateValue(i), "document", field)
		}
		return q
	}).ofBuckets()
}

// ownFromIndex returns q with the option of such an index as the collection's
// own, if that has none.
func (q query) ownFromIndex(such shape) query {
	for _, x := range q.ttlIndexes() {
		if such(x) && !has("collection", option)(q) {
			return q.with(x.Field(option), "collection", option)
		}
	}
	return q
}

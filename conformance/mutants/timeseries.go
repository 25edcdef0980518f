package mutants

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
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
		return q.with(policy.Value{}, "collection", "timeseries", "bucketMaxSpanSeconds").with(policy.Value{}, "collection", "timeseries", "bucketRoundingSeconds")
	}).ofBuckets(),
	"timeseries-own-span-by-minutes":      roundsTo(has("collection", "timeseries", "bucketMaxSpanSeconds"), minute),
	"timeseries-option-change-of-span":    roundsTo(has("collection", "timeseries", "granularity"), minute),
	"timeseries-no-time-is-1970":          times(fixedTime(0, policy.Value.IsMissing)),
	"timeseries-number-is-a-time":         times(integerTime(1)),
	"timeseries-text-is-a-time":           times(textTime),
	"timeseries-never-extended":           only(decide, until("8.0.12"), byBucket).ofBuckets(),
	"timeseries-extended-per-document":    forgets(decide, always, "collection", "requiresExtendedRangeSupport").ofBuckets(),
	"timeseries-extended-from-2106":       only(decide, every(until("8.0.12"), within(query.time, 1, 4_294_967_295_999)), byBucket).ofBuckets(),
	"timeseries-extended-from-2038-01-01": keeps(decide, every(until("8.0.12"), within(query.time, 2_145_916_800_000, policy.MaxInstant))).ofBuckets(),
	"timeseries-extended-without-1970":    keeps(decide, every(until("8.0.12"), within(query.time, policy.MinInstant, 59_999))).ofBuckets(),
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
	"timeseries-before-2017-exclusive":    keeps(decide, every(since("5.3.0"), until("7.0.5"), ownAlone, within(query.time, policy.MinInstant, 1_511_828_489_999))).ofBuckets(),
	"timeseries-before-2017-by-day":       only(decide, every(since("5.3.0"), until("7.0.5"), ownAlone, within(query.time, 1_511_827_200_000, policy.MaxInstant)), byBucket).ofBuckets(),
	"timeseries-before-2017-by-index":     keeps(decide, every(until("7.0.5"), not(ownAlone), within(query.time, 0, 1_511_828_488_999))).ofBuckets(),
	"timeseries-rounded-down-always": only(decide, until("8.0.4"), asks(decide, func(q query) query {
		return q.atTime(func(i policy.Instant) policy.Instant { return floor(i, q.rounding()) })
	})).ofBuckets(),
	"timeseries-rounded-towards-1970": only(decide, since("8.0.4"), asks(decide, func(q query) query {
		return q.atTime(func(i policy.Instant) policy.Instant { return i - i%q.rounding() })
	})).ofBuckets(),
	"timeseries-bucket-is-a-measurement": forgets(decide, within(query.time, policy.MinInstant, policy.MaxInstant), "document", "control").ofBuckets(),
	"timeseries-metadata-as-written":     asks(decide, func(q query) query { return q.asBucket(func(meta policy.Value) policy.Value { return meta }) }).ofBuckets(),
	"timeseries-metadata-sorted-on-top":  asks(decide, func(q query) query { return q.asBucket(sorted) }).ofBuckets(),
	"timeseries-metadata-arrays-sorted": asks(decide, func(q query) query {
		return q.asBucket(func(meta policy.Value) policy.Value { return deep(deep(meta, sorted), turned) })
	}).ofBuckets(),
	"timeseries-filter-sorted": asks(decide, func(q query) query {
		return q.each("indexes", func(x policy.Value) policy.Value { return cases.Put(x, deep(x.Field(partial), sorted), partial) })
	}).ofBuckets(),
	"timeseries-control-is-a-bucket": keeps(decide, every(has("document", "control"), not(has("document", "control", "max")))).ofBuckets(),
	"timeseries-extended-with-span":  only(decide, since("8.0.12"), byBucket).ofBuckets(),
	"timeseries-extended-all-by-time": only(decide, every(since("8.0.12"), inRange, expires, has("collection", "requiresExtendedRangeSupport")), func(q query) conformance.Answer {
		i, _ := q.time()
		return q.expire(i + q.ownDelay())
	}).ofBuckets(),
	"timeseries-index-always":         asks(decide, func(q query) query { return q.ownFromIndex(anyIndex) }).until("6.3.0"),
	"timeseries-index-never":          asks(decide, func(q query) query { return q.with(policy.ListValue(policy.A{}), "indexes") }).ofBuckets(),
	"timeseries-index-without-filter": asks(decide, func(q query) query { return q.ownFromIndex(func(x policy.Value) bool { return !named(partial)(x) }) }).ofBuckets(),
	"timeseries-index-of-any-filter": asks(decide, func(q query) query {
		return q.ownFromIndex(func(x policy.Value) bool { return named(partial)(x) && !named(partial, "m.k")(x) })
	}).ofBuckets(),
	"timeseries-index-of-any-field": asks(decide, func(q query) query {
		return q.ownFromIndex(func(x policy.Value) bool { path, _, _ := keyOf(x); return path != "t" })
	}).ofBuckets(),
}

// ofBuckets lets a misreading bear on time-series collections.
func (m misreading) ofBuckets() misreading { return only(decide, has("collection", "timeseries"), m) }

func (m misreading) until(release string) misreading {
	return only(decide, every(has("collection", "timeseries"), until(release)), m)
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

// turned returns an array turned round.
func turned(v policy.Value) policy.Value {
	if v.Kind() != policy.List {
		return v
	}
	a := policy.AOf(v)
	slices.Reverse(a)
	return policy.ListValue(a)
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

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// timeseries holds misreadings of time-series collections: buckets, their
// rounding and span, dates outside 1970 to 2038, and TTL indexes.
var timeseries = []Mutant{
	{Name: "timeseries-by-measurement", Rule: "mongo.timeseries-bucket", Text: "A measurement expires by its own time, not with its bucket.",
		Wild:    "the MongoDB manual's first sentence about it",
		misread: moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() + q.rounded() }).ofBuckets()},
	{Name: "timeseries-span-ignored", Rule: "mongo.timeseries-bucket", Text: "A bucket expires by its minimum, without its span.",
		misread: moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() }).ofBuckets()},
}

// ofBuckets limits a misreading to time-series collections.
func (m misreading) ofBuckets() misreading { return only(decide, has("collection", "timeseries"), m) }

// timeField returns the name of the field with the time of a measurement, and time
// returns the time.
func (q query) timeField() string {
	name, _ := q.get("collection", "timeseries", "timeField").AsString()
	return name
}

func (q query) time() (policy.Instant, bool) { return q.get("document", q.timeField()).AsDate() }

// inRange tests for a measurement between 1970 and 2038, whose date no release treats as
// extended.
func inRange(q query) bool {
	i, ok := q.time()
	return ok && i >= 0 && i <= math.MaxInt32*1000
}

// rounding and span return the collection's rounding and span in milliseconds.
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

// rounded returns the amount by which the time is rounded down.
func (q query) rounded() policy.Instant {
	i, _ := q.time()
	return i - floor(i, q.rounding())
}

// expires tests for a document for which the reference finds a deadline.
func expires(q query) bool { _, ok := q.due(); return ok }

// clustered holds misreadings of collections that are clustered by _id.
var clustered = []Mutant{
	{Name: "clustered-ignored", Rule: "mongo.clustered", Text: "A clustered collection expires by TTL indexes alone.",
		misread: forgets(decide, has("collection", "clusteredIndex"), "collection", option)},
}

// namespaces holds misreadings of the namespaces in which nothing is deleted.
var namespaces = []Mutant{
	{Name: "namespace-ignored", Rule: "mongo.namespace-excluded", Text: "A TTL index deletes wherever it is.",
		Wild:    "every implementation that is asked about an index alone",
		misread: forgets(decide, always, "collection", "ns")},
}

package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// series is what a time-series collection's options say about expiry.
type series struct {
	timeField string
	rounding  policy.Instant // of a bucket's minimum, in milliseconds
	span      policy.Instant // bucketMaxSpanSeconds, in milliseconds
	meaning   ExtendedRangeMeaning
	flagged   bool // the collection is known to hold dates outside 1970 to 2038
}

// The last instant that a bucket's 32-bit identifier holds.
const lastOrdinary = policy.Instant(2147483647) * 1000

// granularities are the rounding and the span, in seconds, of each granularity
// (mongodb/mongo: src/mongo/db/timeseries/timeseries_options.cpp).
var granularities = map[string][2]int64{
	"seconds": {60, 3600}, "minutes": {3600, 86400}, "hours": {86400, 2592000},
}

// compileSeries reads the timeseries option, nil for an ordinary collection.
func compileSeries(spec CollectionSpec, p Profile) (*series, error) {
	if isAbsent(spec.TimeSeries) {
		return nil, nil
	}
	name, ok := spec.TimeSeries.Field("timeField").AsString()
	if !ok {
		return nil, &SpecError{Code: BadValue, Field: "timeseries.timeField", Reason: "want a string"}
	}
	bounds, ok := granularities[granularityOf(spec.TimeSeries)]
	if !ok {
		return nil, &SpecError{Code: BadValue, Field: "timeseries.granularity", Reason: "want seconds, minutes or hours"}
	}
	for i, field := range []string{"bucketRoundingSeconds", "bucketMaxSpanSeconds"} {
		if v := spec.TimeSeries.Field(field); v.Kind().IsNumber() {
			bounds[i] = wholeSeconds(v)
		}
		if bounds[i] < 1 || bounds[i] > 31536000 {
			return nil, &SpecError{Code: BadValue, Field: "timeseries." + field, Reason: "want 1 to 31536000"}
		}
	}
	return &series{
		timeField: name,
		rounding:  policy.Instant(bounds[0] * 1000),
		span:      policy.Instant(bounds[1] * 1000),
		meaning:   p.ExtendedRange,
		flagged:   spec.ExtendedRange,
	}, nil
}

func granularityOf(options policy.Value) string {
	if g, ok := options.Field("granularity").AsString(); ok {
		return g
	}
	return "seconds"
}

// seriesSource decides by one TTL source of a time-series collection.
type seriesSource struct {
	*series
	delay  delay
	filter Filter
	idle   *policy.Rule
}

// by returns the source that is the collection's own option.
func (s *series) by(f Filter, seconds policy.Value) seriesSource {
	d, idle := collectionDelay(seconds)
	return seriesSource{s, d, f, idle}
}

// index returns the source that is a secondary TTL index. The server only
// creates one on the time field.
func (s *series) index(f Filter, spec IndexSpec) seriesSource {
	source := s.by(f, spec.ExpireAfterSeconds)
	if len(spec.Key) != 1 || spec.Key[0].Key != s.timeField {
		source.idle = ruleClusteredSkipped
	}
	return source
}

// decide consults the rules in the order of seriesLadder.
func (s seriesSource) decide(doc policy.Value, now policy.Instant) policy.Decision {
	if s.idle != nil {
		return policy.Keep(s.idle)
	}
	first, ok := s.bucketMinimum(doc)
	if r := s.extendedRule(first, ok); r != nil {
		return policy.Keep(r)
	}
	if !ok {
		return policy.Keep(ruleSeriesNoTime)
	}
	switch s.filter.match(doc) {
	case Undecidable:
		return policy.Keep(ruleFilterUnspecified)
	case Outside:
		return policy.Keep(ruleFilterMismatch)
	}
	opened, ok := delay(s.span).deadlineAfter(first, false)
	if ok {
		opened, ok = s.delay.deadlineAfter(opened, false)
	}
	if !ok {
		return policy.Keep(ruleUnreachable)
	}
	return policy.ExpireAt(opened, ruleSeriesBucket, now)
}

// extendedRule returns the rule for dates outside 1970 to 2038, nil where they
// change nothing.
func (s seriesSource) extendedRule(first policy.Instant, hasTime bool) *policy.Rule {
	outside := hasTime && (first < 0 || first > lastOrdinary)
	switch {
	case !s.flagged && !outside:
		return nil
	case s.meaning == ExtendedRangeSkipped:
		return ruleSeriesExtended
	case s.meaning == ExtendedRangeOpen || outside:
		return ruleSeriesExtendedOpen
	}
	return nil
}

// bucketMinimum returns the minimum time of a stored bucket, or of the bucket
// that a measurement opens.
func (s seriesSource) bucketMinimum(doc policy.Value) (policy.Instant, bool) {
	if control := doc.Field("control"); control.Kind() == policy.Object && doc.Field("data").Kind() == policy.Object {
		return control.Field("min").Field(s.timeField).AsDate()
	}
	t, ok := doc.Field(s.timeField).AsDate()
	return floor(t, s.rounding), ok
}

// floor rounds towards the past, stopping at the first instant.
func floor(t, unit policy.Instant) policy.Instant {
	rest := t % unit
	if rest < 0 {
		rest += unit
	}
	if t < policy.MinInstant+rest {
		return policy.MinInstant
	}
	return t - rest
}

package mongo

import (
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// 1700000012.345 s since 1970 is 32.345 s after the full minute, and 812.345 s after the
// full hour.
const someTime = `D(1700000012345)`

// TestTimeSeriesVectors: a measurement opens its own bucket, whose minimum is
// rounded down; the bucket expires when its whole span is old enough.
func TestTimeSeriesVectors(t *testing.T) {
	tests := []struct {
		why, version, options, document, rule string
		deadline                              policy.Instant
	}{
		{"by default the granularity is seconds", "5.2.0", `"timeField":"ts"`, `{"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (1699999980 + 3600 + 10) * 1000},
		{"seconds", "8.2.0", `"timeField":"ts","granularity":"seconds"`, `{"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (1699999980 + 3600 + 10) * 1000},
		{"as listCollections shows it", "6.0.0", `"timeField":"ts","granularity":"seconds","bucketMaxSpanSeconds":3600`, `{"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (1699999980 + 3600 + 10) * 1000},
		{"minutes", "8.2.0", `"timeField":"ts","granularity":"minutes"`, `{"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (1699999200 + 86400 + 10) * 1000},
		{"hours", "8.2.0", `"timeField":"ts","granularity":"hours"`, `{"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (1699920000 + 2592000 + 10) * 1000},
		{"custom", "8.2.0", `"timeField":"ts","bucketRoundingSeconds":900,"bucketMaxSpanSeconds":900`, `{"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (1699999200 + 900 + 10) * 1000},
		{"a year", "8.2.0", `"timeField":"ts","bucketRoundingSeconds":31536000,"bucketMaxSpanSeconds":31536000`, `{"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (53*31536000 + 31536000 + 10) * 1000},
		{"a minute's first instant", "8.2.0", `"timeField":"ts"`, `{"ts":D(1699999980000)}`,
			rules.SeriesBucket.ID(), (1699999980 + 3600 + 10) * 1000},
		{"the instant before", "8.2.0", `"timeField":"ts"`, `{"ts":D(1699999979999)}`,
			rules.SeriesBucket.ID(), (1699999920 + 3600 + 10) * 1000},
		{"the epoch", "8.0.4", `"timeField":"ts"`, `{"ts":D(0)}`, rules.SeriesBucket.ID(), 3610_000},
		{"other dates do not count", "8.2.0", `"timeField":"ts","metaField":"m"`, `{"m":D(0),"_id":D(0),"ts":` + someTime + `}`,
			rules.SeriesBucket.ID(), (1699999980 + 3600 + 10) * 1000},
		{"no time", "8.2.0", `"timeField":"ts"`, `{}`, rules.SeriesNoTime.ID(), kept},
		{"a time that is no date", "8.2.0", `"timeField":"ts"`, `{"ts":{"$numberLong":"5"}}`, rules.SeriesNoTime.ID(), kept},
		{"an array", "8.2.0", `"timeField":"ts"`, `{"ts":[D(5)]}`, rules.SeriesNoTime.ID(), kept},
		{"a dotted name is a name", "8.2.0", `"timeField":"a.b"`, `{"a":{"b":D(5)}}`, rules.SeriesNoTime.ID(), kept},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			options := `{"timeseries":{` + tt.options + `},"expireAfterSeconds":10}`
			checkVector(t, vectorCollection(t, tt.version, options, `[]`), dates(tt.document), tt.rule, tt.deadline)
		})
	}
}

// storedBucket is a bucket as the server stores it.
func storedBucket(idSeconds uint32, first, last int64, meta string) string {
	return dates(fmt.Sprintf(`{"_id":{"$oid":"%08x0123456789abcdef"},"control":{"version":2,"min":{"ts":D(%d),"x":1},
		"max":{"ts":D(%d),"x":2}},"meta":%s,"data":{"ts":{"0":D(%d)}}}`, idSeconds, first, last, meta, first))
}

// TestTimeSeriesStoredBuckets: a bucket expires by its identifier, whatever its
// last measurement, and under an index by its own bounds.
func TestTimeSeriesStoredBuckets(t *testing.T) {
	const options = `{"timeseries":{"timeField":"ts","metaField":"m"},"expireAfterSeconds":10}`
	const index = `[{"key":{"ts":1},"name":"ts_1","expireAfterSeconds":5,"partialFilterExpression":{"m.k":"a"}}]`
	own := vectorCollection(t, "8.2.0", options, `[]`)
	checkVector(t, own, storedBucket(1699999980, 1699999980_000, 1700003000_000, `1`), rules.SeriesBucket.ID(), (1699999980+3600+10)*1000)
	checkVector(t, own, `{"_id":{"$oid":"6553f0ec0123456789abcdef"},"control":{"min":{}}}`, rules.SeriesNoTime.ID(), kept)
	checkVector(t, own, dates(`{"_id":5,"control":{"min":{"ts":D(5)},"max":{"ts":D(6)}}}`), rules.SeriesNoTime.ID(), kept)
	checkVector(t, own, dates(`{"_id":{"$oid":"6553f0ec0123456789abcdef"},"control":{"min":{"ts":D(5)},"max":{"ts":D(6)}},"ts":D(120000)}`),
		rules.SeriesBucket.ID(), (120+3600+10)*1000) // a measurement with a field named control

	both := vectorCollection(t, "8.2.0", options, index)
	doc := storedBucket(1699999980, 1699999980_000, 1700003000_000, `{"k":"a"}`)
	checkVector(t, both, doc, rules.SeriesBucket.ID(), (1699999980+3600+5)*1000)
	if d := both.Decide(drawn.Value(t, doc), 0); d.Source != 1 {
		t.Errorf("source %d decides, want 1, the index", d.Source)
	}
	doc = storedBucket(1699999980, 1699999980_000, 1700003000_000, `{"k":"b"}`)
	checkVector(t, both, doc, rules.SeriesBucket.ID(), (1699999980+3600+10)*1000)
}

// TestTimeSeriesFieldNames: the time field and other fields of a measurement may have the
// name of a field of buckets. Only the field meta of a bucket can hold a Date.
func TestTimeSeriesFieldNames(t *testing.T) {
	const (
		id    = `"_id":{"$oid":"6553f0ec0123456789abcdef"}` // 1699999980 s
		due   = policy.Instant(1699999980+3600+10) * 1000
		later = policy.Instant(1700006400+3600+10) * 1000
	)
	var (
		byBucket = rules.SeriesBucket.ID()
		none     = rules.SeriesNoTime.ID()
	)
	bounds := func(field string) string {
		return `"control":{"version":2,"min":{"` + field + `":D(1699999980000)},"max":{"` + field + `":D(1700000000000)}}`
	}
	tests := []struct {
		why, timeField, document, rule string
		deadline                       policy.Instant
	}{
		{"a bucket whose metadata is a Date", "meta", `{` + id + `,` + bounds("meta") + `,"meta":D(1700006400000),"data":{}}`, byBucket, due},
		{"a bucket without metadata", "meta", `{` + id + `,` + bounds("meta") + `,"data":{}}`, byBucket, due},
		{"a bucket without bounds", "meta", `{` + id + `,"control":{"min":{},"max":{}},"meta":D(1700006400000)}`, none, kept},
		{"a bucket with half its bounds", "meta", `{` + id + `,"control":{"min":{"meta":D(5)},"max":{}},"meta":D(1700006400000)}`, none, kept},
		{"a bucket without an ObjectId", "meta", `{"_id":5,` + bounds("meta") + `,"meta":D(1700006400000)}`, none, kept},
		{"a measurement", "meta", `{` + id + `,"meta":D(1700006400000)}`, byBucket, later},
		{"a measurement with a field control", "meta", `{"control":"on","meta":D(1700006400000)}`, byBucket, later},
		{"a measurement with a document control", "meta", `{"control":{"min":1,"max":{}},"meta":D(1700006400000)}`, byBucket, later},
		{"and the other way round", "meta", `{"control":{"min":{},"max":2},"meta":D(1700006400000)}`, byBucket, later},

		{"a bucket", "control", `{` + id + `,` + bounds("control") + `,"meta":D(5),"data":{}}`, byBucket, due},
		{"a measurement", "control", `{` + id + `,"control":D(1700006400000),"meta":D(5)}`, byBucket, later},
		{"a bucket", "_id", `{` + id + `,` + bounds("_id") + `,"meta":D(5),"data":{}}`, byBucket, due},
		{"a measurement", "_id", `{"_id":D(1700006400000),` + bounds("_id") + `}`, byBucket, later},
		{"a bucket", "data", `{` + id + `,` + bounds("data") + `,"meta":D(5),"data":{"data":{"0":D(5)}}}`, byBucket, due},
		{"a measurement", "data", `{"data":D(1700006400000),"meta":D(5)}`, byBucket, later},
		{"a measurement that looks like a bucket", "ts", `{` + id + `,` + bounds("ts") + `,"meta":1,"data":{},"ts":D(1700006400000)}`, byBucket, later},
		{"a bucket of another time field", "ts", `{` + id + `,` + bounds("t") + `,"meta":D(5),"data":{}}`, none, kept},
	}
	for _, tt := range tests {
		t.Run(tt.timeField+", "+tt.why, func(t *testing.T) {
			c := vectorCollection(t, "8.2.0", `{"timeseries":{"timeField":"`+tt.timeField+`","metaField":"m"},"expireAfterSeconds":10}`, `[]`)
			checkVector(t, c, dates(tt.document), tt.rule, tt.deadline)
		})
	}
}

// TestTimeSeriesIndexes: a TTL index may exist beside the collection's own option.
func TestTimeSeriesIndexes(t *testing.T) {
	const meta = `"partialFilterExpression":{"m":{"$gte":5}}`
	const due = policy.Instant(1699999980+3600+10) * 1000
	tests := []struct {
		why, version, index, document, rule string
		deadline                            policy.Instant
	}{
		{"inside the filter", "6.3.0", `"key":{"ts":1},` + meta, `{"m":5,"ts":` + someTime + `}`, rules.SeriesBucket.ID(), due},
		{"outside the filter", "6.3.0", `"key":{"ts":1},` + meta, `{"m":4,"ts":` + someTime + `}`, rules.FilterMismatch.ID(), kept},
		{"descending", "8.2.0", `"key":{"ts":-1},` + meta, `{"m":5,"ts":` + someTime + `}`, rules.SeriesBucket.ID(), due},
		{"on a subfield", "8.2.0", `"key":{"ts":1},"partialFilterExpression":{"$or":[{"m.a":1},{"m.b":{"$exists":true}}]}`,
			`{"m":{"b":1},"ts":` + someTime + `}`, rules.SeriesBucket.ID(), due},
		{"undecidable", "8.2.0", `"key":{"ts":1},"partialFilterExpression":{"m":{"$geoWithin":{"$box":[[0,0],[1,1]]}}}`,
			`{"m":[0,0],"ts":` + someTime + `}`, rules.FilterUnspecified.ID(), kept},
		{"refused before", "6.2.0", `"key":{"ts":1},` + meta, `{"m":5,"ts":` + someTime + `}`, rules.SeriesIndexRefused.ID(), kept},
		{"without a filter", "8.2.0", `"key":{"ts":1}`, `{"m":5,"ts":` + someTime + `}`, rules.SeriesIndexShape.ID(), kept},
		{"an empty filter", "8.2.0", `"key":{"ts":1},"partialFilterExpression":{}`, `{"m":5,"ts":` + someTime + `}`, rules.SeriesIndexShape.ID(), kept},
		{"a filter on another field", "8.2.0", `"key":{"ts":1},"partialFilterExpression":{"x":1}`, `{"x":1,"ts":` + someTime + `}`, rules.SeriesIndexShape.ID(), kept},
		{"among others", "8.2.0", `"key":{"ts":1},"partialFilterExpression":{"$and":[{"m":5},{"x":1}]}`, `{"m":5,"x":1,"ts":` + someTime + `}`, rules.SeriesIndexShape.ID(), kept},
		{"a name that begins alike", "8.2.0", `"key":{"ts":1},"partialFilterExpression":{"mm":5}`, `{"mm":5,"ts":` + someTime + `}`, rules.SeriesIndexShape.ID(), kept},
		{"on another field", "8.2.0", `"key":{"m":1},` + meta, `{"m":5,"ts":` + someTime + `}`, rules.SeriesIndexShape.ID(), kept},
		{"compound", "8.2.0", `"key":{"ts":1,"m":1},` + meta, `{"m":5,"ts":` + someTime + `}`, rules.Compound.ID(), kept},
		{"special", "8.2.0", `"key":{"ts":"hashed"},` + meta, `{"m":5,"ts":` + someTime + `}`, rules.Special.ID(), kept},
		{"no time", "8.2.0", `"key":{"ts":1},` + meta, `{"m":5}`, rules.SeriesNoTime.ID(), kept},
		{"extended range, skipped too", "8.0.4", `"key":{"ts":1},` + meta, `{"m":5,"ts":D(-1)}`, rules.SeriesExtendedSkipped.ID(), kept},
		{"extended range, the index holds whole dates", "8.1.0", `"key":{"ts":1},` + meta, `{"m":5,"ts":D(-1)}`, rules.SeriesBucket.ID(), (-60 + 3600 + 10) * 1000},
		{"far outside", "8.1.0", `"key":{"ts":1},` + meta, `{"m":5,"ts":D(9223372036854775807)}`, rules.Unreachable.ID(), kept},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := vectorCollection(t, tt.version, `{"timeseries":{"timeField":"ts","metaField":"m"}}`, `[{`+tt.index+`,"expireAfterSeconds":10}]`)
			checkVector(t, c, dates(tt.document), tt.rule, tt.deadline)
		})
	}
	nan := vectorCollection(t, "8.2.0", `{"timeseries":{"timeField":"ts","metaField":"m"}}`,
		`[{"key":{"ts":1},`+meta+`,"expireAfterSeconds":{"$numberDouble":"NaN"}}]`)
	checkVector(t, nan, dates(`{"m":5,"ts":`+someTime+`}`), rules.NaNSkipped.ID(), kept)
	noMeta := vectorCollection(t, "8.2.0", `{"timeseries":{"timeField":"ts"}}`, `[{"key":{"ts":1},`+meta+`,"expireAfterSeconds":1}]`)
	checkVector(t, noMeta, dates(`{"m":5,"ts":`+someTime+`}`), rules.SeriesIndexShape.ID(), kept)
	emptyName := vectorCollection(t, "8.2.0", `{"timeseries":{"timeField":"ts"}}`,
		`[{"key":{"ts":1},"partialFilterExpression":{"":5},"expireAfterSeconds":1}]`)
	checkVector(t, emptyName, dates(`{"":5,"ts":`+someTime+`}`), rules.SeriesIndexShape.ID(), kept)
}

// TestTimeSeriesExtendedRange: the ends of the range from 1970 to 2038, and the treatment
// of dates outside this range in each release. Bucket times are rounded to 1 s, and a
// bucket spans 3600 s.
func TestTimeSeriesExtendedRange(t *testing.T) {
	const (
		end       = 2147483647 // 2038-01-19T03:14:07Z
		delay     = 10_000
		spanDelay = 3600_000 + delay
	)
	var (
		skipped     = rules.SeriesExtendedSkipped.ID()
		unspecified = rules.SeriesExtendedUnspecified.ID()
		byLast      = rules.SeriesExtendedDate.ID()
		byBucket    = rules.SeriesBucket.ID()
	)
	tests := []struct {
		why, version string
		flagged      bool
		time         int64
		rule         string
		deadline     policy.Instant
	}{
		{"the first ordinary bucket", "8.0.4", false, 0, byBucket, spanDelay},
		{"the last before 1970", "8.0.4", false, -1, skipped, kept},
		{"the last ordinary bucket", "8.0.4", false, end*1000 + 999, byBucket, end*1000 + spanDelay},
		{"the first after 2038", "8.0.4", false, end*1000 + 1000, skipped, kept},
		{"a flagged collection is skipped whole", "8.0.4", true, 1700000000_000, skipped, kept},
		{"also in 5.0", "5.0.24", true, 1700000000_000, skipped, kept},
		{"also in 6.0", "6.0.13", true, 1700000000_000, skipped, kept},
		{"also in 7.0", "7.0.5", true, 1700000000_000, skipped, kept},
		{"also in 7.2", "7.2.0", true, 1700000000_000, skipped, kept},
		{"not before the change", "5.0.23", true, 1700000000_000, byBucket, 1700000000_000 + spanDelay},
		{"not before the change", "6.0.12", true, 1700000000_000, byBucket, 1700000000_000 + spanDelay},
		{"not before the change", "7.0.4", true, 1700000000_000, byBucket, 1700000000_000 + spanDelay},
		{"rapid releases do not look", "5.1.0", true, 1700000000_000, byBucket, 1700000000_000 + spanDelay},
		{"rapid releases do not look", "6.3.2", true, 1700000000_000, byBucket, 1700000000_000 + spanDelay},
		{"rapid releases do not look", "7.1.1", true, 1700000000_000, byBucket, 1700000000_000 + spanDelay},
		{"5.0: a second before 1970 is the last of 32 bits", "5.0.23", false, -1000, byBucket, (1<<32-1)*1000 + spanDelay},
		{"5.0: less than a second before 1970 is rounded to 1970", "5.0.23", false, -1, byBucket, spanDelay},
		{"5.0: the first after 2038", "5.0.23", false, end*1000 + 1000, byBucket, (end+1)*1000 + spanDelay},
		{"5.0: 2106-02-07T06:28:16Z is 1970", "5.0.23", false, 1 << 32 * 1000, byBucket, spanDelay},
		{"7.0: and so never visited", "7.0.4", false, 1 << 32 * 1000, rules.SeriesStart.ID(), kept},
		{"until it is 2017", "7.0.4", false, (1<<32 + 1511828489) * 1000, byBucket, 1511828489_000 + spanDelay},
		{"8.0.11 still skips", "8.0.11", false, -1, skipped, kept},
		{"8.0.12 deletes", "8.0.12", false, -1, byLast, -1 + delay},
		{"a damaged one has no time, but is skipped first", "8.0.4", true, kept, skipped, kept},

		{"8.1: just before 1970", "8.1.0", false, -1, byLast, -1 + delay},
		{"8.1: just after 2038", "8.1.0", false, end*1000 + 1000, byLast, end*1000 + 1000 + delay},
		{"8.1: 1901, the earliest that 32 bits keep apart", "8.1.0", false, -1 << 31 * 1000, byLast, -1<<31*1000 + delay},
		{"8.1: the second before wraps", "8.1.0", false, -1<<31*1000 - 1, unspecified, kept},
		{"8.1: 2106, the latest", "8.1.0", false, (1<<32 - 1) * 1000, byLast, (1<<32-1)*1000 + delay},
		{"8.1: the second after wraps", "8.1.0", false, 1 << 32 * 1000, unspecified, kept},
		{"8.1: flagged, an ordinary bucket", "8.1.0", true, 1700000000_999, byBucket, 1700000000_000 + spanDelay},
		{"8.1: flagged, more than a span before 2038", "8.1.0", true, (1<<31 - 3601) * 1000, byBucket, (1<<31-3601)*1000 + spanDelay},
		{"8.1: flagged, a span before 2038", "8.1.0", true, (1<<31 - 3600) * 1000, byLast, (1<<31-3600)*1000 + delay},
		{"8.1: not flagged, a span before 2038", "8.1.0", false, (1<<31 - 3600) * 1000, byBucket, (1<<31-3600)*1000 + spanDelay},
	}
	for _, tt := range tests {
		t.Run(tt.why+" "+tt.version, func(t *testing.T) {
			c := vectorCollection(t, tt.version, fmt.Sprintf(`{"timeseries":{"timeField":"ts","bucketRoundingSeconds":1,"bucketMaxSpanSeconds":3600},
				"expireAfterSeconds":10,"requiresExtendedRangeSupport":%t}`, tt.flagged), `[]`)
			checkVector(t, c, dates(fmt.Sprintf(`{"ts":D(%d)}`, tt.time)), tt.rule, tt.deadline)
		})
	}
}

// TestTimeSeriesScanStart: the scan by the collection's own option begins with
// the earliest date, whose seconds are cut to 32 bits; the scan of an index
// does not. LLONG_MIN / 1000 is -9223372036854775, which is 1511828489 modulo
// 2^32.
func TestTimeSeriesScanStart(t *testing.T) {
	const start = 1511828489
	var (
		byBucket    = rules.SeriesBucket.ID()
		never       = rules.SeriesStart.ID()
		unspecified = rules.SeriesStartUnspecified.ID()
	)
	tests := []struct {
		version string
		seconds int64
		rule    string
	}{
		{"7.0.4", start, byBucket}, {"7.0.4", start - 1, never}, {"7.0.4", 0, never}, {"7.0.0", start - 1, never},
		{"6.0.12", start - 1, never}, {"6.0.0", start - 1, never}, {"5.3.0", start - 1, never}, {"5.3.0", start, byBucket},
		{"6.1.0", start - 1, never}, {"6.3.2", start - 1, never}, {"6.3.2", start, byBucket},
		{"5.0.0", start - 1, byBucket}, {"5.0.31", 0, byBucket},
		{"5.1.0", start - 1, unspecified}, {"5.1.0", start, byBucket}, {"5.2.1", start - 1, unspecified},
		{"7.1.0", start - 1, unspecified}, {"7.3.4", start - 1, unspecified}, {"7.3.4", start, byBucket},
		{"6.0.13", start - 1, byBucket}, {"7.0.5", start - 1, byBucket}, {"8.0.0", 0, byBucket}, {latest, start - 1, byBucket},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.version, " ", tt.seconds), func(t *testing.T) {
			deadline := policy.Instant(tt.seconds+1+10) * 1000
			if tt.rule != byBucket {
				deadline = kept
			}
			c := vectorCollection(t, tt.version, `{"timeseries":{"timeField":"ts","bucketRoundingSeconds":1,"bucketMaxSpanSeconds":1},"expireAfterSeconds":10}`, `[]`)
			checkVector(t, c, dates(fmt.Sprintf(`{"ts":D(%d)}`, tt.seconds*1000)), tt.rule, deadline)
			checkVector(t, c, storedBucket(uint32(tt.seconds), tt.seconds*1000, tt.seconds*1000, `1`), tt.rule, deadline)
		})
	}
	index := vectorCollection(t, "7.0.4", `{"timeseries":{"timeField":"ts","metaField":"m"},"expireAfterSeconds":10}`,
		`[{"key":{"ts":1},"expireAfterSeconds":10,"partialFilterExpression":{"m":1}}]`)
	checkVector(t, index, dates(`{"m":1,"ts":D(0)}`), byBucket, 3610_000)
	checkVector(t, index, dates(`{"m":2,"ts":D(0)}`), never, kept)
}

// TestTimeSeriesRounding: up to 8.0.3 the first time of a bucket is rounded towards 1970.
// Before 1970 the rounded time is later than the unrounded time, and becomes the bucket's
// maximum. The identifier holds the rounded time; an index uses the minimum, which is the
// unrounded time (SERVER-77888: 1969-01-01T00:00:12.345Z has the identifier fe1eccbc…,
// which is 1969-01-01T00:01:00Z modulo 2^32, and its own time as control.min).
func TestTimeSeriesRounding(t *testing.T) {
	const options = `{"timeseries":{"timeField":"ts","metaField":"m"},"expireAfterSeconds":10}`
	const time = -31535987_655 // 1969-01-01T00:00:12.345Z
	own := vectorCollection(t, "6.0.12", options, `[]`)
	checkVector(t, own, dates(fmt.Sprintf(`{"ts":D(%d)}`, int64(time))), rules.SeriesBucket.ID(), (0xfe1eccbc+3600+10)*1000)
	index := vectorCollection(t, "7.0.4", `{"timeseries":{"timeField":"ts","metaField":"m"}}`,
		`[{"key":{"ts":1},"expireAfterSeconds":10,"partialFilterExpression":{"m":1}}]`)
	checkVector(t, index, dates(fmt.Sprintf(`{"m":1,"ts":D(%d)}`, int64(time))), rules.SeriesBucket.ID(), time+3610_000)
	newer := vectorCollection(t, "8.0.12", options, `[]`)
	checkVector(t, newer, dates(`{"ts":D(-60000)}`), rules.SeriesExtendedDate.ID(), -60_000+10_000)
	index = vectorCollection(t, "8.0.12", `{"timeseries":{"timeField":"ts","metaField":"m"}}`,
		`[{"key":{"ts":1},"expireAfterSeconds":10,"partialFilterExpression":{"m":1}}]`)
	checkVector(t, index, dates(fmt.Sprintf(`{"m":1,"ts":D(%d)}`, int64(time))), rules.SeriesBucket.ID(), -31536000_000+3610_000)
}

// TestTimeSeriesExtendedBuckets: in a flagged collection a stored bucket is kept until
// its last measurement is old enough. If its identifier is outside the second range of
// decideExtended, the bucket is also kept until the time in the identifier is old enough.
func TestTimeSeriesExtendedBuckets(t *testing.T) {
	c := vectorCollection(t, "8.1.0", `{"timeseries":{"timeField":"ts"},"expireAfterSeconds":10,"requiresExtendedRangeSupport":true}`, `[]`)
	checkVector(t, c, storedBucket(60, 60_000, 90_000, `1`), rules.SeriesBucket.ID(), (60+3600+10)*1000)
	checkVector(t, c, storedBucket(60, 60_000, 3660_000, `1`), rules.SeriesBucket.ID(), (60+3600+10)*1000)
	checkVector(t, c, storedBucket(60, 60_000, 3660_001, `1`), rules.SeriesExtendedDate.ID(), 3660_001+10_000)
	checkVector(t, c, storedBucket(1<<32-60, -60_000, -5, `1`), rules.SeriesExtendedDate.ID(), -5+10_000)
	checkVector(t, c, storedBucket(60, 60_000, 9223372036854775807, `1`), rules.Unreachable.ID(), kept)
}

// TestTimeSeriesOwnSeconds: the collection's own option is at least 0 seconds, and may
// exceed int32.
func TestTimeSeriesOwnSeconds(t *testing.T) {
	tests := []struct {
		seconds, rule string
		deadline      policy.Instant
	}{
		{`0`, rules.SeriesBucket.ID(), 3600_000},
		// The delay and the span of 3600 s together are the time from 1970 to
		// 2021-07-13T00:00:00Z; no earlier server has time series.
		{`{"$numberLong":"1626130800"}`, rules.SeriesBucket.ID(), 1626134400_000},
		{`{"$numberLong":"1626130801"}`, rules.SeriesBoundUnspecified.ID(), kept},
		{`{"$numberLong":"1758000000"}`, rules.SeriesBoundUnspecified.ID(), kept},
		{`{"$numberLong":"3000000000"}`, rules.SeriesBoundUnspecified.ID(), kept},
		{`{"$numberDouble":"10.9"}`, rules.SeriesBucket.ID(), 3610_000},
		{`{"$numberDecimal":"10.5"}`, rules.SeriesBucket.ID(), 3610_000},
		{`{"$numberLong":"9223372036854775"}`, rules.SeriesBoundUnspecified.ID(), kept},
		{`{"$numberLong":"9223372036854776"}`, rules.CollectionSecondsUnspecified.ID(), kept},
		{`-1`, rules.CollectionSecondsUnspecified.ID(), kept},
		{`{"$numberDouble":"NaN"}`, rules.CollectionSecondsUnspecified.ID(), kept},
		{`"off"`, rules.CollectionSecondsUnspecified.ID(), kept},
		{`null`, rules.NoTTL.ID(), kept},
	}
	for _, tt := range tests {
		t.Run(tt.seconds, func(t *testing.T) {
			c := vectorCollection(t, "8.2.0", `{"timeseries":{"timeField":"ts"},"expireAfterSeconds":`+tt.seconds+`}`, `[]`)
			checkVector(t, c, dates(`{"ts":D(0)}`), tt.rule, tt.deadline)
		})
	}
}

// TestTimeSeriesBound: the span also affects whether the bound of the scan may
// wrap; the bound of an index scan is a date, and does not wrap.
func TestTimeSeriesBound(t *testing.T) {
	const series, index = `{"timeseries":{"timeField":"ts","metaField":"m","granularity":"hours"}`, `[{"key":{"ts":1},"name":"i","partialFilterExpression":{"m":1},"expireAfterSeconds":`
	for _, tt := range []struct {
		version, options, indexes, rule string
		deadline                        policy.Instant
	}{
		{"5.0.0", series + `,"expireAfterSeconds":{"$numberLong":"1623542400"}}`, `[]`, rules.SeriesBucket.ID(), 1626134400_000},
		{"5.0.0", series + `,"expireAfterSeconds":{"$numberLong":"1623542401"}}`, `[]`, rules.SeriesBoundUnspecified.ID(), kept},
		{latest, series + `,"expireAfterSeconds":{"$numberLong":"1758000000"}}`, `[]`, rules.SeriesBoundUnspecified.ID(), kept},
		{"8.1.0", series + `,"expireAfterSeconds":{"$numberLong":"1758000000"},"requiresExtendedRangeSupport":true}`, `[]`, rules.SeriesBoundUnspecified.ID(), kept},
		{"5.0.0", series + `,"expireAfterSeconds":{"$numberLong":"1758000000"},"requiresExtendedRangeSupport":true}`, `[]`, rules.SeriesBoundUnspecified.ID(), kept},
		{latest, series + `}`, index + `1758000000}]`, rules.SeriesBucket.ID(), (1758000000 + 2592000) * 1000},
	} {
		c := vectorCollection(t, tt.version, tt.options, tt.indexes)
		checkVector(t, c, dates(`{"ts":D(0),"m":1}`), tt.rule, tt.deadline)
	}
	// 8.1 deletes buckets in the second range by their last measurement, whatever the
	// bound is.
	c := vectorCollection(t, "8.1.0", series+`,"expireAfterSeconds":{"$numberLong":"1758000000"}}`, `[]`)
	checkVector(t, c, dates(`{"ts":D(-1)}`), rules.SeriesExtendedDate.ID(), 1758000000_000-1)
}

func TestFloor(t *testing.T) {
	tests := []struct{ t, unit, want policy.Instant }{
		{0, 60, 0}, {59, 60, 0}, {60, 60, 60}, {-1, 60, -60}, {-60, 60, -60}, {-61, 60, -120},
		{policy.MinInstant, 1, policy.MinInstant}, {policy.MinInstant, 60_000, policy.MinInstant},
		{policy.MaxInstant, 1000, 9223372036854775_000},
	}
	for _, tt := range tests {
		if got := floor(tt.t, tt.unit); got != tt.want {
			t.Errorf("floor(%d, %d) = %d, want %d", tt.t, tt.unit, got, tt.want)
		}
	}
}

package command

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createCommand is a create command under check.
type createCommand struct {
	arguments
	now  policy.Instant
	spec mongo.CollectionSpec
}

func (c *createCommand) has(name string) bool { return !c.given(name).IsMissing() }

// applySeconds stores the collection's own expireAfterSeconds.
func (c *createCommand) applySeconds() (err error) {
	if wanted := c.given("expireAfterSeconds"); !wanted.IsMissing() {
		c.spec.ExpireAfterSeconds, err = ownSeconds(wanted, c.profile, c.now)
	}
	return err
}

// seriesFields returns the fields of the timeseries option.
func (c *createCommand) seriesFields() []field {
	return []field{
		{name: "timeField", kinds: textKinds, required: true, checkValue: checkNoNul},
		{name: "metaField", kinds: textKinds},
		{name: "granularity", kinds: textKinds, checkValue: oneOfWords("hours", "minutes", "seconds")},
		{name: "bucketMaxSpanSeconds", kinds: numberKinds, checkValue: c.checkBucketBound},
		{name: "bucketRoundingSeconds", kinds: numberKinds, checkValue: c.checkBucketBound},
	}
}

// checkNoNul refuses a field name that contains a NUL byte.
func checkNoNul(path string, v policy.Value) error {
	if strings.Contains(value.Text(v), "\x00") {
		return refuseBy(codes.BadValue, rules.CommandValue, path, "'%s' cannot contain a null byte", path)
	}
	return nil
}

// checkBucketBound requires a bound from 1 second to 365 days.
func (c *createCommand) checkBucketBound(path string, v policy.Value) error {
	return checkWithin(c.profile, path, bucketBound(v), 1, catalog.MaxBucketSeconds)
}

// bucketBound returns the 32-bit whole number that the server reads from a bound.
func bucketBound(v policy.Value) int64 {
	return min(max(value.WholeSeconds(v), math.MinInt32), math.MaxInt32)
}

// checkTimeSeriesOptions refuses options that cannot be combined with
// timeseries.
func (c *createCommand) checkTimeSeriesOptions() error {
	if !c.has("timeseries") {
		return nil
	}
	allowed := []string{"create", "timeseries", "expireAfterSeconds", "storageEngine", "indexOptionDefaults", "collation"}
	for f := c.command.Fields(); f.Next(); {
		name := f.Name()
		isOff := name == "capped" && !value.IsTrue(f.Value())
		if !isOff && !value.IsOmitted(f.Value()) && !slices.Contains(allowed, name) && !c.arguments.passesOver(name) {
			return refuseBy(codes.InvalidOptions, rules.CreateSeries, name, "'timeseries' is not allowed with '%s'", name)
		}
	}
	return nil
}

// applyTimeSeries makes a time-series collection.
func (c *createCommand) applyTimeSeries() error {
	if !c.has("timeseries") {
		return nil
	}
	if err := c.checkBucketBounds(); err != nil {
		return err
	}
	c.spec.TimeSeries = policy.ObjectValue(withDefaults(c.given("timeseries")))
	return c.applySeconds()
}

// checkBucketBounds requires the usual span of the granularity. In releases with custom
// spans and without a granularity it requires that span and rounding are equal.
func (c *createCommand) checkBucketBounds() error {
	const spanAt, roundingAt = "timeseries.bucketMaxSpanSeconds", "timeseries.bucketRoundingSeconds"
	series, custom := c.given("timeseries"), c.profile.BucketSpans
	span, rounding := value.Given(series.Field("bucketMaxSpanSeconds")), value.Given(series.Field("bucketRoundingSeconds"))
	granular := !value.Given(series.Field("granularity")).IsMissing()
	usual := usualSpan(series)
	unusual := !span.IsMissing() && bucketBound(span) != usual
	return firstOf(
		refusal{!custom && unusual, codes.BucketSpan, rules.CreateBuckets, spanAt,
			fmt.Sprintf("Timeseries 'bucketMaxSpanSeconds' is not configurable to a value other than the default of %d for the provided granularity", usual)},
		refusal{!custom && !rounding.IsMissing(), 0, rules.CommandUnspecified, roundingAt, ""},
		refusal{custom && granular && unusual, codes.InvalidOptions, rules.CreateBuckets, spanAt,
			fmt.Sprintf("Time-series 'bucketMaxSpanSeconds' cannot be set to a value other than the default of %d for the provided granularity", usual)},
		refusal{custom && granular && !rounding.IsMissing(), codes.InvalidOptions, rules.CreateBuckets, roundingAt,
			"Time-series 'bucketRoundingSeconds' cannot be set alongside the granularity parameter"},
		refusal{custom && !granular && bucketBound(span) != bucketBound(rounding), codes.InvalidOptions, rules.CreateBuckets, roundingAt, // bucketBound returns 0 for an absent field
			"Time-series 'bucketRoundingSeconds' must be equal to 'bucketMaxSpanSeconds'"},
	)
}

// usualSpan returns the usual span, in seconds, of a collection's granularity.
func usualSpan(series policy.Value) int64 {
	text, ok := series.Field("granularity").AsString()
	if !ok {
		text = "seconds"
	}
	return catalog.Granularities[text][1]
}

// withDefaults returns the stored timeseries option, with defaults filled in.
func withDefaults(series policy.Value) policy.D {
	d := policy.D{{Key: "timeField", Value: series.Field("timeField")}}
	if meta := value.Given(series.Field("metaField")); !meta.IsMissing() {
		d = append(d, policy.E{Key: "metaField", Value: meta})
	}
	granularity := value.Given(series.Field("granularity"))
	rounding := value.Given(series.Field("bucketRoundingSeconds"))
	if !rounding.IsMissing() {
		seconds := policy.Int32Value(int32(bucketBound(rounding)))
		return append(d, policy.E{Key: "bucketRoundingSeconds", Value: seconds}, policy.E{Key: "bucketMaxSpanSeconds", Value: seconds})
	}
	if granularity.IsMissing() {
		granularity = policy.StringValue("seconds")
	}
	return append(d,
		policy.E{Key: "granularity", Value: granularity},
		policy.E{Key: "bucketMaxSpanSeconds", Value: policy.Int32Value(int32(usualSpan(series)))})
}

package mongo

import (
	"math"
)

// checkTimeSeries asks for what a time-series collection can turn into an index on
// its buckets (mongodb/mongo:
// src/mongo/db/timeseries/timeseries_commands_conversion_helper.cpp).
func (x *indexCommand) checkTimeSeries() error {
	if x.collection.TimeSeries.IsMissing() {
		return nil
	}
	meta, _ := x.collection.TimeSeries.Field("metaField").AsString()
	_, onMeta := filterOnBuckets(x.spec.PartialFilterExpression, meta)
	return firstOf(
		refusal{!x.spec.PartialFilterExpression.IsMissing() && !x.spec.Collation.IsMissing(), indexOptionsConflict, ruleIndexSeriesCollation, "collation",
			"Partial indexes on a time-series collection cannot have a collation"},
		refusal{x.spec.Unique, InvalidOptions, ruleIndexSeriesUnique, "unique", "Unique indexes are not supported on time-series collections"},
		refusal{x.isTTL() && !x.profile.timeSeriesIndexes, InvalidOptions, ruleIndexSeries, "expireAfterSeconds",
			"TTL indexes are not supported on time-series collections"},
		refusal{x.isTTL() && !onMeta, InvalidOptions, ruleIndexSeriesFilter, "partialFilterExpression",
			"TTL indexes on time-series collections require a partialFilterExpression on the metaField"},
	)
}

// checkSeconds checks expireAfterSeconds by itself, before the server looks at the
// collection. Releases up to 4.0 check nothing (mongodb/mongo:
// src/mongo/db/index_key_validate.cpp, validateIndexSpecTTL).
func (x *indexCommand) checkSeconds() error {
	const at = "expireAfterSeconds"
	p, option := x.profile, x.spec.ExpireAfterSeconds
	if !x.isTTL() || p.createRange == createRangeUnchecked {
		return nil
	}
	typeReason := "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '" + option.Kind().String()
	if !p.reasonLast {
		typeReason += "'"
	}
	n, bound := wholeSeconds(option), p.createRange
	beforeEpoch := n > math.MaxInt64/1000 || n*1000 > int64(x.now)
	return x.withSpecification(firstOf(
		refusal{!option.Kind().IsNumber(), CannotCreateIndex, ruleSecondsType, at, typeReason},
		refusal{option.IsNaN() && p.createNaN == refused, CannotCreateIndex, ruleSecondsNaN, at, "TTL index 'expireAfterSeconds' option must not be NaN"},
		refusal{option.IsNaN() && p.createNaN == acceptanceUnspecified, 0, ruleSecondsNaNUnspecified, at, ""},
		refusal{bound == createRangeInt32 && n != int64(int32(n)), CannotCreateIndex, ruleSecondsRange, at,
			"TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer"},
		refusal{n < 0, CannotCreateIndex, ruleSecondsNegative, at, negativeReason},
		refusal{bound != createRangeInt32 && beforeEpoch, CannotCreateIndex, ruleSecondsBefore1970, at, largeReason},
		refusal{len(x.spec.Key) != 1, CannotCreateIndex, ruleCompoundRefused, "key", singleFieldReason},
	))
}

// withSpecification adds the specification to the reason of a refusal: the reason
// stands before it or, in the refusal of expireAfterSeconds, behind it.
func (x *indexCommand) withSpecification(err error) error {
	switch e, refused := err.(*SpecError); {
	case !refused || e.Code == 0:
	case x.profile.reasonLast && e.Field == "expireAfterSeconds":
		e.Reason = ". Index spec: " + shown(x.index) + " :: caused by :: " + e.Reason
	default:
		e.Reason += ". Index spec: " + shown(x.index)
	}
	return err
}

// checkCollection checks the index against the kind of the collection.
func (x *indexCommand) checkCollection() error {
	series := x.collection.TimeSeries
	wildcardReason := "Index type 'wildcard' cannot be a TTL index"
	if x.profile.wildcardReasonLast {
		wildcardReason = "cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the 'expireAfterSeconds' option"
	}
	return firstOf(
		refusal{!series.IsMissing() && x.isTTL() && textOf(series.Field("timeField")) != x.spec.Key[0].Key, InvalidOptions, ruleIndexSeriesKey, "key",
			"TTL indexes on non-time fields are not supported on time-series collections"},
		refusal{x.collection.View, CommandNotSupportedOnView, ruleIndexView, "collection", "Cannot create indexes on a view"},
		refusal{x.isTTL() && isWildcard(x.spec.Key), CannotCreateIndex, ruleIndexWildcard, "expireAfterSeconds", wildcardReason},
		refusal{!x.spec.PartialFilterExpression.IsMissing() && x.spec.Sparse, CannotCreateIndex, ruleIndexPartialSparse, "sparse",
			`cannot mix "partialFilterExpression" and "sparse" options`},
	)
}

// checkFilterLanguage asks for a filter that a partial index may have.
func (x *indexCommand) checkFilterLanguage() error {
	_, err := compileFilter(x.spec.PartialFilterExpression, x.spec.Collation, x.profile)
	return withRule(err, ruleIndexFilterLanguage)
}

// checkCapped asks whether a capped collection may have a TTL index.
func (x *indexCommand) checkCapped() error {
	const at = "expireAfterSeconds"
	capped := x.isTTL() && x.collection.Capped
	return firstOf(
		refusal{capped && x.profile.createCapped == refused, CannotCreateIndex, ruleIndexCapped, at, "Cannot create TTL index on a capped collection"},
		refusal{capped && x.profile.createCapped == acceptanceUnspecified, 0, ruleIndexCappedUnspecified, at, ""},
	)
}

// checkCappedCluster refuses a TTL index of a collection that is capped and clustered. The
// server asks before it looks at the seconds (mongodb/mongo:
// src/mongo/db/commands/create_indexes.cpp, validateTTLOptions).
func (x *indexCommand) checkCappedCluster() error {
	return firstOf(refusal{x.isTTL() && x.collection.Capped && x.collection.Clustered, cappedClusterIndex, ruleIndexCappedCluster, "expireAfterSeconds",
		"TTL secondary indexes are not allowed on a capped clustered collection"})
}

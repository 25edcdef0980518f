package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// What the server asks of expireAfterSeconds before it looks at the collection
// (mongodb/mongo: src/mongo/db/index_key_validate.cpp, validateIndexSpecTTL).
// Releases up to 4.0 ask nothing.

func (x *indexCommand) isTTLChecked() bool {
	return x.isTTL() && x.profile.createRange != createRangeUnchecked
}

func (x *indexCommand) checkSecondsType() error {
	k := x.spec.ExpireAfterSeconds.Kind()
	switch {
	case !x.isTTLChecked() || k.IsNumber():
		return nil
	case x.profile.reasonLast:
		return x.refuseTTL(ruleSecondsType, "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '%s", k)
	}
	return x.refuseTTL(ruleSecondsType, "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '%s'", k)
}

func (x *indexCommand) checkSecondsNaN() error {
	switch {
	case !x.isTTLChecked() || !x.spec.ExpireAfterSeconds.IsNaN() || x.profile.createNaN == accepted:
		return nil
	case x.profile.createNaN == refused:
		return x.refuseTTL(ruleSecondsNaN, "TTL index 'expireAfterSeconds' option must not be NaN")
	}
	return unspecified(ruleSecondsNaNUnspecified, "expireAfterSeconds")
}

func (x *indexCommand) checkSecondsRange() error {
	if !x.isTTLChecked() {
		return nil
	}
	n := wholeSeconds(x.spec.ExpireAfterSeconds)
	beforeEpoch := n > math.MaxInt64/1000 || n*1000 > int64(x.now)
	switch bound := x.profile.createRange; {
	case bound == createRangeInt32 && n != int64(int32(n)):
		return x.refuseTTL(ruleSecondsRange, "TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer")
	case n < 0:
		return x.refuseTTL(ruleSecondsNegative, negativeReason)
	case bound != createRangeInt32 && beforeEpoch:
		return x.refuseTTL(ruleSecondsBefore1970, largeReason)
	}
	return nil
}

func (x *indexCommand) checkSingleField() error {
	if !x.isTTLChecked() || len(x.spec.Key) == 1 {
		return nil
	}
	const reason = "TTL indexes are single-field indexes, compound indexes do not support TTL"
	return refuseBy(CannotCreateIndex, ruleCompoundRefused, "key", "%s. Index spec: %s", reason, shown(x.index))
}

// refuseTTL returns the refusal of expireAfterSeconds. The specification stands
// behind the reason, or before it.
func (x *indexCommand) refuseTTL(rule *policy.Rule, format string, args ...any) error {
	const at = "expireAfterSeconds"
	spec := shown(x.index)
	if x.profile.reasonLast {
		return refuseBy(CannotCreateIndex, rule, at, ". Index spec: %s :: caused by :: "+format, append([]any{spec}, args...)...)
	}
	return refuseBy(CannotCreateIndex, rule, at, format+". Index spec: %s", append(args, spec)...)
}

// What the collection asks of an index.

// checkTimeSeries asks for what a time-series collection can turn into an index on
// its buckets (mongodb/mongo:
// src/mongo/db/timeseries/timeseries_commands_conversion_helper.cpp).
func (x *indexCommand) checkTimeSeries() error {
	if x.collection.TimeSeries.IsMissing() {
		return nil
	}
	if !x.spec.PartialFilterExpression.IsMissing() && !x.spec.Collation.IsMissing() {
		return refuseBy(IndexOptionsConflict, ruleIndexSeriesCollation, "collation", "Partial indexes on a time-series collection cannot have a collation")
	}
	switch {
	case !x.isTTL():
		return nil
	case !x.profile.timeSeriesIndexes:
		return refuseBy(InvalidOptions, ruleIndexSeries, "expireAfterSeconds", "TTL indexes are not supported on time-series collections")
	case !x.isOnMetaField():
		return refuseBy(InvalidOptions, ruleIndexSeriesFilter, "partialFilterExpression",
			"TTL indexes on time-series collections require a partialFilterExpression on the metaField")
	}
	return nil
}

func (x *indexCommand) isOnMetaField() bool {
	meta, _ := x.collection.TimeSeries.Field("metaField").AsString()
	s := series{metaField: meta}
	_, onMeta := s.onBucket(x.spec.PartialFilterExpression)
	return onMeta
}

func (x *indexCommand) checkTimeField() error {
	if x.collection.TimeSeries.IsMissing() || !x.isTTL() || x.collection.TimeSeries.Field("timeField").CompareText(x.spec.Key[0].Key) == 0 {
		return nil
	}
	return refuseBy(InvalidOptions, ruleIndexSeriesKey, "key", "TTL indexes on non-time fields are not supported on time-series collections")
}

func (x *indexCommand) checkView() error {
	if !x.collection.View {
		return nil
	}
	return refuseBy(CommandNotSupportedOnView, ruleIndexView, "collection", "Cannot create indexes on a view")
}

func (x *indexCommand) checkWildcard() error {
	switch {
	case !x.isTTL() || !isWildcard(x.spec.Key):
		return nil
	case x.profile.wildcardReasonLast:
		return refuseBy(CannotCreateIndex, ruleIndexWildcard, "expireAfterSeconds",
			"cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the 'expireAfterSeconds' option")
	}
	return refuseBy(CannotCreateIndex, ruleIndexWildcard, "expireAfterSeconds", "Index type 'wildcard' cannot be a TTL index")
}

func (x *indexCommand) checkSparse() error {
	if x.spec.PartialFilterExpression.IsMissing() || !x.spec.Sparse {
		return nil
	}
	return refuseBy(CannotCreateIndex, ruleIndexPartialSparse, "sparse", `cannot mix "partialFilterExpression" and "sparse" options`)
}

// checkFilterLanguage asks for a filter that a partial index may have.
func (x *indexCommand) checkFilterLanguage() error {
	_, err := compileFilter(x.spec.PartialFilterExpression, x.spec.Collation, x.profile)
	return withRule(err, ruleIndexFilterLanguage)
}

func (x *indexCommand) checkCappedCluster() error {
	if !x.isTTL() || !x.collection.Capped || !x.collection.Clustered {
		return nil
	}
	return refuseBy(cappedClusterIndex, ruleIndexCappedCluster, "expireAfterSeconds", "TTL secondary indexes are not allowed on a capped clustered collection")
}

func (x *indexCommand) checkCapped() error {
	switch {
	case !x.isTTL() || !x.collection.Capped || x.profile.createCapped == accepted:
		return nil
	case x.profile.createCapped == refused:
		return refuseBy(CannotCreateIndex, ruleIndexCapped, "expireAfterSeconds", "Cannot create TTL index on a capped collection")
	}
	return unspecified(ruleIndexCappedUnspecified, "expireAfterSeconds")
}

package command

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkTimeSeries requires an index that a time-series collection can convert into an
// index on its buckets. It checks field by field in the given order, then the
// requirements of a TTL index (mongodb/mongo:
// src/mongo/db/timeseries/timeseries_commands_conversion_helper.cpp, commit 022bc710,
// makeTimeseriesCreateIndexesCommand).
func (x *indexCommand) checkTimeSeries() error {
	if x.collection.TimeSeries.IsMissing() {
		return nil
	}
	if !x.profile.SeriesFilters {
		return x.convertSeries()
	}
	for f := x.index.Fields(); f.Next(); {
		if err := x.checkSeriesField(f.Name(), f.Value()); err != nil {
			return err
		}
	}
	series, key := x.collection.TimeSeries, x.index.Field("key")
	_, onMeta := filter.OnBuckets(x.index.Field("partialFilterExpression"), value.Text(series.Field("metaField")))
	fields := policy.DOf(key)
	onTime := len(fields) == 1 && fields[0].Key == value.Text(series.Field("timeField"))
	if !x.isTTL() {
		return nil
	}
	return firstOf(
		refusal{!x.profile.TimeSeriesIndexes, codes.InvalidOptions, rules.IndexSeries, "expireAfterSeconds", "TTL indexes are not supported on time-series collections"},
		refusal{!onMeta, codes.InvalidOptions, rules.IndexSeriesFilter, "partialFilterExpression",
			"TTL indexes on time-series collections require a partialFilterExpression on the metaField"},
		refusal{len(fields) != 1, codes.CannotCreateIndex, rules.CompoundRefused, "key", singleFieldReason + ". Index spec: " + value.Shown(key)},
		refusal{!onTime, codes.InvalidOptions, rules.IndexSeriesKey, "key", "TTL indexes on non-time fields are not supported on time-series collections"},
	)
}

// convertSeries converts the key into that of an index on the buckets, as releases do
// whose indexes of time-series collections have no filters. The checks after it see the
// converted index, whose key on the time field has two fields (mongodb/mongo:
// src/mongo/db/timeseries/timeseries_index_schema_conversion_functions.cpp, commit
// 5c9288ff2d, createBucketsIndexSpecFromTimeseriesIndexSpec).
func (x *indexCommand) convertSeries() error {
	time, meta := value.Text(x.collection.TimeSeries.Field("timeField")), value.Text(x.collection.TimeSeries.Field("metaField"))
	given := x.index.Field("key")
	if given.Kind() != policy.Object {
		return unspecified(rules.IndexUnspecified, "key")
	}
	var key policy.D
	for f := given.Fields(); f.Next(); {
		v := f.Value()
		switch rest, within := strings.CutPrefix(f.Name(), meta); {
		case f.Name() == time && !v.Kind().IsNumber():
			return refuseBy(codes.CannotCreateIndex, rules.IndexSeriesKey, "key", "Indexes on the time field must be ascending or descending (numbers only)")
		case f.Name() == time:
			key = append(key, policy.E{Key: "control.min." + time, Value: v}, policy.E{Key: "control.max." + time, Value: v})
		case meta != "" && within && (rest == "" || rest[0] == '.'):
			key = append(key, policy.E{Key: "meta" + rest, Value: v})
		default:
			return refuseBy(codes.CannotCreateIndex, rules.IndexSeriesKey, "key", "Indexes are only supported on the meta field and the time field")
		}
	}
	x.measured = given
	index := policy.DOf(x.index)
	for i := range index {
		if index[i].Key == "key" {
			index[i].Value = policy.ObjectValue(key)
		}
	}
	x.index = policy.ObjectValue(index)
	return nil
}

// checkBuckets refuses what no index on buckets has in the releases of convertSeries
// (mongodb/mongo: src/mongo/db/catalog/index_catalog_impl.cpp, commit 5c9288ff2d, _isSpecOk).
func (x *indexCommand) checkBuckets() error {
	if x.measured.IsMissing() {
		return nil
	}
	isText := indexType(x.profile, policy.ObjectValue(x.spec.Key)) == "text"
	return firstOf(
		refusal{!x.index.Field("partialFilterExpression").IsMissing(), codes.InvalidOptions, rules.IndexSeriesFilter, "partialFilterExpression",
			"Partial indexes are not supported on collections clustered by _id"},
		refusal{x.spec.Unique, codes.InvalidOptions, rules.IndexSeriesUnique, "unique", "Unique indexes are not supported on collections clustered by _id"},
		refusal{x.isTTL(), codes.InvalidOptions, rules.IndexSeries, "expireAfterSeconds", "TTL indexes are not supported on collections clustered by _id"},
		refusal{isText, codes.InvalidOptions, rules.IndexSeriesKey, "key", "Text indexes are not supported on collections clustered by _id"},
	)
}

// checkSeriesField checks one field of an index of a time-series collection.
func (x *indexCommand) checkSeriesField(name string, v policy.Value) error {
	p := x.profile
	switch name {
	case "partialFilterExpression":
		return firstOf(
			refusal{!x.index.Field("collation").IsMissing(), codes.IndexOptionsConflict, rules.IndexSeriesCollation, "collation",
				"On a time-series collection, partialFilterExpression and collation arguments are incompatible"},
			refusal{v.Kind() != policy.Object, 0, rules.IndexUnspecified, name, ""},
		)
	case "sparse":
		return firstOf(refusal{!x.isOnSeries(), codes.InvalidOptions, rules.IndexSeriesKey, name, "Sparse indexes are not supported on time-series measurements"})
	case "unique":
		return firstOf(refusal{value.IsTrue(v), codes.InvalidOptions, rules.IndexSeriesUnique, name, "Unique indexes are not supported on time-series collections"})
	case "key":
		return firstOf(
			refusal{v.Kind() != policy.Object, 0, rules.IndexUnspecified, name, ""},
			refusal{indexType(p, v) == "text", codes.InvalidOptions, rules.IndexSeriesKey, name, "Text indexes are not supported on time-series collections"},
			refusal{v.Field(value.Text(x.collection.TimeSeries.Field("timeField"))).Kind() == policy.String, codes.CannotCreateIndex, rules.IndexSeriesKey, name,
				"Indexes on the time field must be ascending or descending (numbers only)"},
		)
	}
	return nil
}

// isOnSeries reports whether each field of the key is the time field, the meta field or a
// field within the meta field.
func (x *indexCommand) isOnSeries() bool {
	time, meta := value.Text(x.collection.TimeSeries.Field("timeField")), value.Text(x.collection.TimeSeries.Field("metaField"))
	for f := x.index.Field("key").Fields(); f.Next(); {
		first, _, _ := strings.Cut(f.Name(), ".")
		if f.Name() != time && (meta == "" || first != meta) {
			return false
		}
	}
	return true
}

// checkSeconds checks expireAfterSeconds by itself, before the server looks at the
// collection. Releases up to 4.0 check nothing (mongodb/mongo:
// src/mongo/db/index_key_validate.cpp, validateIndexSpecTTL).
func (x *indexCommand) checkSeconds() error {
	const at = "expireAfterSeconds"
	p, option := x.profile, x.spec.ExpireAfterSeconds
	if !x.isTTL() || p.CreateRange == behaviour.CreateRangeUnchecked {
		return nil
	}
	typeReason := "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '" + option.Kind().String()
	if !p.ReasonLast {
		typeReason += "'"
	}
	n, bound := value.WholeSeconds(option), p.CreateRange
	beforeEpoch := n > math.MaxInt64/1000 || n*1000 > int64(x.now)
	return x.withSpecification(firstOf(
		refusal{!option.Kind().IsNumber(), codes.CannotCreateIndex, rules.SecondsType, at, typeReason},
		refusal{option.IsNaN() && p.CreateNaN == behaviour.Refused, codes.CannotCreateIndex, rules.SecondsNaN, at, "TTL index 'expireAfterSeconds' option must not be NaN"},
		refusal{option.IsNaN() && p.CreateNaN == behaviour.AcceptanceUnspecified, 0, rules.SecondsNaNUnspecified, at, ""},
		refusal{bound == behaviour.CreateRangeInt32 && n != int64(int32(n)), codes.CannotCreateIndex, rules.SecondsRange, at,
			"TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer"},
		refusal{n < 0, codes.CannotCreateIndex, rules.SecondsNegative, at, negativeReason},
		refusal{bound != behaviour.CreateRangeInt32 && beforeEpoch, codes.CannotCreateIndex, rules.SecondsBefore1970, at, largeReason},
		refusal{len(x.spec.Key) != 1, codes.CannotCreateIndex, rules.CompoundRefused, "key", singleFieldReason},
	))
}

// withSpecification appends the specification to the reason of a refusal. In some
// releases the specification precedes the reason if expireAfterSeconds is refused.
func (x *indexCommand) withSpecification(err error) error {
	switch e, refused := err.(*mongo.SpecError); {
	case !refused || e.Code == 0:
	case x.profile.ReasonLast && e.Field == "expireAfterSeconds":
		e.Reason = ". Index spec: " + value.Shown(x.index) + " :: caused by :: " + e.Reason
	default:
		e.Reason += ". Index spec: " + value.Shown(x.index)
	}
	return err
}

// checkCollection checks the index against the kind of the collection.
func (x *indexCommand) checkCollection() error {
	return firstOf(
		refusal{x.collection.View, codes.CommandNotSupportedOnView, rules.IndexView, "collection", "Cannot create indexes on a view"},
		refusal{x.collection.Encrypted && x.isTTL(), codes.EncryptedTTL, rules.IndexEncrypted, "expireAfterSeconds", "TTL indexes are not supported on collections with encrypted fields"},
	)
}

// checkCollation requires a collation that the server has, and fills it in.
func (x *indexCommand) checkCollation() error {
	given := x.index.Field("collation")
	if x.profile.Specs != behaviour.SpecsByField || given.IsMissing() {
		return nil
	}
	if x.profile.OptionTypes && x.profile.LaterOptions == behaviour.Refused {
		if err := checkCommand("collation", given, collationFields(x.profile), nil); err != nil {
			return err
		}
	}
	code, reason := checkCollation(given)
	switch {
	case code != 0 && code != codes.BadValue && x.profile.OptionTypes:
		// newer releases read the document by another parser
		return unspecified(rules.IndexUnspecified, "collation")
	case code != 0:
		return refuseBy(code, rules.IndexCollation, "collation", "%s", reason)
	}
	x.spec.Collation = fullCollation(given)
	if isOnID(x.spec) && !x.spec.Collation.IsMissing() {
		return refuseBy(codes.BadValue, rules.IndexCollation, "collation", "The _id index must have the same collation as the collection. Index collation: %s", value.Shown(x.spec.Collation))
	}
	return nil
}

// checkCatalog makes the checks of the catalog: of the name, and of options that depend on
// each other (mongodb/mongo: src/mongo/db/catalog/index_catalog_impl.cpp, _isSpecOk).
func (x *indexCommand) checkCatalog() error {
	if x.profile.Specs != behaviour.SpecsByField {
		return x.completeOld()
	}
	kind, name := indexType(x.profile, policy.ObjectValue(x.spec.Key)), x.spec.Name
	collates := kind == typePlain || kind == "2dsphere" || kind == "hashed" || kind == typeWildcard
	return firstFailure(
		func() error {
			return firstOf(
				refusal{strings.Contains(name, "\x00"), codes.CannotCreateIndex, rules.IndexName, "name", "index name cannot contain NUL bytes"},
				refusal{name == "", codes.CannotCreateIndex, rules.IndexName, "name", "index name cannot be empty"},
				refusal{x.isNameTooLong(name), codes.CannotCreateIndex, rules.IndexName, "name", longNameReason},
				refusal{kind == typeWildcard && value.WholeSeconds(x.index.Field("v")) == 1, codes.CannotCreateIndex, rules.IndexVersion, "v",
					"bad index key pattern " + value.Shown(policy.ObjectValue(x.spec.Key)) + ": 'wildcard' index plugin is not allowed with index version v:1"},
				refusal{!x.spec.Collation.IsMissing() && !collates, codes.CannotCreateIndex, rules.IndexCollation, "collation", "Index type '" + kind + "' does not support collation"},
			)
		},
		x.checkWildcard, x.checkFilter, x.checkBuckets, x.checkStorage, x.complete,
	)
}

// isNameTooLong reports whether the name of an index has too many bytes with the
// collection's namespace, if that is known.
func (x *indexCommand) isNameTooLong(name string) bool {
	const longest = 127
	ns := x.collection.Namespace
	return x.profile.NamesBounded && ns != "" && len(ns)+len(".$")+len(name) > longest
}

const longNameReason = "namespace name generated from index name is too long (127 byte max)"

// completeOld calls complete for the releases up to 3.2. How they refuse what complete
// refuses is unspecified, so that every error of complete becomes an unspecified outcome.
func (x *indexCommand) completeOld() error {
	before := x.spec
	if err := x.complete(); err != nil {
		x.spec = before
		return unspecified(rules.IndexUnspecified, "key")
	}
	return nil
}

// checkWildcard requires options that a wildcard index can have.
func (x *indexCommand) checkWildcard() error {
	if indexType(x.profile, policy.ObjectValue(x.spec.Key)) != typeWildcard {
		return nil
	}
	reason := "Index type 'wildcard' cannot be a TTL index"
	if x.profile.WildcardReasonLast {
		reason = "cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the 'expireAfterSeconds' option"
	}
	return firstOf(
		refusal{x.spec.Sparse, codes.CannotCreateIndex, rules.IndexSpecial, "sparse", "Index type 'wildcard' does not support the sparse option"},
		refusal{x.spec.Unique, codes.CannotCreateIndex, rules.IndexSpecial, "unique", "Index type 'wildcard' does not support the unique option"},
		refusal{x.isTTL(), codes.CannotCreateIndex, rules.IndexWildcard, "expireAfterSeconds", reason},
	)
}

// checkFilter requires a filter that a partial index may have.
func (x *indexCommand) checkFilter() error {
	const at = "partialFilterExpression"
	expression := x.index.Field(at)
	if expression.IsMissing() {
		return nil
	}
	if err := firstOf(
		refusal{x.spec.Sparse, codes.CannotCreateIndex, rules.IndexPartialSparse, "sparse", `cannot mix "partialFilterExpression" and "sparse" options`},
		refusal{expression.Kind() != policy.Object, codes.CannotCreateIndex, rules.IndexFilterSyntax, at, `"partialFilterExpression" for an index must be a document`},
	); err != nil {
		return err
	}
	if _, refused := filter.Parse(expression, x.spec.Collation, x.profile); refused != nil {
		return refuseFilter(refused, rules.IndexFilterSyntax)
	}
	_, refused := filter.Compile(expression, x.spec.Collation, x.profile)
	return refuseFilter(refused, rules.IndexFilterLanguage)
}

// checkCapped checks that a capped collection may have a TTL index.
func (x *indexCommand) checkCapped() error {
	const at = "expireAfterSeconds"
	capped := x.isTTL() && x.collection.Capped
	return firstOf(
		refusal{capped && x.profile.CreateCapped == behaviour.Refused, codes.CannotCreateIndex, rules.IndexCapped, at, "Cannot create TTL index on a capped collection"},
		refusal{capped && x.profile.CreateCapped == behaviour.AcceptanceUnspecified, 0, rules.IndexCappedUnspecified, at, ""},
	)
}

// checkCappedCluster refuses a TTL index of a collection that is capped and clustered. The
// server checks this before the seconds (mongodb/mongo:
// src/mongo/db/commands/create_indexes.cpp, validateTTLOptions).
func (x *indexCommand) checkCappedCluster() error {
	return firstOf(refusal{x.isTTL() && x.collection.Capped && x.collection.Clustered, codes.CappedClusterIndex, rules.IndexCappedCluster, "expireAfterSeconds",
		"TTL secondary indexes are not allowed on a capped clustered collection"})
}

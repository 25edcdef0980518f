package mongo

import (
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Listed returns the value that listIndexes shows for a stored
// expireAfterSeconds; an initial sync and a dump copy this value. It reports
// false if the value is unspecified, and for the zero Profile.
//
// Up to 4.4 the option is shown as it is stored. Later releases show whole seconds as an
// int32. A release that reads NaN as 0 shows NaN as 0, and any other number as the nearest
// one of 32 bits; a release that skips NaN shows it as 2147483647, and since 7.0 every other
// invalid value too (https://jira.mongodb.org/browse/SERVER-68477; mongodb/mongo:
// jstests/noPassthrough/ttl/ttl_expire_nan.js). For a value that is not a number listIndexes
// may fail: see ListIndex.
func (functions) Listed(p Profile, stored policy.Value) (policy.Value, bool) {
	n := value.WholeSeconds(stored)
	switch {
	case p.behaviour.Conversion == behaviour.ConversionUnspecified:
		return policy.Value{}, false
	case stored.IsMissing() || p.behaviour.Conversion == behaviour.ConversionPlain:
		return stored, true
	case stored.IsNaN():
		return listedNaN(p.behaviour)
	case stored.Kind().IsNumber() && (value.InSeconds(n) || p.behaviour.Nan == behaviour.OptionZero):
		return policy.Int32Value(int32(min(max(n, math.MinInt32), math.MaxInt32))), true
	}
	return catalog.RepairedSeconds, p.behaviour.OutOfRange == behaviour.OptionSkipped
}

func listedNaN(p behaviour.Profile) (policy.Value, bool) {
	if p.Nan == behaviour.OptionZero {
		return policy.Int32Value(0), true
	}
	return catalog.RepairedSeconds, p.Nan == behaviour.OptionSkipped
}

// ListIndex returns the document that listIndexes shows for an index whose stored
// definition is given, as an initial sync and a dump copy it. Up to 4.4 it is the stored
// definition.
//
// Since 5.0 the server parses the stored definition (SERVER-52545; mongodb/mongo:
// src/mongo/db/list_indexes.idl): a field that is null is left out, a number has the type
// of its field, and a flag is a boolean. A field of another type makes the whole command
// fail with code 5254501, and with it initial syncs, dumps and this library's reading of a
// server: a release before 5.0 may have stored sparse: "x". The error is then a [*SpecError] with that
// code and the field. It wraps [policy.ErrUnspecified] if it is unspecified what the
// release shows, and [ErrUnknownVersion] for the zero Profile. The error for a value that is not a document is
// a SpecError with the code TypeMismatch. Only the first batch is parsed: listIndexes with
// cursor: {batchSize: 0}, and getMore after it, show the stored definitions.
func (functions) ListIndex(p Profile, stored policy.Value) (policy.Value, error) {
	switch {
	case p == (Profile{}):
		return policy.Value{}, errNoRelease
	case p.behaviour.Conversion == behaviour.ConversionUnspecified:
		return policy.Value{}, &SpecError{Field: "index", Reason: policy.ErrUnspecified.Error(), Rule: rules.IndexUnspecified}
	case stored.Kind() != policy.Object:
		return policy.Value{}, wrongType("index", stored, "a document")
	case p.behaviour.Conversion == behaviour.ConversionPlain:
		return stored, nil
	}
	var shown policy.D
	for _, name := range listedOrder {
		v := stored.Field(name)
		if v.IsMissing() || v.Kind() == policy.Null || v.Kind() == policy.Undefined {
			continue
		}
		listed, err := p.listedField(name, v)
		if err != nil {
			return policy.Value{}, err
		}
		shown = append(shown, policy.E{Key: name, Value: listed})
	}
	if p.behaviour.LaterOptions != behaviour.Refused {
		for f := stored.Fields(); f.Next(); {
			if name := f.Name(); name != "ns" && !slices.Contains(listedOrder, name) { // options that came after 5.0
				shown = append(shown, policy.E{Key: name, Value: f.Value()})
			}
		}
	}
	return policy.ObjectValue(shown), nil
}

// listedOrder are the fields of an index in the order in which listIndexes of 5.0 shows
// them.
var listedOrder = []string{
	"v", "key", "name", "background", "unique", "hidden", "partialFilterExpression", "sparse", "expireAfterSeconds", "storageEngine", "weights",
	"default_language", "language_override", "textIndexVersion", "2dsphereIndexVersion", "bits", "min", "max", "bucketSize", "collation",
	"wildcardProjection", "coarsestIndexedLevel", "finestIndexedLevel", "dropDups",
}

// listedField returns a field as listIndexes shows it since 5.0.
func (p Profile) listedField(name string, v policy.Value) (policy.Value, error) {
	kind := v.Kind()
	number := value.WholeSeconds(v)
	switch name {
	case "expireAfterSeconds":
		if kind.IsNumber() || p.behaviour.OutOfRange == behaviour.OptionSkipped {
			break
		}
		return v, listingFails(name, kind)
	case "key", "partialFilterExpression", "storageEngine", "collation", "wildcardProjection":
		if kind == policy.Object {
			return v, nil
		}
		return v, listingFails(name, kind)
	case "weights":
		if kind == policy.Object || kind == policy.String {
			return v, nil
		}
		return v, listingFails(name, kind)
	case "name", "default_language", "language_override":
		if kind == policy.String {
			return v, nil
		}
		return v, listingFails(name, kind)
	case "background", "unique", "hidden", "sparse", "dropDups":
		if kind == policy.Bool || kind.IsNumber() {
			return policy.BoolValue(value.IsTrue(v)), nil
		}
		return v, listingFails(name, kind)
	case "min", "max", "bucketSize":
		return listedDouble(name, v)
	default: // v and the numbers of versions and levels
		if kind.IsNumber() {
			return policy.Int32Value(int32(min(max(number, math.MinInt32), math.MaxInt32))), nil
		}
		return v, listingFails(name, kind)
	}
	listed, ok := functions{}.Listed(p, v)
	if !ok {
		return v, &SpecError{Field: name, Reason: policy.ErrUnspecified.Error(), Rule: rules.MoveListedUnspecified}
	}
	return listed, nil
}

// listedDouble returns a number that listIndexes shows as a double. The double for a
// decimal is unspecified.
func listedDouble(name string, v policy.Value) (policy.Value, error) {
	n, isWhole := v.AsInt64()
	switch kind := v.Kind(); {
	case isWhole:
		return policy.DoubleValue(float64(n)), nil
	case kind == policy.Double:
		return v, nil
	case kind == policy.Decimal:
		return v, &SpecError{Field: name, Reason: policy.ErrUnspecified.Error(), Rule: rules.MoveListedUnspecified}
	default:
		return v, listingFails(name, kind)
	}
}

func listingFails(name string, kind policy.Kind) error {
	return &SpecError{Code: codes.ListingFailed, CodeName: codes.Location(codes.ListingFailed), Field: name, Rule: rules.SecondsListed,
		Reason: "Could not parse catalog entry while replying to listIndexes: " + name + " is " + kind.String()}
}

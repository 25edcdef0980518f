package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Listed returns the value that listIndexes shows for a stored
// expireAfterSeconds; an initial sync and a dump copy this value. It reports
// false if the value is unspecified, and for the zero Profile.
//
// Up to 4.4 the option is shown as it is stored. Later releases show whole seconds as an
// int32. A release that reads NaN as 0 shows NaN as 0, and a release that skips NaN shows
// it as 2147483647; since 7.0 they show every other invalid value as 2147483647 too
// (https://jira.mongodb.org/browse/SERVER-68477; mongodb/mongo:
// jstests/noPassthrough/ttl/ttl_expire_nan.js).
func (p Profile) Listed(stored policy.Value) (policy.Value, bool) {
	n := value.WholeSeconds(stored)
	switch {
	case p.behaviour.Conversion == behaviour.ConversionUnspecified:
		return policy.Value{}, false
	case stored.IsMissing() || p.behaviour.Conversion == behaviour.ConversionPlain:
		return stored, true
	case stored.IsNaN():
		return listedNaN(p.behaviour)
	case stored.Kind().IsNumber() && value.InSeconds(n):
		return policy.Int32Value(int32(n)), true
	}
	return catalog.RepairedSeconds, p.behaviour.OutOfRange == behaviour.OptionSkipped
}

func listedNaN(p behaviour.Profile) (policy.Value, bool) {
	if p.Nan == behaviour.OptionZero {
		return policy.Int32Value(0), true
	}
	return catalog.RepairedSeconds, p.Nan == behaviour.OptionSkipped
}

// wholeSeconds returns the whole seconds of a number, and whether v is a number; see
// WholeSeconds of internal/mongofunc.
func wholeSeconds(v policy.Value) (seconds int64, ok bool) {
	return value.WholeSeconds(v), v.Kind().IsNumber()
}

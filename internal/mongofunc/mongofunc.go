// Package mongofunc holds functions about releases of MongoDB that the tool, the suite and
// the playground need and users of the library do not.
package mongofunc

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// WholeSeconds returns the whole number of seconds that MongoDB reads from an
// expireAfterSeconds. It reports false for a value that is not a number. Doubles are
// truncated towards zero, decimals rounded half to even, and numbers beyond 64 bits become
// the nearest that fits. NaN is 0. It depends on the release whether NaN works as 0, and
// which range of numbers works at all: up to 3.2 a number beyond 64 bits works as 0
// (mongodb/mongo: src/mongo/bson/bsonelement.h, safeNumberLong, and
// src/mongo/platform/decimal128.h, toLong).
func WholeSeconds(v policy.Value) (seconds int64, ok bool) {
	return value.WholeSeconds(v), v.Kind().IsNumber()
}

// F has further functions as methods, which package mongo documents.
var F = mongo.Private(private.Key{})

// ReadsNaNAsZero reports whether an index whose stored expireAfterSeconds is NaN deletes as
// if it were 0: documents with a date in the past expire. It is false where NaN deletes
// nothing, and for the zero Profile. Up to 3.2 the conversion of C makes NaN 0
// (mongodb/mongo: src/mongo/db/ttl.cpp), and from 5.0.0 on a conversion of the server's own
// does (https://jira.mongodb.org/browse/SERVER-68477). Servers are taken to run on x86-64;
// builds of 3.4 to 4.4 for ARM64 convert NaN to 0 too.
func ReadsNaNAsZero(p mongo.Profile) bool { return F.Behaviour(p).Nan == behaviour.OptionZero }

// ListsSimpleCollation reports whether listIndexes shows the collation {locale: "simple"}
// for an index without one, once the feature compatibility version is the release's own. It
// is false for the zero Profile.
func ListsSimpleCollation(p mongo.Profile) bool { return F.Behaviour(p).ListsCollation }

// Development returns the profile of a state of the server's main branch that was compiled
// and run, by its name: "4.4-dev" or "5.0-dev". It is for comparisons with the recorded
// answers of that state. No release has such a profile. It reports false for any other name.
func Development(name string) (mongo.Profile, bool) {
	d, ok := behaviour.DevelopmentNamed(name)
	if !ok {
		return mongo.Profile{}, false
	}
	return F.Profile(d.Profile()), true
}

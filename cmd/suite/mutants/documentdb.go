package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// documentDB holds misreadings of DocumentDB, which takes it for MongoDB.
var documentDB = []Mutant{
	{Name: "documentdb-includes-cutoff", Rule: "documentdb.date", Text: "A date equal to the cutoff has expired, as in MongoDB.",
		Wild:    "MongoDB since 3.2, whose rules other programs apply to this engine",
		misread: shifts("documentdb.decide", always, -1)},
	{Name: "documentdb-collmod-clamps", Rule: "documentdb.collmod-wraps", Text: "collMod cuts a longer delay to 2147483647, as MongoDB does.",
		Wild:    "MongoDB since 5.1, whose rules other programs apply to this engine",
		misread: changes("documentdb.collMod", always, given(isLarge, func(policy.Value) policy.Value { return policy.Int32Value(math.MaxInt32) }), newDelay...)},
}

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collMod holds misreadings of the refusals of collMod, its conversion of the
// option, and its reply.
var collMod = []Mutant{
	{Name: "collmod-nan-refused", Rule: "mongo.collmod-conversion", Text: "NaN is refused, as createIndexes does.",
		Wild:    "documentdb 0.108",
		misread: refuses(collModify, where(policy.Value.IsNaN, newDelay...), 72)},
	{Name: "collmod-large-refused", Rule: "mongo.collmod-conversion", Text: "A delay beyond 32 bits is refused, as createIndexes does.",
		Wild:    "documentdb 0.108, for 2147483648",
		misread: refuses(collModify, func(q query) bool { return number(q.newSeconds()) >= math.MaxInt32+1 && !q.before("5.0.0") }, 72)},
	{Name: "collmod-wraps", Rule: "mongo.collmod-conversion", Text: "The low 32 bits of an int64 are the delay: 4294967296 becomes 0.",
		Wild:    "documentdb 0.108, where all documents expire then (`microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c`)",
		misread: changes(collModify, always, given(isLarge, low32), newDelay...)},
	{Name: "collmod-type-is-an-option", Rule: "mongo.command-type", Text: "A field of a wrong type is refused as a wrong option, in every release.",
		Wild:    "MongoDB up to 4.4",
		misread: all(confuses(collModify, always, 14, 72), confuses(createColl, always, 14, 72))},
	{Name: "collmod-no-conversion", Rule: "mongo.collmod-no-ttl", Text: "An index that is no TTL index cannot be made one.",
		Wild:    "documentdb 0.108 and MongoDB up to 5.0",
		misread: refuses(collModify, converts, 72)},
}

// newDelay is the path of an index's new expireAfterSeconds in a collMod.
var newDelay = []string{"command", "index", option}

func (q query) newSeconds() policy.Value { return q.get(newDelay...) }

// firstOfKey reduces the key of an index to its first field.
func firstOfKey(x policy.Value) policy.Value {
	return cases.Put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
}

// converts tests for a change that turns an ordinary index into a TTL index.
func converts(q query) bool {
	return has(newDelay...)(q) && sole("existing", every(not(named(option)), isPlainIndex))(q)
}

package mutants

import (
	"encoding/json"
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collMod holds misreadings of the refusals of collMod, its conversion of the
// option, and its reply.
var collMod = of("collmod", []Mutant{
	{Name: "collmod-nan-refused", Rule: "mongo.collmod-conversion", Text: "NaN is refused, as createIndexes does.",
		Wild:    "documentdb 0.108",
		misread: refuses(collModify, where(policy.Value.IsNaN, newDelay...), 72)},
	{Name: "collmod-infinity-refused", Rule: "mongo.collmod-conversion", Text: "Infinity is refused, as createIndexes does.",
		Wild:    "documentdb 0.108",
		misread: refuses(collModify, where(isInfinite, newDelay...), 72)},
	{Name: "collmod-large-refused", Rule: "mongo.collmod-conversion", Text: "A delay beyond 32 bits is refused, as createIndexes does.",
		Wild:    "documentdb 0.108, for 2147483648",
		misread: refuses(collModify, func(q query) bool { return number(q.newSeconds()) >= math.MaxInt32+1 && !q.before("5.0.0") }, 72)},
	{Name: "collmod-wraps", Rule: "mongo.collmod-conversion", Text: "The low 32 bits of an int64 are the delay: 4294967296 becomes 0.",
		Wild:    "documentdb 0.108, where all documents expire then (`microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c`)",
		misread: changes(collModify, always, given(isLarge, low32), newDelay...)},
	{Name: "collmod-type-is-an-option", Rule: "mongo.command-type", Text: "A field of a wrong type is refused as a wrong option, in every release.",
		Wild:    "MongoDB up to 4.4",
		misread: all(confuses(collModify, always, 14, 72), confuses(createColl, always, 14, 72))},
	{Name: "collmod-unknown-field-ignored", Rule: "mongo.command-unknown-field", Text: "A field of index that is not known is ignored, in every release.",
		Wild:    "MongoDB up to 4.2",
		misread: forgets(collModify, always, "command", "index", "expireAfterSecond")},
	{Name: "collmod-no-conversion", Rule: "mongo.collmod-no-ttl", Text: "An index that is no TTL index cannot be made one.",
		Wild:    "documentdb 0.108 and MongoDB up to 5.0",
		misread: refuses(collModify, converts, 72)},
	{Name: "collmod-reply-of-seconds-always", Rule: "mongo.collmod-reply-elements", Text: "The delays are reported in whole seconds, in every release.",
		Wild: "MongoDB since 5.3",
		misread: only(collModify, until("5.0.0"), replies(func(_ query, _ string, v policy.Value) policy.Value {
			n, _ := mongofunc.WholeSeconds(v)
			return policy.Int64Value(n)
		}))},
	{Name: "collmod-reply-of-elements-always", Rule: "mongo.collmod-reply-seconds", Text: "The new delay is reported as it was given, in every release.",
		Wild: "MongoDB up to 5.0",
		misread: only(collModify, since("5.3.0"), replies(func(q query, name string, v policy.Value) policy.Value {
			if name == "expireAfterSeconds_new" {
				return q.newSeconds()
			}
			return v
		}))},
	{Name: "collmod-reply-of-int32", Rule: "mongo.collmod-reply", Text: "The delays are reported as int32.",
		Wild:    "documentdb 0.108, which reports doubles",
		misread: replies(func(_ query, _ string, v policy.Value) policy.Value { return low32(v) })},
	{Name: "collmod-reply-only-changes", Rule: "mongo.collmod-reply", Text: "Delays that are equal are not reported, in any release.",
		Wild: "MongoDB up to 4.2",
		misread: only(collModify, func(q query) bool {
			return sole("existing", func(x policy.Value) bool { return suite.Same(x.Field(option), q.newSeconds()) })(q)
		}, succeeds)},
})

// newDelay is the path of an index's new expireAfterSeconds in a collMod.
var newDelay = []string{"command", "index", option}

func (q query) newSeconds() policy.Value { return q.get(newDelay...) }

// succeeds is the misreading that nothing was changed.
var succeeds = answers(conformance.Result(struct{}{}))

// firstOfKey reduces the key of an index to its first field.
func firstOfKey(x policy.Value) policy.Value {
	return cases.Put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
}

// converts tests for a change that turns an ordinary index into a TTL index.
func converts(q query) bool {
	return has(newDelay...)(q) && sole("existing", every(not(named(option)), isPlainIndex))(q)
}

// replies returns the misreading that answers with the reference's reply, after edit has
// changed the numbers of seconds in it.
func replies(edit func(q query, name string, v policy.Value) policy.Value) misreading {
	return only(collModify, accepted, func(q query) conformance.Answer {
		out := map[string]json.RawMessage{}
		reply, _ := valuefunc.ParseExtJSONInt32(q.ask().Out)
		for _, e := range policy.DOf(reply) {
			out[e.Key] = policy.AppendExtJSON(nil, edit(q, e.Key, e.Value))
		}
		return conformance.Result(out)
	})
}

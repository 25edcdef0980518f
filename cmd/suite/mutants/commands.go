package mutants

import (
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createIndexes holds misreadings of what createIndexes refuses and stores.
var createIndexes = []Mutant{
	{Name: "createindexes-unknown-option-ignored", Rule: "mongo.createindexes-unknown-field", Text: "An option that is not known is ignored.",
		Wild:    "MongoDB up to 3.2",
		misread: asks(createIndex, func(q query) query { return q.with(knownOptions(q.get("index")), "index") })},
	{Name: "createindexes-id-accepted", Rule: "mongo.createindexes-id", Text: "The index on _id accepts the option.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" })},
	{Name: "createindexes-filter-and-of-nothing", Rule: "mongo.createindexes-filter-syntax", Text: "$and of nothing matches everything.",
		misread: forgets(createIndex, where(isEmptyList, "index", partial, "$and"), "index", partial, "$and")},
	{Name: "createindexes-text-of-digits", Rule: "mongo.createindexes-seconds-type", Text: "A text of digits is a number of seconds.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("4.2.0"), numerals)},
	{Name: "createindexes-true-is-one", Rule: "mongo.createindexes-seconds-type", Text: "true is 1 second.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("4.2.0"), becomes(ofType(policy.Bool), policy.Int32Value(1)))},
	{Name: "createindexes-null-is-absent", Rule: "mongo.createindexes-seconds-type", Text: "null means that the option is left out.",
		Wild:    "mongomock 4.1.2, and expected by a client (Automattic/mongoose#5276)",
		misread: restates(since("4.2.0"), becomes(isNull, missing))},
	{Name: "createindexes-nan-accepted", Rule: "mongo.createindexes-seconds-nan", Text: "NaN is accepted in every release.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("7.0.0"), becomes(policy.Value.IsNaN, policy.Int32Value(0)))},
	{Name: "createindexes-large-accepted", Rule: "mongo.createindexes-seconds-range", Text: "A delay beyond 32 bits is accepted.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("5.0.0"), becomes(func(v policy.Value) bool { return number(v) >= math.MaxInt32+1 }, policy.Int32Value(1)))},
	{Name: "createindexes-negative-accepted", Rule: "mongo.createindexes-seconds-negative", Text: "A delay below 0 is accepted.",
		Wild:    "mongomock 4.1.2, @seald-io/nedb 4.1.2 and 256dpi/lungo",
		misread: restates(since("4.2.0"), becomes(func(v policy.Value) bool { return number(v) <= -1 }, policy.Int32Value(0)))},
	{Name: "createindexes-compound-accepted", Rule: "mongo.createindexes-compound", Text: "An index of several fields accepts the option, and ignores it.",
		Wild:    "mongomock 4.1.2, @seald-io/nedb 4.1.2 and the MongoDB manual",
		misread: changes(createIndex, every(query.isTTL, since("4.2.0"), where(isCompound, "index")), firstOfKey, "index")},
	{Name: "createindexes-filter-or-never", Rule: "mongo.createindexes-filter-language", Text: "$or is allowed in no release.",
		Wild:    "MongoDB up to 5.3",
		misread: refuses(createIndex, speaking("$or"), 67)},
	{Name: "createindexes-filter-in-never", Rule: "mongo.createindexes-filter-language", Text: "$in is allowed in no release.",
		Wild:    "MongoDB up to 5.3",
		misread: refuses(createIndex, speaking("$in"), 67)},
	{Name: "createindexes-conflict-none", Rule: "mongo.createindexes-conflict", Text: "Two indexes on a key may differ in the option.",
		Wild:    "mongomock 4.1.2, where both apply",
		misread: asks(createIndex, func(q query) query { return q.each("existing", given(not(q.shares(option)), drop)) })},
	{Name: "createindexes-conflict-keeps-first", Rule: "mongo.createindexes-conflict", Text: "An index on the same key is kept as it is, without a word.",
		Wild:    "@seald-io/nedb 4.1.2",
		misread: accepts(createIndex, refusedWith(85), map[string]any{"created": false})},
	{Name: "createindexes-conflict-updates", Rule: "mongo.createindexes-conflict", Text: "An index on the same key gets the new option.",
		Wild:    "what users expected (Automattic/mongoose#13585, Automattic/mongoose#6259)",
		misread: accepts(createIndex, refusedWith(85), map[string]any{"created": true})},
	{Name: "createindexes-filter-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in its filter is the same.",
		Wild:    "MongoDB up to 4.4",
		misread: differsIn(partial)},
	{Name: "createindexes-unique-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in unique is the same.",
		Wild:    "MongoDB up to 4.4",
		misread: differsIn("unique")},
	{Name: "createindexes-hidden-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in hidden is the same in every release.",
		Wild:    "MongoDB up to 7.0",
		misread: accepts(createIndex, every(since("8.0.0"), beside("hidden")), map[string]any{"created": false})},
	{Name: "createindexes-decimal-refused", Rule: "mongo.createindexes-conversion", Text: "A Decimal128 is no number.",
		Wild:    "documentdb 0.108 and mongomock 4.1.2",
		misread: refuses(createIndex, every(since("4.2.0"), where(ofType(policy.Decimal), "index", option)), 67)},
	{Name: "createindexes-hashed-refused", Rule: "mongo.createindexes-special", Text: "A hashed index does not accept the option.",
		Wild:    "documentdb 0.108 and 256dpi/lungo",
		misread: special("hashed")},
	{Name: "createindexes-text-refused", Rule: "mongo.createindexes-special", Text: "A text index does not accept the option.",
		Wild:    "documentdb 0.108",
		misread: special("text")},
	{Name: "createindexes-2d-refused", Rule: "mongo.createindexes-special", Text: "A 2d index does not accept the option.",
		Wild:    "documentdb 0.108",
		misread: special("2d")},
	{Name: "createindexes-2dsphere-refused", Rule: "mongo.createindexes-special", Text: "A 2dsphere index does not accept the option.",
		Wild:    "documentdb 0.108",
		misread: special("2dsphere")},
}

// restates returns the misreading that asks about an index as if edit had changed its
// expireAfterSeconds.
func restates(when test, edit change) misreading {
	return changes(createIndex, when, edit, "index", option)
}

// speaking tests for an operator in the filter of the question.
func speaking(operator string) test {
	return func(q query) (found bool) {
		clauses(func(name string, v policy.Value) (string, policy.Value) {
			found = found || name == operator
			return name, v
		})(q.get("index", partial))
		return found
	}
}

// differsIn returns the misreading that refuses an index if an existing index has the
// same key and differs in an option.
func differsIn(name string) misreading {
	return refuses(createIndex, beside(name), 85)
}

// beside tests for an index that has the same key as an existing index and differs from
// it in an option.
func beside(name string) test {
	return func(q query) bool {
		all := policy.AOf(q.get("existing"))
		return len(all) > 0 && q.shares("key")(all[0]) && !q.shares(name)(all[0])
	}
}

// special returns the misreading that refuses expireAfterSeconds on an index of a special
// type.
func special(kind string) misreading {
	return refuses(createIndex, every(query.isTTL, where(isOfType(kind), "index")), 67)
}

// knownOptions returns an index without options that MongoDB does not know.
func knownOptions(index policy.Value) policy.Value {
	known := []string{"key", "name", option, partial, "sparse", "unique", "hidden", "collation", "v", "background"}
	return policy.ObjectValue(slices.DeleteFunc(policy.DOf(index), func(e policy.E) bool { return !slices.Contains(known, e.Key) }))
}

// shares is the shape of indexes that agree in an option with the index of the question.
func (q query) shares(name string) shape {
	return func(x policy.Value) bool { return suite.Same(x.Field(name), q.get("index", name)) }
}

// isTTL tests for the option on the index of the question.
func (q query) isTTL() bool { return !q.get("index", option).IsMissing() }

// create holds misreadings of a collection's own expireAfterSeconds, which create and
// collMod accept, and of the collections that can have it.
var create = []Mutant{
	{Name: "own-zero-refused", Rule: "mongo.collection-seconds-negative", Text: "A collection's delay must be above 0.",
		Wild:    "the MongoDB manual, which asks for a non-zero positive value in one paragraph",
		misread: all(refuses(createColl, ownZero, 72), refuses(collModify, ownZero, 72))},
	{Name: "create-granularity-of-days", Rule: "mongo.command-value", Text: "There is a granularity of days.",
		misread: changes(createColl, always, turns(isText("days"), policy.StringValue("hours")), "command", "timeseries", "granularity")},
	{Name: "create-buckets-never", Rule: "mongo.create-buckets", Text: "No release accepts a span of one's own.",
		Wild:    "MongoDB up to 6.2",
		misread: refuses(createColl, has("command", "timeseries", "bucketMaxSpanSeconds"), 72)},
}

// ownZero tests for 0 seconds of the collection itself.
var ownZero = where(isInt32Of(0), "command", option)

// collMod holds misreadings of the refusals of collMod, its conversion of the
// option, and its reply.
var collMod = []Mutant{
	{Name: "collmod-nan-refused", Rule: "mongo.collmod-conversion", Text: "NaN is refused, as createIndexes does.",
		Wild:    "documentdb 0.108",
		misread: refuses(collModify, where(policy.Value.IsNaN, newDelay...), 72)},
	{Name: "collmod-large-refused", Rule: "mongo.collmod-conversion", Text: "A delay beyond 32 bits is refused, as createIndexes does.",
		Wild:    "documentdb 0.108, for 2147483648",
		misread: refuses(collModify, func(q query) bool { return number(q.get(newDelay...)) >= math.MaxInt32+1 && !q.before("5.0.0") }, 72)},
	{Name: "collmod-wraps", Rule: "mongo.collmod-conversion", Text: "The low 32 bits of an int64 are the delay: 4294967296 becomes 0.",
		Wild:    "documentdb 0.108, where all documents expire then (`microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c`)",
		misread: changes(collModify, always, given(isLarge, low32), newDelay...)},
	{Name: "collmod-type-is-an-option", Rule: "mongo.command-type", Text: "A field of a wrong type is refused as a wrong option, in every release.",
		Wild:    "MongoDB up to 4.4",
		misread: all(confuses(collModify, always, 14, 72), confuses(createColl, always, 14, 72))},
	{Name: "collmod-no-conversion", Rule: "mongo.collmod-no-ttl", Text: "An index that is no TTL index cannot be made one.",
		Wild:    "documentdb 0.108 and MongoDB up to 5.0",
		misread: refuses(collModify, every(has(newDelay...), sole("existing", every(not(named(option)), isPlainIndex))), 72)},
}

// newDelay is the path of an index's new expireAfterSeconds in a collMod.
var newDelay = []string{"command", "index", option}

// firstOfKey reduces the key of an index to its first field.
func firstOfKey(x policy.Value) policy.Value {
	return cases.Put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
}

// documentDB holds misreadings of DocumentDB, which takes it for MongoDB.
var documentDB = []Mutant{
	{Name: "documentdb-includes-cutoff", Rule: "documentdb.date", Text: "A date equal to the cutoff has expired, as in MongoDB.",
		Wild:    "MongoDB since 3.2, whose rules other programs apply to this engine",
		misread: shifts("documentdb.decide", always, -1)},
	{Name: "documentdb-collmod-clamps", Rule: "documentdb.collmod-wraps", Text: "collMod cuts a longer delay to 2147483647, as MongoDB does.",
		Wild:    "MongoDB since 5.1, whose rules other programs apply to this engine",
		misread: changes("documentdb.collMod", always, given(isLarge, func(policy.Value) policy.Value { return policy.Int32Value(math.MaxInt32) }), newDelay...)},
}

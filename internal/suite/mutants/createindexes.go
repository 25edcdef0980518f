package mutants

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createIndexes holds misreadings of what createIndexes refuses and keeps.
var createIndexes = of("createindexes", []Mutant{
	{Name: "createindexes-unknown-option-ignored", Rule: "mongo.createindexes-unknown-field", Text: "An option that is not known is ignored.",
		Wild:    "MongoDB up to 3.2",
		misread: asks(createIndex, func(q query) query { return q.with(knownOptions(q.get("index")), "index") })},
	{Name: "createindexes-name-of-any-type", Rule: "mongo.createindexes-field-type", Text: "A name that is no text is written as one.",
		misread: changes(createIndex, always, given(not(ofType(policy.String)), func(v policy.Value) policy.Value { return policy.StringValue(v.String()) }), "index", "name")},
	{Name: "createindexes-key-zero-ascends", Rule: "mongo.createindexes-key", Text: "0 is a direction, as false would be.",
		misread: rekeys(turns(equals(0), policy.Int32Value(1)))},
	{Name: "createindexes-key-of-unknown-type", Rule: "mongo.createindexes-key", Text: "An index type that is not known is an ascending index.",
		misread: rekeys(turns(isUnknownType, policy.Int32Value(1)))},
	{Name: "createindexes-key-descending-refused", Rule: "mongo.createindexes-key", Text: "A TTL index must be ascending.",
		misread: refuses(createIndex, func(q query) bool { return isDescending(q.get("index")) && q.isTTL() }, 67)},
	{Name: "createindexes-empty-name", Rule: "mongo.createindexes-name", Text: "An empty name is made up for.",
		misread: forgets(createIndex, where(isText(""), "index", "name"), "index", "name")},
	{Name: "createindexes-name-shared", Rule: "mongo.createindexes-name", Text: "Two indexes may have one name.",
		misread: asks(createIndex, func(q query) query {
			return q.each("existing", given(every(q.shares("name"), not(q.shares("key"))), put(policy.StringValue("renamed"), "name")))
		})},
	{Name: "createindexes-id-accepted", Rule: "mongo.createindexes-id", Text: "The index on _id accepts the option.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" })},
	{Name: "createindexes-id-looked-at-last", Rule: "mongo.createindexes-id", Text: "That an index is on _id is looked at after its option.",
		misread: only(createIndex, where(below(0), "index", option), renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" }))},
	{Name: "createindexes-id-is-a-ttl-matter", Rule: "mongo.createindexes-id", Text: "The option on _id is refused with the code of all TTL options.",
		misread: confuses(createIndex, always, 197, 67)},
	{Name: "createindexes-id-hashed-refused", Rule: "mongo.createindexes-id", Text: "A hashed index on _id is an index on _id.",
		misread: refuses(createIndex, every(has("index", "key", "_id"), where(ofType(policy.String), "index", "key", "_id")), 197)},
	{Name: "createindexes-filter-syntax-is-its-language", Rule: "mongo.createindexes-filter-syntax", Text: "What is not a filter is refused as a filter that says too much.",
		misread: all(confuses(createIndex, has("index", partial), 2, 67), confuses(createIndex, has("index", partial), 224, 67), confuses(createIndex, has("index", partial), 14, 67))},
	{Name: "createindexes-filter-unknown-operator", Rule: "mongo.createindexes-filter-syntax", Text: "An operator that is not known is a field of a subdocument.",
		misread: refilter(renamed(strings.NewReplacer("$foo", "foo").Replace))},
	{Name: "createindexes-filter-and-of-nothing", Rule: "mongo.createindexes-filter-syntax", Text: "$and of nothing matches everything.",
		misread: forgets(createIndex, where(isEmptyList, "index", partial, "$and"), "index", partial, "$and")},
	{Name: "createindexes-filter-of-any-type", Rule: "mongo.createindexes-filter-syntax", Text: "A filter that is no document is ignored.",
		misread: forgets(createIndex, every(has("index", partial), not(where(ofType(policy.Object), "index", partial))), "index", partial)},
	{Name: "createindexes-timeseries-collation-accepted", Rule: "mongo.createindexes-timeseries-collation", Text: "A partial index of a time-series collection may have a collation.",
		misread: forgets(createIndex, has("collection", "timeseries"), "index", "collation")},
	{Name: "createindexes-timeseries-unique-accepted", Rule: "mongo.createindexes-timeseries-unique", Text: "An index of a time-series collection may be unique.",
		misread: forgets(createIndex, has("collection", "timeseries"), "index", "unique")},
	{Name: "createindexes-timeseries-accepted", Rule: "mongo.createindexes-timeseries", Text: "A time-series collection accepts a TTL index in every release.",
		misread: atRelease(createIndex, "6.3.2", every(has("collection", "timeseries"), until("6.3.0")))},
	{Name: "createindexes-timeseries-since-7.0", Rule: "mongo.createindexes-timeseries", Text: "A time-series collection accepts a TTL index since 7.0.",
		Wild:    "the MongoDB manual of 8.0",
		misread: atRelease(createIndex, "6.2.1", every(has("collection", "timeseries"), query.isTTL, since("6.3.0"), until("7.0.0")))},
	{Name: "createindexes-timeseries-without-filter", Rule: "mongo.createindexes-timeseries-filter", Text: "A TTL index of a time-series collection needs no filter.",
		misread: asks(createIndex, func(q query) query { return q.onMeta(policy.Value.IsMissing) })},
	{Name: "createindexes-timeseries-any-filter", Rule: "mongo.createindexes-timeseries-filter", Text: "The filter of a TTL index of a time-series collection may be on any field.",
		misread: asks(createIndex, func(q query) query { return q.onMeta(named()) })},
	{Name: "createindexes-timeseries-some-filter", Rule: "mongo.createindexes-timeseries-filter", Text: "One clause on the meta field suffices.",
		misread: asks(createIndex, func(q query) query { return q.onMeta(named("m")) })},
	{Name: "createindexes-timeseries-any-key", Rule: "mongo.createindexes-timeseries-key", Text: "A TTL index of a time-series collection may be on any field.",
		misread: asks(createIndex, func(q query) query {
			time, _ := q.get("collection", "timeseries", "timeField").AsString()
			if time == "" || isCompound(q.get("index")) {
				return q
			}
			return q.with(object(time, policy.Int32Value(1)), "index", "key")
		})},
	{Name: "createindexes-timeseries-meta-key", Rule: "mongo.createindexes-timeseries-key", Text: "A partial TTL index of a time-series collection is on the meta field.",
		Wild: "the MongoDB manual of 8.0",
		misread: refuses(createIndex, func(q query) bool {
			path, _, _ := keyOf(q.get("index"))
			time, isTimeseries := q.get("collection", "timeseries", "timeField").AsString()
			return isTimeseries && path == time && q.isTTL()
		}, 72)},
	{Name: "createindexes-text-of-digits", Rule: "mongo.createindexes-seconds-type", Text: "A text of digits is a number of seconds.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("4.2.0"), numerals)},
	{Name: "createindexes-true-is-one", Rule: "mongo.createindexes-seconds-type", Text: "true is 1 second.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("4.2.0"), becomes(ofType(policy.Bool), policy.Int32Value(1)))},
	{Name: "createindexes-null-is-absent", Rule: "mongo.createindexes-seconds-type", Text: "null means that the option is left out.",
		Wild:    "mongomock 4.1.2, and expected by a client (Automattic/mongoose#5276)",
		misread: restates(since("4.2.0"), becomes(isNull, missing))},
	{Name: "createindexes-type-is-mismatch", Rule: "mongo.createindexes-seconds-type", Text: "An option that is no number is refused as other fields of a wrong type are.",
		misread: confuses(createIndex, func(q query) bool { v := q.get("index", option); return !v.IsMissing() && !v.Kind().IsNumber() }, 67, 14)},
	{Name: "createindexes-nan-accepted", Rule: "mongo.createindexes-seconds-nan", Text: "NaN is accepted in every release.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("7.0.0"), becomes(policy.Value.IsNaN, policy.Int32Value(0)))},
	{Name: "createindexes-nan-always-refused", Rule: "mongo.createindexes-seconds-nan", Text: "NaN has been refused since options are looked at.",
		Wild:    "documentdb 0.108",
		misread: refuses(createIndex, func(q query) bool { return q.get("index", option).IsNaN() && !q.before("4.2.0") }, 67)},
	{Name: "createindexes-nan-of-decimals-accepted", Rule: "mongo.createindexes-seconds-nan", Text: "A Decimal128 that is NaN is not looked for.",
		misread: restates(since("7.0.0"), becomes(func(v policy.Value) bool { return v.Kind() == policy.Decimal && v.IsNaN() }, policy.Int32Value(0)))},
	{Name: "createindexes-large-accepted", Rule: "mongo.createindexes-seconds-range", Text: "A delay beyond 32 bits is accepted.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("5.0.0"), large(policy.Int32Value(1)))},
	{Name: "createindexes-large-clamped", Rule: "mongo.createindexes-seconds-range", Text: "A delay beyond 32 bits becomes the greatest that fits, as collMod has it.",
		misread: restates(since("5.0.14"), large(policy.Int32Value(math.MaxInt32)))},
	{Name: "createindexes-large-wraps", Rule: "mongo.createindexes-seconds-range", Text: "The low 32 bits of an int64 are the delay.",
		misread: restates(since("5.0.14"), given(every(ofType(policy.Int64), wrapsTo(0)), low32))},
	{Name: "createindexes-greatest-refused", Rule: "mongo.createindexes-seconds-range", Text: "2147483647 is the first number that does not fit.",
		misread: refuses(createIndex, func(q query) bool { return number(q.get("index", option)) == math.MaxInt32 && !q.before("5.0.14") }, 67)},
	{Name: "createindexes-infinity-accepted", Rule: "mongo.createindexes-seconds-range", Text: "Infinity means never.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: restates(since("4.2.0"), becomes(isInfinite, policy.Int32Value(1)))},
	{Name: "createindexes-negative-accepted", Rule: "mongo.createindexes-seconds-negative", Text: "A delay below 0 is accepted.",
		Wild:    "mongomock 4.1.2, @seald-io/nedb 4.1.2 and 256dpi/lungo",
		misread: restates(since("4.2.0"), becomes(func(v policy.Value) bool { return number(v) <= -1 }, policy.Int32Value(0)))},
	{Name: "createindexes-minus-one-accepted", Rule: "mongo.createindexes-seconds-negative", Text: "-1 is accepted, and means never.",
		Wild:    "Azure Cosmos DB for MongoDB, where it means that there is no default",
		misread: restates(since("4.2.0"), becomes(equals(-1), policy.Int32Value(0)))},
	{Name: "createindexes-zero-refused", Rule: "mongo.createindexes-seconds-negative", Text: "The delay must not be 0.",
		Wild:    "the MongoDB manual, which asks for a non-zero positive value in one paragraph",
		misread: refuses(createIndex, where(isInt32Of(0), "index", option), 67)},
	{Name: "createindexes-no-bound-of-1970", Rule: "mongo.createindexes-seconds-before-1970", Text: "32 bits are the only bound in every release.",
		Wild:    "the MongoDB manual, which gives the range without releases",
		misread: restates(every(until("6.0.2"), refused), becomes(func(v policy.Value) bool { return number(v) > 0 && number(v) <= math.MaxInt32 }, policy.Int32Value(1)))},
	{Name: "createindexes-bound-of-1970-always", Rule: "mongo.createindexes-seconds-before-1970", Text: "No release accepts a delay beyond the seconds since 1970.",
		misread: refuses(createIndex, every(query.isTTL, since("4.2.0"), func(q query) bool { return q.delay()*1000 > float64(q.now()) }), 67)},
	{Name: "createindexes-bound-of-1970-exclusive", Rule: "mongo.createindexes-seconds-before-1970", Text: "As many seconds as have passed since 1970 are too many.",
		misread: refuses(createIndex, every(query.isTTL, since("4.2.0"), until("5.0.14"), func(q query) bool { return q.delay()*1000 == float64(q.now()) }), 67)},
	{Name: "createindexes-bound-of-1970-in-seconds", Rule: "mongo.createindexes-seconds-before-1970", Text: "The seconds since 1970 are rounded up before they are compared.",
		misread: asks(createIndex, func(q query) query { return q.with(policy.DateValue(floor(q.now()+999, 1000)), "now") })},
	{Name: "createindexes-compound-accepted", Rule: "mongo.createindexes-compound", Text: "An index of several fields accepts the option, and ignores it.",
		Wild:    "mongomock 4.1.2, @seald-io/nedb 4.1.2 and the MongoDB manual",
		misread: only(createIndex, every(query.isTTL, since("4.2.0"), where(isCompound, "index")), changes(createIndex, always, firstOfKey, "index"))},
	{Name: "createindexes-option-as-field-refused", Rule: "mongo.createindexes-compound", Text: "A field of that name in the key is the option.",
		misread: refuses(createIndex, has("index", "key", option), 67)},
	{Name: "createindexes-view-accepted", Rule: "mongo.createindexes-view", Text: "A view accepts an index.",
		misread: forgets(createIndex, always, "collection", "viewOn")},
	{Name: "createindexes-view-is-a-bad-index", Rule: "mongo.createindexes-view", Text: "An index on a view is refused as a bad index.",
		misread: confuses(createIndex, always, 166, 67)},
	{Name: "createindexes-wildcard-accepted", Rule: "mongo.createindexes-wildcard", Text: "A wildcard index accepts the option.",
		Wild:    "256dpi/lungo and mongomock 4.1.2",
		misread: only(createIndex, query.isTTL, renames(createIndex, "index", func(parts []string) bool { return parts[len(parts)-1] == "$**" }))},
	{Name: "createindexes-partial-sparse-accepted", Rule: "mongo.createindexes-partial-sparse", Text: "A partial index may be sparse.",
		misread: forgets(createIndex, has("index", partial), "index", "sparse")},
	{Name: "createindexes-partial-ttl-refused", Rule: "mongo.createindexes-partial-sparse", Text: "A TTL index cannot be partial.",
		misread: refuses(createIndex, every(has("index", partial), query.isTTL), 67)},
	{Name: "createindexes-sparse-ttl-refused", Rule: "mongo.createindexes-partial-sparse", Text: "A TTL index cannot be sparse.",
		misread: refuses(createIndex, every(has("index", "sparse"), query.isTTL), 67)},
	{Name: "createindexes-hidden-ttl-refused", Rule: "mongo.index-options", Text: "A TTL index can be neither hidden nor unique.",
		misread: all(refuses(createIndex, every(has("index", "hidden"), query.isTTL), 67), refuses(createIndex, every(has("index", "unique"), query.isTTL), 67))},
	{Name: "createindexes-filter-ne", Rule: "mongo.createindexes-filter-language", Text: "$ne is allowed.",
		misread: speaks("$ne")},
	{Name: "createindexes-filter-nin", Rule: "mongo.createindexes-filter-language", Text: "$nin is allowed.",
		misread: speaks("$nin")},
	{Name: "createindexes-filter-not", Rule: "mongo.createindexes-filter-language", Text: "$not is allowed.",
		misread: speaks("$not")},
	{Name: "createindexes-filter-nor", Rule: "mongo.createindexes-filter-language", Text: "$nor is allowed.",
		misread: speaks("$nor")},
	{Name: "createindexes-filter-size", Rule: "mongo.createindexes-filter-language", Text: "$size is allowed.",
		misread: speaks("$size")},
	{Name: "createindexes-filter-operands-as-today", Rule: "mongo.createindexes-filter-syntax", Text: "The operands of $size and $mod have always been looked at as they are today.",
		misread: atRelease(createIndex, "8.0.4", every(until("5.0.0"), speaking("$size", "$mod")))},
	{Name: "createindexes-filter-mod", Rule: "mongo.createindexes-filter-language", Text: "$mod is allowed.",
		misread: speaks("$mod")},
	{Name: "createindexes-filter-elemmatch", Rule: "mongo.createindexes-filter-language", Text: "$elemMatch is allowed.",
		misread: speaks("$elemMatch")},
	{Name: "createindexes-filter-regex", Rule: "mongo.createindexes-filter-language", Text: "Regular expressions are allowed.",
		misread: refilter(becomes(ofType(policy.Regex), policy.Int32Value(1)))},
	{Name: "createindexes-filter-exists-false", Rule: "mongo.createindexes-filter-language", Text: "$exists: false is allowed.",
		misread: refilter(operands("$exists", turns(anyValue, policy.BoolValue(true))))},
	{Name: "createindexes-filter-or-always", Rule: "mongo.createindexes-filter-language", Text: "$or and $in are allowed in every release with partial filters.",
		misread: only(createIndex, every(until("6.0.0"), since("3.2.0")), speaks("$or", "$in"))},
	{Name: "createindexes-filter-or-never", Rule: "mongo.createindexes-filter-language", Text: "$or is allowed in no release.",
		Wild:    "MongoDB up to 5.3",
		misread: refuses(createIndex, speaking("$or"), 67)},
	{Name: "createindexes-filter-in-never", Rule: "mongo.createindexes-filter-language", Text: "$in is allowed in no release.",
		Wild:    "MongoDB up to 5.3",
		misread: refuses(createIndex, speaking("$in"), 67)},
	{Name: "createindexes-filter-depth-unbounded", Rule: "mongo.createindexes-filter-language", Text: "A filter may nest as deep as it likes.",
		misread: only(createIndex, since("6.0.0"), refilter(turns(deeper(3), policy.ObjectValue(policy.D{}))))},
	{Name: "createindexes-filter-depth-of-three", Rule: "mongo.createindexes-filter-language", Text: "A filter nests three levels at most.",
		misread: refuses(createIndex, where(deeper(2), "index", partial), 67)},
	{Name: "createindexes-capped-clustered-accepted", Rule: "mongo.createindexes-capped-clustered", Text: "A capped collection that is clustered accepts a TTL index.",
		misread: forgets(createIndex, has("collection", "clusteredIndex"), "collection", "capped")},
	{Name: "createindexes-capped-accepted", Rule: "mongo.createindexes-capped", Text: "A capped collection accepts a TTL index in every release.",
		misread: uncapped(createIndex, not(has("collection", "clusteredIndex")))},
	{Name: "createindexes-capped-refused", Rule: "mongo.createindexes-capped", Text: "A capped collection accepts a TTL index in no release.",
		Wild:    "MongoDB from 6.0 to 7.0",
		misread: refuses(createIndex, every(query.isTTL, where(isTrue, "collection", "capped")), 67)},
	{Name: "createindexes-conflict-none", Rule: "mongo.createindexes-conflict", Text: "Two indexes on a key may differ in the option.",
		Wild:    "mongomock 4.1.2, where both apply",
		misread: asks(createIndex, func(q query) query { return q.each("existing", given(not(q.shares(option)), drop)) })},
	{Name: "createindexes-conflict-keeps-first", Rule: "mongo.createindexes-conflict", Text: "An index on the same key is kept as it is, without a word.",
		Wild:    "@seald-io/nedb 4.1.2",
		misread: accepts(createIndex, refusedWith(85), map[string]any{"created": false})},
	{Name: "createindexes-conflict-updates", Rule: "mongo.createindexes-conflict", Text: "An index on the same key gets the new option.",
		Wild:    "what users expected (Automattic/mongoose#13585, Automattic/mongoose#6259)",
		misread: accepts(createIndex, refusedWith(85), map[string]any{"created": true})},
	{Name: "createindexes-conflict-of-keys", Rule: "mongo.createindexes-conflict", Text: "An index on the same key is refused as one of the same name would be.",
		misread: confuses(createIndex, always, 85, 86)},
	{Name: "createindexes-same-under-other-name", Rule: "mongo.createindexes-conflict", Text: "The very index under another name is created without effect.",
		misread: asks(createIndex, func(q query) query {
			return q.each("existing", given(every(q.shares("key"), q.shares(option)), put(q.get("index", "name"), "name")))
		})},
	{Name: "createindexes-collation-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in its collation is the same.",
		misread: differsIn("collation")},
	{Name: "createindexes-filter-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in its filter is the same.",
		Wild:    "MongoDB up to 4.4",
		misread: differsIn(partial)},
	{Name: "createindexes-sparse-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in sparse is the same.",
		Wild:    "MongoDB up to 4.4",
		misread: differsIn("sparse")},
	{Name: "createindexes-unique-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in unique is the same.",
		Wild:    "MongoDB up to 4.4",
		misread: differsIn("unique")},
	{Name: "createindexes-options-always-differ", Rule: "mongo.createindexes-conflict", Text: "Filter, sparse and unique have always made another index.",
		misread: atRelease(createIndex, "5.0.0", every(until("5.0.0"), refusedWith(85)))},
	{Name: "createindexes-hidden-differs", Rule: "mongo.createindexes-conflict", Text: "A hidden index is another index in every release.",
		misread: refuses(createIndex, every(until("7.1.0"), beside("hidden")), 85)},
	{Name: "createindexes-hidden-is-no-difference", Rule: "mongo.createindexes-conflict", Text: "An index that differs in hidden is the same in every release.",
		Wild:    "MongoDB up to 7.0",
		misread: accepts(createIndex, every(since("8.0.0"), beside("hidden")), map[string]any{"created": false})},
	{Name: "createindexes-always-checked", Rule: "mongo.createindexes-unchecked", Text: "The option has always been looked at.",
		misread: atRelease(createIndex, "4.2.0", every(until("4.2.0"), query.isTTL))},
	{Name: "createindexes-checked-since-4.4", Rule: "mongo.createindexes-unchecked", Text: "The option is looked at since 4.4.",
		misread: atRelease(createIndex, "4.0.0", every(since("4.2.0"), until("4.4.0"), query.isTTL))},
	{Name: "createindexes-double-rounded", Rule: "mongo.createindexes-conversion", Text: "A double is rounded before it is kept and its range looked at.",
		misread: restates(since("4.2.0"), doubles(math.Round))},
	{Name: "createindexes-double-rounded-down", Rule: "mongo.createindexes-conversion", Text: "A double is rounded down before its range is looked at.",
		misread: whether(restates(since("4.2.0"), doubles(math.Floor)))},
	{Name: "createindexes-range-before-rounding", Rule: "mongo.createindexes-conversion", Text: "The range is looked at before the fraction is dropped.",
		misread: refuses(createIndex, every(since("4.2.0"), where(func(v policy.Value) bool { f := number(v); return f < 0 && f > -1 }, "index", option)), 67)},
	{Name: "createindexes-decimal-truncated", Rule: "mongo.createindexes-conversion", Text: "A Decimal128 is truncated as a double is.",
		misread: restates(since("7.3.0"), decimals(math.Trunc))},
	{Name: "createindexes-decimal-half-up", Rule: "mongo.createindexes-conversion", Text: "The half of a Decimal128 is rounded away from zero.",
		misread: restates(since("7.3.0"), decimals(math.Round))},
	{Name: "createindexes-decimal-refused", Rule: "mongo.createindexes-conversion", Text: "A Decimal128 is no number.",
		Wild:    "documentdb 0.108 and mongomock 4.1.2",
		misread: refuses(createIndex, every(since("4.2.0"), where(ofType(policy.Decimal), "index", option)), 67)},
	{Name: "createindexes-fraction-refused", Rule: "mongo.createindexes-conversion", Text: "A delay must be a whole number.",
		misread: refuses(createIndex, every(since("4.2.0"), where(isFraction, "index", option)), 67)},
	{Name: "createindexes-stored-as-given", Rule: "mongo.createindexes-stored", Text: "The catalog keeps the number as it was given, in every release.",
		misread: stored(since("7.3.0"), func(q query, _ policy.Value) policy.Value { return q.get("index", option) })},
	{Name: "createindexes-stored-as-int32", Rule: "mongo.createindexes-stored", Text: "The catalog has always kept an int32.",
		misread: atRelease(createIndex, "8.0.0", every(until("7.3.0"), since("4.2.0"), func(q query) bool { return q.ask().Kind == conformance.KindOut && !q.get("index", option).IsNaN() }))},
	{Name: "createindexes-stored-as-int64", Rule: "mongo.createindexes-stored", Text: "The catalog keeps an int64.",
		misread: stored(since("7.3.0"), func(_ query, v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int64Value(n) })},
	{Name: "createindexes-normalised-as-double", Rule: "mongo.seconds-normalised", Text: "Numbers that are no int32 are kept as doubles.",
		misread: stored(every(since("7.3.0"), not(where(ofType(policy.Int32), "index", option))), func(_ query, v policy.Value) policy.Value { return policy.DoubleValue(number(v)) })},
	{Name: "createindexes-normalised-in-7.0", Rule: "mongo.seconds-normalised", Text: "The catalog holds an int32 since 7.0.",
		misread: atRelease(createIndex, "7.3.0", every(since("7.0.0"), until("7.3.0"), query.isTTL))},
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
	{Name: "createindexes-again-is-created", Rule: "mongo.createindexes-no-op", Text: "An index that exists is created again.",
		misread: forgets(createIndex, query.createdNothing, "existing")},
	{Name: "createindexes-again-refused", Rule: "mongo.createindexes-no-op", Text: "An index that exists is refused.",
		misread: refuses(createIndex, query.createdNothing, 85)},
	{Name: "createindexes-any-version", Rule: "mongo.createindexes-version", Text: "v may be any number.",
		misread: forgets(createIndex, always, "index", "v")},
	{Name: "createindexes-version-two-always", Rule: "mongo.createindexes-version", Text: "Version 2 has always been there.",
		misread: atRelease(createIndex, "3.4.24", every(until("3.4.0"), has("index", "v")))},
	{Name: "createindexes-any-collation", Rule: "mongo.createindexes-collation", Text: "A collation may have any locale.",
		misread: accepts(createIndex, every(has("index", "collation"), refusedWith(2)), map[string]any{"created": true})},
	{Name: "createindexes-collation-as-given", Rule: "mongo.createindexes-collation", Text: "A collation is compared as it was given.",
		misread: refuses(createIndex, every(has("index", "collation"), query.createdNothing), 85)},
	{Name: "createindexes-any-namespace", Rule: "mongo.createindexes-namespace", Text: "ns has always been ignored.",
		misread: forgets(createIndex, always, "index", "ns")},
	{Name: "createindexes-namespace-always-checked", Rule: "mongo.createindexes-namespace", Text: "ns must be the collection's own in every release.",
		misread: refuses(createIndex, has("index", "ns"), 2)},
	{Name: "createindexes-prepares-what-is-unique", Rule: "mongo.createindexes-prepare-unique", Text: "A unique index may be about to become it.",
		misread: forgets(createIndex, always, "index", "prepareUnique")},
	{Name: "createindexes-clustered-ignored", Rule: "mongo.createindexes-clustered", Text: "clustered is ignored.",
		misread: forgets(createIndex, always, "index", "clustered")},
	{Name: "createindexes-special-options-ignored", Rule: "mongo.createindexes-special-options", Text: "The options of text indexes are ignored on others.",
		misread: forgets(createIndex, always, "index", "weights")},
	{Name: "createindexes-storage-engine-ignored", Rule: "mongo.createindexes-storage-engine", Text: "storageEngine is ignored.",
		misread: forgets(createIndex, always, "index", "storageEngine")},
	{Name: "createindexes-hidden-anywhere", Rule: "mongo.createindexes-hidden", Text: "An index of a system collection may be hidden.",
		misread: forgets(createIndex, has("index", "hidden"), "collection", "ns")},
	{Name: "createindexes-encrypted-accepted", Rule: "mongo.createindexes-encrypted", Text: "A collection with encrypted fields accepts a TTL index.",
		misread: forgets(createIndex, always, "collection", "encryptedFields")},
	{Name: "createindexes-encrypted-never", Rule: "mongo.createindexes-encrypted", Text: "A collection with encrypted fields accepts no index.",
		misread: refuses(createIndex, has("collection", "encryptedFields"), 6346501)},
	{Name: "createindexes-always-a-catalog", Rule: "mongo.createindexes-conflict", Text: "There has always been a conflict with an index of the same name or key.",
		misread: atRelease(createIndex, "2.6.12", until("2.6.0"))},
	{Name: "createindexes-collation-of-name", Rule: "mongo.createindexes-conflict", Text: "Another collation under the same name has always been a conflict of names.",
		misread: confuses(createIndex, every(has("index", "collation"), until("5.0.0")), 85, 86)},
	{Name: "createindexes-filters-always-read", Rule: "mongo.createindexes-conflict", Text: "Filters have always been compared by what they mean.",
		misread: atRelease(createIndex, "5.0.31", every(until("5.0.0"), since("3.2.0"), has("index", partial), refusedWith(85)))},
})

// restates asks about an index as if it had another option.
func restates(when test, edit change) misreading {
	return changes(createIndex, when, edit, "index", option)
}

// rekeys asks about an index as if its fields had other directions.
func rekeys(edit change) misreading {
	return changes(createIndex, always, func(key policy.Value) policy.Value {
		fields := policy.DOf(key)
		for i := range fields {
			fields[i].Value = edit(fields[i].Value)
		}
		return policy.ObjectValue(fields)
	}, "index", "key")
}

// refilter asks about an index as if it had another filter.
func refilter(edit change) misreading {
	return changes(createIndex, always, edit, "index", partial)
}

// speaks takes filters with one of these operators for empty ones.
func speaks(operators ...string) misreading {
	return puts(createIndex, speaking(operators...), policy.ObjectValue(policy.D{}), "index", partial)
}

// speaking tests for operators in the filter that is asked about.
func speaking(operators ...string) test {
	return where(uses(anyValue, operators...), "index", partial)
}

// depth returns how deep $and and $or nest.
func depth(filter policy.Value) (deepest int) {
	for _, e := range policy.DOf(filter) {
		for _, clause := range policy.AOf(e.Value) {
			deepest = max(deepest, 1+depth(clause))
		}
	}
	return deepest
}

// onMeta returns q with a filter on the meta field of its time-series
// collection in place of one that passes a test.
func (q query) onMeta(such func(filter policy.Value) bool) query {
	meta, _ := q.get("collection", "timeseries", "metaField").AsString()
	if meta == "" || !such(q.get("index", partial)) {
		return q
	}
	return q.with(object(meta, policy.Int32Value(1)), "index", partial)
}

// differsIn refuses an index beside one that differs in an option.
func differsIn(name string) misreading {
	return refuses(createIndex, beside(name), 85)
}

// beside is about an index beside one on the same key that differs in an option.
func beside(name string) test {
	return func(q query) bool {
		all := policy.AOf(q.get("existing"))
		return len(all) > 0 && q.shares("key")(all[0]) && !q.shares(name)(all[0])
	}
}

// special refuses the option on an index of a type.
func special(kind string) misreading {
	return refuses(createIndex, every(query.isTTL, where(isOfType(kind), "index")), 67)
}

// stored answers that the catalog keeps another number.
func stored(when test, edit func(q query, kept policy.Value) policy.Value) misreading {
	return only(createIndex, every(when, query.isTTL, accepted), func(q query) conformance.Answer {
		return q.result(func(q query, name string, v policy.Value) policy.Value {
			if name == option {
				return edit(q, v)
			}
			return v
		})
	})
}

// result answers with the result of the reference, its members changed.
func (q query) result(edit func(q query, name string, v policy.Value) policy.Value) conformance.Answer {
	out := map[string]json.RawMessage{}
	result, _ := valuefunc.ParseExtJSONInt32(q.ask().Out)
	for _, e := range policy.DOf(result) {
		out[e.Key] = policy.AppendExtJSON(nil, edit(q, e.Key, e.Value))
	}
	return conformance.Result(out)
}

// knownOptions returns an index without options that MongoDB does not know.
func knownOptions(index policy.Value) policy.Value {
	known := []string{"key", "name", option, partial, "sparse", "unique", "hidden", "collation", "v", "background"}
	return policy.ObjectValue(slices.DeleteFunc(policy.DOf(index), func(e policy.E) bool { return !slices.Contains(known, e.Key) }))
}

// isUnknownType is the shape of directions that no index has.
func isUnknownType(v policy.Value) bool {
	s, ok := v.AsString()
	return ok && !slices.Contains([]string{"hashed", "text", "2d", "2dsphere"}, s)
}

// deeper is the shape of filters that nest deeper.
func deeper(than int) shape {
	return func(f policy.Value) bool { return depth(f) > than }
}

// large returns a change of numbers beyond 32 bits.
func large(to policy.Value) change {
	return becomes(func(v policy.Value) bool { return number(v) >= math.MaxInt32+1 }, to)
}

// delay returns the option of that index as a double.
func (q query) delay() float64 { return number(q.get("index", option)) }

// shares is the shape of indexes that agree in an option with the one that is asked for.
func (q query) shares(name string) shape {
	return func(x policy.Value) bool { return sameValue(x.Field(name), q.get("index", name)) }
}

// isTTL tests for the option on the index that is asked for.
func (q query) isTTL() bool { return !q.get("index", option).IsMissing() }

// createdNothing tests for an index that exists.
func (q query) createdNothing() bool { return strings.Contains(string(q.ask().Out), `"created":false`) }

// create holds misreadings of a collection's own option, which create and
// collMod take, and of the collections that have one.
var create = of("create", []Mutant{
	{Name: "own-of-any-collection", Rule: "mongo.collection-seconds-kind", Text: "Any collection may have an expireAfterSeconds of its own.",
		misread: all(forgets(createColl, hasNoOwn, "command", option), forgets(collModify, hasNoOwn, "command", option))},
	{Name: "own-of-capped", Rule: "mongo.collection-seconds-kind", Text: "A capped collection may have an expireAfterSeconds of its own.",
		misread: forgets(createColl, has("command", "capped"), "command", option)},
	{Name: "own-of-views", Rule: "mongo.collection-seconds-kind", Text: "A view may have an expireAfterSeconds of its own.",
		misread: forgets(createColl, has("command", "viewOn"), "command", option)},
	{Name: "own-of-timeseries-only", Rule: "mongo.collection-seconds-kind", Text: "Only a time-series collection has an expireAfterSeconds of its own.",
		misread: all(refuses(createColl, has("command", "clusteredIndex"), 72), refuses(collModify, every(has("collection", "clusteredIndex"), has("command", option)), 72))},
	{Name: "own-kind-is-a-bad-index", Rule: "mongo.collection-seconds-kind", Text: "An option on a collection that has none is refused with the code of indexes.",
		misread: all(confuses(createColl, hasNoOwn, 72, 67), confuses(collModify, hasNoOwn, 72, 67))},
	{Name: "own-negative-clamped", Rule: "mongo.collection-seconds-negative", Text: "A delay below 0 becomes 0.",
		misread: owns(becomes(isNegative, policy.Int32Value(0)))},
	{Name: "own-minus-one-is-off", Rule: "mongo.collection-seconds-negative", Text: "-1 means that nothing expires.",
		Wild:    "Azure Cosmos DB, where it means that there is no default",
		misread: owns(becomes(func(v policy.Value) bool { return number(v) == -1 }, policy.Int32Value(0)))},
	{Name: "own-zero-refused", Rule: "mongo.collection-seconds-negative", Text: "A collection's delay must be above 0.",
		Wild:    "the MongoDB manual, which asks for a non-zero positive value in one paragraph",
		misread: ownRefused(isInt32Of(0))},
	{Name: "own-negative-is-a-bad-index", Rule: "mongo.collection-seconds-negative", Text: "A delay below 0 is refused with the code of indexes.",
		misread: all(confuses(createColl, negativeOwn, 72, 67), confuses(collModify, negativeOwn, 72, 67))},
	{Name: "own-no-bound-of-1970", Rule: "mongo.collection-seconds-before-1970", Text: "A collection's delay is bounded by 64 bits alone.",
		misread: owns(becomes(func(v policy.Value) bool { return number(v) > math.MaxInt32/2 && !math.IsInf(number(v), 0) }, policy.Int32Value(1)))},
	{Name: "own-bound-of-32-bits", Rule: "mongo.collection-seconds-before-1970", Text: "A collection's delay must fit 32 bits, as an index's.",
		Wild:    "the MongoDB manual, which gives one range for both",
		misread: ownRefused(above(math.MaxInt32))},
	{Name: "own-bound-of-1970-exclusive", Rule: "mongo.collection-seconds-before-1970", Text: "A delay that reaches back to 1970 is too long already.",
		misread: all(refuses(createColl, reaches1970, 72), refuses(collModify, reaches1970, 72))},
	{Name: "own-nan-refused", Rule: "mongo.collection-seconds-conversion", Text: "NaN is refused, as createIndexes does.",
		misread: ownRefused(policy.Value.IsNaN)},
	{Name: "own-rounded-down", Rule: "mongo.collection-seconds-conversion", Text: "A double is rounded down, so that -0.9 is -1.",
		misread: owns(doubles(math.Floor))},
	{Name: "own-decimal-truncated", Rule: "mongo.collection-seconds-conversion", Text: "A Decimal128 is truncated as a double is.",
		misread: owns(decimals(math.Trunc))},
	{Name: "own-decimal-rounded-down", Rule: "mongo.collection-seconds-conversion", Text: "A Decimal128 is rounded down.",
		misread: owns(decimals(math.Floor))},
	{Name: "own-infinity-clamped", Rule: "mongo.collection-seconds-conversion", Text: "Infinity becomes 2147483647, as an index's does by collMod.",
		misread: owns(becomes(isInfinite, policy.Int32Value(1)))},
	{Name: "own-double-refused", Rule: "mongo.collection-seconds-conversion", Text: "A collection's delay is an integer.",
		misread: ownRefused(ofType(policy.Double))},
	{Name: "own-null-refused", Rule: "mongo.command-type", Text: "null is no number for create either.",
		misread: refuses(createColl, where(isNull, "command", option), 14)},
	{Name: "own-text-of-digits", Rule: "mongo.command-type", Text: "A text of digits is a number for create.",
		misread: changes(createColl, always, numerals, "command", option)},
	{Name: "own-true-is-one", Rule: "mongo.command-type", Text: "true is 1 second for create.",
		misread: changes(createColl, always, becomes(ofType(policy.Bool), policy.Int32Value(1)), "command", option)},
	{Name: "create-capped-without-size", Rule: "mongo.create-capped", Text: "A capped collection has a size by default.",
		misread: puts(createColl, has("command", "capped"), policy.Int32Value(4096), "command", "size")},
	{Name: "create-capped-code", Rule: "mongo.create-capped", Text: "A capped collection without a size has always been a wrong option.",
		misread: confuses(createColl, always, 14832, 72)},
	{Name: "create-id-index-with-view", Rule: "mongo.create-id-index", Text: "A view may name an index on _id.",
		misread: forgets(createColl, has("command", "viewOn"), "command", "idIndex")},
	{Name: "create-id-index-of-a-cluster", Rule: "mongo.create-clustered", Text: "A clustered collection may name an index on _id.",
		misread: forgets(createColl, has("command", "clusteredIndex"), "command", "idIndex")},
	{Name: "create-no-index-of-a-cluster", Rule: "mongo.create-clustered", Text: "A clustered collection may do without its index on _id.",
		misread: forgets(createColl, has("command", "clusteredIndex"), "command", "autoIndexId")},
	{Name: "create-unknown-always-refused", Rule: "mongo.command-unknown-field", Text: "An option that create does not know has always been refused.",
		misread: atRelease(createColl, "3.4.0", until("3.4.0"))},
	{Name: "create-comment-always", Rule: "mongo.command-unknown-field", Text: "A comment may stand in create, in every release.",
		misread: forgets(createColl, always, "command", "comment")},
	{Name: "create-size-negative", Rule: "mongo.command-value", Text: "A size below 0 is no bound.",
		misread: accepts(createColl, where(isNegative, "command", "size"), struct{}{})},
	{Name: "create-view-of-nothing", Rule: "mongo.command-value", Text: "A view may be on nothing.",
		misread: accepts(createColl, where(isText(""), "command", "viewOn"), struct{}{})},
	{Name: "create-clustered-by-any-field", Rule: "mongo.create-clustered", Text: "A collection may be clustered by any field.",
		misread: puts(createColl, has("command", "clusteredIndex", "key"), object("_id", policy.Int32Value(1)), "command", "clusteredIndex", "key")},
	{Name: "create-clustered-without-unique", Rule: "mongo.command-missing-field", Text: "A clustered collection is unique without saying so.",
		misread: puts(createColl, has("command", "clusteredIndex"), policy.BoolValue(true), "command", "clusteredIndex", "unique")},
	{Name: "create-timeseries-without-time", Rule: "mongo.command-missing-field", Text: "The time field has a name by default.",
		misread: puts(createColl, every(has("command", "timeseries"), not(has("command", "timeseries", "timeField"))), policy.StringValue("time"), "command", "timeseries", "timeField")},
	{Name: "create-missing-field-is-a-value", Rule: "mongo.command-missing-field", Text: "A field that lacks is a wrong value.",
		misread: confuses(createColl, always, 40414, 2)},
	{Name: "create-granularity-of-days", Rule: "mongo.command-value", Text: "There is a granularity of days.",
		misread: changes(createColl, always, turns(isText("days"), policy.StringValue("hours")), "command", "timeseries", "granularity")},
	{Name: "create-span-of-zero", Rule: "mongo.command-value", Text: "A span of 0 is that of the granularity.",
		misread: changes(createColl, always, turns(equals(0), policy.Int64Value(100)), ownSpan...)},
	{Name: "create-span-unbounded", Rule: "mongo.command-value", Text: "A span may be longer than a year.",
		misread: changes(createColl, always, turns(above(31_536_000), policy.Int64Value(31_536_000)), ownSpan...)},
	{Name: "create-span-below-a-year", Rule: "mongo.command-value", Text: "A span must be shorter than a year.",
		misread: refuses(createColl, where(equals(31_536_000), ownSpan...), 2)},
	{Name: "create-value-is-an-option", Rule: "mongo.command-value", Text: "A value out of range is a wrong option.",
		misread: confuses(createColl, always, 2, 72)},
	{Name: "create-meta-is-time", Rule: "mongo.create-timeseries", Text: "One field may be the time field and the meta field.",
		misread: forgets(createColl, func(q query) bool {
			return sameValue(q.get("command", "timeseries", "timeField"), q.get("command", "timeseries", "metaField"))
		}, "command", "timeseries", "metaField")},
	{Name: "create-meta-is-id", Rule: "mongo.create-timeseries", Text: "The meta field may be _id.",
		misread: changes(createColl, always, turns(isText("_id"), policy.StringValue("meta")), "command", "timeseries", "metaField")},
	{Name: "create-buckets-unequal", Rule: "mongo.create-buckets", Text: "Rounding and span may differ.",
		misread: roundsBySpan(every(has(ownRounding...), where(func(v policy.Value) bool { return number(v) >= 1 && number(v) <= 31_536_000 }, ownSpan...)))},
	{Name: "create-buckets-span-alone", Rule: "mongo.create-buckets", Text: "The rounding is the span by default.",
		misread: roundsBySpan(every(has(ownSpan...), not(has(ownRounding...))))},
	{Name: "create-buckets-and-granularity", Rule: "mongo.create-buckets", Text: "A span of one's own may stand beside a granularity.",
		misread: forgets(createColl, has(ownSpan...), "command", "timeseries", "granularity")},
	{Name: "create-buckets-never", Rule: "mongo.create-buckets", Text: "No release accepts a span of one's own.",
		Wild:    "MongoDB up to 6.2",
		misread: refuses(createColl, has(ownSpan...), 72)},
})

// hasNoOwn tests for an own option on a collection that can have none.
func hasNoOwn(q query) bool {
	where := "collection"
	if q.Op == createColl {
		where = "command"
	}
	return has("command", option)(q) && !has(where, "timeseries")(q) && !has(where, "clusteredIndex")(q)
}

// negativeOwn tests for an own option below 0.
var negativeOwn = where(isNegative, "command", option)

// reaches1970 tests for one that reaches back to 1970.
func reaches1970(q query) bool {
	return has("command", option)(q) && number(q.get("command", option))*1000 == float64(q.now())
}

// owns asks create and collMod as if the own option were another.
func owns(edit change) misreading {
	return all(changes(createColl, always, edit, "command", option), changes(collModify, always, edit, "command", option))
}

// ownRefused refuses own options in both.
func ownRefused(such shape) misreading {
	when := every(has("command", option), where(such, "command", option))
	return all(refuses(createColl, when, 72), refuses(collModify, when, 72))
}

// Where a time-series collection has a span and a rounding of its own.
var (
	ownSpan     = []string{"command", "timeseries", "bucketMaxSpanSeconds"}
	ownRounding = []string{"command", "timeseries", "bucketRoundingSeconds"}
)

// roundsBySpan asks as if the rounding were the span.
func roundsBySpan(when test) misreading {
	return only(createColl, when, asks(createColl, func(q query) query { return q.with(q.get(ownSpan...), ownRounding...) }))
}

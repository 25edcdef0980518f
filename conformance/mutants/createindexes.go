package mutants

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createIndexes holds misreadings of what createIndexes refuses and keeps.
var createIndexes = []entry{
	{"createindexes-unknown-option-ignored", "mongo.createindexes-unknown-field", "An option that is not known is ignored.", "MongoDB up to 3.2",
		asks(createIndex, func(q query) query { return q.with(knownOptions(q.get("index")), "index") })},
	{"createindexes-name-of-any-type", "mongo.createindexes-field-type", "A name that is no text is written as one.", "",
		asks(createIndex, func(q query) query {
			if name := q.get("index", "name"); !name.IsMissing() && name.Kind() != policy.String {
				return q.with(policy.StringValue(name.String()), "index", "name")
			}
			return q
		})},
	{"createindexes-key-zero-ascends", "mongo.createindexes-key", "0 is a direction, as false would be.", "",
		rekeys(func(v policy.Value) policy.Value {
			if v.Kind().IsNumber() && number(v) == 0 {
				return policy.Int32Value(1)
			}
			return v
		})},
	{"createindexes-key-of-unknown-type", "mongo.createindexes-key", "An index type that is not known is an ascending index.", "",
		rekeys(func(v policy.Value) policy.Value {
			if s, ok := v.AsString(); ok && !isSpecial(s) {
				return policy.Int32Value(1)
			}
			return v
		})},
	{"createindexes-key-descending-refused", "mongo.createindexes-key", "A TTL index must be ascending.", "",
		refuses(createIndex, func(q query) bool { return isDescending(q.get("index")) && q.isTTL() }, 67)},
	{"createindexes-empty-name", "mongo.createindexes-name", "An empty name is made up for.", "",
		asks(createIndex, func(q query) query {
			if name, ok := q.get("index", "name").AsString(); ok && name == "" {
				return q.with(policy.Value{}, "index", "name")
			}
			return q
		})},
	{"createindexes-name-shared", "mongo.createindexes-name", "Two indexes may have one name.", "",
		asks(createIndex, func(q query) query {
			return q.each("existing", func(x policy.Value) policy.Value {
				if sameValue(x.Field("name"), q.get("index", "name")) && !sameValue(x.Field("key"), q.get("index", "key")) {
					return put(x, policy.StringValue("renamed"), "name")
				}
				return x
			})
		})},
	{"createindexes-id-accepted", "mongo.createindexes-id", "The index on _id takes the option.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" })},
	{"createindexes-id-looked-at-last", "mongo.createindexes-id", "That an index is on _id is looked at after its option.", "",
		only(createIndex, func(q query) bool { return number(q.get("index", option)) < 0 }, func(q query) conformance.Answer {
			return renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" })(q)
		})},
	{"createindexes-id-is-a-ttl-matter", "mongo.createindexes-id", "The option on _id is refused with the code of all TTL options.", "",
		confuses(createIndex, always, 197, 67)},
	{"createindexes-id-hashed-refused", "mongo.createindexes-id", "A hashed index on _id is an index on _id.", "",
		refuses(createIndex, func(q query) bool {
			path, direction, _ := keyOf(q.get("index"))
			return path == "_id" && direction.Kind() == policy.String
		}, 197)},
	{"createindexes-filter-syntax-is-its-language", "mongo.createindexes-filter-syntax", "A filter that is none is refused as one that says too much.", "",
		all(confuses(createIndex, has("index", partial), 2, 67), confuses(createIndex, has("index", partial), 224, 67), confuses(createIndex, has("index", partial), 14, 67))},
	{"createindexes-filter-unknown-operator", "mongo.createindexes-filter-syntax", "An operator that is not known is a field of a subdocument.", "",
		refilter(func(f policy.Value) policy.Value {
			return clauses(f, func(name string, v policy.Value) (string, policy.Value) {
				return strings.Replace(name, "$foo", "foo", 1), v
			})
		})},
	{"createindexes-filter-and-of-nothing", "mongo.createindexes-filter-syntax", "$and of nothing takes in everything.", "",
		refilter(func(f policy.Value) policy.Value {
			if v := f.Field("$and"); v.Kind() == policy.List && len(policy.AOf(v)) == 0 {
				return put(f, policy.Value{}, "$and")
			}
			return f
		})},
	{"createindexes-filter-of-any-type", "mongo.createindexes-filter-syntax", "A filter that is no document is ignored.", "",
		refilter(func(f policy.Value) policy.Value {
			if f.Kind() != policy.Object {
				return policy.Value{}
			}
			return f
		})},
	{"createindexes-timeseries-collation-accepted", "mongo.createindexes-timeseries-collation", "A partial index of a time-series collection may have a collation.", "",
		asks(createIndex, func(q query) query {
			if has("collection", "timeseries")(q) {
				return q.with(policy.Value{}, "index", "collation")
			}
			return q
		})},
	{"createindexes-timeseries-accepted", "mongo.createindexes-timeseries", "A time-series collection takes a TTL index in every release.", "",
		atRelease(createIndex, "6.3.2", test(has("collection", "timeseries")).and(until("6.3.0")))},
	{"createindexes-timeseries-since-7.0", "mongo.createindexes-timeseries", "A time-series collection takes a TTL index since 7.0.", "the MongoDB manual of 8.0",
		atRelease(createIndex, "6.2.1", test(has("collection", "timeseries")).and(query.isTTL).and(since("6.3.0")).and(until("7.0.0")))},
	{"createindexes-timeseries-without-filter", "mongo.createindexes-timeseries-filter", "A TTL index of a time-series collection needs no filter.", "",
		asks(createIndex, func(q query) query { return q.onMeta(func(f policy.Value) bool { return f.IsMissing() }) })},
	{"createindexes-timeseries-any-filter", "mongo.createindexes-timeseries-filter", "The filter of a TTL index of a time-series collection may be on any field.", "",
		asks(createIndex, func(q query) query { return q.onMeta(func(f policy.Value) bool { return !f.IsMissing() }) })},
	{"createindexes-timeseries-some-filter", "mongo.createindexes-timeseries-filter", "One clause on the meta field suffices.", "",
		asks(createIndex, func(q query) query {
			return q.onMeta(func(f policy.Value) bool { return !f.Field("m").IsMissing() })
		})},
	{"createindexes-timeseries-any-key", "mongo.createindexes-timeseries-key", "A TTL index of a time-series collection may be on any field.", "",
		asks(createIndex, func(q query) query {
			time, _ := q.get("collection", "timeseries", "timeField").AsString()
			if time == "" || isCompound(q.get("index")) {
				return q
			}
			return q.with(policy.ObjectValue(policy.D{{Key: time, Value: policy.Int32Value(1)}}), "index", "key")
		})},
	{"createindexes-timeseries-meta-key", "mongo.createindexes-timeseries-key", "A partial TTL index of a time-series collection is on the meta field.", "the MongoDB manual of 8.0",
		refuses(createIndex, func(q query) bool {
			path, _, _ := keyOf(q.get("index"))
			time, isTimeseries := q.get("collection", "timeseries", "timeField").AsString()
			return isTimeseries && path == time && q.isTTL()
		}, 72)},
	{"createindexes-text-of-digits", "mongo.createindexes-seconds-type", "A text of digits is a number of seconds.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		restates(since("4.2.0"), func(v policy.Value) policy.Value {
			if n, ok := digits(v); ok {
				return policy.Int64Value(n)
			}
			return v
		})},
	{"createindexes-true-is-one", "mongo.createindexes-seconds-type", "true is 1 second.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		restates(since("4.2.0"), becomes(func(v policy.Value) bool { return v.Kind() == policy.Bool }, policy.Int32Value(1)))},
	{"createindexes-null-is-absent", "mongo.createindexes-seconds-type", "null means that the option is left out.", "mongomock 4.1.2, and expected by a client (Automattic/mongoose#5276)",
		restates(since("4.2.0"), becomes(isNull, policy.Value{}))},
	{"createindexes-type-is-mismatch", "mongo.createindexes-seconds-type", "An option that is no number is refused as other fields of a wrong type are.", "",
		confuses(createIndex, func(q query) bool { v := q.get("index", option); return !v.IsMissing() && !v.Kind().IsNumber() }, 67, 14)},
	{"createindexes-nan-accepted", "mongo.createindexes-seconds-nan", "NaN is taken in every release.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		restates(since("7.0.0"), becomes(policy.Value.IsNaN, policy.Int32Value(0)))},
	{"createindexes-nan-always-refused", "mongo.createindexes-seconds-nan", "NaN has been refused since options are looked at.", "documentdb 0.108",
		refuses(createIndex, func(q query) bool { return q.get("index", option).IsNaN() && !q.before("4.2.0") }, 67)},
	{"createindexes-nan-of-decimals-accepted", "mongo.createindexes-seconds-nan", "A Decimal128 that is NaN is not looked for.", "",
		restates(since("7.0.0"), becomes(func(v policy.Value) bool { return v.Kind() == policy.Decimal && v.IsNaN() }, policy.Int32Value(0)))},
	{"createindexes-large-accepted", "mongo.createindexes-seconds-range", "A delay beyond 32 bits is taken.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		restates(since("5.0.0"), large(policy.Int32Value(1)))},
	{"createindexes-large-clamped", "mongo.createindexes-seconds-range", "A delay beyond 32 bits becomes the greatest that fits, as collMod has it.", "",
		restates(since("5.0.14"), large(policy.Int32Value(math.MaxInt32)))},
	{"createindexes-large-wraps", "mongo.createindexes-seconds-range", "The low 32 bits of an int64 are the delay.", "",
		restates(since("5.0.14"), func(v policy.Value) policy.Value {
			if n, ok := v.AsInt64(); ok && v.Kind() == policy.Int64 && int32(n) >= 0 {
				return policy.Int32Value(int32(n))
			}
			return v
		})},
	{"createindexes-greatest-refused", "mongo.createindexes-seconds-range", "2147483647 is the first number that does not fit.", "",
		refuses(createIndex, func(q query) bool { return number(q.get("index", option)) == math.MaxInt32 && !q.before("5.0.14") }, 67)},
	{"createindexes-infinity-accepted", "mongo.createindexes-seconds-range", "Infinity means never.", "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		restates(since("4.2.0"), becomes(func(v policy.Value) bool { return math.IsInf(number(v), 1) }, policy.Int32Value(1)))},
	{"createindexes-negative-accepted", "mongo.createindexes-seconds-negative", "A delay below 0 is taken.", "mongomock 4.1.2, @seald-io/nedb 4.1.2 and 256dpi/lungo",
		restates(since("4.2.0"), becomes(func(v policy.Value) bool { return number(v) <= -1 }, policy.Int32Value(0)))},
	{"createindexes-minus-one-accepted", "mongo.createindexes-seconds-negative", "-1 is taken, and means never.", "Azure Cosmos DB for MongoDB, where it means that there is no default",
		restates(since("4.2.0"), becomes(func(v policy.Value) bool { return number(v) == -1 }, policy.Int32Value(0)))},
	{"createindexes-zero-refused", "mongo.createindexes-seconds-negative", "The delay must not be 0.", "the MongoDB manual, which asks for a non-zero positive value in one paragraph",
		refuses(createIndex, func(q query) bool { v := q.get("index", option); return v.Kind() == policy.Int32 && number(v) == 0 }, 67)},
	{"createindexes-no-bound-of-1970", "mongo.createindexes-seconds-before-1970", "32 bits are the only bound in every release.", "the MongoDB manual, which gives the range without releases",
		restates(test(until("6.0.2")).and(refused), becomes(func(v policy.Value) bool { return number(v) > 0 && number(v) <= math.MaxInt32 }, policy.Int32Value(1)))},
	{"createindexes-bound-of-1970-always", "mongo.createindexes-seconds-before-1970", "No release takes a delay beyond the seconds since 1970.", "",
		refuses(createIndex, func(q query) bool {
			return q.isTTL() && number(q.get("index", option))*1000 > float64(q.now()) && !q.before("4.2.0")
		}, 67)},
	{"createindexes-bound-of-1970-exclusive", "mongo.createindexes-seconds-before-1970", "As many seconds as have passed since 1970 are too many.", "",
		refuses(createIndex, func(q query) bool {
			return q.isTTL() && number(q.get("index", option))*1000 == float64(q.now()) && !q.before("4.2.0") && q.before("5.0.14")
		}, 67)},
	{"createindexes-bound-of-1970-in-seconds", "mongo.createindexes-seconds-before-1970", "The seconds since 1970 are rounded up before they are compared.", "",
		asks(createIndex, func(q query) query { return q.with(policy.DateValue(floor(q.now()+999, 1000)), "now") })},
	{"createindexes-compound-accepted", "mongo.createindexes-compound", "An index of several fields takes the option, and ignores it.", "mongomock 4.1.2, @seald-io/nedb 4.1.2 and the MongoDB manual",
		asks(createIndex, func(q query) query {
			if x := q.get("index"); isCompound(x) && q.isTTL() && !q.before("4.2.0") {
				return q.with(policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "index", "key")
			}
			return q
		})},
	{"createindexes-option-as-field-refused", "mongo.createindexes-compound", "A field of that name in the key is the option.", "",
		refuses(createIndex, has("index", "key", option), 67)},
	{"createindexes-view-accepted", "mongo.createindexes-view", "A view takes an index.", "",
		asks(createIndex, func(q query) query { return q.with(policy.Value{}, "collection", "viewOn") })},
	{"createindexes-view-is-a-bad-index", "mongo.createindexes-view", "An index on a view is refused as a bad index.", "",
		confuses(createIndex, always, 166, 67)},
	{"createindexes-wildcard-accepted", "mongo.createindexes-wildcard", "A wildcard index takes the option.", "256dpi/lungo and mongomock 4.1.2",
		renames(createIndex, "index", func(parts []string) bool { return parts[len(parts)-1] == "$**" })},
	{"createindexes-partial-sparse-accepted", "mongo.createindexes-partial-sparse", "A partial index may be sparse.", "",
		asks(createIndex, func(q query) query {
			if has("index", partial)(q) {
				return q.with(policy.Value{}, "index", "sparse")
			}
			return q
		})},
	{"createindexes-partial-ttl-refused", "mongo.createindexes-partial-sparse", "A TTL index cannot be partial.", "",
		refuses(createIndex, test(has("index", partial)).and(query.isTTL), 67)},
	{"createindexes-sparse-ttl-refused", "mongo.createindexes-partial-sparse", "A TTL index cannot be sparse.", "",
		refuses(createIndex, test(has("index", "sparse")).and(query.isTTL), 67)},
	{"createindexes-hidden-ttl-refused", "mongo.index-options", "A TTL index can be neither hidden nor unique.", "",
		all(refuses(createIndex, test(has("index", "hidden")).and(query.isTTL), 67), refuses(createIndex, test(has("index", "unique")).and(query.isTTL), 67))},
	{"createindexes-filter-ne", "mongo.createindexes-filter-language", "$ne is spoken.", "",
		speaks("$ne")},
	{"createindexes-filter-nin", "mongo.createindexes-filter-language", "$nin is spoken.", "", speaks("$nin")},
	{"createindexes-filter-not", "mongo.createindexes-filter-language", "$not is spoken.", "", speaks("$not")},
	{"createindexes-filter-nor", "mongo.createindexes-filter-language", "$nor is spoken.", "", speaks("$nor")},
	{"createindexes-filter-size", "mongo.createindexes-filter-language", "$size is spoken.", "", speaks("$size")},
	{"createindexes-filter-operands-as-today", "mongo.createindexes-filter-syntax", "The operands of $size and $mod have always been looked at as they are today.", "",
		only(createIndex, test(until("5.0.0")).and(speaking("$size", "$mod")), func(q query) conformance.Answer { return q.ofRelease("8.0.4").ask() })},
	{"createindexes-filter-mod", "mongo.createindexes-filter-language", "$mod is spoken.", "", speaks("$mod")},
	{"createindexes-filter-elemmatch", "mongo.createindexes-filter-language", "$elemMatch is spoken.", "", speaks("$elemMatch")},
	{"createindexes-filter-regex", "mongo.createindexes-filter-language", "Regular expressions are spoken.", "",
		refilter(becomes(func(v policy.Value) bool { return v.Kind() == policy.Regex }, policy.Int32Value(1)))},
	{"createindexes-filter-exists-false", "mongo.createindexes-filter-language", "$exists: false is spoken.", "",
		refilter(func(f policy.Value) policy.Value {
			return clauses(f, func(name string, v policy.Value) (string, policy.Value) {
				if name == "$exists" {
					v = policy.BoolValue(true)
				}
				return name, v
			})
		})},
	{"createindexes-filter-or-always", "mongo.createindexes-filter-language", "$or and $in are spoken in every release with partial filters.", "",
		only(createIndex, test(until("6.0.0")).and(since("3.2.0")), speaks("$or", "$in"))},
	{"createindexes-filter-or-never", "mongo.createindexes-filter-language", "$or is spoken in no release.", "MongoDB up to 5.3",
		refuses(createIndex, speaking("$or"), 67)},
	{"createindexes-filter-in-never", "mongo.createindexes-filter-language", "$in is spoken in no release.", "MongoDB up to 5.3",
		refuses(createIndex, speaking("$in"), 67)},
	{"createindexes-filter-depth-unbounded", "mongo.createindexes-filter-language", "A filter may nest as deep as it likes.", "",
		only(createIndex, since("6.0.0"), refilter(func(f policy.Value) policy.Value {
			if depth(f) > 3 {
				return policy.ObjectValue(policy.D{})
			}
			return f
		}))},
	{"createindexes-filter-depth-of-three", "mongo.createindexes-filter-language", "A filter nests three levels at most.", "",
		refuses(createIndex, func(q query) bool { return depth(q.get("index", partial)) > 2 }, 67)},
	{"createindexes-capped-clustered-accepted", "mongo.createindexes-capped-clustered", "A capped collection that is clustered takes a TTL index.", "",
		asks(createIndex, func(q query) query {
			if has("collection", "clusteredIndex")(q) {
				return q.with(policy.Value{}, "collection", "capped")
			}
			return q
		})},
	{"createindexes-capped-accepted", "mongo.createindexes-capped", "A capped collection takes a TTL index in every release.", "",
		only(createIndex, not(has("collection", "clusteredIndex")), asks(createIndex, uncapped))},
	{"createindexes-capped-refused", "mongo.createindexes-capped", "A capped collection takes a TTL index in no release.", "MongoDB from 6.0 to 7.0",
		refuses(createIndex, func(q query) bool { b, _ := q.get("collection", "capped").AsBool(); return b && q.isTTL() }, 67)},
	{"createindexes-conflict-none", "mongo.createindexes-conflict", "Two indexes on a key may differ in the option.", "mongomock 4.1.2, where both apply",
		asks(createIndex, func(q query) query {
			return q.each("existing", func(x policy.Value) policy.Value {
				if sameValue(x.Field(option), q.get("index", option)) {
					return x
				}
				return policy.Value{}
			})
		})},
	{"createindexes-conflict-keeps-first", "mongo.createindexes-conflict", "An index on the same key is kept as it is, without a word.", "@seald-io/nedb 4.1.2",
		accepts(createIndex, func(q query) bool { return q.refusedWith(85) }, map[string]any{"created": false})},
	{"createindexes-conflict-updates", "mongo.createindexes-conflict", "An index on the same key gets the new option.", "what users expected (Automattic/mongoose#13585, Automattic/mongoose#6259)",
		accepts(createIndex, func(q query) bool { return q.refusedWith(85) }, map[string]any{"created": true})},
	{"createindexes-conflict-of-keys", "mongo.createindexes-conflict", "An index on the same key is refused as one of the same name would be.", "",
		confuses(createIndex, always, 85, 86)},
	{"createindexes-same-under-other-name", "mongo.createindexes-conflict", "The very index under another name is created without effect.", "",
		asks(createIndex, func(q query) query {
			return q.each("existing", func(x policy.Value) policy.Value {
				if sameValue(x.Field("key"), q.get("index", "key")) && sameValue(x.Field(option), q.get("index", option)) {
					return put(x, q.get("index", "name"), "name")
				}
				return x
			})
		})},
	{"createindexes-collation-is-no-difference", "mongo.createindexes-conflict", "An index that differs in its collation is the same.", "", differsIn("collation")},
	{"createindexes-filter-is-no-difference", "mongo.createindexes-conflict", "An index that differs in its filter is the same.", "MongoDB up to 4.4", differsIn(partial)},
	{"createindexes-sparse-is-no-difference", "mongo.createindexes-conflict", "An index that differs in sparse is the same.", "MongoDB up to 4.4", differsIn("sparse")},
	{"createindexes-unique-is-no-difference", "mongo.createindexes-conflict", "An index that differs in unique is the same.", "MongoDB up to 4.4", differsIn("unique")},
	{"createindexes-options-always-differ", "mongo.createindexes-conflict", "Filter, sparse and unique have always made another index.", "",
		atRelease(createIndex, "5.0.0", test(until("5.0.0")).and(func(q query) bool { return q.refusedWith(85) }))},
	{"createindexes-hidden-differs", "mongo.createindexes-conflict", "A hidden index is another index.", "",
		refuses(createIndex, func(q query) bool {
			return len(policy.AOf(q.get("existing"))) > 0 && !sameValue(policy.AOf(q.get("existing"))[0].Field("hidden"), q.get("index", "hidden"))
		}, 85)},
	{"createindexes-always-checked", "mongo.createindexes-unchecked", "The option has always been looked at.", "",
		atRelease(createIndex, "4.2.0", test(until("4.2.0")).and(query.isTTL))},
	{"createindexes-checked-since-4.4", "mongo.createindexes-unchecked", "The option is looked at since 4.4.", "",
		atRelease(createIndex, "4.0.0", test(since("4.2.0")).and(until("4.4.0")).and(query.isTTL))},
	{"createindexes-double-rounded", "mongo.createindexes-conversion", "A double is rounded before it is kept and its range looked at.", "", restates(since("4.2.0"), doubles(math.Round))},
	{"createindexes-double-rounded-down", "mongo.createindexes-conversion", "A double is rounded down before its range is looked at.", "", whether(restates(since("4.2.0"), doubles(math.Floor)))},
	{"createindexes-range-before-rounding", "mongo.createindexes-conversion", "The range is looked at before the fraction is dropped.", "",
		refuses(createIndex, func(q query) bool { f := asFloat(q.get("index", option)); return f < 0 && f > -1 && !q.before("4.2.0") }, 67)},
	{"createindexes-decimal-truncated", "mongo.createindexes-conversion", "A Decimal128 is truncated as a double is.", "", restates(since("7.3.0"), decimals(math.Trunc))},
	{"createindexes-decimal-half-up", "mongo.createindexes-conversion", "The half of a Decimal128 is rounded away from zero.", "", restates(since("7.3.0"), decimals(math.Round))},
	{"createindexes-decimal-refused", "mongo.createindexes-conversion", "A Decimal128 is no number.", "documentdb 0.108 and mongomock 4.1.2",
		refuses(createIndex, func(q query) bool { return q.get("index", option).Kind() == policy.Decimal && !q.before("4.2.0") }, 67)},
	{"createindexes-fraction-refused", "mongo.createindexes-conversion", "A delay must be a whole number.", "",
		refuses(createIndex, func(q query) bool {
			f := asFloat(q.get("index", option))
			return f != math.Trunc(f) && !q.before("4.2.0")
		}, 67)},
	{"createindexes-stored-as-given", "mongo.createindexes-stored", "The catalog keeps the number as it was given, in every release.", "",
		stored(since("7.3.0"), func(q query, _ policy.Value) policy.Value { return q.get("index", option) })},
	{"createindexes-stored-as-int32", "mongo.createindexes-stored", "The catalog has always kept an int32.", "",
		atRelease(createIndex, "8.0.0", test(until("7.3.0")).and(since("4.2.0")).and(func(q query) bool { return q.ask().Kind == conformance.KindOut && !q.get("index", option).IsNaN() }))},
	{"createindexes-stored-as-int64", "mongo.createindexes-stored", "The catalog keeps an int64.", "",
		stored(since("7.3.0"), func(_ query, v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int64Value(n) })},
	{"createindexes-normalised-as-double", "mongo.seconds-normalised", "Numbers that are no int32 are kept as doubles.", "",
		stored(since("7.3.0"), func(q query, v policy.Value) policy.Value {
			if q.get("index", option).Kind() == policy.Int32 {
				return v
			}
			return policy.DoubleValue(number(v))
		})},
	{"createindexes-normalised-in-7.0", "mongo.seconds-normalised", "The catalog holds an int32 since 7.0.", "",
		atRelease(createIndex, "7.3.0", test(since("7.0.0")).and(until("7.3.0")).and(query.isTTL))},
	{"createindexes-hashed-refused", "mongo.createindexes-special", "A hashed index does not take the option.", "documentdb 0.108 and 256dpi/lungo", special("hashed")},
	{"createindexes-text-refused", "mongo.createindexes-special", "A text index does not take the option.", "documentdb 0.108", special("text")},
	{"createindexes-2d-refused", "mongo.createindexes-special", "A 2d index does not take the option.", "documentdb 0.108", special("2d")},
	{"createindexes-2dsphere-refused", "mongo.createindexes-special", "A 2dsphere index does not take the option.", "documentdb 0.108", special("2dsphere")},
	{"createindexes-again-is-created", "mongo.createindexes-no-op", "An index that exists is created again.", "",
		asks(createIndex, func(q query) query {
			if q.createdNothing() {
				return q.with(policy.Value{}, "existing")
			}
			return q
		})},
	{"createindexes-again-refused", "mongo.createindexes-no-op", "An index that exists is refused.", "",
		refuses(createIndex, query.createdNothing, 85)},
}

// isTTL tests for the option on the index that is asked for.
func (q query) isTTL() bool { return !q.get("index", option).IsMissing() }

// refusedWith tests for a refusal with a code.
func (q query) refusedWith(code int) bool {
	a := q.ask()
	return a.Kind == conformance.KindRefused && a.Refusal.Code == code
}

// createdNothing tests for an index that exists.
func (q query) createdNothing() bool { return strings.Contains(string(q.ask().Out), `"created":false`) }

package mutants

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collMod holds misreadings of what collMod refuses, makes of the option, and
// reports.
var collMod = of("collmod", []Mutant{
	{Name: "collmod-rounds", Rule: "mongo.collmod-conversion", Text: "A double is rounded to the nearest whole number.",
		misread: commanded(doubles(math.Round))},
	{Name: "collmod-decimal-truncated", Rule: "mongo.collmod-conversion", Text: "A Decimal128 is truncated as a double is.",
		misread: commanded(decimals(math.Trunc))},
	{Name: "collmod-decimal-half-up", Rule: "mongo.collmod-conversion", Text: "The half of a Decimal128 is rounded away from zero.",
		misread: commanded(decimals(math.Round))},
	{Name: "collmod-keeps-fraction", Rule: "mongo.collmod-conversion", Text: "The fraction of a double is refused.",
		misread: refuses(collModify, where(isFraction, newDelay...), 72)},
	{Name: "collmod-nan-refused", Rule: "mongo.collmod-conversion", Text: "NaN is refused, as createIndexes does.",
		Wild:    "documentdb 0.108",
		misread: refuses(collModify, where(policy.Value.IsNaN, newDelay...), 72)},
	{Name: "collmod-nan-is-68-years", Rule: "mongo.collmod-conversion", Text: "NaN becomes 2147483647, as when an index is repaired.",
		misread: commanded(becomes(policy.Value.IsNaN, policy.Int32Value(math.MaxInt32)))},
	{Name: "collmod-infinity-refused", Rule: "mongo.collmod-conversion", Text: "Infinity is refused, as createIndexes does.",
		Wild:    "documentdb 0.108",
		misread: refuses(collModify, where(isInfinite, newDelay...), 72)},
	{Name: "collmod-large-refused", Rule: "mongo.collmod-conversion", Text: "A delay beyond 32 bits is refused, as createIndexes does.",
		Wild:    "documentdb 0.108, for 2147483648",
		misread: refuses(collModify, func(q query) bool { return number(q.newSeconds()) >= math.MaxInt32+1 && !q.before("5.0.0") }, 72)},
	{Name: "collmod-wraps", Rule: "mongo.collmod-conversion", Text: "The low 32 bits of an int64 are the delay: 4294967296 becomes 0.",
		Wild:    "documentdb 0.108, where all documents expire then (`microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c`)",
		misread: commanded(given(isLarge, low32))},
	{Name: "collmod-negative-clamped", Rule: "mongo.collmod-negative", Text: "A delay below 0 becomes 0, as NaN does.",
		misread: only(collModify, since("5.0.0"), commanded(becomes(isNegative, policy.Int32Value(0))))},
	{Name: "collmod-negative-always-refused", Rule: "mongo.collmod-stores-any", Text: "A delay below 0 has always been refused.",
		misread: refuses(collModify, func(q query) bool { return number(q.newSeconds()) <= -1 }, 72)},
	{Name: "collmod-zero-refused", Rule: "mongo.collmod-negative", Text: "collMod accepts no delay of 0.",
		misread: refuses(collModify, where(isInt32Of(0), newDelay...), 72)},
	{Name: "collmod-negative-is-bad-index", Rule: "mongo.collmod-negative", Text: "A delay below 0 is refused with the code of createIndexes.",
		misread: confuses(collModify, where(isNegative, newDelay...), 72, 67)},
	{Name: "collmod-no-bound-of-1970", Rule: "mongo.collmod-before-1970", Text: "Delays beyond the seconds since 1970 have always been accepted.",
		misread: atRelease(collModify, "6.0.2", every(since("5.1.0"), until("6.0.2"), refused))},
	{Name: "collmod-bound-of-1970-always", Rule: "mongo.collmod-before-1970", Text: "No delay may reach back before 1970.",
		misread: refuses(collModify, func(q query) bool { f := number(q.newSeconds()); return f*1000 > float64(q.now()) && f < math.MaxInt32 }, 72)},
	{Name: "collmod-bound-of-1970-exclusive", Rule: "mongo.collmod-before-1970", Text: "A delay that reaches back to 1970 is too long already.",
		misread: refuses(collModify, func(q query) bool { return number(q.newSeconds())*1000 == float64(q.now()) }, 72)},
	{Name: "collmod-type-is-an-option", Rule: "mongo.command-type", Text: "A field of a wrong type is refused as a wrong option, in every release.",
		Wild:    "MongoDB up to 4.4",
		misread: all(confuses(collModify, always, 14, 72), confuses(createColl, always, 14, 72))},
	{Name: "collmod-own-null-is-absent", Rule: "mongo.command-type", Text: "A collection's own option that is null changes nothing.",
		misread: forgets(collModify, where(isNull, "command", option), "command", option)},
	{Name: "collmod-text-of-digits", Rule: "mongo.collmod-not-number", Text: "A text of digits is a number.",
		misread: commanded(numerals)},
	{Name: "collmod-not-a-number-is-a-type", Rule: "mongo.collmod-not-number", Text: "What is no number has always been refused by its type.",
		misread: confuses(collModify, every(until("5.0.0"), func(q query) bool { return !q.newSeconds().Kind().IsNumber() }), 72, 14)},
	{Name: "collmod-null-is-zero", Rule: "mongo.collmod-nothing", Text: "null is a delay of 0.",
		misread: commanded(becomes(isNull, policy.Int32Value(0)))},
	{Name: "collmod-nothing-succeeds", Rule: "mongo.collmod-nothing", Text: "A command that changes nothing succeeds.",
		misread: accepts(collModify, where(func(v policy.Value) bool { return len(policy.DOf(v)) == 1 }, "command", "index"), struct{}{})},
	{Name: "collmod-unknown-field-ignored", Rule: "mongo.command-unknown-field", Text: "A field of index that is not known is ignored, in every release.",
		Wild:    "MongoDB up to 4.2",
		misread: forgets(collModify, always, "command", "index", "expireAfterSecond")},
	{Name: "collmod-unknown-field-code", Rule: "mongo.command-unknown-field", Text: "A field that is not known is refused as a wrong option, in every release.",
		misread: confuses(collModify, always, 40415, 72)},
	{Name: "collmod-view-accepted", Rule: "mongo.collmod-view", Text: "A view is changed like a collection.",
		misread: forgets(collModify, always, "collection", "viewOn")},
	{Name: "collmod-view-is-no-command", Rule: "mongo.collmod-view", Text: "A view is refused with the code that createIndexes has for views.",
		misread: confuses(collModify, has("collection", "viewOn"), 72, 166)},
	{Name: "collmod-name-and-pattern", Rule: "mongo.collmod-address", Text: "Name and key pattern may both be given.",
		misread: forgets(collModify, has("command", "index", "name"), "command", "index", "keyPattern")},
	{Name: "collmod-any-index", Rule: "mongo.collmod-address", Text: "Without name and key pattern the first index is meant.",
		misread: asks(collModify, func(q query) query {
			all := policy.AOf(q.get("existing"))
			if has("command", "index")(q) && !has("command", "index", "name")(q) && !has("command", "index", "keyPattern")(q) && len(all) > 0 {
				return q.with(all[0].Field("name"), "command", "index", "name")
			}
			return q
		})},
	{Name: "collmod-missing-index-created", Rule: "mongo.collmod-not-found", Text: "An index that is not there is made.",
		misread: accepts(collModify, refusedWith(27), struct{}{})},
	{Name: "collmod-any-direction", Rule: "mongo.collmod-not-found", Text: "A key pattern finds an index of the other direction too.",
		misread: puts(collModify, every(refusedWith(27), where(isDescendingKey, "command", "index", "keyPattern")), object("t", policy.Int32Value(1)), "command", "index", "keyPattern")},
	{Name: "collmod-clustered-own-key", Rule: "mongo.collmod-not-found", Text: "A clustered collection's own key is an index of it.",
		misread: accepts(collModify, every(has("collection", "clusteredIndex"), refusedWith(27)), struct{}{})},
	{Name: "collmod-not-found-is-an-option", Rule: "mongo.collmod-not-found", Text: "An index that is not there is a wrong option.",
		misread: confuses(collModify, always, 27, 72)},
	{Name: "collmod-ambiguous-first", Rule: "mongo.collmod-ambiguous", Text: "Of several indexes with the key pattern the first is changed.",
		misread: only(collModify, refusedWith(181), changes(collModify, always, firstElement, "existing"))},
	{Name: "collmod-no-conversion", Rule: "mongo.collmod-no-ttl", Text: "An index that is no TTL index cannot be made one.",
		Wild:    "documentdb 0.108 and MongoDB up to 5.0",
		misread: refuses(collModify, converts, 72)},
	{Name: "collmod-conversion-always", Rule: "mongo.collmod-no-ttl", Text: "Any release makes an ordinary index a TTL index.",
		misread: atRelease(collModify, "5.1.1", every(until("5.1.0"), converts, refused))},
	{Name: "collmod-wildcard-accepted", Rule: "mongo.collmod-wildcard", Text: "A wildcard index becomes a TTL index.",
		misread: accepts(collModify, where(func(v policy.Value) bool { return strings.Contains(v.String(), "$**") }, "existing"), struct{}{})},
	{Name: "collmod-stored-text-replaced", Rule: "mongo.collmod-stored-not-number", Text: "An option that is no number is replaced.",
		misread: alters(collModify, "existing", given(not(delayed(isNumeric)), put(missing, option)))},
	{Name: "collmod-id-accepted", Rule: "mongo.collmod-id", Text: "The index on _id becomes a TTL index.",
		misread: accepts(collModify, every(has("command", "index", "keyPattern", "_id"), has(newDelay...)), struct{}{})},
	{Name: "collmod-id-is-none", Rule: "mongo.collmod-id", Text: "The index on _id is not one that collMod finds.",
		misread: confuses(collModify, has("command", "index", "keyPattern", "_id"), 72, 27)},
	{Name: "collmod-compound-accepted", Rule: "mongo.collmod-compound", Text: "An index of several fields becomes a TTL index, which does nothing.",
		misread: only(collModify, since("5.1.0"), alters(collModify, "existing", given(isCompound, firstOfKey)))},
	{Name: "collmod-compound-is-bad-index", Rule: "mongo.collmod-compound", Text: "An index of several fields is refused with the code of createIndexes.",
		misread: confuses(collModify, sole("existing", isCompound), 72, 67)},
	{Name: "collmod-timeseries-accepted", Rule: "mongo.collmod-timeseries", Text: "An index of a time-series collection is changed like any other.",
		misread: forgets(collModify, has("command", "index"), "collection", "timeseries")},
	{Name: "collmod-capped-accepted", Rule: "mongo.collmod-capped", Text: "An index of a capped collection is changed in every release.",
		misread: uncapped(collModify, always)},
	{Name: "collmod-capped-refused", Rule: "mongo.collmod-capped", Text: "An index of a capped collection is changed in no release.",
		misread: refuses(collModify, where(isTrue, "collection", "capped"), 72)},
	{Name: "collmod-hidden-id", Rule: "mongo.collmod-hidden", Text: "The index on _id can be hidden.",
		misread: accepts(collModify, has("command", "index", "hidden"), struct{}{})},
	{Name: "collmod-hidden-alone", Rule: "mongo.collmod-hidden", Text: "hidden cannot be changed together with the delay.",
		misread: refuses(collModify, every(has("command", "index", "hidden"), has("command", "index", option)), 72)},
	{Name: "collmod-unique-unprepared", Rule: "mongo.collmod-unique", Text: "An index is made unique without any preparation.",
		misread: accepts(collModify, where(isTrue, "command", "index", "unique"), struct{}{})},
	{Name: "collmod-unique-taken-back", Rule: "mongo.collmod-unique", Text: "unique can be taken back.",
		misread: accepts(collModify, where(isFalse, "command", "index", "unique"), struct{}{})},
	{Name: "collmod-dry-run-is-carried-out", Rule: "mongo.collmod-dry-run", Text: "dryRun is ignored: the delay changes.",
		misread: forgets(collModify, always, "command", "dryRun")},
	{Name: "collmod-dry-run-of-anything", Rule: "mongo.collmod-dry-run", Text: "Any change can be tried without carrying it out.",
		misread: accepts(collModify, where(isTrue, "command", "dryRun"), struct{}{})},
	{Name: "collmod-dry-run-false-is-one", Rule: "mongo.collmod-dry-run", Text: "A dryRun that is false is one.",
		misread: refuses(collModify, every(has("command", "dryRun"), has("command", "index", option)), 72)},
	{Name: "collmod-prepare-unique-with-any", Rule: "mongo.collmod-prepare-unique", Text: "prepareUnique goes together with a change of the delay.",
		misread: forgets(collModify, has("command", "index", "prepareUnique"), "command", "index", "prepareUnique")},
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
	{Name: "collmod-reply-swapped", Rule: "mongo.collmod-reply", Text: "The new delay is reported as the old one.",
		misread: outputs(always, strings.NewReplacer("_old", "_new", "_new", "_old"))},
	{Name: "collmod-reply-only-changes", Rule: "mongo.collmod-reply", Text: "Delays that are equal are not reported, in any release.",
		Wild: "MongoDB up to 4.2",
		misread: only(collModify, func(q query) bool {
			return sole("existing", func(x policy.Value) bool { return sameValue(x.Field(option), q.newSeconds()) })(q)
		}, succeeds)},
	{Name: "collmod-reply-of-converted", Rule: "mongo.collmod-reply", Text: "For an index that had no delay the old one is reported as 0.",
		misread: outputs(every(converts, not(refused)), strings.NewReplacer(`{"expire`, `{"expireAfterSeconds_old":{"$numberLong":"0"},"expire`))},
	{Name: "collmod-reply-of-nan", Rule: "mongo.collmod-reply-invalid", Text: "A stored NaN is reported as 2147483647, as when indexes are listed.",
		misread: alters(collModify, "existing", given(nanSeconds, put(policy.Int32Value(math.MaxInt32), option)))},
	{Name: "collmod-nan-is-kept", Rule: "mongo.collmod-reply-invalid", Text: "A stored NaN that would become 0 is left alone.",
		misread: only(collModify, every(sole("existing", nanSeconds), func(q query) bool { return number(q.newSeconds()) == 0 }), succeeds)},
	{Name: "collmod-hashed-refused", Rule: "mongo.collmod-special", Text: "A hashed index cannot be made a TTL index.",
		misread: refuses(collModify, sole("existing", isOfType("hashed")), 72)},
	{Name: "collmod-2dsphere-refused", Rule: "mongo.collmod-special", Text: "A 2dsphere index cannot be made a TTL index.",
		misread: refuses(collModify, sole("existing", isOfType("2dsphere")), 72)},
	{Name: "collmod-own-off-any-case", Rule: "mongo.collection-seconds-text", Text: "off may be written in any case.",
		misread: changes(collModify, always, lowerCase, "command", option)},
	{Name: "collmod-own-text-of-digits", Rule: "mongo.collection-seconds-text", Text: "A text of digits is a number for a collection.",
		misread: changes(collModify, always, numerals, "command", option)},
	{Name: "collmod-own-off-unknown", Rule: "mongo.collection-seconds-text", Text: "A collection's own option is a number; texts are refused.",
		misread: refuses(collModify, where(ofType(policy.String), "command", option), 14)},
	{Name: "collmod-own-off-of-nothing", Rule: "mongo.collection-seconds-off", Text: "There must be an option to take away.",
		misread: refuses(collModify, every(where(isText("off"), "command", option), not(has("collection", option))), 72)},
	{Name: "collmod-names-always", Rule: "mongo.collmod-address", Text: "An index is found by its name in every release.",
		misread: atRelease(collModify, "3.4.0", until("3.4.0"))},
	{Name: "collmod-name-refused-with-key", Rule: "mongo.collmod-address", Text: "A name beside a key pattern has always been refused.",
		misread: refuses(collModify, every(has("command", "index", "name"), has("command", "index", "keyPattern")), 72)},
	{Name: "collmod-comment-always", Rule: "mongo.command-unknown-field", Text: "A comment may stand in any command, in every release.",
		misread: forgets(collModify, always, "command", "comment")},
	{Name: "collmod-write-concern-always", Rule: "mongo.command-unknown-field", Text: "A write concern may stand in any command, in every release.",
		misread: forgets(collModify, always, "command", "writeConcern")},
	{Name: "collmod-not-document-is-a-type", Rule: "mongo.collmod-not-document", Text: "An index that is no document has always been refused by its type.",
		misread: confuses(collModify, refusedWith(10065), 10065, 14)},
	{Name: "collmod-decimal-written-over", Rule: "mongo.collmod-in-place-decimal", Text: "MMAPv1 writes over a decimal as over any other number.",
		misread: accepts(collModify, refusedWith(16632), struct{}{})},
	{Name: "collmod-decimal-never-replaced", Rule: "mongo.collmod-in-place-decimal", Text: "No storage engine replaces a decimal.",
		misread: refuses(collModify, every(until("4.2.0"), where(func(v policy.Value) bool { return strings.Contains(v.String(), "Decimal") }, "existing")), 16632)},
	{Name: "collmod-reply-of-what-is-stored", Rule: "mongo.collmod-in-place", Text: "The number that is reported is the one that is stored.",
		misread: only(collModify, until("4.2.0"), replies(func(_ query, _ string, v policy.Value) policy.Value { return low32(v) }))},
	{Name: "collmod-series-validator", Rule: "mongo.collmod-timeseries-option", Text: "A time-series collection may be given a validator.",
		misread: forgets(collModify, has("collection", "timeseries"), "command", "validator")},
	{Name: "collmod-pipeline-ignored", Rule: "mongo.collmod-view", Text: "A pipeline is ignored where there is no view.",
		misread: forgets(collModify, not(has("collection", "viewOn")), "command", "pipeline")},
})

// newDelay is where the option is that an index is to get.
var newDelay = []string{"command", "index", option}

func (q query) newSeconds() policy.Value { return q.get(newDelay...) }

// commanded asks as if that option were another.
func commanded(edit change) misreading { return changes(collModify, always, edit, newDelay...) }

// succeeds answers that nothing was changed.
var succeeds = answers(conformance.Result(struct{}{}))

// firstOfKey leaves an index one field.
func firstOfKey(x policy.Value) policy.Value {
	return cases.Put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
}

// converts tests for an ordinary index that is to become a TTL index.
func converts(q query) bool {
	return has(newDelay...)(q) && sole("existing", every(not(named(option)), isPlainIndex))(q)
}

func isDescendingKey(key policy.Value) bool { return isDescending(object("key", key)) }

// outputs replaces text in replies.
func outputs(when test, by *strings.Replacer) misreading {
	return only(collModify, when, func(q query) conformance.Answer {
		a := q.ask()
		a.Out = json.RawMessage(by.Replace(string(a.Out)))
		return a
	})
}

// replies reports other delays.
func replies(edit func(q query, name string, v policy.Value) policy.Value) misreading {
	return only(collModify, accepted, func(q query) conformance.Answer { return q.result(edit) })
}

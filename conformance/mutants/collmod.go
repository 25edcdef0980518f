package mutants

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collMod holds misreadings of what collMod refuses, makes of the option, and
// reports.
var collMod = []entry{
	{"collmod-rounds", "mongo.collmod-conversion", "A double is rounded to the nearest whole number.", "", commanded("index", doubles(math.Round))},
	{"collmod-decimal-truncated", "mongo.collmod-conversion", "A Decimal128 is truncated as a double is.", "", commanded("index", decimals(math.Trunc))},
	{"collmod-decimal-half-up", "mongo.collmod-conversion", "The half of a Decimal128 is rounded away from zero.", "", commanded("index", decimals(math.Round))},
	{"collmod-keeps-fraction", "mongo.collmod-conversion", "The fraction of a double is refused.", "",
		refuses(collModify, func(q query) bool { f := asFloat(q.newSeconds()); return f != math.Trunc(f) }, 72)},
	{"collmod-nan-refused", "mongo.collmod-conversion", "NaN is refused, as createIndexes does.", "documentdb 0.108",
		refuses(collModify, func(q query) bool { return q.newSeconds().IsNaN() }, 72)},
	{"collmod-nan-is-68-years", "mongo.collmod-conversion", "NaN becomes 2147483647, as when an index is repaired.", "",
		commanded("index", becomes(policy.Value.IsNaN, policy.Int32Value(math.MaxInt32)))},
	{"collmod-infinity-refused", "mongo.collmod-conversion", "Infinity is refused, as createIndexes does.", "documentdb 0.108",
		refuses(collModify, func(q query) bool { return math.IsInf(number(q.newSeconds()), 1) }, 72)},
	{"collmod-large-refused", "mongo.collmod-conversion", "A delay beyond 32 bits is refused, as createIndexes does.", "documentdb 0.108, for 2147483648",
		refuses(collModify, func(q query) bool { return asFloat(q.newSeconds()) >= math.MaxInt32+1 && !q.before("5.0.0") }, 72)},
	{"collmod-wraps", "mongo.collmod-conversion", "The low 32 bits of an int64 are the delay: 4294967296 becomes 0.", "documentdb 0.108, where all documents expire then (`microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c`)",
		commanded("index", func(v policy.Value) policy.Value {
			if n, ok := v.AsInt64(); ok && n > math.MaxInt32 {
				return policy.Int32Value(int32(n))
			}
			return v
		})},
	{"collmod-negative-clamped", "mongo.collmod-negative", "A delay below 0 becomes 0, as NaN does.", "",
		only(collModify, since("5.0.0"), commanded("index", becomes(func(v policy.Value) bool { return asFloat(v) < 0 }, policy.Int32Value(0))))},
	{"collmod-negative-always-refused", "mongo.collmod-stores-any", "A delay below 0 has always been refused.", "",
		refuses(collModify, func(q query) bool { return asFloat(q.newSeconds()) <= -1 }, 72)},
	{"collmod-zero-refused", "mongo.collmod-negative", "collMod takes no delay of 0.", "",
		refuses(collModify, func(q query) bool { v := q.newSeconds(); return v.Kind() == policy.Int32 && number(v) == 0 }, 72)},
	{"collmod-negative-is-bad-index", "mongo.collmod-negative", "A delay below 0 is refused with the code of createIndexes.", "",
		confuses(collModify, func(q query) bool { return asFloat(q.newSeconds()) < 0 }, 72, 67)},
	{"collmod-no-bound-of-1970", "mongo.collmod-before-1970", "Delays beyond the seconds since 1970 have always been taken.", "",
		atRelease(collModify, "6.0.2", test(since("5.1.0")).and(until("6.0.2")).and(refused))},
	{"collmod-bound-of-1970-always", "mongo.collmod-before-1970", "No delay may reach back before 1970.", "",
		refuses(collModify, func(q query) bool { f := number(q.newSeconds()); return f*1000 > float64(q.now()) && f < math.MaxInt32 }, 72)},
	{"collmod-bound-of-1970-exclusive", "mongo.collmod-before-1970", "A delay that reaches back to 1970 is too long already.", "",
		refuses(collModify, func(q query) bool { return number(q.newSeconds())*1000 == float64(q.now()) }, 72)},
	{"collmod-type-is-an-option", "mongo.command-type", "A field of a wrong type is refused as a wrong option, in every release.", "MongoDB up to 4.4",
		all(confuses(collModify, always, 14, 72), confuses(createColl, always, 14, 72))},
	{"collmod-own-null-is-absent", "mongo.command-type", "A collection's own option that is null changes nothing.", "",
		asks(collModify, func(q query) query {
			if q.get("command", option).Kind() == policy.Null {
				return q.with(policy.Value{}, "command", option)
			}
			return q
		})},
	{"collmod-text-of-digits", "mongo.collmod-not-number", "A text of digits is a number.", "",
		commanded("index", func(v policy.Value) policy.Value {
			if n, ok := digits(v); ok {
				return policy.Int64Value(n)
			}
			return v
		})},
	{"collmod-not-a-number-is-a-type", "mongo.collmod-not-number", "What is no number has always been refused by its type.", "",
		confuses(collModify, test(until("5.0.0")).and(func(q query) bool { return !q.newSeconds().Kind().IsNumber() }), 72, 14)},
	{"collmod-null-is-zero", "mongo.collmod-nothing", "null is a delay of 0.", "", commanded("index", becomes(isNull, policy.Int32Value(0)))},
	{"collmod-nothing-succeeds", "mongo.collmod-nothing", "A command that changes nothing succeeds.", "",
		accepts(collModify, func(q query) bool {
			return has("command", "index")(q) && len(policy.DOf(q.get("command", "index"))) == 1
		}, struct{}{})},
	{"collmod-unknown-field-ignored", "mongo.command-unknown-field", "A field of index that is not known is ignored, in every release.", "MongoDB up to 4.2",
		asks(collModify, func(q query) query { return q.with(policy.Value{}, "command", "index", "expireAfterSecond") })},
	{"collmod-unknown-field-code", "mongo.command-unknown-field", "A field that is not known is refused as a wrong option, in every release.", "",
		confuses(collModify, always, 40415, 72)},
	{"collmod-view-accepted", "mongo.collmod-view", "A view is changed like a collection.", "",
		asks(collModify, func(q query) query { return q.with(policy.Value{}, "collection", "viewOn") })},
	{"collmod-view-is-no-command", "mongo.collmod-view", "A view is refused with the code that createIndexes has for views.", "",
		confuses(collModify, has("collection", "viewOn"), 72, 166)},
	{"collmod-name-and-pattern", "mongo.collmod-address", "Name and key pattern may both be given.", "",
		asks(collModify, func(q query) query {
			if has("command", "index", "name")(q) {
				return q.with(policy.Value{}, "command", "index", "keyPattern")
			}
			return q
		})},
	{"collmod-any-index", "mongo.collmod-address", "Without name and key pattern the first index is meant.", "",
		asks(collModify, func(q query) query {
			all := policy.AOf(q.get("existing"))
			if has("command", "index")(q) && !has("command", "index", "name")(q) && !has("command", "index", "keyPattern")(q) && len(all) > 0 {
				return q.with(all[0].Field("name"), "command", "index", "name")
			}
			return q
		})},
	{"collmod-missing-index-created", "mongo.collmod-not-found", "An index that is not there is made.", "",
		accepts(collModify, func(q query) bool { return q.refusedWith(27) }, struct{}{})},
	{"collmod-any-direction", "mongo.collmod-not-found", "A key pattern finds an index of the other direction too.", "",
		asks(collModify, func(q query) query {
			if q.refusedWith(27) && isDescendingKey(q.get("command", "index", "keyPattern")) {
				return q.with(policy.ObjectValue(policy.D{{Key: "t", Value: policy.Int32Value(1)}}), "command", "index", "keyPattern")
			}
			return q
		})},
	{"collmod-clustered-own-key", "mongo.collmod-not-found", "A clustered collection's own key is an index of it.", "",
		accepts(collModify, test(has("collection", "clusteredIndex")).and(func(q query) bool { return q.refusedWith(27) }), struct{}{})},
	{"collmod-not-found-is-an-option", "mongo.collmod-not-found", "An index that is not there is a wrong option.", "",
		confuses(collModify, always, 27, 72)},
	{"collmod-ambiguous-first", "mongo.collmod-ambiguous", "Of several indexes with the key pattern the first is changed.", "",
		asks(collModify, func(q query) query {
			if !q.refusedWith(181) {
				return q
			}
			return q.with(policy.ListValue(policy.AOf(q.get("existing"))[:1]), "existing")
		})},
	{"collmod-no-conversion", "mongo.collmod-no-ttl", "An index that is no TTL index cannot be made one.", "documentdb 0.108 and MongoDB up to 5.0",
		refuses(collModify, converts, 72)},
	{"collmod-conversion-always", "mongo.collmod-no-ttl", "Any release makes an ordinary index a TTL index.", "",
		only(collModify, test(until("5.1.0")).and(converts).and(refused), func(q query) conformance.Answer { return q.ofRelease("5.1.1").ask() })},
	{"collmod-wildcard-accepted", "mongo.collmod-wildcard", "A wildcard index becomes a TTL index.", "",
		accepts(collModify, func(q query) bool { return strings.Contains(q.get("existing").String(), "$**") }, struct{}{})},
	{"collmod-stored-text-replaced", "mongo.collmod-stored-not-number", "An option that is no number is replaced.", "",
		asks(collModify, func(q query) query {
			return q.each("existing", func(x policy.Value) policy.Value {
				if named(option)(x) && !x.Field(option).Kind().IsNumber() {
					return put(x, policy.Value{}, option)
				}
				return x
			})
		})},
	{"collmod-id-accepted", "mongo.collmod-id", "The index on _id becomes a TTL index.", "",
		accepts(collModify, func(q query) bool {
			return has("command", "index", "keyPattern", "_id")(q) && has("command", "index", option)(q)
		}, struct{}{})},
	{"collmod-id-is-none", "mongo.collmod-id", "The index on _id is none that collMod finds.", "",
		confuses(collModify, has("command", "index", "keyPattern", "_id"), 72, 27)},
	{"collmod-compound-accepted", "mongo.collmod-compound", "An index of several fields becomes a TTL index, which does nothing.", "",
		asks(collModify, func(q query) query {
			return q.each("existing", func(x policy.Value) policy.Value {
				if isCompound(x) && !q.before("5.1.0") {
					return put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
				}
				return x
			})
		})},
	{"collmod-compound-is-bad-index", "mongo.collmod-compound", "An index of several fields is refused with the code of createIndexes.", "",
		confuses(collModify, func(q query) bool { all := policy.AOf(q.get("existing")); return len(all) == 1 && isCompound(all[0]) }, 72, 67)},
	{"collmod-timeseries-accepted", "mongo.collmod-timeseries", "An index of a time-series collection is changed like any other.", "",
		asks(collModify, func(q query) query {
			if has("command", "index")(q) {
				return q.with(policy.Value{}, "collection", "timeseries")
			}
			return q
		})},
	{"collmod-capped-accepted", "mongo.collmod-capped", "An index of a capped collection is changed in every release.", "",
		asks(collModify, uncapped)},
	{"collmod-capped-refused", "mongo.collmod-capped", "An index of a capped collection is changed in no release.", "",
		refuses(collModify, func(q query) bool { b, _ := q.get("collection", "capped").AsBool(); return b }, 72)},
	{"collmod-hidden-id", "mongo.collmod-hidden", "The index on _id can be hidden.", "",
		accepts(collModify, has("command", "index", "hidden"), struct{}{})},
	{"collmod-hidden-alone", "mongo.collmod-hidden", "hidden cannot be changed together with the delay.", "",
		refuses(collModify, test(has("command", "index", "hidden")).and(has("command", "index", option)), 72)},
	{"collmod-unique-unprepared", "mongo.collmod-unique", "An index is made unique without any preparation.", "",
		accepts(collModify, func(q query) bool { b, ok := q.get("command", "index", "unique").AsBool(); return ok && b }, struct{}{})},
	{"collmod-unique-taken-back", "mongo.collmod-unique", "unique can be taken back.", "",
		accepts(collModify, func(q query) bool { b, ok := q.get("command", "index", "unique").AsBool(); return ok && !b }, struct{}{})},
	{"collmod-prepare-unique-with-any", "mongo.collmod-prepare-unique", "prepareUnique goes together with a change of the delay.", "",
		asks(collModify, func(q query) query {
			if !has("command", "index", "prepareUnique")(q) {
				return q // whose index may be no document
			}
			return q.with(policy.Value{}, "command", "index", "prepareUnique")
		})},
	{"collmod-reply-of-seconds-always", "mongo.collmod-reply-elements", "The delays are reported in whole seconds, in every release.", "MongoDB since 5.3",
		only(collModify, until("5.0.0"), replies(func(_ string, v policy.Value) policy.Value {
			n, _ := mongo.WholeSeconds(v)
			return policy.Int64Value(n)
		}))},
	{"collmod-reply-of-elements-always", "mongo.collmod-reply-seconds", "The new delay is reported as it was given, in every release.", "MongoDB up to 5.0",
		only(collModify, since("5.3.0"), func(q query) conformance.Answer {
			return replies(func(name string, v policy.Value) policy.Value {
				if name == "expireAfterSeconds_new" {
					return q.newSeconds()
				}
				return v
			})(q)
		})},
	{"collmod-reply-of-int32", "mongo.collmod-reply", "The delays are reported as int32.", "documentdb 0.108, which reports doubles",
		replies(func(_ string, v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int32Value(int32(n)) })},
	{"collmod-reply-swapped", "mongo.collmod-reply", "The new delay is reported as the old one.", "",
		only(collModify, always, func(q query) conformance.Answer {
			a := q.ask()
			a.Out = json.RawMessage(strings.NewReplacer("_old", "_new", "_new", "_old").Replace(string(a.Out)))
			return a
		})},
	{"collmod-reply-only-changes", "mongo.collmod-reply", "Delays that are equal are not reported, in any release.", "MongoDB up to 4.2",
		only(collModify, func(q query) bool {
			all := policy.AOf(q.get("existing"))
			return len(all) == 1 && sameValue(all[0].Field(option), q.newSeconds())
		}, func(q query) conformance.Answer { return conformance.Result(struct{}{}) })},
	{"collmod-reply-of-converted", "mongo.collmod-reply", "For an index that had no delay the old one is reported as 0.", "",
		only(collModify, test(converts).and(not(refused)), func(q query) conformance.Answer {
			a := q.ask()
			a.Out = json.RawMessage(strings.Replace(string(a.Out), "{", `{"expireAfterSeconds_old":{"$numberLong":"0"},`, 1))
			return a
		})},
	{"collmod-reply-of-nan", "mongo.collmod-reply-invalid", "A stored NaN is reported as 2147483647, as when indexes are listed.", "",
		asks(collModify, func(q query) query {
			return q.each("existing", func(x policy.Value) policy.Value {
				if nanSeconds(x) {
					return put(x, policy.Int32Value(math.MaxInt32), option)
				}
				return x
			})
		})},
	{"collmod-nan-is-kept", "mongo.collmod-reply-invalid", "A stored NaN that would become 0 is left alone.", "",
		only(collModify, func(q query) bool {
			all := policy.AOf(q.get("existing"))
			return len(all) == 1 && nanSeconds(all[0]) && number(q.newSeconds()) == 0
		}, func(query) conformance.Answer { return conformance.Result(struct{}{}) })},
	{"collmod-hashed-refused", "mongo.collmod-special", "A hashed index cannot be made a TTL index.", "",
		refuses(collModify, existing("hashed"), 72)},
	{"collmod-2dsphere-refused", "mongo.collmod-special", "A 2dsphere index cannot be made a TTL index.", "",
		refuses(collModify, existing("2dsphere"), 72)},
	{"collmod-own-off-any-case", "mongo.collection-seconds-text", "off may be written in any case.", "",
		commanded("", func(v policy.Value) policy.Value {
			if s, ok := v.AsString(); ok {
				return policy.StringValue(strings.ToLower(s))
			}
			return v
		})},
	{"collmod-own-text-of-digits", "mongo.collection-seconds-text", "A text of digits is a number for a collection.", "",
		commanded("", func(v policy.Value) policy.Value {
			if n, ok := digits(v); ok {
				return policy.Int64Value(n)
			}
			return v
		})},
	{"collmod-own-off-unknown", "mongo.collection-seconds-text", "A collection's own option is a number; texts are refused.", "",
		refuses(collModify, func(q query) bool { return q.get("command", option).Kind() == policy.String }, 14)},
	{"collmod-own-off-of-nothing", "mongo.collection-seconds-off", "There must be an option to take away.", "",
		refuses(collModify, func(q query) bool { return isText("off")(q.get("command", option)) && !has("collection", option)(q) }, 72)},
}

// newSeconds returns the option that an index is to get.
func (q query) newSeconds() policy.Value { return q.get("command", "index", option) }

// commanded asks about a command as if the option of its index were another, or
// the collection's own.
func commanded(member string, edit func(policy.Value) policy.Value) misreading {
	path := []string{"command", member, option}
	if member == "" {
		path = []string{"command", option}
	}
	return asks(collModify, func(q query) query {
		if !has(path...)(q) {
			return q
		}
		return q.with(edit(q.get(path...)), path...)
	})
}

// converts tests for an ordinary index that is to become a TTL index.
func converts(q query) bool {
	all := policy.AOf(q.get("existing"))
	return len(all) == 1 && !named(option)(all[0]) && isPlainIndex(all[0]) && has("command", "index", option)(q)
}

// existing tests for a single index of a type.
func existing(kind string) test {
	return func(q query) bool {
		all := policy.AOf(q.get("existing"))
		if len(all) != 1 {
			return false
		}
		_, direction, _ := keyOf(all[0])
		return isText(kind)(direction)
	}
}

func isDescendingKey(key policy.Value) bool {
	return isDescending(policy.ObjectValue(policy.D{{Key: "key", Value: key}}))
}

// replies reports other delays.
func replies(edit func(name string, v policy.Value) policy.Value) misreading {
	return only(collModify, always, func(q query) conformance.Answer {
		a := q.ask()
		var out map[string]json.RawMessage
		if a.Kind != conformance.KindOut || json.Unmarshal(a.Out, &out) != nil {
			return a
		}
		for name, raw := range out {
			v, err := policy.ParseExtJSON(raw)
			if err != nil {
				return a
			}
			out[name] = policy.AppendExtJSON(nil, edit(name, v))
		}
		return conformance.Result(out)
	})
}

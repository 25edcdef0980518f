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
var collMod = map[string]misreading{
	"collmod-rounds":            commanded("index", doubles(math.Round)),
	"collmod-decimal-truncated": commanded("index", decimals(math.Trunc)),
	"collmod-decimal-half-up":   commanded("index", decimals(math.Round)),
	"collmod-keeps-fraction":    refuses(collModify, func(q query) bool { f := asFloat(q.newSeconds()); return f != math.Trunc(f) }, 72),
	"collmod-nan-refused":       refuses(collModify, func(q query) bool { return q.newSeconds().IsNaN() }, 72),
	"collmod-nan-is-68-years":   commanded("index", becomes(policy.Value.IsNaN, policy.Int32Value(math.MaxInt32))),
	"collmod-infinity-refused":  refuses(collModify, func(q query) bool { return math.IsInf(number(q.newSeconds()), 1) }, 72),
	"collmod-large-refused":     refuses(collModify, func(q query) bool { return asFloat(q.newSeconds()) >= math.MaxInt32+1 && !q.before("5.0.0") }, 72),
	"collmod-wraps": commanded("index", func(v policy.Value) policy.Value {
		if n, ok := v.AsInt64(); ok && n > math.MaxInt32 {
			return policy.Int32Value(int32(n))
		}
		return v
	}),
	"collmod-negative-clamped":        only(collModify, since("5.0.0"), commanded("index", becomes(func(v policy.Value) bool { return asFloat(v) < 0 }, policy.Int32Value(0)))),
	"collmod-negative-always-refused": refuses(collModify, func(q query) bool { return asFloat(q.newSeconds()) <= -1 }, 72),
	"collmod-zero-refused":            refuses(collModify, func(q query) bool { v := q.newSeconds(); return v.Kind() == policy.Int32 && number(v) == 0 }, 72),
	"collmod-negative-is-bad-index":   confuses(collModify, func(q query) bool { return asFloat(q.newSeconds()) < 0 }, 72, 67),
	"collmod-no-bound-of-1970":        atRelease(collModify, "6.0.2", test(since("5.1.0")).and(until("6.0.2")).and(refused)),
	"collmod-bound-of-1970-always":    refuses(collModify, func(q query) bool { f := number(q.newSeconds()); return f*1000 > float64(q.now()) && f < math.MaxInt32 }, 72),
	"collmod-bound-of-1970-exclusive": refuses(collModify, func(q query) bool { return number(q.newSeconds())*1000 == float64(q.now()) }, 72),
	"collmod-type-is-an-option":       all(confuses(collModify, always, 14, 72), confuses(createColl, always, 14, 72)),
	"collmod-own-null-is-absent": asks(collModify, func(q query) query {
		if q.get("command", option).Kind() == policy.Null {
			return q.with(policy.Value{}, "command", option)
		}
		return q
	}),
	"collmod-text-of-digits": commanded("index", func(v policy.Value) policy.Value {
		if n, ok := digits(v); ok {
			return policy.Int64Value(n)
		}
		return v
	}),
	"collmod-not-a-number-is-a-type": confuses(collModify, test(until("5.0.0")).and(func(q query) bool { return !q.newSeconds().Kind().IsNumber() }), 72, 14),
	"collmod-null-is-zero":           commanded("index", becomes(isNull, policy.Int32Value(0))),
	"collmod-nothing-succeeds": accepts(collModify, func(q query) bool {
		return has("command", "index")(q) && len(policy.DOf(q.get("command", "index"))) == 1
	}, struct{}{}),
	"collmod-unknown-field-ignored": asks(collModify, func(q query) query { return q.with(policy.Value{}, "command", "index", "expireAfterSecond") }),
	"collmod-unknown-field-code":    confuses(collModify, always, 40415, 72),
	"collmod-view-accepted":         asks(collModify, func(q query) query { return q.with(policy.Value{}, "collection", "viewOn") }),
	"collmod-view-is-no-command":    confuses(collModify, has("collection", "viewOn"), 72, 166),
	"collmod-name-and-pattern": asks(collModify, func(q query) query {
		if has("command", "index", "name")(q) {
			return q.with(policy.Value{}, "command", "index", "keyPattern")
		}
		return q
	}),
	"collmod-any-index": asks(collModify, func(q query) query {
		all := policy.AOf(q.get("existing"))
		if has("command", "index")(q) && !has("command", "index", "name")(q) && !has("command", "index", "keyPattern")(q) && len(all) > 0 {
			return q.with(all[0].Field("name"), "command", "index", "name")
		}
		return q
	}),
	"collmod-missing-index-created": accepts(collModify, func(q query) bool { return q.refusedWith(27) }, struct{}{}),
	"collmod-any-direction": asks(collModify, func(q query) query {
		if q.refusedWith(27) && isDescendingKey(q.get("command", "index", "keyPattern")) {
			return q.with(policy.ObjectValue(policy.D{{Key: "t", Value: policy.Int32Value(1)}}), "command", "index", "keyPattern")
		}
		return q
	}),
	"collmod-clustered-own-key":      accepts(collModify, test(has("collection", "clusteredIndex")).and(func(q query) bool { return q.refusedWith(27) }), struct{}{}),
	"collmod-not-found-is-an-option": confuses(collModify, always, 27, 72),
	"collmod-ambiguous-first": asks(collModify, func(q query) query {
		if !q.refusedWith(181) {
			return q
		}
		return q.with(policy.ListValue(policy.AOf(q.get("existing"))[:1]), "existing")
	}),
	"collmod-no-conversion":     refuses(collModify, converts, 72),
	"collmod-conversion-always": only(collModify, test(until("5.1.0")).and(converts).and(refused), func(q query) conformance.Answer { return q.ofRelease("5.1.1").ask() }),
	"collmod-wildcard-accepted": accepts(collModify, func(q query) bool { return strings.Contains(q.get("existing").String(), "$**") }, struct{}{}),
	"collmod-stored-text-replaced": asks(collModify, func(q query) query {
		return q.each("existing", func(x policy.Value) policy.Value {
			if named(option)(x) && !x.Field(option).Kind().IsNumber() {
				return put(x, policy.Value{}, option)
			}
			return x
		})
	}),
	"collmod-id-accepted": accepts(collModify, func(q query) bool {
		return has("command", "index", "keyPattern", "_id")(q) && has("command", "index", option)(q)
	}, struct{}{}),
	"collmod-id-is-none": confuses(collModify, has("command", "index", "keyPattern", "_id"), 72, 27),
	"collmod-compound-accepted": asks(collModify, func(q query) query {
		return q.each("existing", func(x policy.Value) policy.Value {
			if isCompound(x) && !q.before("5.1.0") {
				return put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
			}
			return x
		})
	}),
	"collmod-compound-is-bad-index": confuses(collModify, func(q query) bool { all := policy.AOf(q.get("existing")); return len(all) == 1 && isCompound(all[0]) }, 72, 67),
	"collmod-timeseries-accepted": asks(collModify, func(q query) query {
		if has("command", "index")(q) {
			return q.with(policy.Value{}, "collection", "timeseries")
		}
		return q
	}),
	"collmod-capped-accepted":   asks(collModify, uncapped),
	"collmod-capped-refused":    refuses(collModify, func(q query) bool { b, _ := q.get("collection", "capped").AsBool(); return b }, 72),
	"collmod-hidden-id":         accepts(collModify, has("command", "index", "hidden"), struct{}{}),
	"collmod-hidden-alone":      refuses(collModify, test(has("command", "index", "hidden")).and(has("command", "index", option)), 72),
	"collmod-unique-unprepared": accepts(collModify, func(q query) bool { b, ok := q.get("command", "index", "unique").AsBool(); return ok && b }, struct{}{}),
	"collmod-unique-taken-back": accepts(collModify, func(q query) bool { b, ok := q.get("command", "index", "unique").AsBool(); return ok && !b }, struct{}{}),
	"collmod-prepare-unique-with-any": asks(collModify, func(q query) query {
		if !has("command", "index", "prepareUnique")(q) {
			return q // whose index may be no document
		}
		return q.with(policy.Value{}, "command", "index", "prepareUnique")
	}),
	"collmod-reply-of-seconds-always": only(collModify, until("5.0.0"), replies(func(_ string, v policy.Value) policy.Value {
		n, _ := mongo.WholeSeconds(v)
		return policy.Int64Value(n)
	})),
	"collmod-reply-of-elements-always": only(collModify, since("5.3.0"), func(q query) conformance.Answer {
		return replies(func(name string, v policy.Value) policy.Value {
			if name == "expireAfterSeconds_new" {
				return q.newSeconds()
			}
			return v
		})(q)
	}),
	"collmod-reply-of-int32": replies(func(_ string, v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int32Value(int32(n)) }),
	"collmod-reply-swapped": only(collModify, always, func(q query) conformance.Answer {
		a := q.ask()
		a.Out = json.RawMessage(strings.NewReplacer("_old", "_new", "_new", "_old").Replace(string(a.Out)))
		return a
	}),
	"collmod-reply-only-changes": only(collModify, func(q query) bool {
		all := policy.AOf(q.get("existing"))
		return len(all) == 1 && sameValue(all[0].Field(option), q.newSeconds())
	}, func(q query) conformance.Answer { return conformance.Result(struct{}{}) }),
	"collmod-reply-of-converted": only(collModify, test(converts).and(not(refused)), func(q query) conformance.Answer {
		a := q.ask()
		a.Out = json.RawMessage(strings.Replace(string(a.Out), "{", `{"expireAfterSeconds_old":{"$numberLong":"0"},`, 1))
		return a
	}),
	"collmod-reply-of-nan": asks(collModify, func(q query) query {
		return q.each("existing", func(x policy.Value) policy.Value {
			if nanSeconds(x) {
				return put(x, policy.Int32Value(math.MaxInt32), option)
			}
			return x
		})
	}),
	"collmod-nan-is-kept": only(collModify, func(q query) bool {
		all := policy.AOf(q.get("existing"))
		return len(all) == 1 && nanSeconds(all[0]) && number(q.newSeconds()) == 0
	}, func(query) conformance.Answer { return conformance.Result(struct{}{}) }),
	"collmod-hashed-refused":   refuses(collModify, existing("hashed"), 72),
	"collmod-2dsphere-refused": refuses(collModify, existing("2dsphere"), 72),
	"collmod-own-off-any-case": commanded("", func(v policy.Value) policy.Value {
		if s, ok := v.AsString(); ok {
			return policy.StringValue(strings.ToLower(s))
		}
		return v
	}),
	"collmod-own-text-of-digits": commanded("", func(v policy.Value) policy.Value {
		if n, ok := digits(v); ok {
			return policy.Int64Value(n)
		}
		return v
	}),
	"collmod-own-off-unknown":    refuses(collModify, func(q query) bool { return q.get("command", option).Kind() == policy.String }, 14),
	"collmod-own-off-of-nothing": refuses(collModify, func(q query) bool { return isText("off")(q.get("command", option)) && !has("collection", option)(q) }, 72),
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

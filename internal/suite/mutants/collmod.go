package mutants

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collMod holds misreadings of what collMod refuses, makes of the option, and
// reports.
var collMod = map[string]misreading{
	"collmod-rounds":                  commanded(doubles(math.Round)),
	"collmod-decimal-truncated":       commanded(decimals(math.Trunc)),
	"collmod-decimal-half-up":         commanded(decimals(math.Round)),
	"collmod-keeps-fraction":          refuses(collModify, where(isFraction, newDelay...), 72),
	"collmod-nan-refused":             refuses(collModify, where(policy.Value.IsNaN, newDelay...), 72),
	"collmod-nan-is-68-years":         commanded(becomes(policy.Value.IsNaN, policy.Int32Value(math.MaxInt32))),
	"collmod-infinity-refused":        refuses(collModify, where(isInfinite, newDelay...), 72),
	"collmod-large-refused":           refuses(collModify, func(q query) bool { return number(q.newSeconds()) >= math.MaxInt32+1 && !q.before("5.0.0") }, 72),
	"collmod-wraps":                   commanded(given(isLarge, low32)),
	"collmod-negative-clamped":        only(collModify, since("5.0.0"), commanded(becomes(isNegative, policy.Int32Value(0)))),
	"collmod-negative-always-refused": refuses(collModify, func(q query) bool { return number(q.newSeconds()) <= -1 }, 72),
	"collmod-zero-refused":            refuses(collModify, where(isInt32Of(0), newDelay...), 72),
	"collmod-negative-is-bad-index":   confuses(collModify, where(isNegative, newDelay...), 72, 67),
	"collmod-no-bound-of-1970":        atRelease(collModify, "6.0.2", every(since("5.1.0"), until("6.0.2"), refused)),
	"collmod-bound-of-1970-always":    refuses(collModify, func(q query) bool { f := number(q.newSeconds()); return f*1000 > float64(q.now()) && f < math.MaxInt32 }, 72),
	"collmod-bound-of-1970-exclusive": refuses(collModify, func(q query) bool { return number(q.newSeconds())*1000 == float64(q.now()) }, 72),
	"collmod-type-is-an-option":       all(confuses(collModify, always, 14, 72), confuses(createColl, always, 14, 72)),
	"collmod-own-null-is-absent":      forgets(collModify, where(isNull, "command", option), "command", option),
	"collmod-text-of-digits":          commanded(numerals),
	"collmod-not-a-number-is-a-type":  confuses(collModify, every(until("5.0.0"), func(q query) bool { return !q.newSeconds().Kind().IsNumber() }), 72, 14),
	"collmod-null-is-zero":            commanded(becomes(isNull, policy.Int32Value(0))),
	"collmod-nothing-succeeds":        accepts(collModify, where(func(v policy.Value) bool { return len(policy.DOf(v)) == 1 }, "command", "index"), struct{}{}),
	"collmod-unknown-field-ignored":   forgets(collModify, always, "command", "index", "expireAfterSecond"),
	"collmod-unknown-field-code":      confuses(collModify, always, 40415, 72),
	"collmod-view-accepted":           forgets(collModify, always, "collection", "viewOn"),
	"collmod-view-is-no-command":      confuses(collModify, has("collection", "viewOn"), 72, 166),
	"collmod-name-and-pattern":        forgets(collModify, has("command", "index", "name"), "command", "index", "keyPattern"),
	"collmod-any-index": asks(collModify, func(q query) query {
		all := policy.AOf(q.get("existing"))
		if has("command", "index")(q) && !has("command", "index", "name")(q) && !has("command", "index", "keyPattern")(q) && len(all) > 0 {
			return q.with(all[0].Field("name"), "command", "index", "name")
		}
		return q
	}),
	"collmod-missing-index-created":   accepts(collModify, refusedWith(27), struct{}{}),
	"collmod-any-direction":           puts(collModify, every(refusedWith(27), where(isDescendingKey, "command", "index", "keyPattern")), object("t", policy.Int32Value(1)), "command", "index", "keyPattern"),
	"collmod-clustered-own-key":       accepts(collModify, every(has("collection", "clusteredIndex"), refusedWith(27)), struct{}{}),
	"collmod-not-found-is-an-option":  confuses(collModify, always, 27, 72),
	"collmod-ambiguous-first":         only(collModify, refusedWith(181), changes(collModify, always, firstElement, "existing")),
	"collmod-no-conversion":           refuses(collModify, converts, 72),
	"collmod-conversion-always":       atRelease(collModify, "5.1.1", every(until("5.1.0"), converts, refused)),
	"collmod-wildcard-accepted":       accepts(collModify, where(func(v policy.Value) bool { return strings.Contains(v.String(), "$**") }, "existing"), struct{}{}),
	"collmod-stored-text-replaced":    alters(collModify, "existing", given(not(delayed(isNumeric)), put(missing, option))),
	"collmod-id-accepted":             accepts(collModify, every(has("command", "index", "keyPattern", "_id"), has(newDelay...)), struct{}{}),
	"collmod-id-is-none":              confuses(collModify, has("command", "index", "keyPattern", "_id"), 72, 27),
	"collmod-compound-accepted":       only(collModify, since("5.1.0"), alters(collModify, "existing", given(isCompound, firstOfKey))),
	"collmod-compound-is-bad-index":   confuses(collModify, sole("existing", isCompound), 72, 67),
	"collmod-timeseries-accepted":     forgets(collModify, has("command", "index"), "collection", "timeseries"),
	"collmod-capped-accepted":         uncapped(collModify, always),
	"collmod-capped-refused":          refuses(collModify, where(isTrue, "collection", "capped"), 72),
	"collmod-hidden-id":               accepts(collModify, has("command", "index", "hidden"), struct{}{}),
	"collmod-hidden-alone":            refuses(collModify, every(has("command", "index", "hidden"), has("command", "index", option)), 72),
	"collmod-unique-unprepared":       accepts(collModify, where(isTrue, "command", "index", "unique"), struct{}{}),
	"collmod-unique-taken-back":       accepts(collModify, where(isFalse, "command", "index", "unique"), struct{}{}),
	"collmod-dry-run-is-carried-out":  forgets(collModify, always, "command", "dryRun"),
	"collmod-dry-run-of-anything":     accepts(collModify, where(isTrue, "command", "dryRun"), struct{}{}),
	"collmod-dry-run-false-is-one":    refuses(collModify, every(has("command", "dryRun"), has("command", "index", option)), 72),
	"collmod-prepare-unique-with-any": forgets(collModify, has("command", "index", "prepareUnique"), "command", "index", "prepareUnique"),
	"collmod-reply-of-seconds-always": only(collModify, until("5.0.0"), replies(func(_ query, _ string, v policy.Value) policy.Value {
		n, _ := mongo.WholeSeconds(v)
		return policy.Int64Value(n)
	})),
	"collmod-reply-of-elements-always": only(collModify, since("5.3.0"), replies(func(q query, name string, v policy.Value) policy.Value {
		if name == "expireAfterSeconds_new" {
			return q.newSeconds()
		}
		return v
	})),
	"collmod-reply-of-int32": replies(func(_ query, _ string, v policy.Value) policy.Value { return low32(v) }),
	"collmod-reply-swapped":  outputs(always, strings.NewReplacer("_old", "_new", "_new", "_old")),
	"collmod-reply-only-changes": only(collModify, func(q query) bool {
		return sole("existing", func(x policy.Value) bool { return sameValue(x.Field(option), q.newSeconds()) })(q)
	}, succeeds),
	"collmod-reply-of-converted":      outputs(every(converts, not(refused)), strings.NewReplacer(`{"expire`, `{"expireAfterSeconds_old":{"$numberLong":"0"},"expire`)),
	"collmod-reply-of-nan":            alters(collModify, "existing", given(nanSeconds, put(policy.Int32Value(math.MaxInt32), option))),
	"collmod-nan-is-kept":             only(collModify, every(sole("existing", nanSeconds), func(q query) bool { return number(q.newSeconds()) == 0 }), succeeds),
	"collmod-hashed-refused":          refuses(collModify, sole("existing", isOfType("hashed")), 72),
	"collmod-2dsphere-refused":        refuses(collModify, sole("existing", isOfType("2dsphere")), 72),
	"collmod-own-off-any-case":        changes(collModify, always, lowerCase, "command", option),
	"collmod-own-text-of-digits":      changes(collModify, always, numerals, "command", option),
	"collmod-own-off-unknown":         refuses(collModify, where(ofType(policy.String), "command", option), 14),
	"collmod-names-always":            atRelease(collModify, "3.4.0", until("3.4.0")),
	"collmod-name-refused-with-key":   refuses(collModify, every(has("command", "index", "name"), has("command", "index", "keyPattern")), 72),
	"collmod-comment-always":          forgets(collModify, always, "command", "comment"),
	"collmod-write-concern-always":    forgets(collModify, always, "command", "writeConcern"),
	"collmod-not-document-is-a-type":  confuses(collModify, refusedWith(10065), 10065, 14),
	"collmod-decimal-written-over":    accepts(collModify, refusedWith(16632), struct{}{}),
	"collmod-decimal-never-replaced":  refuses(collModify, every(until("4.2.0"), where(func(v policy.Value) bool { return strings.Contains(v.String(), "Decimal") }, "existing")), 16632),
	"collmod-reply-of-what-is-stored": only(collModify, until("4.2.0"), replies(func(_ query, _ string, v policy.Value) policy.Value { return low32(v) })),
	"collmod-series-validator":        forgets(collModify, has("collection", "timeseries"), "command", "validator"),
	"collmod-pipeline-ignored":        forgets(collModify, not(has("collection", "viewOn")), "command", "pipeline"),
	"collmod-own-off-of-nothing":      refuses(collModify, every(where(isText("off"), "command", option), not(has("collection", option))), 72),
}

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

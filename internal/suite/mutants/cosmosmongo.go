package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// cosmosMongo holds misreadings of Azure Cosmos DB for MongoDB.
var cosmosMongo = map[string]misreading{
	"document-ttl-without-index":    puts(decideDoc, not(hasTTLIndex), policy.ListValue(policy.A{tsIndex(policy.Int32Value(-1))}), "indexes"),
	"document-ttl-with-plain-index": alters(decideDoc, "indexes", given(every(isOnTS, not(named(option))), put(policy.Int32Value(-1), option))),
	"document-index-without-option-is-zero": alters(decideDoc, "indexes", given(not(named(option)), func(x policy.Value) policy.Value {
		return cases.Put(tsIndex(policy.Int32Value(1)), x.Field("name"), "name")
	})),
	"document-ttl-truncated":      documents(fractions(1, math.Trunc)),
	"document-ttl-rounded":        documents(fractions(math.SmallestNonzeroFloat64, math.Ceil)),
	"document-ttl-of-64-bits":     outlives(func(v policy.Value) bool { n, ok := v.AsInt64(); return ok && n > math.MaxInt32 }),
	"document-ttl-clamped":        documents(becomes(above(math.MaxInt32), policy.Int32Value(math.MaxInt32))),
	"document-ttl-wraps":          documents(given(wrapsTo(1), low32)),
	"document-ttl-infinity":       documents(becomes(isInfinite, policy.Int32Value(-1))),
	"document-ttl-nan-is-zero":    only(decideDoc, where(policy.Value.IsNaN, "document", "ttl"), atOnce),
	"document-ttl-int32-only":     documents(becomes(ofType(policy.Int64, policy.Double), policy.StringValue(""))),
	"document-ttl-integer-only":   documents(becomes(ofType(policy.Double), policy.StringValue(""))),
	"document-ttl-decimal":        documents(given(every(ofType(policy.Decimal), not(isFraction)), asDouble)),
	"document-ttl-text-of-digits": documents(numerals),
	"document-ttl-true-is-one":    documents(becomes(isTrue, policy.Int32Value(1))),
	"document-ttl-null-is-never":  documents(becomes(isNull, policy.Int32Value(-1))),
	"document-ttl-date-is-deadline": only(decideDoc, where(ofType(policy.Date), "document", "ttl"), func(q query) conformance.Answer {
		i, _ := q.get("document", "ttl").AsDate()
		return q.expire(i)
	}),
	"document-ttl-bad-is-never":   keeps(decideDoc, every(has("document", "ttl"), not(where(isNumeric, "document", "ttl")))),
	"document-ttl-bad-is-refused": keeps(decideDoc, where(func(v policy.Value) bool { return number(v) != math.Trunc(number(v)) }, "document", "ttl")),
	"document-ttl-only-shortens": only(decideDoc, func(q query) bool {
		return sole("indexes", every(named(option), delayed(above(0)), delayed(below(number(q.get("document", "ttl"))))))(q)
	}, withoutDocumentTTL),
	"document-ttl-since-4.0":          only(decideDoc, func(q query) bool { return q.Target.Version == "3.6" }, withoutDocumentTTL),
	"collection-minus-one-is-off":     indexOptions(equals(-1), missing),
	"collection-minus-one-is-at-once": only(decideDoc, not(has("document", "ttl")), indexOptions(equals(-1), policy.Int32Value(1))),
	"collection-minus-one-refused":    refuses(createDocIdx, where(equals(-1), "index", option), 67),
	"collection-new-documents-only":   keeps(decideDoc, every(onTS, not(has("document", "ttl")))),
	"collection-ts-refused":           refuses(createDocIdx, where(isOnTS, "index"), 2),
	"document-dates-count": only(decideDoc, every(onTS, not(has("document", "ttl"))), func(q query) conformance.Answer {
		for _, e := range policy.DOf(q.get("document")) {
			if i, ok := e.Value.AsDate(); ok {
				return q.expire(i + 1000*policy.Instant(number(q.ttlIndexes()[0].Field(option))))
			}
		}
		return q.ask()
	}),
	"document-write-is-not-seen": shifts(decideDoc, onTS, -1000),
	"document-reads-restart":     moves(decideDoc, onTS, func(q query, due policy.Instant) policy.Instant { return due + max(0, q.now()-q.lastWrite()) }),
	"field-in-seconds":           values(given(isNumeric, func(v policy.Value) policy.Value { return policy.DateValue(policy.Instant(number(v)) * 1000) })),
	"field-by-last-write": only(decideDoc, onField, asks(decideDoc, func(q query) query {
		return q.with(policy.ListValue(policy.A{tsIndex(q.ttlIndexes()[0].Field(option))}), "indexes")
	})),
	"field-dates-only": values(becomes(isNumeric, policy.StringValue(""))),
	"field-missing-by-last-write": only(decideDoc, onField, asks(decideDoc, func(q query) query {
		return q.change(turns(policy.Value.IsMissing, policy.DateValue(q.lastWrite())), "document", q.tsField())
	})),
	"field-array-latest":          values(given(ofType(policy.List), func(v policy.Value) policy.Value { return policy.ListValue(policy.A(latestDate(policy.AOf(v)))) })),
	"field-array-first":           values(given(ofType(policy.List), func(v policy.Value) policy.Value { return policy.AOf(v)[0] })),
	"field-text-is-a-date":        values(dateBy(textTime)),
	"field-true-is-one":           values(becomes(isTrue, policy.DateValue(1))),
	"field-null-is-1970":          values(becomes(isNull, policy.DateValue(0))),
	"field-always-taken":          accepts(createDocIdx, has("index", option), struct{}{}),
	"field-never-taken":           refuses(createDocIdx, every(query.isTTL, not(where(isOnTS, "index"))), 2),
	"field-taken-before-4.2":      atRelease(createDocIdx, "4.2", func(q query) bool { return len(q.Target.Capabilities) > 0 }),
	"field-taken-since-5.0":       atRelease(createDocIdx, "4.0", func(q query) bool { return q.Target.Version == "4.2" }),
	"field-refused-as-by-mongodb": confuses(createDocIdx, always, 2, 67),
	"field-wildcard-taken":        renames(createDocIdx, "index", func(parts []string) bool { return parts[len(parts)-1] == "$**" }),
	"field-plain-index-refused":   refuses(createDocIdx, not(query.isTTL), 2),
	"field-hashed-taken":          accepts(createDocIdx, every(query.isTTL, func(q query) bool { return isText("hashed")(directionOf(q.get("index"))) }), struct{}{}),
	"field-partial-taken":         forgets(createDocIdx, always, "index", "partialFilterExpression"),
	"collection-zero-taken":       accepts(createDocIdx, where(equals(0), "index", option), struct{}{}),
	"collection-one-refused":      refuses(createDocIdx, where(equals(1), "index", option), 2),
	"collection-again-changes":    accepts(createDocIdx, createdAgain, struct{}{}),
	"collection-again-as-second":  confuses(createDocIdx, createdAgain, 85, 67),
	"document-ttl-never-on-3.2":   only(decideDoc, func(q query) bool { return q.Target.Version == "3.2" }, withoutDocumentTTL),
	"second-taken":                puts(createDocIdx, always, noElements, "existing"),
	"second-index-refused":        refuses(createDocIdx, some("existing", anyIndex), 2),
}

// tsIndex returns a TTL index on _ts.
func tsIndex(seconds policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "_ts", Value: policy.Int32Value(1)}})},
		{Key: "name", Value: policy.StringValue("_ts_1")}, {Key: option, Value: seconds},
	})
}

// createdAgain holds for an index on a field that has one.
func createdAgain(q query) bool {
	return some("existing", func(x policy.Value) bool { return pathOf(x) == pathOf(q.get("index")) })(q)
}

// tsField returns the field that the only TTL index is on, "" without one.
func (q query) tsField() string {
	if all := q.ttlIndexes(); len(all) == 1 {
		return pathOf(all[0])
	}
	return ""
}

// outlives makes such a ttl a whole number of seconds all the same.
func outlives(such shape) misreading {
	return only(decideDoc, func(q query) bool { return such(q.get("document", "ttl")) }, func(q query) conformance.Answer {
		n, _ := q.get("document", "ttl").AsInt64()
		if n > math.MaxInt64/2000 {
			return keep(q)
		}
		return q.expire(1000 * (policy.Instant(number(q.get("_ts"))) + policy.Instant(n)))
	})
}

// onTS tests for a TTL index on _ts alone, onField for one on another field.
func onTS(q query) bool    { return q.tsField() == "_ts" }
func onField(q query) bool { return q.tsField() != "" && q.tsField() != "_ts" }

func isOnTS(x policy.Value) bool { return pathOf(x) == "_ts" }

// lastWrite returns when the document was written last.
func (q query) lastWrite() policy.Instant { return 1000 * policy.Instant(number(q.get("_ts"))) }

// documents decides about documents with another ttl.
func documents(edit change) misreading {
	return only(decideDoc, onTS, changes(decideDoc, always, edit, "document", "ttl"))
}

var withoutDocumentTTL = documents(func(policy.Value) policy.Value { return missing })

// fractions makes whole numbers of doubles of 32 bits that are not below a least one.
func fractions(least float64, round func(float64) float64) change {
	return func(v policy.Value) policy.Value {
		if f, ok := v.AsDouble(); ok && least <= f && f < math.MaxInt32 {
			return policy.Int32Value(int32(round(f)))
		}
		return v
	}
}

// indexOptions decides as if options of a shape were another.
func indexOptions(such shape, to policy.Value) misreading {
	return alters(decideDoc, "indexes", given(delayed(such), put(to, option)))
}

// values decides about documents with another value in the field that the TTL
// index is on.
func values(edit change) misreading {
	return only(decideDoc, onField, asks(decideDoc, func(q query) query {
		return q.change(given(not(policy.Value.IsMissing), edit), "document", q.tsField())
	}))
}

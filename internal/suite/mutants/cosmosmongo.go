package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// cosmosMongo holds misreadings of Azure Cosmos DB for MongoDB.
var cosmosMongo = of("cosmosmongo", []Mutant{
	{Name: "document-ttl-without-index", Rule: "cosmos.mongo-off", Text: "A document's ttl works without a TTL index.",
		misread: puts(decideDoc, not(hasTTLIndex), policy.ListValue(policy.A{tsIndex(policy.Int32Value(-1))}), "indexes")},
	{Name: "document-ttl-with-plain-index", Rule: "cosmos.mongo-off", Text: "An index on _ts is a TTL index, whatever its options.",
		misread: alters(decideDoc, "indexes", given(every(isOnTS, not(named(option))), put(policy.Int32Value(-1), option)))},
	{Name: "document-index-without-option-is-zero", Rule: "cosmos.mongo-off", Text: "An index without expireAfterSeconds has one of a second.",
		misread: alters(decideDoc, "indexes", given(not(named(option)), func(x policy.Value) policy.Value {
			return cases.Put(tsIndex(policy.Int32Value(1)), x.Field("name"), "name")
		}))},
	{Name: "document-ttl-truncated", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl with a fraction is truncated.",
		Wild:    "MongoDB, for expireAfterSeconds",
		misread: documents(fractions(1, math.Trunc))},
	{Name: "document-ttl-rounded", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl with a fraction is rounded up.",
		misread: documents(fractions(math.SmallestNonzeroFloat64, math.Ceil))},
	{Name: "document-ttl-of-64-bits", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl may be any int64.",
		misread: outlives(func(v policy.Value) bool { n, ok := v.AsInt64(); return ok && n > math.MaxInt32 })},
	{Name: "document-ttl-clamped", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl beyond 32 bits is the longest there is.",
		misread: documents(becomes(above(math.MaxInt32), policy.Int32Value(math.MaxInt32)))},
	{Name: "document-ttl-wraps", Rule: "cosmos.mongo-ttl-ignored", Text: "The low 32 bits of an int64 are a document's ttl.",
		misread: documents(given(wrapsTo(1), low32))},
	{Name: "document-ttl-infinity", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl of infinity means never.",
		misread: documents(becomes(isInfinite, policy.Int32Value(-1)))},
	{Name: "document-ttl-nan-is-zero", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl of NaN is 0, and expires it at once.",
		misread: only(decideDoc, where(policy.Value.IsNaN, "document", "ttl"), atOnce)},
	{Name: "document-ttl-int32-only", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl must be an int32.",
		misread: documents(becomes(ofType(policy.Int64, policy.Double), policy.StringValue("")))},
	{Name: "document-ttl-integer-only", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl must be an int32 or an int64.",
		misread: documents(becomes(ofType(policy.Double), policy.StringValue("")))},
	{Name: "document-ttl-decimal", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl may be a Decimal128.",
		misread: documents(given(every(ofType(policy.Decimal), not(isFraction)), asDouble))},
	{Name: "document-ttl-text-of-digits", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl may be a text of digits.",
		misread: documents(numerals)},
	{Name: "document-ttl-true-is-one", Rule: "cosmos.mongo-ttl-ignored", Text: "true is a document's ttl of 1.",
		misread: documents(becomes(isTrue, policy.Int32Value(1)))},
	{Name: "document-ttl-null-is-never", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl of null means never.",
		misread: documents(becomes(isNull, policy.Int32Value(-1)))},
	{Name: "document-ttl-date-is-deadline", Rule: "cosmos.mongo-ttl-ignored", Text: "A date as a document's ttl is its deadline.",
		misread: only(decideDoc, where(ofType(policy.Date), "document", "ttl"), func(q query) conformance.Answer {
			i, _ := q.get("document", "ttl").AsDate()
			return q.expire(i)
		})},
	{Name: "document-ttl-bad-is-never", Rule: "cosmos.mongo-ttl-ignored", Text: "A document whose ttl is wrong never expires.",
		misread: keeps(decideDoc, every(has("document", "ttl"), not(where(isNumeric, "document", "ttl"))))},
	{Name: "document-ttl-bad-is-refused", Rule: "cosmos.mongo-ttl-ignored", Text: "A document whose ttl has a fraction never was stored.",
		misread: keeps(decideDoc, where(func(v policy.Value) bool { return number(v) != math.Trunc(number(v)) }, "document", "ttl"))},
	{Name: "document-ttl-only-shortens", Rule: "cosmos.item", Text: "A document's ttl may only shorten the collection's value.",
		misread: only(decideDoc, func(q query) bool {
			return sole("indexes", every(named(option), delayed(above(0)), delayed(below(number(q.get("document", "ttl"))))))(q)
		}, withoutDocumentTTL)},
	{Name: "document-ttl-since-4.0", Rule: "cosmos.item", Text: "A server of version 3.6 knows no ttl of documents either.",
		misread: only(decideDoc, func(q query) bool { return q.Target.Version == "3.6" }, withoutDocumentTTL)},
	{Name: "document-ttl-never-on-3.2", Rule: "cosmos.mongo-doc-level-ttl", Text: "On server version 3.2 no document's ttl counts, with the capability either.",
		misread: only(decideDoc, func(q query) bool { return q.Target.Version == "3.2" }, withoutDocumentTTL)},
	{Name: "collection-minus-one-is-off", Rule: "cosmos.no-default", Text: "-1 on the collection switches TTL off.",
		Wild:    "`hashicorp/terraform-provider-azurerm` before 2022, which made no index of it",
		misread: indexOptions(equals(-1), missing)},
	{Name: "collection-minus-one-is-at-once", Rule: "cosmos.mongo-no-default", Text: "-1 on the collection is a delay below 0.",
		misread: only(decideDoc, not(has("document", "ttl")), indexOptions(equals(-1), policy.Int32Value(1)))},
	{Name: "collection-minus-one-refused", Rule: "cosmos.mongo-no-default", Text: "-1 is refused as MongoDB does.",
		Wild:    "MongoDB",
		misread: refuses(createDocIdx, where(equals(-1), "index", option), 67)},
	{Name: "collection-zero-taken", Rule: "cosmos.mongo-index-zero", Text: "0 on _ts is a delay like any other, as for MongoDB.",
		Wild:    "MongoDB",
		misread: accepts(createDocIdx, where(equals(0), "index", option), struct{}{})},
	{Name: "collection-one-refused", Rule: "cosmos.mongo-index-zero", Text: "1 on _ts is too short.",
		misread: refuses(createDocIdx, where(equals(1), "index", option), 2)},
	{Name: "collection-again-changes", Rule: "cosmos.mongo-index-again", Text: "To create the index again with another value changes it.",
		misread: accepts(createDocIdx, createdAgain, struct{}{})},
	{Name: "collection-again-as-second", Rule: "cosmos.mongo-index-again", Text: "Another value is refused with the code of a bad option.",
		misread: confuses(createDocIdx, createdAgain, 85, 67)},
	{Name: "collection-new-documents-only", Rule: "cosmos.mongo-core", Text: "A TTL index bears on documents that are written after it.",
		Wild:    "FerretDB's guide, for its own indexes",
		misread: keeps(decideDoc, every(onTS, not(has("document", "ttl"))))},
	{Name: "collection-ts-refused", Rule: "cosmos.mongo-core", Text: "_ts is reserved, and cannot be indexed.",
		misread: refuses(createDocIdx, where(isOnTS, "index"), 2)},
	{Name: "document-dates-count", Rule: "cosmos.mongo-timestamp", Text: "A date in the document counts in place of _ts.",
		misread: only(decideDoc, every(onTS, not(has("document", "ttl"))), func(q query) conformance.Answer {
			for _, e := range policy.DOf(q.get("document")) {
				if i, ok := e.Value.AsDate(); ok {
					return q.expire(i + 1000*policy.Instant(number(q.ttlIndexes()[0].Field(option))))
				}
			}
			return q.ask()
		})},
	{Name: "document-write-is-not-seen", Rule: "cosmos.mongo-timestamp", Text: "Where clients cannot read _ts the second before counts.",
		misread: shifts(decideDoc, onTS, -1000)},
	{Name: "document-reads-restart", Rule: "cosmos.write-restarts", Text: "Reading a document restarts its clock.",
		misread: moves(decideDoc, onTS, func(q query, due policy.Instant) policy.Instant { return due + max(0, q.now()-q.lastWrite()) })},
	{Name: "field-in-seconds", Rule: "cosmos.mongo-field", Text: "A number in the field is seconds since 1970.",
		misread: values(given(isNumeric, func(v policy.Value) policy.Value { return policy.DateValue(policy.Instant(number(v)) * 1000) }))},
	{Name: "field-by-last-write", Rule: "cosmos.mongo-field", Text: "The last write counts, whatever field the index is on.",
		misread: only(decideDoc, onField, asks(decideDoc, func(q query) query {
			return q.with(policy.ListValue(policy.A{tsIndex(q.ttlIndexes()[0].Field(option))}), "indexes")
		}))},
	{Name: "field-dates-only", Rule: "cosmos.mongo-field", Text: "Only dates in the field count, as for MongoDB.",
		Wild:    "MongoDB",
		misread: values(becomes(isNumeric, policy.StringValue("")))},
	{Name: "field-missing-by-last-write", Rule: "cosmos.mongo-field-missing", Text: "Without the field the last write counts.",
		misread: only(decideDoc, onField, asks(decideDoc, func(q query) query {
			return q.change(turns(policy.Value.IsMissing, policy.DateValue(q.lastWrite())), "document", q.tsField())
		}))},
	{Name: "field-array-latest", Rule: "cosmos.mongo-field-type", Text: "Of an array the latest counts.",
		misread: values(given(ofType(policy.List), func(v policy.Value) policy.Value { return policy.ListValue(policy.A(latestDate(policy.AOf(v)))) }))},
	{Name: "field-array-first", Rule: "cosmos.mongo-field-type", Text: "Of an array the first element counts.",
		misread: values(given(ofType(policy.List), func(v policy.Value) policy.Value { return policy.AOf(v)[0] }))},
	{Name: "field-text-is-a-date", Rule: "cosmos.mongo-field-type", Text: "A text that is an ISO 8601 date counts as one.",
		misread: values(dateBy(textTime))},
	{Name: "field-true-is-one", Rule: "cosmos.mongo-field-type", Text: "true counts as 1 millisecond.",
		misread: values(becomes(isTrue, policy.DateValue(1)))},
	{Name: "field-null-is-1970", Rule: "cosmos.mongo-field-type", Text: "null counts as the date 0.",
		misread: values(becomes(isNull, policy.DateValue(0)))},
	{Name: "field-always-taken", Rule: "cosmos.mongo-index-field", Text: "A TTL index may be on any field, as for MongoDB.",
		Wild:    "MongoDB",
		misread: accepts(createDocIdx, has("index", option), struct{}{})},
	{Name: "field-never-taken", Rule: "cosmos.mongo-index-field", Text: "No account accepts a TTL index on another field than _ts.",
		Wild:    "Azure Cosmos DB for MongoDB without the capability",
		misread: refuses(createDocIdx, every(query.isTTL, not(where(isOnTS, "index"))), 2)},
	{Name: "field-taken-before-4.2", Rule: "cosmos.mongo-index-field", Text: "The capability is enough, whatever the version of the server.",
		misread: atRelease(createDocIdx, "4.2", func(q query) bool { return len(q.Target.Capabilities) > 0 })},
	{Name: "field-taken-since-5.0", Rule: "cosmos.mongo-index-field", Text: "The capability needs a server of version 5.0.",
		misread: atRelease(createDocIdx, "4.0", func(q query) bool { return q.Target.Version == "4.2" })},
	{Name: "field-refused-as-by-mongodb", Rule: "cosmos.mongo-index-field", Text: "A TTL index on another field is refused with the code of MongoDB's refusals.",
		misread: confuses(createDocIdx, always, 2, 67)},
	{Name: "field-wildcard-taken", Rule: "cosmos.mongo-index-wildcard", Text: "With the capability a wildcard index accepts the option.",
		misread: renames(createDocIdx, "index", func(parts []string) bool { return parts[len(parts)-1] == "$**" })},
	{Name: "field-hashed-taken", Rule: "cosmos.mongo-index-kind", Text: "A hashed index accepts the option.",
		misread: accepts(createDocIdx, every(query.isTTL, func(q query) bool { return isText("hashed")(directionOf(q.get("index"))) }), struct{}{})},
	{Name: "field-partial-taken", Rule: "cosmos.mongo-index-kind", Text: "A partial index may have TTL, as for MongoDB.",
		Wild:    "MongoDB",
		misread: forgets(createDocIdx, always, "index", "partialFilterExpression")},
	{Name: "field-plain-index-refused", Rule: "cosmos.mongo-index-field", Text: "No index may be on another field than _ts.",
		misread: refuses(createDocIdx, not(query.isTTL), 2)},
	{Name: "second-taken", Rule: "cosmos.mongo-index-second", Text: "A collection may have several TTL indexes, as for MongoDB.",
		Wild:    "MongoDB",
		misread: puts(createDocIdx, always, noElements, "existing")},
	{Name: "second-index-refused", Rule: "cosmos.mongo-index-second", Text: "A TTL index on a field must be a collection's only index.",
		misread: refuses(createDocIdx, some("existing", anyIndex), 2)},
})

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

package mutants

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// cosmosMongo holds misreadings of Azure Cosmos DB for MongoDB.
var cosmosMongo = of("cosmosmongo", []Mutant{
	{Name: "document-ttl-truncated", Rule: "cosmos.mongo-ttl-ignored", Text: "A document's ttl with a fraction is truncated.",
		Wild:    "MongoDB, for expireAfterSeconds",
		misread: changes(decideDoc, onTS, truncated, "document", "ttl")},
	{Name: "collection-minus-one-is-off", Rule: "cosmos.no-default", Text: "-1 on the collection switches TTL off.",
		Wild:    "`hashicorp/terraform-provider-azurerm` before 2022, which made no index of it",
		misread: indexOptions(equals(-1), missing)},
	{Name: "collection-minus-one-refused", Rule: "cosmos.mongo-no-default", Text: "-1 is refused as MongoDB does.",
		Wild:    "MongoDB",
		misread: refuses(createDocIdx, where(equals(-1), "index", option), 67)},
	{Name: "collection-zero-taken", Rule: "cosmos.mongo-index-zero", Text: "0 on _ts is a delay like any other, as for MongoDB.",
		Wild:    "MongoDB",
		misread: accepts(createDocIdx, where(equals(0), "index", option), struct{}{})},
	{Name: "collection-new-documents-only", Rule: "cosmos.mongo-core", Text: "A TTL index bears on documents that are written after it.",
		Wild:    "FerretDB's guide, for its own indexes",
		misread: keeps(decideDoc, every(onTS, not(has("document", "ttl"))))},
	{Name: "field-dates-only", Rule: "cosmos.mongo-field", Text: "Only dates in the field count, as for MongoDB.",
		Wild:    "MongoDB",
		misread: values(becomes(isNumeric, policy.StringValue("")))},
	{Name: "field-always-taken", Rule: "cosmos.mongo-index-field", Text: "A TTL index may be on any field, as for MongoDB.",
		Wild:    "MongoDB",
		misread: accepts(createDocIdx, has("index", option), struct{}{})},
	{Name: "field-never-taken", Rule: "cosmos.mongo-index-field", Text: "No account accepts a TTL index on another field than _ts.",
		Wild:    "Azure Cosmos DB for MongoDB without the capability",
		misread: refuses(createDocIdx, every(query.isTTL, not(where(isOnTS, "index"))), 2)},
	{Name: "field-partial-taken", Rule: "cosmos.mongo-index-kind", Text: "A partial index may have TTL, as for MongoDB.",
		Wild:    "MongoDB",
		misread: forgets(createDocIdx, always, "index", "partialFilterExpression")},
	{Name: "second-taken", Rule: "cosmos.mongo-index-second", Text: "A collection may have several TTL indexes, as for MongoDB.",
		Wild:    "MongoDB",
		misread: puts(createDocIdx, always, policy.ListValue(policy.A{}), "existing")},
})

// tsField returns the field of the only TTL index, "" without one.
func (q query) tsField() string {
	if all := q.ttlIndexes(); len(all) == 1 {
		return pathOf(all[0])
	}
	return ""
}

// onTS tests for a TTL index on only _ts, and onField for a TTL index on only another
// field.
func onTS(q query) bool    { return q.tsField() == "_ts" }
func onField(q query) bool { return q.tsField() != "" && q.tsField() != "_ts" }

func isOnTS(x policy.Value) bool { return pathOf(x) == "_ts" }

// truncated converts a double that is at least 1 and less than 2147483647 to an int32,
// without its fraction. It returns any other value unchanged.
func truncated(v policy.Value) policy.Value {
	if f, ok := v.AsDouble(); ok && 1 <= f && f < math.MaxInt32 {
		return policy.Int32Value(int32(f))
	}
	return v
}

// indexOptions returns the misreading that decides as if each expireAfterSeconds of the
// given shape had another value.
func indexOptions(such shape, to policy.Value) misreading {
	return alters(decideDoc, "indexes", given(delayed(such), put(to, option)))
}

// values returns the misreading that decides as if edit had changed the value in the
// field of the TTL index.
func values(edit change) misreading {
	return only(decideDoc, onField, asks(decideDoc, func(q query) query {
		return q.change(given(not(policy.Value.IsMissing), edit), "document", q.tsField())
	}))
}

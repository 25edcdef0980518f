package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Operations about a policy that changes.
const (
	collectionHistory = "mongodb.history"
	containerHistory  = "cosmos.history"
)

// histories holds misreadings of a policy, or of documents, that change.
var histories = []Mutant{
	{Name: "history-compiled-once", Rule: "mongo.no-ttl", Text: "The policy is compiled when the first index is made, and never again.",
		Wild: "a trial store, in which a dropped index went on deleting",
		misread: asks(collectionHistory, func(q query) query {
			return withoutSteps(withFirst(q, "createIndexes"), "collMod", "dropIndexes", "drop")
		})},
	{Name: "history-collmod-ignored", Rule: "mongo.date", Text: "collMod changes what is listed, and not what is deleted.",
		Wild:    "a trial store, whose collMod changed the listing alone",
		misread: asks(collectionHistory, func(q query) query { return withoutSteps(q, "collMod") })},
	{Name: "history-date-of-creation", Rule: "mongo.filter-mismatch", Text: "A deadline is stored when a document is written, and no update moves it.",
		Wild:    "stores that keep a deadline beside each document",
		misread: asks(collectionHistory, func(q query) query { return withoutSteps(q, "update") })},
	{Name: "history-restart-loses-filter", Rule: "mongo.filter-mismatch", Text: "A restart loses the partial filter.",
		Wild:    "a store that saved an index by encoding/json, which wrote {} for the filter",
		misread: asks(collectionHistory, loseFilter)},
	{Name: "history-settings-compiled-once", Rule: "cosmos.setting-off", Text: "The settings of a container are compiled once, and never again.",
		Wild:    "a trial store, in which a container whose TTL was switched off went on hiding items",
		misread: asks(containerHistory, func(q query) query { return withoutSteps(q, "settings") })},
	{Name: "history-first-write-counts", Rule: "cosmos.write-restarts", Text: "The time counts from the creation of an item, and not from its last write.",
		Wild:    "caches, which count from the creation",
		misread: asks(containerHistory, withFirstWrites)},
}

// stepName returns the name of a step.
func stepName(step policy.Value) string {
	f := step.Fields()
	f.Next()
	return f.Name()
}

// withoutSteps returns q without the steps of these names.
func withoutSteps(q query, names ...string) query {
	return q.each("steps", func(step policy.Value) policy.Value {
		if slices.Contains(names, stepName(step)) {
			return missing
		}
		return step
	})
}

// withFirst returns q with only the first of the steps of a name.
func withFirst(q query, name string) query {
	had := false
	return q.each("steps", func(step policy.Value) policy.Value {
		if stepName(step) != name {
			return step
		}
		if had {
			return missing
		}
		had = true
		return step
	})
}

// withFirstWrites returns q with only the first write of each item.
func withFirstWrites(q query) query {
	had := map[string]bool{}
	return q.each("steps", func(step policy.Value) policy.Value {
		if stepName(step) != "write" {
			return step
		}
		id := step.Field("write").Field("id").String()
		if had[id] {
			return missing
		}
		had[id] = true
		return step
	})
}

// loseFilter returns q without partial filters, if there is a restart.
func loseFilter(q query) query {
	if !holds(func(step policy.Value) bool { return stepName(step) == "restart" })(q.get("steps")) {
		return q
	}
	return q.each("steps", func(step policy.Value) policy.Value {
		index := policy.DOf(step.Field("createIndexes"))
		if index == nil {
			return step
		}
		index = slices.DeleteFunc(slices.Clone(index), func(e policy.E) bool { return e.Key == "partialFilterExpression" })
		return policy.ObjectValue(policy.D{{Key: "createIndexes", Value: policy.ObjectValue(index)}})
	})
}

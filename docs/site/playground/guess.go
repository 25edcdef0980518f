package playground

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
)

// Guess is the System of a State that names no system: [Guessed] finds it from the
// policy.
const Guess = "guess"

// Guessed returns the system that a policy and a document seem to be for. A container
// names its default or its partition key; an index on _ts belongs to the API for
// MongoDB.
func Guessed(policy, document string) string {
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(policy, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("defaultTtl", "DefaultTimeToLive", "default_ttl", "partitionKey"):
		return definition.CosmosNoSQL
	case has("expireAfterSeconds", "createIndex", "create_index") && has(`"_ts"`, "'_ts'", "{_ts", "{ _ts"):
		return definition.CosmosMongo
	case !has("expire", "ndex", "key", "imeseries") && strings.Contains(document, `"_ts"`):
		return definition.CosmosNoSQL // an empty container, {}
	}
	return definition.MongoDB
}

// meant returns the system that s is likely about, "" if s names it already or
// nothing shows it.
func (s State) meant() string {
	guessed := Guessed(s.Policy, s.Document)
	isIndex := strings.Contains(s.Policy, "expireAfterSeconds")
	switch {
	case guessed == s.System, guessed == definition.MongoDB && !(isIndex && s.System == definition.CosmosNoSQL):
		return ""
	case guessed == definition.CosmosMongo && s.System == definition.MongoDB && !strings.Contains(s.Document, "_ts"):
		return "" // a field of MongoDB may have the name _ts
	}
	return guessed
}

package program

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Settings are the names that give a time to live to a database in a template.
var Settings = []string{"default_ttl", "default_ttl_seconds", "analytical_storage_ttl", "expire_after_seconds", "expireAfterSeconds", "defaultTtl", "analyticalStorageTtl"}

// OptionAt returns the offset at which a text first mentions one of the [Settings], -1
// if it does not.
func OptionAt(text string) (first int) {
	first = -1
	for _, name := range Settings {
		if i := strings.Index(text, name); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// WordAt returns the name that begins at a byte.
func WordAt(text string, at int) string {
	end := at
	for end < len(text) && (isNameByte(text[end]) || isDigit(text[end])) {
		end++
	}
	return text[at:end]
}

// SpeaksOfDatabase reports whether the name of a resource is about MongoDB or Azure Cosmos DB.
func SpeaksOfDatabase(name string) bool {
	return speaksOf(name, cosmosWords) || speaksOf(name, mongoWords)
}

// CosmosMongo is a note for a collection of the API for MongoDB.
const CosmosMongo = "This is a collection of Azure Cosmos DB's API for MongoDB, whose _ts is the time of the last write."

// OfCosmosMongo returns the policy of a collection of the API for MongoDB with one index.
func OfCosmosMongo(index policy.Value) Policy {
	return Policy{Steps: []Step{{Index: index}}, Notes: []string{CosmosMongo}}
}

// Index returns a TTL index in the form of createIndexes.
func Index(key policy.D, seconds policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{{Key: "key", Value: policy.ObjectValue(key)}, {Key: secondsOption, Value: seconds}})
}

// TimestampIndex returns the index on _ts that gives a collection of Azure Cosmos DB its
// time to live.
func TimestampIndex(seconds policy.Value) policy.Value {
	return Index(policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, seconds)
}

// Seconds returns the value that a driver or a template sends for a whole number: an
// int32 if it fits.
func Seconds(n int64) policy.Value {
	v, _ := quantity{n: float64(n)}.seconds()
	return v
}

// Direction returns the direction that a word such as "asc" denotes in the key of an index;
// Missing if it denotes none.
func Direction(word string) policy.Value { return directions[strings.ToLower(word)] }

// MongoIndexes returns the TTL indexes of a collection in the form of Azure Resource
// Manager: {indexes: [{key: {keys: ["_ts"]}, options: {expireAfterSeconds: 60}}]}.
func MongoIndexes(resource policy.Value) (list []policy.Value) {
	for _, x := range policy.AOf(resource.Field("indexes")) {
		seconds := x.Field("options").Field(secondsOption)
		if seconds.IsMissingOrNull() {
			continue
		}
		var key policy.D
		for _, k := range policy.AOf(x.Field("key").Field("keys")) {
			name, _ := k.AsString()
			key = append(key, policy.E{Key: name, Value: policy.Int32Value(1)})
		}
		list = append(list, Index(key, seconds))
	}
	return list
}

// defineContainer adds a container with these settings, under the name of d if it has one.
func (b *Builder) defineContainer(d definition, settings policy.D) {
	if d.name != "" {
		settings = append(policy.D{{Key: "id", Value: policy.StringValue(d.name)}}, settings...)
	}
	d.container = policy.ObjectValue(settings)
	b.define(d)
}

// Define adds a policy of at most one step at a byte. Owner distinguishes collections and
// containers without a name.
func (b *Builder) Define(at int, owner string, p Policy) {
	d := definition{at: at, end: at + 1, owner: owner, database: p.Database, name: p.Name, options: p.Options, container: p.Container, notes: p.Notes}
	if len(p.Steps) > 0 {
		d.index, d.change = p.Steps[0].Index, p.Steps[0].Change
	}
	b.define(d)
}

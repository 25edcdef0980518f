// Package questions knows the operations of the adapter protocol, and reads their inputs.
package questions

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
)

// Echo is the operation that returns the value it is sent. No vector asks for it.
const Echo = "self.echo"

// An Operation is a kind of question. Only this package knows the members of its input
// and of its result.
type Operation struct {
	System string
	// In are the members of its input. A member in brackets may be absent. A member with
	// an equals sign may be absent from a question, but not from a vector of a suite.
	In string
	// Out are the members of a result that a row can expect.
	Out string
}

// Operations are the operations of the protocol.
var Operations = map[string]Operation{
	Echo:                        {"", "value", ""},
	"mongodb.decide":            {definition.MongoDB, "now document indexes [collection]", "state deadline rule index"},
	"mongodb.createIndexes":     {definition.MongoDB, "=now [collection] [existing] index", "expireAfterSeconds created"},
	"mongodb.collMod":           {definition.MongoDB, "=now [collection] [existing] command", "expireAfterSeconds_old expireAfterSeconds_new"},
	"mongodb.create":            {definition.MongoDB, "=now command", ""},
	"mongodb.history":           {definition.MongoDB, "now steps", "looks"},
	"documentdb.decide":         {definition.DocumentDB, "now document indexes", "state deadline rule index"},
	"documentdb.createIndexes":  {definition.DocumentDB, "=now [existing] index", "expireAfterSeconds created"},
	"documentdb.collMod":        {definition.DocumentDB, "=now [existing] command", "expireAfterSeconds_old expireAfterSeconds_new"},
	"documentdb.create":         {definition.DocumentDB, "=now command", ""},
	"cosmos.decide":             {definition.CosmosNoSQL, "now container item", "state deadline rule"},
	"cosmos.validateContainer":  {definition.CosmosNoSQL, "container [previous]", "warned"},
	"cosmos.validateItem":       {definition.CosmosNoSQL, "container item", ""},
	"cosmos.history":            {definition.CosmosNoSQL, "now steps", "looks"},
	"cosmosmongo.decide":        {definition.CosmosMongo, "now document indexes =_ts", "state deadline rule index"},
	"cosmosmongo.createIndexes": {definition.CosmosMongo, "index [existing]", ""},
}

// Unknown describes the fault that there is no such operation.
func Unknown(op string) string {
	return fmt.Sprintf("unknown operation %q; want one of %s", members.Clip(op), strings.Join(slices.Sorted(maps.Keys(Operations)), ", "))
}

// A Member is a member of an operation's input.
type Member struct {
	Name     string
	Required bool // a system may refuse to answer without it
	Stated   bool // each vector has it
}

// Members returns the members of an operation's input, in the order in which they
// are read.
func (op Operation) Members() (all []Member) {
	for _, word := range strings.Fields(op.In) {
		name := strings.Trim(word, "=[]")
		all = append(all, Member{name, name == word, word[0] != '['})
	}
	return all
}

// Results returns the members of a result that a row can expect.
func (op Operation) Results() []string { return strings.Fields(op.Out) }

// Decides reports whether a result is a state and a deadline.
func (op Operation) Decides() bool { return strings.HasPrefix(op.Out, "state ") }

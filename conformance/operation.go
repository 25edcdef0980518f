package conformance

import (
	"maps"
	"slices"
	"strings"
)

// An operation is one kind of question. What is in its input and in its result
// is known here alone.
type operation struct {
	system string
	// in are the members of its input. One in brackets may be absent; one with
	// an equals sign may too, but the vectors of a suite have it.
	in string
	// out are the members of a result that a row can expect.
	out string
}

// echoOp is the operation that returns the value it is sent. No vector asks for it.
const echoOp = "self.echo"

// operations are those of the protocol.
var operations = map[string]operation{
	echoOp:                      {"", "value", ""},
	"mongodb.decide":            {MongoDB, "now document indexes [collection]", "state deadline rule index"},
	"mongodb.createIndexes":     {MongoDB, "=now [collection] [existing] index", "expireAfterSeconds created"},
	"mongodb.collMod":           {MongoDB, "=now [collection] [existing] command", "expireAfterSeconds_old expireAfterSeconds_new"},
	"mongodb.create":            {MongoDB, "=now command", ""},
	"cosmos.decide":             {CosmosNoSQL, "now container item", "state deadline rule"},
	"cosmos.validateContainer":  {CosmosNoSQL, "container [previous]", "warned"},
	"cosmos.validateItem":       {CosmosNoSQL, "container item", ""},
	"cosmosmongo.decide":        {CosmosMongo, "now document indexes =_ts", "state deadline rule index"},
	"cosmosmongo.createIndexes": {CosmosMongo, "index [existing]", ""},
}

// Operations returns the names of the operations that vectors ask about, in
// alphabetical order.
func Operations() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(operations)), func(op string) bool { return op == echoOp })
}

// SystemOf returns the system that an operation is about, such as "mongodb",
// and "" for what is no operation of [Operations].
func SystemOf(op string) string { return operations[op].system }

// A member is one of an operation's input.
type member struct {
	name     string
	required bool // a system may refuse to answer without it
	stated   bool // each vector has it
}

func (op operation) members() (all []member) {
	for _, word := range strings.Fields(op.in) {
		name := strings.Trim(word, "=[]")
		all = append(all, member{name, name == word, word[0] != '['})
	}
	return all
}

// results are the members of a result that a row can expect.
func (op operation) results() []string { return strings.Fields(op.out) }

// decides reports whether a result is a state and a deadline.
func (op operation) decides() bool { return strings.HasPrefix(op.out, "state ") }

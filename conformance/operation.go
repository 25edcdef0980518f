package conformance

import (
	"maps"
	"slices"
)

// An operation is one kind of question.
type operation struct {
	system string
	// required and optional are the members of its input.
	required, optional []string
	// out are the members of a result that a row can expect.
	out []string
	// decides means that the result is a state and a deadline.
	decides bool
}

var decision = []string{"state", "deadline", "rule", "index"}

// operations are those of the protocol, but for self.echo.
var operations = map[string]operation{
	"mongodb.decide": {MongoDB, []string{"now", "indexes", "document"}, []string{"collection"}, decision, true},
	"mongodb.createIndexes": {MongoDB, []string{"now", "index"}, []string{"collection", "existing"},
		[]string{"expireAfterSeconds", "created"}, false},
	"mongodb.collMod": {MongoDB, []string{"now", "command"}, []string{"collection", "existing"},
		[]string{"expireAfterSeconds_old", "expireAfterSeconds_new"}, false},
	"mongodb.create":           {MongoDB, []string{"now", "command"}, nil, nil, false},
	"cosmos.decide":            {CosmosNoSQL, []string{"now", "container", "item"}, nil, decision[:3], true},
	"cosmos.validateContainer": {CosmosNoSQL, []string{"container"}, []string{"previous"}, []string{"warned"}, false},
	"cosmos.validateItem":      {CosmosNoSQL, []string{"container", "item"}, nil, nil, false},
	"cosmosmongo.decide":       {CosmosMongo, []string{"now", "indexes", "document", "_ts"}, nil, decision, true},
	"cosmosmongo.createIndexes": {CosmosMongo, []string{"index"}, []string{"existing"},
		nil, false},
}

// echoOp is the operation that gives back what it gets.
const echoOp = "self.echo"

// Operations returns the names of the operations that vectors ask about, in
// alphabetical order.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }

// SystemOf returns the system that an operation is about, such as "mongodb",
// and "" for what is no operation of [Operations].
func SystemOf(op string) string { return operations[op].system }

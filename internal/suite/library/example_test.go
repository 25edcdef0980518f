package library_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

var question = conformance.Question{
	Op:     "mongodb.decide",
	Target: conformance.Target{System: conformance.MongoDB, Version: "8.0.4"},
	In: []byte(`{"now":{"$date":{"$numberLong":"1700003600000"}},
		"indexes":[{"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":3600}],
		"document":{"createdAt":{"$date":{"$numberLong":"1700000000000"}}}}`),
}

func ExampleNew() {
	fmt.Println(library.New().Ask(question))
	// Output: {"out":{"state":"expired","deadline":{"$date":{"$numberLong":"1700003600000"}},"index":"createdAt_1","rule":"mongo.date"}}
}

func ExampleRuleOf() {
	fmt.Println(library.RuleOf(question))
	// Output: mongo.date
}

// A release refuses to create a definition that older releases created: a system that
// must create the definition in question cannot be asked about it.
func ExampleCheckPrecondition() {
	compound := question
	compound.In = []byte(`{"now":{"$date":{"$numberLong":"1700003600000"}},
		"indexes":[{"key":{"a":1,"b":1},"name":"a_1_b_1","expireAfterSeconds":-1}],"document":{}}`)
	fmt.Println(answers.CheckPrecondition(question))
	fmt.Println(answers.CheckPrecondition(compound) != nil)
	// Output:
	// <nil>
	// true
}

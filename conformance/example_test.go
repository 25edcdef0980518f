package conformance_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/conformtest"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A store is an implementation that knows one TTL index on a top-level field,
// whose dates expire when expireAfterSeconds have passed.
type store struct{}

func (store) Hello() conformance.Hello {
	return conformance.Hello{
		Protocol: 1, Name: "store", Version: "1.0.0", Language: "go",
		Ops:     []string{"mongodb.decide"},
		Systems: map[string]string{conformance.MongoDB: "8.0.4"},
	}
}

func (store) Ask(q conformance.Question) conformance.Answer {
	in, err := q.Input()
	if err != nil {
		return conformance.Fault(err.Error())
	}
	for _, index := range in.Indexes {
		seconds, ok := index.Field("expireAfterSeconds").AsInt64()
		date, isDate := in.Document.Field(policy.DOf(index.Field("key"))[0].Key).AsDate()
		if ok && isDate && in.Now >= date+policy.Instant(seconds*1000) {
			return conformance.Result(map[string]string{"state": "expired"})
		}
	}
	return conformance.Result(map[string]string{"state": "never"})
}

// The suite asks a system the questions that it claims, and a report names the
// violated rules.
func ExampleSystem() {
	report, err := conformtest.Run(store{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range []string{"mongo.field-missing", "mongo.array-earliest"} {
		fmt.Println(rule, report.Rules[rule])
	}
	fmt.Println("conforms:", report.Conforms)
	// Output:
	// mongo.field-missing incomplete
	// mongo.array-earliest nonconformant
	// conforms: false
}

// Input reads a question as Go values, so that a system need not parse JSON.
func ExampleQuestion_Input() {
	q := conformance.Question{
		Op:     "mongodb.decide",
		Target: conformance.Target{System: conformance.MongoDB, Version: "8.0.4"},
		In: []byte(`{"now":{"$date":{"$numberLong":"1700003600000"}},
			"indexes":[{"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":3600}],
			"document":{"createdAt":{"$date":{"$numberLong":"1700000000000"}}}}`),
	}
	in, err := q.Input()
	if err != nil {
		fmt.Println(err)
		return
	}
	index := in.Indexes[0]
	seconds, _ := index.Field("expireAfterSeconds").AsInt64()
	path := policy.DOf(index.Field("key"))[0].Key
	date, _ := in.Document.Field(path).AsDate()
	fmt.Println(index.Field("name"), path, seconds, date, in.Now)
	// Output: "createdAt_1" createdAt 3600 2023-11-14T22:13:20.000Z 2023-11-14T23:13:20.000Z
}

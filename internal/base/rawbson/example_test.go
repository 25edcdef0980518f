package rawbson_test

import (
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// stored returns {_id: 1, at: a date, tags: ["a", "b"]} as a database keeps it.
func stored() []byte {
	doc, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{
		{Key: "_id", Value: policy.Int32Value(1)},
		{Key: "at", Value: policy.DateValue(1_763_627_400_000)},
		{Key: "tags", Value: policy.ListValue(policy.A{policy.StringValue("a"), policy.StringValue("b")})},
	}))
	if err != nil {
		panic(err)
	}
	return doc
}

func ExampleFinder() {
	at := rawbson.NewFinder("at") // once, for any number of documents
	found, ok := at.Find(stored())
	if milliseconds, isDate := found.AsDate(); ok && isDate {
		fmt.Println(time.UnixMilli(milliseconds).UTC().Format(time.RFC3339))
	}
	// Output: 2025-11-20T08:30:00Z
}

func ExampleElements() {
	tags := rawbson.NewFinder("tags")
	found, _ := tags.Find(stored())
	e := found.Elements()
	for e.Next() {
		text, _ := e.Value().AsString()
		fmt.Printf("%s %s\n", e.Name(), text)
	}
	fmt.Println("damaged:", e.Damaged())
	// Output:
	// 0 a
	// 1 b
	// damaged: false
}

func ExampleSplit() {
	dump := append(stored(), stored()...)
	for offset, doc := range rawbson.Split(dump) {
		fmt.Println(offset, len(doc))
	}
	// Output:
	// 0 55
	// 55 55
}

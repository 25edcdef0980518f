package differ_test

import (
	"context"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/differ"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// keeper never deletes anything.
var keeper = conformance.NewSystem(conformance.Hello{
	Protocol: 1, Name: "keeper", Version: "1",
	Ops: []string{"mongodb.decide"}, Systems: map[string]string{conformance.MongoDB: "8.0.4"},
}, func(conformance.Question) conformance.Answer {
	return conformance.Result(map[string]string{"state": "never"})
})

// Two systems answer the same generated questions. The report lists the rules about which
// they disagree.
func ExampleRun() {
	report, err := differ.Run(context.Background(), keeper, library.New(), differ.Options{Seed: 1, N: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range report.Rules {
		if rule.Rule == "mongo.date" {
			fmt.Println(rule.Rule, rule.Examples[0].Agrees, rule.Examples[0].Difference)
		}
	}
	// Output: mongo.date second state is expired, want never
}

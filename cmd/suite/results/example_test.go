package results_test

import (
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// Expand returns a suite's vectors for use without a runner, such as in plain files.
func ExampleExpand() {
	vectors, err := results.Expand(suite.Embedded(), conformance.ParseTarget("mongodb@8.0.4"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range vectors {
		if v.ID == "mongodb-date-on-deadline" {
			fmt.Printf("%s: %s\n%s\n", v.Op, v.Title, v.Want[0])
		}
	}
	// Output:
	// mongodb.decide: The date lies exactly expireAfterSeconds before now
	// {"out":{"state":"expired","deadline":{"$date":{"$numberLong":"1700003600000"}},"rule":"mongo.date","index":"t_1"}}
}

// Results are kept as JSON, and judged again by a later suite without asking the
// system again.
func ExampleRejudge() {
	part := suite.Embedded().Only(func(v *suite.Vector) bool { return v.ID == "mongodb-date-on-deadline" })
	run, err := suite.Run(part, library.New())
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := json.Marshal(results.New(run, nil).Results())
	if err != nil {
		fmt.Println(err)
		return
	}
	old, err := results.ParseResults(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := results.Rejudge(part, old)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(old.Implementation.Name, len(again.Failed()), "failed")
	// Output: ttlpolicy 0 failed
}

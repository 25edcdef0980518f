package report_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
)

// A suite can be had as plain files, for those who want no runner.
func ExampleExpand() {
	vectors, err := report.Expand(conformance.Embedded(), conformance.ParseTarget("mongodb@8.0.4"))
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

package mutants_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// The example judges mutants by a suite of one vector.
func ExampleJudge() {
	one := suite.Embedded().Only(func(v *suite.Vector) bool { return v.ID == "mongodb-array-nested" })
	var arrays []mutants.Mutant
	for _, m := range mutants.All() {
		if m.Rule == "mongo.array-nested" {
			arrays = append(arrays, m)
		}
	}
	matrix, err := mutants.Judge(one, arrays)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range matrix.Rows {
		fmt.Printf("%s is found by %d vectors\n", row.Name, len(row.Attributed()))
	}
	// Output:
	// array-nested-expands is found by 1 vectors
	// array-nested-entered is found by 0 vectors
}

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
	score := matrix.Score()
	fmt.Printf("%d of %d\n", score.Attributed, score.Total)
	for _, name := range score.Survivors {
		row, _ := matrix.Row(name)
		fmt.Printf("%s: %s\n", name, row.Text)
	}
	// Output:
	// 1 of 2
	// array-nested-entered: A name enters arrays that stand in arrays.
}

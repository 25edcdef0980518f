package main

import (
	_ "embed"
	"fmt"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/cmd/shapes"
)

// A shape is hostile input. Each is made with the sizes n and 2n and passed once to
// a function of the library; .ci/instructions checks that the work does not grow
// faster than the input.
type shape struct {
	name string
	n    int
	way  way
	// policy and input are texts of any size, see shapes.Expand.
	policy, input string
}

// make returns the work on input of size n.
func (s shape) make(n int) func() {
	return s.way(shapes.Expand(s.policy, n), shapes.Expand(s.input, n))
}

// shapeTable has a line for each shape: its name, the smaller size, the name of the
// function in ways that runs it, a policy and an input. The policy and the input are
// JSON, or Extended JSON if the function takes BSON.
//
//go:embed shapes.tsv
var shapeTable string

func allShapes() (all []shape) {
	for cells := range shapes.Rows(shapeTable) {
		if len(cells) != 5 {
			panic(fmt.Sprintf("shapes.tsv: a line of %d cells, want 5: %q", len(cells), cells))
		}
		n, err := strconv.Atoi(cells[1])
		way := ways[cells[2]]
		if err != nil || way == nil {
			panic(fmt.Sprintf("shapes.tsv: %s: want a size and a way, not %q and %q", cells[0], cells[1], cells[2]))
		}
		all = append(all, shape{cells[0], n, way, cells[3], cells[4]})
	}
	return all
}

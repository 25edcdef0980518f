package peers

import (
	_ "embed"
	"fmt"
	"strconv"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// BenchmarkHostile runs each shape of hostile input with n and with 2n parts. Twice the
// input should take twice the time, and not four times.
func BenchmarkHostile(b *testing.B) {
	for _, s := range allShapes() {
		for _, times := range []int{1, 2} {
			work := s.make(times * s.n)
			b.Run(fmt.Sprintf("%s/times=%d", s.name, times), func(b *testing.B) {
				for b.Loop() {
					work()
				}
			})
		}
	}
}

// TestShapes: each shape has a unique name and can be made.
func TestShapes(t *testing.T) {
	names := map[string]bool{}
	for _, s := range allShapes() {
		if names[s.name] {
			t.Errorf("two shapes are called %s", s.name)
		}
		names[s.name] = true
		s.make(2)()
	}
	if len(names) < 100 {
		t.Errorf("%d shapes, want those of shapes.tsv", len(names))
	}
}

// sink keeps the compiler from leaving work out.
var sink struct {
	decision policy.Decision
	err      error
}

// A shape is hostile input. Each is made in any size and passed once to a function of the
// library.
type shape struct {
	name string
	n    int
	way  way
	// policy and input are texts of any size, see Expand.
	policy, input string
}

// make returns the work on input of size n.
func (s shape) make(n int) func() {
	return s.way(Expand(s.policy, n), Expand(s.input, n))
}

// shapeTable has a line for each shape: its name, the smaller size, the name of the
// function in ways that runs it, a policy and an input. The policy and the input are
// JSON, or Extended JSON if the function takes BSON.
//
//go:embed shapes.tsv
var shapeTable string

func allShapes() (all []shape) {
	for cells := range Rows(shapeTable) {
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

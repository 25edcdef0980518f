package report

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// uncovered lists, for each rule, the sides that no vector shows yet. An entry
// that has become wrong fails, so the list can only shrink.
var uncovered = map[string]string{}

// TestEveryRuleIsCovered: each rule has a positive vector, a near miss, and one
// on its boundary.
func TestEveryRuleIsCovered(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range CoverageOf(suite.Embedded()) {
		lacks := ""
		for _, side := range []struct {
			name    string
			vectors []*suite.Vector
		}{{"positive ", c.Positive}, {"negative ", c.Negative}, {"boundary ", c.Boundary}} {
			if len(side.vectors) == 0 {
				lacks += side.name
			}
		}
		seen[c.Rule.ID] = true
		if want := uncovered[c.Rule.ID]; lacks != want {
			t.Errorf("%q: %q, // lacks so, listed as %q", c.Rule.ID, lacks, want)
		}
	}
	for id := range uncovered {
		if !seen[id] {
			t.Errorf("%q is listed as uncovered, but is no rule that can be tested", id)
		}
	}
}

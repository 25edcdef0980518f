package site

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/docs/playground"
)

// TestPlaygroundAgrees: what a vector's link opens in the playground is
// answered there as the vector says.
func TestPlaygroundAgrees(t *testing.T) {
	opened := 0
	for _, c := range book.Cases {
		for _, a := range c.Answers {
			s, ok := stateOf(c, a)
			if !ok || a.State == "open" || a.State == "either" || a.Decider == nil {
				continue
			}
			opened++
			parsed, ok := playground.ParseFragment(s.Fragment())
			if !ok {
				t.Errorf("%s: its link is none: %s", c.ID, s.Fragment())
				continue
			}
			got, ok := playground.Explain(parsed)
			if d := got.Decision; !ok || d.Rule != a.Decider.Rule || d.State.String() != a.State || parsed.Release != a.Latest {
				t.Errorf("%s in %q: the playground answers %s by %s in %q, %v; want %s by %s", c.ID, a.Latest, d.State, d.Rule, parsed.Release, ok, a.State, a.Rule)
			}
		}
	}
	if opened < 600 {
		t.Errorf("%d answers can be opened, want hundreds", opened)
	}
}

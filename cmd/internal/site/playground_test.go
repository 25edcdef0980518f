package site

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
	"github.com/ttlpolicy/ttlpolicy/conformance"
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

// TestPicturesShowTheRule: no page shows a picture of a release for which its
// rule does not hold. That of a NaN taken for 0 shows a document that expires.
func TestPicturesShowTheRule(t *testing.T) {
	drawn := 0
	for rule := range conformance.Rules() {
		r := book.Page(rule.ID)
		picture := page{Rule: r}.Picture()
		if picture == nil {
			continue
		}
		drawn++
		var shown rulebook.Answer
		for _, a := range picture.Case.Answers {
			if a.Latest == picture.Release {
				shown = a
			}
		}
		if shown.Decider != r && !r.HoldsAt(shown.Scope.System, picture.Release) {
			t.Errorf("%s is shown by %s at %s, for which it does not hold", rule, picture.Case.ID, picture.Release)
		}
	}
	if drawn < 40 {
		t.Errorf("%d pages have a picture", drawn)
	}
	if p := (page{Rule: book.Page("mongo.nan-zero")}).Picture(); p == nil || p.Release != "5.0.13" && p.Release != "6.0.1" {
		t.Errorf("mongo.nan-zero is shown by %+v", p)
	}
}

package rulebook

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// TestPlaygroundAgrees: the playground answers the question behind a vector's
// link as the vector says.
func TestPlaygroundAgrees(t *testing.T) {
	opened := 0
	for _, c := range book.Cases {
		for _, a := range c.Answers {
			s, ok := c.State(a)
			if !ok || a.State == "unspecified" || a.State == "either" || a.Decider == nil {
				continue
			}
			opened++
			parsed, ok := playground.ParseFragment(s.Fragment())
			if !ok {
				t.Errorf("%s: its link is none: %s", c.ID, s.Fragment())
				continue
			}
			got, ok := playground.Explain(parsed)
			if d := got.Decision; !ok || d.Rule != a.Decider.Rule || d.State.String() != a.State || strings.TrimPrefix(parsed.Release, "documentdb@") != a.Latest {
				t.Errorf("%s in %q: the playground answers %s by %s in %q, %v; want %s by %s", c.ID, a.Latest, d.State, d.Rule, parsed.Release, ok, a.State, a.Rule)
			}
		}
	}
	if opened < 600 {
		t.Errorf("%d answers can be opened, want hundreds", opened)
	}
}

// TestExamplesShowTheRule: every rule with vectors has an example, and the rule holds for
// the release of the example.
func TestExamplesShowTheRule(t *testing.T) {
	drawn := 0
	for _, p := range all() {
		e := p.Example
		if e == nil {
			if len(p.Cases) > 0 {
				t.Errorf("%s has %d vectors and no example", p.ID(), len(p.Cases))
			}
			continue
		}
		if e.SVG != "" {
			drawn++
			if e.Sentence == "" {
				t.Errorf("%s: the example %s is drawn and not explained", p.ID(), e.Case.ID)
			}
			s, _ := e.Case.State(e.Answer)
			drawn, ok := playground.Explain(s)
			if state := drawn.Decision.State.String(); !ok || state != e.Answer.State || strings.Contains(e.Sentence, "each of these conforms") && !strings.Contains(e.Answer.Text, state) {
				t.Errorf("%s: the example %s is drawn as %s, and the answer is %s %s", p.ID(), e.Case.ID, state, e.Answer.State, e.Answer.Text)
			}
		}
		if e.Answer.Decider != p && !p.HoldsAt(e.Answer.Scope.System, e.Answer.Latest) {
			t.Errorf("%s is shown by %s at %s, for which it does not hold", p.ID(), e.Case.ID, e.Answer.Latest)
		}
	}
	if drawn < 50 {
		t.Errorf("%d pages have a drawn example, want dozens", drawn)
	}
	if e := book.Page("mongo.nan-zero").Example; e == nil || e.Answer.Latest != "5.0.13" && e.Answer.Latest != "6.0.1" {
		t.Errorf("mongo.nan-zero is shown by %+v", e)
	}
}

// TestExamplesShowTheStatement: the rule of a page decides or refuses the example on the
// page, unless a person compared the example with the rule and chose it. Each chosen
// example is shown.
func TestExamplesShowTheStatement(t *testing.T) {
	for _, p := range all() {
		e := p.Example
		if e == nil {
			continue
		}
		refuses := e.Answer.State == "refused" && library.RuleOf(e.Case.asked(e.Answer)) == p.ID()
		if p.chosen != "" && e.Case.ID != p.chosen {
			t.Errorf("%s: %s is chosen, and %s shown", p.ID(), p.chosen, e.Case.ID)
		} else if p.chosen == "" && e.Answer.Decider != p && !refuses {
			t.Errorf("%s shows %s, which it does not decide: choose one in the records", p.ID(), e.Case.ID)
		}
	}
	for id := range readRecords().Examples {
		if book.Page(id) == nil {
			t.Errorf("an example is chosen for %s, which is no rule", id)
		}
	}
}

// outcomes pairs words in the first sentence of a statement with the state that they claim:
// "is refused" claims the state "refused".
var outcomes = []struct {
	words *regexp.Regexp
	state string
}{
	{regexp.MustCompile(`\b(?:is|are) (?:all )?refused\b|\brefuses?\b|\bcannot (?:have\b|be (?:hidden|indexed|partial|both|unique|given|combined|capped)\b)|\bmust (?:be|fit|not)\b|\bneeds\b`), "refused"},
	{regexp.MustCompile(`\bnever (?:expires?|deletes?)\b|\bnothing (?:is deleted|expires)\b|\bdeletes nothing\b|\bnever reached\b|\bcannot expire\b|\bskips? (?:the|an) index\b|\bis skipped\b|\bdo not count\b`), "never"},
	{regexp.MustCompile(`\bexpires? (?:when|at _ts|in the very|one millisecond|as a whole|at once|by its date alone)\b|\bdocument whose date is [^,;]* expires\b|\bdeletes like\b|\bthe earliest Date decides\b`), "expired"},
	{regexp.MustCompile(`\bcan (?:have|be set)\b|\bcan give\b|\bsucceeds\b|\bis accepted\b|\bstores any\b|\baccepts\b`), "accepted"},
}

// claimed returns the states that the first sentence of a statement mentions.
func claimed(statement string) (states []string) {
	first, _, _ := strings.Cut(statement, ". ")
	for _, c := range outcomes {
		if c.words.MatchString(first) {
			states = append(states, c.state)
		}
	}
	return states
}

// TestExamplesHaveTheStateOfTheStatement: if a statement says that something is refused,
// kept or deleted, its example shows that.
func TestExamplesHaveTheStateOfTheStatement(t *testing.T) {
	compared := 0
	for _, p := range all() {
		want := claimed(p.Statement())
		if p.Example == nil || p.Confidence() == engine.Unspecified || len(want) == 0 {
			continue
		}
		compared++
		if got := p.Example.Answer.State; got != "either" && !slices.Contains(want, got) {
			t.Errorf("%s says %q, and its example %s is %s, want one of %q", p.ID(), p.Statement(), p.Example.Case.ID, got, want)
		}
	}
	if compared < 80 {
		t.Errorf("%d statements were compared with their examples, want most", compared)
	}
}

// TestExampleIsSmall: the examples of common rules have short questions.
func TestExampleIsSmall(t *testing.T) {
	for _, rule := range []string{"mongo.date", "mongo.filter-mismatch", "cosmos.default", "mongo.createindexes-compound"} {
		if e := book.Page(rule).Example; e == nil || e.Case.size() > 220 {
			t.Errorf("%s: the example is %+v, want a short one", rule, e)
		}
	}
}

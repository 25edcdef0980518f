package rulebook

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestFlows: each list shows every rule of its ladder once and in order, with a question
// and an outcome, and ends with a rule that asks nothing.
func TestFlows(t *testing.T) {
	for _, q := range flowQuestions {
		e, ok := playground.Explain(q.state)
		if !ok {
			t.Fatalf("%s: no answer", q.title)
		}
		var f Flow
		for _, one := range book.flows(q.engine, readRecords().Questions) {
			if one.Slug == q.slug {
				f = one
			}
		}
		if fault := flowFault(f); fault != "" {
			t.Errorf("%s: %s", q.title, fault)
		}
		isNext := func(s FlowStep, r policy.Rule) bool { return s.Rule.Rule == r }
		if !slices.EqualFunc(f.Steps, e.Ladder, isNext) {
			t.Errorf("%s: the list has not the rules of the ladder in their order", q.title)
		}
	}
	f := book.flows("mongodb", readRecords().Questions)[0]
	f.Steps[3].Ask = ""
	if flowFault(f) == "" {
		t.Error("a step without a question is not seen")
	}
}

func flowFault(f Flow) string {
	for i, s := range f.Steps {
		if s.Then == "" || (s.Ask == "") != (i == len(f.Steps)-1) {
			return s.Rule.ID() + " has no question or no outcome in the records"
		}
	}
	return ""
}

// TestStepsAreUsed: for each question there is a list that asks it.
func TestStepsAreUsed(t *testing.T) {
	asked := map[string]bool{}
	for _, q := range flowQuestions {
		for _, f := range book.flows(q.engine, readRecords().Questions) {
			for _, s := range f.Steps {
				asked[s.Rule.ID()] = true
			}
		}
	}
	for id := range readRecords().Questions {
		if !asked[id] {
			t.Errorf("no list asks about %s", id)
		}
	}
}

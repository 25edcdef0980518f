package rulebook

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/reference"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// TestVersionsAreThoseOfTheProfile asks every question of a vector in every release, and
// compares the releases in which the evaluator answers by a rule with those that the
// catalogue says. A step of a profile that was added without the catalogue, or the
// reverse, is found here.
func TestVersionsAreThoseOfTheProfile(t *testing.T) {
	also := readRecords().AlsoHolds
	for id, reached := range reach(t) {
		p := book.Page(id)
		if p == nil {
			t.Errorf("an answer names %s, which is no rule", id)
			continue
		}
		holds, isList := server.parse(p.Versions)
		if !isList {
			t.Errorf("%s: Versions is %q, want a list of releases: %q decide by it", id, p.Versions, server.text(reached))
			continue
		}
		for i, release := range server {
			if reached[i] && !holds[i] {
				t.Errorf("%s: decides in %s, and Versions is %q", id, release, p.Versions)
				break
			}
		}
		said, got := server.text(holds), server.text(reached)
		if except, ok := also[id]; ok && except.Decides != got {
			t.Errorf("%s: decides in %q, and alsoHolds of rules.json says %q", id, got, except.Decides)
		} else if ok == (said == got) {
			t.Errorf("%s: Versions is %q, and it decides in %q; an entry of alsoHolds: %v", id, said, got, ok)
		}
	}
}

// reach returns for each rule the releases in which the evaluator answers some question
// by it.
func reach(t *testing.T) map[string]set {
	alike := map[mongo.Profile][]int{} // the releases by their behaviour
	for i, release := range server {
		p := fixture.Profile(t, release)
		alike[p] = append(alike[p], i)
	}
	all := map[string]set{}
	for _, v := range suite.Embedded().Vectors {
		if conformance.SystemOf(v.Op) != conformance.MongoDB {
			continue
		}
		for _, list := range alike {
			target := conformance.Target{System: conformance.MongoDB, Version: server[list[0]]}
			id := reference.RuleOf(conformance.Question{Op: v.Op, Target: target, In: v.In})
			if id == "" {
				continue
			}
			if all[id] == nil {
				all[id] = make(set, len(server))
			}
			for _, i := range list {
				all[id][i] = true
			}
		}
	}
	return all
}

// Package properties tests an implementation by relations between answers,
// without knowing the right answers: a later clock revives nothing, the order of
// an array's elements does not matter, the earlier deadline of two indexes
// counts.
//
// Vectors give the right answers to questions that somebody thought of; properties
// search everywhere else. A question that fails is shrunk, and printed as a vector
// without its answer: with the answer, worked out from a source, it is a regression
// test.
//
// Package conformtest offers these tests to other modules.
package properties

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
)

// Test checks a system against every property within its claims, one subtest each. A
// failure shows the questions and the answers, the rules of the property, and a vector for
// each question. A claimed question that the system skips is a failure; questions that are
// not claimed are not asked.
func Test(t *testing.T, system conformance.System) {
	t.Helper()
	x, err := newExaminer(system)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		t.Run(p.ID, func(t *testing.T) {
			if !p.asks(x.claim) {
				t.Skip("not claimed")
			}
			x.check(t, p)
		})
	}
}

// check looks for questions whose answers break a property.
func (x *examiner) check(t rapid.TB, p property) {
	t.Helper()
	rapid.Check(t, x.examination(p))
}

// examination draws questions of a property and examines the answers.
func (x *examiner) examination(p property) func(*rapid.T) {
	trials := cases.Of(x.claim, p.draw)
	return func(t *rapid.T) {
		drawn := trials.Draw(t, "questions")
		answers, trouble := x.examine(drawn)
		if trouble != "" {
			t.Log(failure{x, p, drawn, answers, trouble}) // written once, when no simpler question is found
			t.Fatal(trouble)
		}
	}
}

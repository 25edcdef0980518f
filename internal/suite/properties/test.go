// Package properties holds an implementation to relations between answers, for
// which nobody has to know the answers: a later clock revives nothing, the order
// of an array's elements does not matter, of two indexes the earlier deadline
// counts.
//
// Vectors show what is right where somebody thought of asking; properties look
// everywhere else. A question that fails is shrunk, and printed as a vector without
// its answer: with the answer, worked out from a source, it is a regression test.
//
// Package conformtest offers them to others.
package properties

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
)

// Test holds a system to every property of what it claims, one subtest each. A
// failure shows the questions and the answers, the rules that the property
// bears on, and a vector for each question. A claimed question that is skipped
// fails; questions that are not claimed are not asked.
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
			t.Log(failure{x, p, drawn, answers, trouble}) // written once, when nothing becomes simpler
			t.Fatal(trouble)
		}
	}
}

// Package conformtest runs the conformance suite on an implementation of TTL in a Go
// test.
//
//	func TestConforms(t *testing.T) {
//		conformtest.Test(t, mySystem{})
//	}
//
//	func TestProperties(t *testing.T) {
//		conformtest.Properties(t, mySystem{})
//	}
//
// [Test] asks the questions of the suite's vectors, and compares the answers with
// those that the databases' own sources establish. [Properties] asks generated
// questions and compares the answers with each other. [Run] returns verdicts
// instead of failing a test. `ttl conform` does the same with programs in any
// language.
//
// The names are v0, see docs/releasing.md. The vectors are stable.
package conformtest

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/properties"
)

// With -short, Test asks every vector whose position is a multiple of
// shortStep.
const shortStep = 4

// Test asks system all the questions that it claims, one subtest for each vector, named
// by its identifier. A failure names the violated rule and its sources, and shows both
// answers. Test skips the subtest of a vector that is not claimed. It fails unless the
// system conforms as [Report] defines it: it also fails if the system claims nothing
// that can be judged, or claims a rule set of which a part is not claimed or not
// proven. With -run or -skip, which leave vectors out, it judges only the other
// vectors, and no rule set. With -short it asks only every fourth vector.
func Test(t *testing.T, system conformance.System) {
	t.Helper()
	step := 1
	if testing.Short() {
		step = shortStep
	}
	suite.Test(t, step, suite.Embedded(), system)
}

// Properties checks relations between a system's answers, which need no expected answers,
// one subtest each: a later clock revives nothing, the order of an array's elements does
// not matter, the earlier deadline of two indexes counts. It shrinks a failure, and shows
// the questions and the answers, the rules behind the property, and a vector for each
// question without its answer. It fails for a claimed question that is skipped, and does
// not ask questions that are not claimed. The flags (-rapid.checks, -rapid.seed) and the
// environment (RAPID_CHECKS) of pgregory.net/rapid hold here too.
func Properties(t *testing.T, system conformance.System) {
	t.Helper()
	properties.Test(t, system)
}

// A Report is the suite's verdict on one system.
type Report struct {
	// Conforms is true if the system does all that it claims: it returns echoed
	// values unchanged, every check was made and passed, and every claimed rule set
	// is conformant. It is false for a system that claims nothing.
	Conforms bool
	// Rules has the verdict on each rule that some vector bears on, by the rule's
	// identifier: "conformant", "nonconformant", "unproven", "incomplete" or "untested",
	// as docs/conformance.md explains them.
	Rules map[string]string
	// Failures has a text for each failure, in the order of the vectors: the violated
	// rule, its sources, and both answers. The first texts name the values that were
	// not echoed unchanged.
	Failures []string
	// Counts is the number of checks by outcome, named as by ttl conform run: "pass", "fail",
	// "broken", "unaskable", "boundary", "observed" for answers that are recorded and not
	// judged, and "inapplicable" for what is not claimed.
	Counts map[string]int
	// Lacking has a line for each rule of a claimed rule set whose verdict is not
	// "conformant": the rule set, the rule, its verdict, and the first vector that was not
	// asked, with the reason.
	Lacking []string
	// Claimable are the features of the suite that the system does not claim, and that
	// vectors of its claimed operations need, in alphabetical order.
	Claimable []string
	// Unknown are the claimed operations, systems, releases and features that the suite does
	// not have, such as "feature multi-index".
	Unknown []string
}

// Run asks system all the questions that it claims. It returns an error if the
// claims cannot be read. A panic of the system counts as a failed answer.
func Run(system conformance.System) (*Report, error) {
	s := suite.Embedded()
	found, err := suite.Run(s, system)
	if err != nil {
		return nil, err
	}
	r := &Report{Conforms: found.Conforms(), Rules: map[string]string{}, Failures: found.Damaged}
	for _, rule := range found.Rules() {
		r.Rules[rule.Rule.ID()] = rule.Verdict.String()
	}
	for _, f := range found.Findings() {
		r.Failures = append(r.Failures, s.Explain(f))
	}
	r.Counts = map[string]int{}
	for outcome, n := range found.Count() {
		r.Counts[outcome.String()] = n
	}
	for _, set := range found.RuleSets() {
		for _, line := range set.Lacking {
			if set.Claimed {
				r.Lacking = append(r.Lacking, "rule set "+set.Name+": "+line)
			}
		}
	}
	r.Claimable, r.Unknown = s.Claimable(found.Hello), s.Unknown(found.Hello)
	return r, nil
}

// Reference returns this library as a system. It claims everything. It takes questions
// from any source: a malformed question is answered with a fault that names the
// member.
func Reference() conformance.System { return library.New() }

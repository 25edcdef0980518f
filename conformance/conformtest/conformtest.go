// Package conformtest puts an implementation of TTL to the conformance suite in a test
// of Go.
//
//	func TestConforms(t *testing.T) {
//		conformtest.Test(t, mySystem{})
//	}
//
//	func TestProperties(t *testing.T) {
//		conformtest.Properties(t, mySystem{})
//	}
//
// [Test] asks what the vectors of the suite ask and compares the answers with those
// that the databases' own sources give. [Properties] asks generated questions and
// compares the answers with each other. [Run] returns verdicts instead of failing a
// test. `ttl conform` does the same with programs in any language.
//
// Experimental: these names may change in a minor release. The vectors are stable.
package conformtest

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/properties"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/reference"
)

// shortStep is how many vectors lie between two that Test asks with -short.
const shortStep = 4

// Test asks system everything that it claims, one subtest for each vector, named by
// its identifier. A failure says which rule is violated and where that is established,
// and shows both answers. A vector that is not claimed is not asked, and its subtest is
// skipped. Test fails unless the system conforms, as [Report] has it: also where it
// claims nothing that can be judged, or a rule set of which something is not claimed or
// not proven. With -run or -skip, which leave vectors out, only the others are judged,
// and no rule set; with -short only every fourth vector is asked.
func Test(t *testing.T, system conformance.System) {
	t.Helper()
	step := 1
	if testing.Short() {
		step = shortStep
	}
	suite.TestEvery(t, step, suite.Embedded(), system)
}

// Properties holds a system to relations between its answers for which nobody has to know
// the answers, one subtest each: a later clock revives nothing, the order of an array's
// elements does not matter, of two indexes the earlier deadline counts. A failure is
// shrunk. It shows the questions and the answers, the rules that the property bears on,
// and a vector for each question without its answer. A claimed question that is skipped
// fails; questions that are not claimed are not asked. The flags (-rapid.checks,
// -rapid.seed) and the environment (RAPID_CHECKS) of pgregory.net/rapid hold here too.
func Properties(t *testing.T, system conformance.System) {
	t.Helper()
	properties.Test(t, system)
}

// A Report is what the suite says about one system.
type Report struct {
	// Conforms is true if the system does all that it claims: values survive the way,
	// every check was made and passed, and every claimed rule set is conformant. A
	// system that claims nothing conforms to nothing.
	Conforms bool
	// Rules has the verdict on each rule that some vector bears on, by the rule's
	// identifier: "conformant", "nonconformant", "unproven", "incomplete" or "untested",
	// as docs/conformance.md explains them.
	Rules map[string]string
	// Failures has a text for each failure, in the order of the vectors: which rule is
	// violated, where that is established, and both answers. Before them are the values
	// that did not survive the way.
	Failures []string
}

// Run asks system everything that it claims. The error is for claims that cannot be
// read. A system that panics has crashed, which is a failure like others.
func Run(system conformance.System) (*Report, error) {
	s := suite.Embedded()
	found, err := suite.Run(s, system)
	if err != nil {
		return nil, err
	}
	r := &Report{Conforms: found.Conforms(), Rules: map[string]string{}, Failures: found.Damaged}
	for _, rule := range found.Rules() {
		r.Rules[rule.Rule.ID] = rule.Verdict.String()
	}
	for _, f := range found.Findings() {
		r.Failures = append(r.Failures, s.Explain(f))
	}
	return r, nil
}

// Reference returns this library as a system. It claims everything. Questions may come
// from anywhere: what of one is malformed is a fault that names the member.
func Reference() conformance.System { return reference.New() }

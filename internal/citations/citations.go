// Package citations holds a catalogue of rules to what its citations are: a rule
// that claims a vendor's test must cite one.
package citations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The kinds of sources, as testdata/sources.json names those that vectors cite.
const (
	Documentation = "documentation"
	Specification = "specification"
	Ticket        = "ticket"
	Report        = "report"
	Source        = "source"
	Test          = "test"
)

// KindOf returns the kind of a source, by its address.
func KindOf(s policy.Citation) string {
	address := s.Address
	has := func(marks ...string) bool {
		return slices.ContainsFunc(marks, func(m string) bool { return strings.Contains(address, m) })
	}
	switch {
	case has("jira.mongodb.org/"):
		return Ticket
	case has("bsonspec.org/", "rfc-editor.org/"):
		return Specification
	case has("/issues/", "/pull/", ": issue ", ": pull request ", "InMemoryEmulator"):
		return Report
	case has("jstests/", "_test.cpp", "tests.cpp", "functional-tests:", "/tests/", "/test/", ": test/"):
		return Test
	case strings.HasPrefix(address, "https://"), strings.HasSuffix(address, ".md") && !has("mongodb/mongo:"), has("mongodb/docs:"):
		return Documentation
	}
	return Source
}

// proof are the kinds that each confidence needs one of.
var proof = map[policy.Confidence][]string{
	policy.VendorTest: {Test},
	policy.FromSource: {Source},
	policy.Documented: {Documentation, Specification, Ticket},
	policy.Reported:   {Report},
}

// notes are files that contributors left in forks of the server. They are opinions
// about its tests, and not a source.
var notes = []string{"JSTEST_AUDIT", "PROPOSED_FIX", "COVERAGE_NOTES", "TTL_SKIP_REASON"}

// CheckAddress returns an error if what is at an address must not be cited.
func CheckAddress(address string) error {
	for _, n := range notes {
		if strings.Contains(address, n) {
			return fmt.Errorf("%s is a note in a fork, and not to be cited", address)
		}
	}
	return nil
}

// Check returns an error if none of a rule's sources can establish it as the
// rule's confidence says. A confidence that claims nothing of a source, such as
// Inferred, is never wrong.
func Check(r *policy.Rule) error {
	for _, s := range r.Citations {
		if err := CheckAddress(s.Address); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
	}
	kinds, ok := proof[r.Confidence]
	if !ok || slices.ContainsFunc(r.Citations, func(s policy.Citation) bool { return slices.Contains(kinds, KindOf(s)) }) {
		return nil
	}
	return fmt.Errorf("%s has confidence %q, but no source of the kind %s; cite one, or say what the citation really is",
		r, r.Confidence, strings.Join(kinds, " or "))
}

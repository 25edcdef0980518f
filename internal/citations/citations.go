// Package citations holds a catalogue of rules to what its citations are: a rule
// that claims a vendor's test must cite one.
package citations

import (
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

// Package citations says of which kind a cited source is, and reads what testdata knows about
// sources: the table of them in sources.json, and the places in boundaries where behaviours
// of releases were read. Its tests check that each rule cites a source of a kind that its
// confidence needs.
package citations

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The kinds of sources, with their names in testdata/sources.json.
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

// Rank orders sources, the strongest first. Sources of vendors precede all others. In
// both groups the order is: tests, source text, specifications, documentation, tickets,
// reports.
func Rank(s policy.Citation) int {
	rank := slices.Index([]string{Test, Source, Specification, Documentation, Ticket, Report}, KindOf(s))
	if !IsVendors(s) {
		rank += 10
	}
	return rank
}

// IsVendors reports whether a source is a vendor's, or a standard that vendors build on.
func IsVendors(s policy.Citation) bool { return slices.Contains(vendors, owner(s.Address)) }

// vendors are the owners of the repositories and sites of the vendors, and of the standards
// that they build on.
var vendors = []string{
	"mongodb", "jira.mongodb.org", "www.mongodb.com", "bsonspec.org", "www.rfc-editor.org",
	"Azure", "documentdb", "learn.microsoft.com", "microsoft", "MicrosoftDocs",
}

// owner returns the host of an address, or the owner of its repository.
func owner(address string) string {
	address = strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "github.com/")
	end := strings.IndexAny(address, "/:")
	if end < 0 {
		return address
	}
	return address[:end]
}

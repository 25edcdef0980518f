package rulebook

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestCitationLink(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://bsonspec.org/spec.html":                   {"https://bsonspec.org/spec.html", ""},
		"Azure/azure-cli: issue 7508":                      {"https://github.com/Azure/azure-cli/issues/7508", ""},
		"a/b-c.d: pull request 15":                         {"https://github.com/a/b-c.d/pull/15", ""},
		"mongodb/mongo: jstests/core/ttl_index_options.js": {"https://github.com/mongodb/mongo", "jstests/core/ttl_index_options.js"},
	} {
		if url, path := CitationLink(policy.Citation{Address: address}); url != want[0] || path != want[1] {
			t.Errorf("CitationLink(%s) = %q, %q, want %q", address, url, path, want)
		}
	}
}

// TestSourcesAreLinks: every source of the catalogues leads somewhere.
func TestSourcesAreLinks(t *testing.T) {
	for _, p := range all() {
		for _, s := range p.Citations {
			if url, _ := CitationLink(s); len(url) < 12 || url[:8] != "https://" {
				t.Errorf("%s: the source %q leads to %q", p.ID, s.Address, url)
			}
		}
	}
}

package rulebook

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestSourceKind(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.mongodb.com/docs/manual/core/index-ttl/":                         "documentation",
		"https://learn.microsoft.com/azure/cosmos-db/time-to-live":                    "documentation",
		"MicrosoftDocs/azure-databases-docs: articles/cosmos-db/index-policy.md":      "documentation",
		"https://jira.mongodb.org/browse/SERVER-68477":                                "ticket",
		"Azure/azure-cli: issue 7508":                                                 "report",
		"hashicorp/terraform-provider-azurerm: pull request 15736":                    "report",
		"https://www.rfc-editor.org/rfc/rfc8259":                                      "specification",
		"mongodb/mongo: jstests/core/ttl_index_options.js":                            "test",
		"mongodb/mongo: src/mongo/db/index/btree_key_generator_test.cpp":              "test",
		"Azure/azure-cosmos-python: test/ttl_tests.py":                                "test",
		"mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp":                             "source code",
		"Azure/cosmos-explorer: src/Explorer/Controls/Settings/SettingsComponent.tsx": "source code",
	} {
		if got := SourceKind(policy.Source{Address: address}); got != want {
			t.Errorf("SourceKind(%s) = %q, want %q", address, got, want)
		}
	}
}

func TestSourceLink(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://bsonspec.org/spec.html":                   {"https://bsonspec.org/spec.html", ""},
		"Azure/azure-cli: issue 7508":                      {"https://github.com/Azure/azure-cli/issues/7508", ""},
		"a/b-c.d: pull request 15":                         {"https://github.com/a/b-c.d/pull/15", ""},
		"mongodb/mongo: jstests/core/ttl_index_options.js": {"https://github.com/mongodb/mongo", "jstests/core/ttl_index_options.js"},
	} {
		if url, path := SourceLink(policy.Source{Address: address}); url != want[0] || path != want[1] {
			t.Errorf("SourceLink(%s) = %q, %q, want %q", address, url, path, want)
		}
	}
}

// TestSourcesAreLinks: every source of the catalogues leads somewhere.
func TestSourcesAreLinks(t *testing.T) {
	for _, p := range all() {
		for _, s := range p.Sources {
			if url, _ := SourceLink(s); len(url) < 12 || url[:8] != "https://" {
				t.Errorf("%s: the source %q leads to %q", p.ID, s.Address, url)
			}
		}
	}
}

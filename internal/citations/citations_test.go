package citations_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestKindOfCatalogues(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.mongodb.com/docs/manual/core/index-ttl/":                         citations.Documentation,
		"https://learn.microsoft.com/azure/cosmos-db/time-to-live":                    citations.Documentation,
		"MicrosoftDocs/azure-databases-docs: articles/cosmos-db/index-policy.md":      citations.Documentation,
		"https://jira.mongodb.org/browse/SERVER-68477":                                citations.Ticket,
		"Azure/azure-cli: issue 7508":                                                 citations.Report,
		"hashicorp/terraform-provider-azurerm: pull request 15736":                    citations.Report,
		"https://www.rfc-editor.org/rfc/rfc8259":                                      citations.Specification,
		"mongodb/mongo: jstests/core/ttl_index_options.js":                            citations.Test,
		"mongodb/mongo: src/mongo/db/index/btree_key_generator_test.cpp":              citations.Test,
		"Azure/azure-cosmos-python: test/ttl_tests.py":                                citations.Test,
		"mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp":                             citations.Source,
		"mongodb/mongo: src/mongo/db/timeseries/README.md":                            citations.Source,
		"Azure/cosmos-explorer: src/Explorer/Controls/Settings/SettingsComponent.tsx": citations.Source,
	} {
		if got := citations.KindOf(policy.Citation{Address: address}); got != want {
			t.Errorf("KindOf(%s) = %q, want %q", address, got, want)
		}
	}
}

// TestCatalogues: each rule cites a source that its confidence needs.
func TestCatalogues(t *testing.T) {
	for r := range suite.Rules() {
		if err := citations.Check(r); err != nil {
			t.Error(err)
		}
	}
}

func TestCheck(t *testing.T) {
	const (
		test   = "mongodb/mongo: jstests/core/ttl.js"
		source = "mongodb/mongo: src/mongo/db/ttl.cpp"
		manual = "https://www.mongodb.com/docs/manual/core/index-ttl/"
		ticket = "https://jira.mongodb.org/browse/SERVER-68477"
		report = "Azure/azure-cli: issue 7508"
		note   = "mongodb/mongo: src/mongo/db/ttl/JSTEST_AUDIT.md"
	)
	for _, tt := range []struct {
		confidence policy.Confidence
		address    string
		ok         bool
	}{
		{policy.VendorTest, test, true}, {policy.VendorTest, source, false}, {policy.VendorTest, manual, false},
		{policy.FromSource, source, true}, {policy.FromSource, test, false},
		{policy.Documented, manual, true}, {policy.Documented, ticket, true}, {policy.Documented, source, false}, {policy.Documented, report, false},
		{policy.Reported, report, true}, {policy.Reported, manual, false},
		{policy.Inferred, source, true}, {policy.Disputed, manual, true}, {policy.Unspecified, manual, true},
		{policy.Unspecified, note, false},
	} {
		r := &policy.Rule{ID: "mongo.x", Confidence: tt.confidence, Citations: []policy.Citation{{Title: "t", Address: tt.address}}}
		if err := citations.Check(r); (err == nil) != tt.ok {
			t.Errorf("Check(%s by %s) = %v, want ok %t", tt.confidence, tt.address, err, tt.ok)
		}
	}
}

func TestRank(t *testing.T) {
	last := -1
	for _, address := range []string{
		"mongodb/mongo: jstests/noPassthrough/ttl/ttl.js",
		"mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp",
		"https://bsonspec.org/spec.html",
		"https://www.mongodb.com/docs/manual/core/index-ttl/",
		"https://jira.mongodb.org/browse/SERVER-68477",
		"https://github.com/Azure/azure-cosmos-dotnet-v3/issues/1",
		"somebody/azure-docs: articles/cosmos-db/time-to-live.md",
		"https://github.com/somebody/store/issues/1",
	} {
		rank := citations.Rank(policy.Citation{Address: address})
		if rank <= last {
			t.Errorf("%s has rank %d, and the one before it %d", address, rank, last)
		}
		last = rank
	}
}

package citations_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
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
		confidence string
		address    string
		ok         bool
	}{
		{engine.VendorTest, test, true}, {engine.VendorTest, source, false}, {engine.VendorTest, manual, false},
		{engine.FromSource, source, true}, {engine.FromSource, test, false},
		{engine.Documented, manual, true}, {engine.Documented, ticket, true}, {engine.Documented, source, false}, {engine.Documented, report, false},
		{engine.Reported, report, true}, {engine.Reported, manual, false},
		{engine.Inferred, source, true}, {engine.Disputed, manual, true}, {engine.Unspecified, manual, true},
		{engine.Unspecified, note, false},
	} {
		r := engine.Rule(engine.Entry{ID: "mongo.x", Confidence: tt.confidence, Citations: []policy.Citation{{Title: "t", Address: tt.address}}})
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

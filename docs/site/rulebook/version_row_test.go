package rulebook

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestVersionRows compares a few rows with rows that were written by hand from the
// sources.
func TestVersionRows(t *testing.T) {
	for _, tt := range []struct {
		rule, system, asOf string
		spans              []Span
	}{
		{"mongo.date", "MongoDB", "", []Span{{FromSource, "3.2 and later"}}},
		{"mongo.date-strict", "MongoDB", "", []Span{{FromSource, "up to 3.0"}}},
		{"mongo.nan-zero", "MongoDB", "", []Span{{Documented, "up to 3.2, 5.0.0 to 5.0.13, 5.1 to 6.0.1"}}},
		{"mongo.nan-skipped", "MongoDB", "", []Span{{VendorTest, "5.0.14 and later in 5.0, 6.0.2 and later"}, {Documented, "4.2.22 and later in 4.2, 4.4.16 and later in 4.4"}}},
		{"mongo.array-earliest", "MongoDB", "", []Span{{Documented, "all"}}},
		{"mongo.monitor-period", "MongoDB", "", []Span{{VendorTest, "all"}}},
		{"mongo.move-nan-zero", "MongoDB", "", []Span{{Documented, "to 2.2 to 3.2, 5.0.0 to 5.0.13, 5.1 to 6.0.1"}}},
		{"cosmos.off", "Azure Cosmos DB for NoSQL", "2025-12-05", []Span{{VendorTest, ""}}},
		{"mongo.index-special", "MongoDB", "", []Span{{VendorTest, "8.1 and later"}, {FromSource, "3.2 to 8.0"}}},
		{"cosmos.purge", "Azure Cosmos DB for NoSQL", "", []Span{{Documented, ""}}},
		{"cosmos.mongo-field", "Azure Cosmos DB for MongoDB", "2024-05-08", []Span{{Documented, "4.2 and later"}}},
	} {
		s := book.Page(tt.rule).VersionRows[0]
		if s.System != tt.system || s.AsOf != tt.asOf || !slices.Equal(s.Spans, tt.spans) {
			t.Errorf("the versions of %s is %q, %q, %v, want %q, %q, %v", tt.rule, s.System, s.AsOf, s.Spans, tt.system, tt.asOf, tt.spans)
		}
	}
}

// TestVersionRowsHoldSomewhere: the row of each rule shows a release for which the rule
// holds, and no release with more support than the sources of the rule give.
func TestVersionRowsHoldSomewhere(t *testing.T) {
	for _, p := range all() {
		if len(p.VersionRows) == 0 {
			t.Errorf("%s has no versions", p.ID())
		}
		for _, s := range p.VersionRows {
			if len(s.Spans) == 0 || len(s.Cells) == 0 && p.Untestable == "" {
				t.Errorf("%s holds for no release of %s", p.ID(), s.System)
			}
			for _, c := range s.Cells {
				if c.Support > supportOf(p.Confidence()) {
					t.Errorf("%s: %s is %s, better than its sources, %s", p.ID(), c.Label(), c.Support, p.Confidence())
				}
			}
		}
	}
}

// TestCatalogueAndVectorsAgree: a rule decides only in releases for which its catalogue
// entry says that it holds.
func TestCatalogueAndVectorsAgree(t *testing.T) {
	if got := foreign(book); len(got) > 0 {
		t.Errorf("%d answers name a rule outside its releases: %v", len(got), got)
	}
	page := book.pages["mongo.date"]
	defer func(right policy.Rule) { page.Rule = right }(page.Rule)
	page.Rule = engine.Rule(engine.Entry{ID: page.ID(), Statement: page.Statement(), Versions: "4.0 and later"})
	if len(foreign(book)) == 0 {
		t.Error("an entry that leaves out 3.2 to 3.6 is not found")
	}
}

// foreign returns the answers that name a rule for a release outside the releases of the
// rule's catalogue entry.
func foreign(b *Book) (list []string) {
	for _, c := range b.Cases {
		for i, row := range c.Want {
			p := c.Answers[i].Decider
			if p == nil || row.System != conformance.MongoDB {
				continue
			}
			holds, ok := server.Parse(p.Versions())
			for at, release := range server {
				if ok && !holds[at] && row.Contains(release) {
					list = append(list, c.ID+" "+p.ID()+" "+release)
					break
				}
			}
		}
	}
	return list
}

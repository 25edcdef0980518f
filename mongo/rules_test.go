package mongo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/rules"
)

// TestRulesHaveVectors: each rule that can decide does so in a table of the
// tests beside its file.
func TestRulesHaveVectors(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tables strings.Builder
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tables.Write(b)
	}
	for _, r := range rules.Deciding {
		if !strings.Contains(tables.String(), `"`+r.ID+`"`) {
			t.Errorf("%s decides no vector", r)
		}
	}
}

// TestRulesYieldsEachOnce: what an evaluator can answer is in the catalogue,
// and what cannot decide stands apart.
func TestRulesYieldsEachOnce(t *testing.T) {
	all := slices.Collect(Rules())
	for _, version := range drawn.Releases {
		p := vectorProfile(t, version.String())
		for _, r := range slices.Concat((&Index{timestamps: p.behaviour.TimestampsSort, timestampsUnspecified: p.behaviour.TimestampsSort, strict: p.behaviour.ByQuery, floor: rules.VersionZero}).dateLadder(true), clusteredLadder(floorRules[p.behaviour.ScanStart]), nanRules[behaviour.OptionZero:]) {
			if !slices.Contains(all, r) {
				t.Errorf("%s is not in the catalogue", r)
			}
		}
	}
	for _, r := range rules.Statements {
		if slices.Contains(rules.Deciding, r) {
			t.Errorf("%s both decides and does not", r)
		}
	}
}

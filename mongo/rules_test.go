package mongo

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// unasked are the rules that no vector of the suite can test, because the suite is JSON.
// Tests of this package have tables for them.
var unasked = []policy.Rule{rules.Malformed, rules.FieldOpaque, rules.DocumentDBCollectionUnspecified}

// TestRulesHaveVectors: each rule that can decide, except the rules in unasked, decides
// in a vector of the suite.
func TestRulesHaveVectors(t *testing.T) {
	named := drawn.NamedInVectors(t)
	for _, r := range rules.Deciding {
		if isListed := slices.Contains(unasked, r); named[r.ID()] == isListed {
			t.Errorf("%s decides a vector: %t, and is listed as not asked about: %t", r, named[r.ID()], isListed)
		}
	}
}

// TestRulesYieldsEachOnce: each rule that an evaluator can return is in the catalogue,
// and no rule of Statements is in Deciding.
func TestRulesYieldsEachOnce(t *testing.T) {
	all := slices.Collect(Rules())
	for _, version := range drawn.Releases {
		p := vectorProfile(t, version.String())
		for _, r := range slices.Concat((&indexSource{timestamps: p.behaviour.TimestampsSort, timestampsUnspecified: p.behaviour.TimestampsSort, strict: strictRule(p.behaviour), floor: rules.VersionZero}).dateLadder(true), clusteredLadder(floorRules[p.behaviour.ScanStart]), nanRules[behaviour.OptionZero:]) {
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

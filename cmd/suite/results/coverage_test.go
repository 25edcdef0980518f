package results

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A coverage holds the vectors of a suite that show one rule from all sides.
type coverage struct {
	Rule policy.Rule
	// Positive are the vectors in which the rule holds.
	Positive []*suite.Vector
	// Negative are near misses: twins of the positive vectors, and vectors that bear on the rule but that another rule decides.
	Negative []*suite.Vector
	// Boundary are the vectors on a boundary: of a value, of a range, of a shape, or
	// between two releases.
	Boundary []*suite.Vector
}

// coverageOf returns a suite's vectors about each rule of both catalogues that a question
// can be about.
func coverageOf(s *suite.Suite) (all []coverage) {
	c := coverer{s, map[string]bool{}}
	for _, v := range s.Vectors {
		for _, id := range v.Deciders() {
			c.decides[id] = true
		}
	}
	for r := range suite.Rules() {
		if _, ok := s.Untestable[r]; !ok {
			all = append(all, c.of(r))
		}
	}
	return all
}

// A coverer sorts vectors by what they show about a rule.
type coverer struct {
	suite   *suite.Suite
	decides map[string]bool // the rules that decide in some vector, by identifier
}

// of sorts the vectors that bear on a rule. If the rule decides any vector, the
// vectors that another rule decides are negative.
func (c coverer) of(r policy.Rule) coverage {
	found := coverage{Rule: r}
	for _, v := range c.suite.Vectors {
		if v.Status == "retired" || !slices.Contains(v.Rules, r) {
			continue
		}
		if c.isOnEdge(v) {
			found.Boundary = append(found.Boundary, v)
		}
		if c.decides[r.ID()] && !slices.Contains(v.Deciders(), r.ID()) {
			found.Negative = append(found.Negative, v)
			continue
		}
		found.Positive = append(found.Positive, v)
		for _, other := range c.suite.Vectors {
			if other.ID == v.Twin || other.Twin == v.ID {
				found.Negative = append(found.Negative, other)
			}
		}
	}
	return found
}

// edges are the kinds of flags that mark a vector on a boundary.
var edges = []string{"boundary", "range", "version-hazard"}

func (c coverer) isOnEdge(v *suite.Vector) bool {
	return slices.ContainsFunc(v.Flags, func(name string) bool { return slices.Contains(edges, c.suite.Flags[name].Kind) })
}

// uncovered lists, for each rule, the sides that no vector shows yet. The test fails for
// an entry that has become wrong, so the list can only shrink.
var uncovered = map[string]string{}

// TestEveryRuleIsCovered: each rule has a positive vector, a near miss, and a vector on a
// boundary.
func TestEveryRuleIsCovered(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range coverageOf(suite.Embedded()) {
		lacks := ""
		for _, side := range []struct {
			name    string
			vectors []*suite.Vector
		}{{"positive ", c.Positive}, {"negative ", c.Negative}, {"boundary ", c.Boundary}} {
			if len(side.vectors) == 0 {
				lacks += side.name
			}
		}
		seen[c.Rule.ID()] = true
		if want := uncovered[c.Rule.ID()]; lacks != want {
			t.Errorf("%q: %q, // lacks so, listed as %q", c.Rule.ID(), lacks, want)
		}
	}
	for id := range uncovered {
		if !seen[id] {
			t.Errorf("%q is listed as uncovered, but is no rule that can be tested", id)
		}
	}
}

func TestBaselines(t *testing.T) {
	s := small(t)
	all, err := Baselines(s, claims())
	if err != nil || len(all) != 2 {
		t.Fatalf("Baselines = %v, %v", all, err)
	}
	never, expired := all[0], all[1]
	if never.Total == 0 || never.Total != expired.Total {
		t.Errorf("the totals are %d and %d", never.Total, expired.Total)
	}
	if never.Pass == 0 || expired.Pass == 0 || never.Pass+expired.Pass != never.Total {
		t.Errorf("%d + %d of %d pass: each check has one of the two answers", never.Pass, expired.Pass, never.Total)
	}
}

// TestExpand: an expanded vector holds the established answers for its release,
// and none that are unspecified, disputed, proposed or retired.
func TestExpand(t *testing.T) {
	for release, want := range map[string]string{"3.0.15": `"pending"`, "3.2.0": `"expired"`, fixture.Latest: `"expired"`} {
		if got := expandedOf(t, "mongodb-date-on-deadline", conformance.Target{System: conformance.MongoDB, Version: release}); len(got) != 1 || !strings.Contains(string(got[0].Want[0]), want) {
			t.Errorf("at %s: %+v, want %s", release, got, want)
		}
	}
	cosmos := conformance.Target{System: conformance.CosmosNoSQL}
	if got := expandedOf(t, "cosmos-write-zero", cosmos); len(got) != 0 {
		t.Errorf("a disputed vector is not left out: %+v", got)
	}
	if got := expandedOf(t, "cosmos-unreachable", cosmos); len(got) != 1 || len(got[0].Want) < 2 || got[0].Level != "optional" {
		t.Errorf("an optional vector is %+v, want all answers that conform", got)
	}
	custom := conformance.ParseTarget("cosmos-mongo@4.2+EnableTtlOnCustomPath")
	if with, without := expandedOf(t, "cosmosmongo-field-date", custom), expandedOf(t, "cosmosmongo-field-date", conformance.Target{System: conformance.CosmosMongo, Version: "4.2"}); len(with) != 1 || slices.EqualFunc(with, without, func(a, b ExpandedVector) bool { return string(a.Want[0]) == string(b.Want[0]) }) {
		t.Errorf("the capability makes no difference: %+v, %+v", with, without)
	}
}

// expandedOf returns the expanded vector with the identifier id, or none.
func expandedOf(t *testing.T, id string, target conformance.Target) []ExpandedVector {
	t.Helper()
	all, err := Expand(suite.Embedded(), target)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(f ExpandedVector) bool { return f.ID != id })
}

// TestExpandLeavesGapsOut: an answer that is unspecified is left out.
func TestExpandLeavesGapsOut(t *testing.T) {
	s := small(t)
	target := conformance.Target{System: conformance.MongoDB, Version: "8.0.4"}
	before, err := Expand(s, target)
	if err != nil || len(before) != 2 {
		t.Fatalf("%d expanded vectors, %v", len(before), err)
	}
	s.Vectors[0].Status = "proposed"
	s.Vectors[1].Want = nil
	if after, err := Expand(s, target); err != nil || len(after) != 0 {
		t.Errorf("%+v, %v; want none", after, err)
	}
}

// TestExpandedVectorIsWhole: an expanded vector can be read without the suite.
func TestExpandedVectorIsWhole(t *testing.T) {
	all, err := Expand(suite.Embedded(), conformance.Target{System: conformance.MongoDB, Version: "8.0.4"})
	if err != nil || len(all) < 500 {
		t.Fatalf("%d expanded vectors, %v", len(all), err)
	}
	for _, f := range all {
		if len(f.Rules) == 0 || f.Op == "" || !json.Valid(f.In) || len(f.Want) == 0 || !json.Valid(f.Want[0]) {
			t.Errorf("%s lacks something: %+v", f.ID, f)
		}
	}
}

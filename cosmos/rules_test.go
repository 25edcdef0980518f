package cosmos

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for r := range Rules() {
		switch {
		case !strings.HasPrefix(r.ID(), "cosmos.") || seen[r.ID()]:
			t.Errorf("identifier %q is foreign or used twice", r.ID())
		case r.Statement() == "" || len(r.Citations()) == 0 || engine.Rank(r.Confidence()) < 0:
			t.Errorf("%s lacks a statement, a source or a confidence", r)
		case strings.HasSuffix(r.ID(), "-unspecified") != (r.Confidence() == engine.Unspecified):
			t.Errorf("%s has confidence %s: an outcome is unspecified if and only if its identifier says so", r, r.Confidence())
		}
		seen[r.ID()] = true
	}
	if len(seen) < 20 {
		t.Errorf("Rules yields %d rules, want all of them", len(seen))
	}
	for range Rules() {
		return // stopping early must not panic
	}
}

// unasked are the rules that no question of the suite asks about. Tests of this package
// have tables about them: damaged items, and the analytical store.
var unasked = []policy.Rule{ruleMalformed, ruleAnalyticalOff, ruleAnalyticalUnspecified, ruleAnalyticalNever, ruleAnalytical,
	ruleAnalyticalDisableUnspecified, ruleAnalyticalNullUnspecified}

// TestRulesHaveVectors: each rule that decides or refuses does so in some vector of the
// suite, except for the unasked ones.
func TestRulesHaveVectors(t *testing.T) {
	files, err := filepath.Glob("../testdata/vectors/cosmos*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files of vectors, %v; want at least 5", len(files), err)
	}
	var vectors strings.Builder
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		vectors.Write(b)
	}
	for r := range Rules() {
		hasVector := strings.Contains(vectors.String(), `"`+r.ID()+`"`)
		if isListed := slices.Contains(unasked, r); !slices.Contains(statements, r) && hasVector == isListed {
			t.Errorf("%s decides a vector: %t, and is listed as not asked about: %t", r, hasVector, isListed)
		}
	}
}

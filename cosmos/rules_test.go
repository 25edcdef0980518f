package cosmos

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for r := range Rules() {
		switch {
		case !strings.HasPrefix(r.ID, "cosmos.") || seen[r.ID]:
			t.Errorf("identifier %q is foreign or used twice", r.ID)
		case r.Statement == "" || len(r.Citations) == 0:
			t.Errorf("%s lacks a statement or a source", r)
		case strings.HasSuffix(r.ID, "-unspecified") != (r.Confidence == policy.Unspecified):
			t.Errorf("%s has confidence %s: an outcome is unspecified if and only if its identifier says so", r, r.Confidence)
		}
		seen[r.ID] = true
	}
	if len(seen) < 20 {
		t.Errorf("Rules yields %d rules, want all of them", len(seen))
	}
	for range Rules() {
		return // stopping early must not panic
	}
}

// TestRulesHaveVectors: each rule that decides or refuses does so in some
// vector of the tables.
func TestRulesHaveVectors(t *testing.T) {
	var tables strings.Builder
	for _, name := range []string{"decide_container_test.go", "decide_collection_test.go", "decide_analytical_test.go", "validate_test.go", "validate_index_test.go"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tables.Write(b)
	}
	for r := range Rules() {
		if slices.Contains(statements, r) {
			continue
		}
		if !strings.Contains(tables.String(), r.ID+`"`) {
			t.Errorf("%s decides no vector", r)
		}
	}
}

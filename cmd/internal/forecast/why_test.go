package forecast

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestWhy(t *testing.T) {
	sources := []Source{{Name: "createdAt_1", Field: "createdAt"}, {Name: "meta.at_1", Field: "meta.at"}}
	statement := "What the catalogue says."
	for _, tc := range []struct {
		rule   string
		source int
		kind   policy.Kind
		want   string
	}{
		{"mongo.field-not-date", 0, policy.String, "`createdAt` holds a string, not a Date"},
		{"mongo.field-not-date", 1, policy.Int64, "`meta.at` holds a number (long), not a Date"},
		{"mongo.field-not-date", 0, policy.List, "`createdAt` holds an array without a Date"},
		{"mongo.field-not-date", 0, policy.Object, "`createdAt` holds an embedded document, not a Date"},
		{"mongo.field-null", 0, policy.Null, "`createdAt` is null"},
		{"mongo.field-null", 1, policy.Missing, "`meta.at` leads to null"},
		{"mongo.field-missing", 1, policy.Missing, "`meta.at` is missing"},
		{"cosmos.item-unspecified", 0, policy.String, "`ttl` holds a string, not a number of seconds"},
		{"cosmos.no-timestamp", 0, policy.Missing, "`_ts` is missing, so when they expire cannot be told; export the system properties"},
		{"mongo.no-ttl", 0, policy.Missing, statement},
		{"mongo.field-missing", 7, policy.Missing, statement}, // of a source that nobody described
		{"mongo.filter-mismatch", 7, policy.Missing, "outside the partial filter"},
	} {
		f := Finding{Rule: &policy.Rule{ID: tc.rule, Statement: statement}, Source: tc.source, Kind: tc.kind}
		if got := f.Why(sources); got != tc.want {
			t.Errorf("Why of %s, %v = %q, want %q", tc.rule, tc.kind, got, tc.want)
		}
	}
	if got := new(Finding).Why(nil); got == "" {
		t.Error("Why of the zero Finding is empty")
	}
}

// Each telling is about a rule that there is, and says all it promises.
func TestTellings(t *testing.T) {
	known := map[string]bool{}
	for r := range mongo.Rules() {
		known[r.ID] = true
	}
	for r := range cosmos.Rules() {
		known[r.ID] = true
	}
	for id, telling := range tellings {
		if !known[id] {
			t.Errorf("there is no rule %s", id)
		}
		if strings.Contains(telling.text, "{found}") && !telling.byKind() {
			t.Errorf("%s names what was found, but nobody looks", id)
		}
		for k := range 256 {
			f := Finding{Rule: &policy.Rule{ID: id}, Kind: policy.Kind(k)}
			if got := f.Why([]Source{{Field: "f"}}); got == "" || strings.ContainsAny(got, "{}") {
				t.Errorf("Why of %s, %v = %q", id, f.Kind, got)
			}
		}
	}
}

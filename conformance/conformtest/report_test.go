package conformtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/conformtest"
)

// TestReport: a report counts the checks, and says at once which features could be claimed,
// which claims the suite does not know, and why a claimed rule set is incomplete.
func TestReport(t *testing.T) {
	hello := conformance.Hello{
		Protocol: 1, Name: "small", Version: "1", Ops: []string{"mongodb.decide"}, Systems: map[string]string{"mongodb": "8.0.4"},
		RuleSets: []string{"mongodb-core"}, Features: []string{"dotted-path", "far-dates", "multi-index", "many-words"},
	}
	r, err := conformtest.Run(conformance.NewSystem(hello, conformtest.Reference().Ask))
	if err != nil {
		t.Fatal(err)
	}
	if r.Counts["pass"] < 50 || r.Counts["inapplicable"] < 50 || r.Counts["fail"] > 0 {
		t.Errorf("Counts = %v, want many that pass, many that are not claimed, and no failure", r.Counts)
	}
	for _, feature := range []string{"unusual-clock", "several-indexes", "partial-index"} {
		if !slices.Contains(r.Claimable, feature) {
			t.Errorf("Claimable = %v, want %s among them", r.Claimable, feature)
		}
	}
	if slices.Contains(r.Claimable, "dotted-path") || slices.Contains(r.Claimable, "doc-level-ttl") {
		t.Errorf("Claimable = %v, want no claimed feature, and none of other operations", r.Claimable)
	}
	if want := []string{"feature multi-index", "feature many-words"}; !slices.Equal(r.Unknown, want) {
		t.Errorf("Unknown = %v, want %v", r.Unknown, want)
	}
	if text := strings.Join(r.Lacking, "\n"); r.Conforms || !strings.Contains(text, "rule set mongodb-core: mongo.date is incomplete") || !strings.Contains(text, "unusual-clock is not claimed") {
		t.Errorf("Conforms, Lacking = %t, %q, want false and why mongodb-core is incomplete", r.Conforms, text)
	}
}

// TestUnknownRuleSets: the error names every unknown rule set.
func TestUnknownRuleSets(t *testing.T) {
	hello := conformtest.Reference().Hello()
	hello.RuleSets = []string{"mongodb-core", "mongodb-heart", "cosmos-heart"}
	_, err := conformtest.Run(conformance.NewSystem(hello, conformtest.Reference().Ask))
	if err == nil || !strings.Contains(err.Error(), "mongodb-heart, cosmos-heart") {
		t.Errorf("Run = %v, want an error with both names", err)
	}
}

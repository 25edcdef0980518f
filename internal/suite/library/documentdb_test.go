package library_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// TestRunOfDocumentDB compares the profile of DocumentDB 0.108 with what that engine did in
// a run of the suite, which judged it as MongoDB 7.0. Where the engine did as MongoDB does,
// the profile says so too, or keeps the document as unspecified. Where the engine did
// otherwise, the profile does not say what MongoDB does.
func TestRunOfDocumentDB(t *testing.T) {
	text, err := os.ReadFile("../../../conformance/lab/results/documentdb.json")
	if err != nil {
		t.Fatal(err)
	}
	var results struct {
		Checks []struct{ ID, Outcome string }
	}
	if err := json.Unmarshal(text, &results); err != nil {
		t.Fatal(err)
	}
	type decision struct {
		State, Rule string
		Deadline    json.RawMessage
	}
	decide := func(q conformance.Question) (d decision, ok bool) {
		a := library.New().Ask(q)
		return d, a.Kind == conformance.KindOut && json.Unmarshal(a.Out, &d) == nil
	}
	counts := map[string]int{}
	for _, c := range results.Checks {
		v := suite.Embedded().Vector(c.ID)
		if v == nil || v.Op != "mongodb.decide" || strings.Contains(string(v.In), `"collection"`) || c.Outcome != "pass" && c.Outcome != "fail" {
			continue
		}
		as7, ok := decide(conformance.Question{Op: v.Op, Target: conformance.Target{System: conformance.MongoDB, Version: "7.0.26"}, In: v.In})
		own, okOwn := decide(conformance.Question{Op: "documentdb.decide", Target: conformance.Target{System: conformance.DocumentDB, Version: "0.108"}, In: v.In})
		var in struct{ Now json.RawMessage }
		if err := json.Unmarshal(v.In, &in); err != nil {
			t.Fatal(err)
		}
		if !ok || !okOwn || string(in.Now) == string(as7.Deadline) { // a run cannot meet the very millisecond
			counts["left out"]++
			continue
		}
		counts[c.Outcome]++
		isUnspecified := strings.HasSuffix(own.Rule, "-unspecified")
		if !isUnspecified && (own.State == as7.State) != (c.Outcome == "pass") {
			t.Errorf("%s: 0.108 had the outcome %s by 7.0, which says %s; the profile says %s by %s", c.ID, c.Outcome, as7.State, own.State, own.Rule)
		}
	}
	if counts["pass"] < 300 || counts["fail"] < 5 {
		t.Errorf("%v checks, want hundreds that pass and some that fail", counts)
	}
	t.Log(counts)
}

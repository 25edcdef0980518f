package conformance

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResultsHoldTheAnswers(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	answers := []Answer{
		answerOut(`{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}}}`), Refused(Refusal{Code: 67, CodeName: "CannotCreateIndex"}),
		Skipped("no"), Fault("oh"), {Kind: KindCrash, Text: "exit status 1"}, {Kind: KindTimeout, Text: "2 s"}, {Kind: KindBreach, Text: "?"}, {Kind: KindAborted, Text: "x"},
	}
	asked := 0
	r, err := Run(s, liar{claims(), func(Question) Answer { asked++; return answers[asked%len(answers)] }})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r.Results())
	if err != nil {
		t.Fatal(err)
	}
	var back Results
	if err := json.Unmarshal(text, &back); err == nil {
		t.Error("outcomes have names, and are not read back yet") // rejudging sets them anew
	}
	var checks struct {
		Checks []struct {
			ID     string
			Answer *Answer
		}
	}
	if err := json.Unmarshal(text, &checks); err != nil {
		t.Fatal(err)
	}
	if len(checks.Checks) != len(r.Checks) {
		t.Fatalf("%d checks, want %d", len(checks.Checks), len(r.Checks))
	}
	for i, c := range checks.Checks {
		if diff := cmp.Diff(r.Checks[i].Answer, *c.Answer); c.ID != r.Checks[i].Vector.ID || diff != "" {
			t.Errorf("check %d of %s (-asked +written):\n%s", i, c.ID, diff)
		}
	}
}

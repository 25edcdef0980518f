package conformance

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asked returns the report on a system that gives all kinds of answers in turn.
func asked(t *testing.T, s *Suite) *Report {
	t.Helper()
	answers := []Answer{
		answerOut(`{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}}}`), Refused(Refusal{Code: 67, CodeName: "CannotCreateIndex"}),
		Skipped("no"), Fault("oh"), {Kind: KindCrash, Text: "exit status 1"}, {Kind: KindTimeout, Text: "2 s"}, {Kind: KindBreach, Text: "?"}, {Kind: KindAborted, Text: "x"},
	}
	asked := 0
	r, err := Run(s, liar{claims(), func(Question) Answer { asked++; return answers[asked%len(answers)] }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// written returns results as they are read back from a file.
func written(t *testing.T, r *Report) Results {
	t.Helper()
	text, err := json.Marshal(r.Results())
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseResults(text)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestResultsHoldTheAnswers(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	r := asked(t, s)
	back := written(t, r)
	if len(back.Checks) != len(r.Checks) {
		t.Fatalf("%d checks, want %d", len(back.Checks), len(r.Checks))
	}
	for i, c := range back.Checks {
		if diff := cmp.Diff(r.Checks[i].Answer, *c.Answer); c.ID != r.Checks[i].Vector.ID || c.Outcome != r.Checks[i].Outcome || diff != "" {
			t.Errorf("check %d of %s is %s (-asked +written):\n%s", i, c.ID, c.Outcome, diff)
		}
	}
}

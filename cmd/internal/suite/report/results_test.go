package report

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// small returns the suite of a few vectors that the tests of package conformance
// use.
func small(t *testing.T) *suite.Suite {
	t.Helper()
	s, err := suite.Load(os.DirFS("../../../../internal/suite/testdata/small"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// never is the answer that nothing expires.
const never = `{"state":"never","deadline":null}`

func answerOut(out string) conformance.Answer {
	return conformance.Answer{Kind: conformance.KindOut, Out: json.RawMessage(out)}
}

// claims are those of a liar that claims everything in the small suite.
func claims() conformance.Hello {
	return conformance.Hello{
		Name: "liar", Ops: []string{"mongodb.decide"}, Systems: map[string]string{conformance.MongoDB: "*"},
		Features: []string{"far-dates", conformance.FeatureDeadline},
	}
}

// asked returns the report on a system that gives all kinds of answers in turn.
func asked(t *testing.T, s *suite.Suite) *suite.Report {
	t.Helper()
	answers := []conformance.Answer{
		answerOut(`{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}}}`), conformance.Refused(conformance.Refusal{Code: 67, CodeName: "CannotCreateIndex"}),
		conformance.Skipped("no"), conformance.Fault("oh"), {Kind: conformance.KindCrash, Text: "exit status 1"}, {Kind: conformance.KindTimeout, Text: "2 s"}, {Kind: conformance.KindBreach, Text: "?"}, {Kind: conformance.KindAborted, Text: "x"},
	}
	asked := 0
	r, err := suite.Run(s, conformance.NewSystem(claims(), func(conformance.Question) conformance.Answer { asked++; return answers[asked%len(answers)] }))
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
	s := small(t)
	r := asked(t, s)
	back := written(t, New(r, nil))
	if len(back.Checks) != len(r.Checks) {
		t.Fatalf("%d checks, want %d", len(back.Checks), len(r.Checks))
	}
	for i, c := range back.Checks {
		if diff := cmp.Diff(r.Checks[i].Answer, *c.Answer); c.ID != r.Checks[i].Vector.ID || c.Outcome != r.Checks[i].Outcome || diff != "" {
			t.Errorf("check %d of %s is %s (-asked +written):\n%s", i, c.ID, c.Outcome, diff)
		}
	}
}

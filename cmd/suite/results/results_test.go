package results

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// small returns the suite of a few vectors that the tests of package conformance
// use.
func small(t *testing.T) *suite.Suite {
	t.Helper()
	s, err := suite.Load(os.DirFS("../../../internal/suite/testdata/small"))
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

// claims returns the claims of a system that claims everything in the small suite, but
// does not conform.
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

// written returns results after writing them to a file and reading them back.
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

// TestRejudgeAgrees: the same suite judges the same answers in the same way.
func TestRejudgeAgrees(t *testing.T) {
	s := small(t)
	run := asked(t, s)
	run.Damaged = []string{"nan: came back as 0"}
	r := New(run, KnownFailures{{ID: "date-past", Reason: "r", Issue: "i", Since: "0.1.0"}})
	again, err := Rejudge(s, written(t, r))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Results(), again.Results()); diff != "" {
		t.Errorf("(-run +judged again):\n%s", diff)
	}
}

// TestRejudgeByAnotherSuite: a corrected expectation changes the verdict; a
// question that was not asked has none.
func TestRejudgeByAnotherSuite(t *testing.T) {
	s := small(t)
	run, err := suite.Run(s, conformance.NewSystem(claims(), func(conformance.Question) conformance.Answer { return answerOut(never) }))
	if err != nil {
		t.Fatal(err)
	}
	r := New(run, nil)
	results := written(t, r)
	before := r.Count()
	if before[suite.Fail] == 0 || before[suite.Pass] == 0 {
		t.Fatalf("nothing to see: %v", before)
	}

	past := s.Vector("date-past")
	past.Want[0].Answers = s.Vector("date-null").Want[0].Answers // as if the vector had been wrong
	corrected, err := Rejudge(s, results)
	if err != nil {
		t.Fatal(err)
	}
	if n := corrected.Count(); n[suite.Fail] >= before[suite.Fail] || n[suite.Pass] <= before[suite.Pass] {
		t.Errorf("after the correction %v, before %v", n, before)
	}

	past.In = append(past.In[:len(past.In)-1:len(past.In)-1], `,"more":1}`...)
	changed, err := Rejudge(s, results)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changed.Checks {
		if isPast := c.Vector == past; isPast != (c.Outcome == suite.NotRun) {
			t.Errorf("%s %s is %s", c.Vector.ID, c.Target, c.Outcome)
		}
	}
}

func TestParseResultsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                "unexpected end",
		`{}`:               `format is "", want "1.0"`,
		`{"format":"2.0"}`: `format is "2.0"`,
		`{"format":"1.0","checks":[{"outcome":"maybe"}]}`: `"maybe" is not one of`,
	} {
		if _, err := ParseResults([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseResults(%s): %v, want %s", text, err, want)
		}
	}
}

func TestParseKnownFailuresRefuses(t *testing.T) {
	s := small(t)
	const entry = `{"id": "date-null", "reason": "r", "issue": "i", "since": "0.1.0"}`
	for text, want := range map[string]string{
		`{"known": [` + entry + `]}`: "",
		`{`:                          "known.json:1: the input ends inside the document",
		`[]`:                         "want an object",
		`{}`:                         `"known" is missing`,
		`{"known": [], "more": 1}`:   `unknown field "more"`,
		`{"known": {"a": 1}}`:        `"known" is {"a": 1}, want an array`,
		"{\"known\": [\n" + entry + ",\n" + entry + "]}":                                        `known.json:3: "date-null" is listed twice`,
		`{"known": [{"id": "no-such", "reason": "r", "issue": "i", "since": "1"}]}`:             `no vector "no-such"`,
		`{"known": [{"id": "date-null", "issue": "i", "since": "1"}]}`:                          `"reason" is missing`,
		`{"known": [{"id": "date-null", "reason": "", "issue": "i", "since": "1"}]}`:            `"reason" is "", want a text`,
		`{"known": [{"id": "date-null", "reason": "r", "since": "1"}]}`:                         `"issue" is missing`,
		`{"known": [{"id": "date-null", "reason": "r", "issue": "i", "since": "1", "why": 1}]}`: `unknown field "why"`,
	} {
		l, err := ParseKnownFailures(s, "known.json", []byte(text))
		switch {
		case want == "" && (err != nil || len(l) != 1):
			t.Errorf("ParseKnownFailures(%s) = %v, %v", text, l, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("ParseKnownFailures(%s): %v, want %s", text, err, want)
		}
	}
}

// TestKnownFailuresMayBeEmpty: the list may be empty, as it is after the last failure is
// mended.
func TestKnownFailuresMayBeEmpty(t *testing.T) {
	if l, err := ParseKnownFailures(new(suite.Suite), "known.json", []byte(`{"known": []}`)); err != nil || len(l) > 0 {
		t.Errorf("an empty list is %v, %v", l, err)
	}
}

// TestKnownFailuresOfWhatIsNotRun: a run reports no known failure as passing if it did not
// ask the vector.
func TestKnownFailuresOfWhatIsNotRun(t *testing.T) {
	s := small(t)
	known := KnownFailures{{ID: "date-past", Reason: "r"}, {ID: "date-null", Reason: "r"}}
	right := conformance.NewSystem(claims(), library.New().Ask)
	aborts := conformance.NewSystem(claims(), func(conformance.Question) conformance.Answer {
		return conformance.Answer{Kind: conformance.KindAborted}
	})
	for _, tt := range []struct {
		why    string
		suite  *suite.Suite
		system conformance.System
		stale  int
	}{
		{"all asked, all pass", s, right, 2},
		{"one asked, which passes", s.Only(func(v *suite.Vector) bool { return v.ID == "date-null" }), right, 1},
		{"given up on", s, aborts, 0},
	} {
		r, err := suite.Run(tt.suite, tt.system)
		if err != nil {
			t.Fatal(err)
		}
		if got := New(r, known); len(got.Stale) != tt.stale {
			t.Errorf("%s: stale entries are %v, want %d", tt.why, got.Stale, tt.stale)
		}
	}
}

// TestKnownFailuresAreAsked: a listed failure does not count, and a listed vector that
// passes is reported.
func TestKnownFailuresAreAsked(t *testing.T) {
	s := small(t)
	silent := conformance.NewSystem(claims(), func(conformance.Question) conformance.Answer { return answerOut(never) })
	run, err := suite.Run(s, silent)
	if err != nil {
		t.Fatal(err)
	}
	r := New(run, KnownFailures{{ID: "date-past", Reason: "it never deletes"}, {ID: "date-null", Reason: "it deletes nulls"}})
	if len(r.Stale) != 1 || r.Stale[0].ID != "date-null" {
		t.Errorf("stale entries are %v, want that of date-null", r.Stale)
	}
	if len(r.Failed()) != 0 || r.Count()[suite.Known] != 3 {
		t.Errorf("%d failures and %d known ones, want 0 and 3", len(r.Failed()), r.Count()[suite.Known])
	}
	if r.Conforms() || !r.ConformsButForKnown() {
		t.Errorf("conforms %t, excused %t; want that its known failures alone are in the way", r.Conforms(), r.ConformsButForKnown())
	}
	for _, rule := range r.Rules() {
		if rule.Verdict >= suite.Incomplete {
			t.Errorf("%s is %s though its vector fails", rule.Rule, rule.Verdict)
		}
	}
}

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

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
		`{"format":"1.0","checks":[{"outcome":"maybe"}]}`: `"maybe" is none of`,
	} {
		if _, err := ParseResults([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseResults(%s): %v, want %s", text, err, want)
		}
	}
}

package conformance

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRejudgeAgrees: the same suite judges the same answers in the same way.
func TestRejudgeAgrees(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	r := asked(t, s)
	r.Damaged = []string{"nan: came back as 0"}
	r.Apply(Ledger{{ID: "date-past", Reason: "r", Issue: "i", Since: "0.1.0"}})
	again, err := s.Rejudge(written(t, r))
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
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, liar{claims(), always(answerOut(`{"state":"never","deadline":null}`))})
	if err != nil {
		t.Fatal(err)
	}
	results := written(t, r)
	before := r.Count()
	if before[Fail] == 0 || before[Pass] == 0 {
		t.Fatalf("nothing to see: %v", before)
	}

	past := s.Vector("date-past")
	past.Want[0].Answers = s.Vector("date-null").Want[0].Answers // as if the vector had been wrong
	corrected, err := s.Rejudge(results)
	if err != nil {
		t.Fatal(err)
	}
	if n := corrected.Count(); n[Fail] >= before[Fail] || n[Pass] <= before[Pass] {
		t.Errorf("after the correction %v, before %v", n, before)
	}

	past.In = append(past.In[:len(past.In)-1:len(past.In)-1], `,"more":1}`...)
	changed, err := s.Rejudge(results)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changed.Checks {
		if isPast := c.Vector == past; isPast != (c.Outcome == NotRun) {
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

package report

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/reference"
)

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

// TestKnownFailuresMayBeEmpty: the list is empty when the last failure is gone.
func TestKnownFailuresMayBeEmpty(t *testing.T) {
	if l, err := ParseKnownFailures(new(suite.Suite), "known.json", []byte(`{"known": []}`)); err != nil || len(l) > 0 {
		t.Errorf("an empty list is %v, %v", l, err)
	}
}

// TestKnownFailuresOfWhatIsNotRun: a run says nothing about vectors that it did not
// ask, or did not get to.
func TestKnownFailuresOfWhatIsNotRun(t *testing.T) {
	s := small(t)
	known := KnownFailures{{ID: "date-past", Reason: "r"}, {ID: "date-null", Reason: "r"}}
	right := conformance.NewSystem(claims(), reference.New().Ask)
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

// TestKnownFailuresAreAsked: a listed failure does not count, and one that passes is
// reported.
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

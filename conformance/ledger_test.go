package conformance

import (
	"strings"
	"testing"
)

func TestParseLedgerRefuses(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	const entry = `{"id": "date-null", "reason": "r", "issue": "i", "since": "0.1.0"}`
	for text, want := range map[string]string{
		`{"known": [` + entry + `]}`: "",
		`{`:                          "known.json:1: unexpected end",
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
		l, err := s.ParseLedger("known.json", []byte(text))
		switch {
		case want == "" && (err != nil || len(l) != 1):
			t.Errorf("ParseLedger(%s) = %v, %v", text, l, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("ParseLedger(%s): %v, want %s", text, err, want)
		}
	}
}

// TestLedgerMayBeEmpty: so it is when the last failure is gone.
func TestLedgerMayBeEmpty(t *testing.T) {
	if l, err := new(Suite).ParseLedger("known.json", []byte(`{"known": []}`)); err != nil || len(l) > 0 {
		t.Errorf("an empty ledger is %v, %v", l, err)
	}
}

// TestLedgerOfWhatIsNotRun: a run says nothing about vectors that it did not
// ask, or did not get to.
func TestLedgerOfWhatIsNotRun(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	ledger := Ledger{{ID: "date-past", Reason: "r"}, {ID: "date-null", Reason: "r"}}
	right := liar{claims(), Reference().Ask}
	aborts := liar{claims(), always(Answer{Kind: KindAborted})}
	for _, tt := range []struct {
		why    string
		suite  *Suite
		system System
		stale  int
	}{
		{"all asked, all pass", s, right, 2},
		{"one asked, which passes", s.Only(func(v *Vector) bool { return v.ID == "date-null" }), right, 1},
		{"given up on", s, aborts, 0},
	} {
		r, err := Run(tt.suite, tt.system)
		if err != nil {
			t.Fatal(err)
		}
		if r.Apply(ledger); len(r.Stale) != tt.stale {
			t.Errorf("%s: stale entries are %v, want %d", tt.why, r.Stale, tt.stale)
		}
	}
}

// TestLedgerIsExecuted: a listed failure does not count, and one that passes is
// told.
func TestLedgerIsExecuted(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	never := liar{claims(), always(answerOut(`{"state":"never","deadline":null}`))}
	r, err := Run(s, never)
	if err != nil {
		t.Fatal(err)
	}
	r.Apply(Ledger{{ID: "date-past", Reason: "it never deletes"}, {ID: "date-null", Reason: "it deletes nulls"}})
	if len(r.Stale) != 1 || r.Stale[0].ID != "date-null" {
		t.Errorf("stale entries are %v, want that of date-null", r.Stale)
	}
	if len(r.Failed()) != 0 || r.Count()[Known] != 3 {
		t.Errorf("%d failures and %d known ones, want 0 and 3", len(r.Failed()), r.Count()[Known])
	}
	if r.Conforms() || !r.Excused() {
		t.Errorf("conforms %t, excused %t; want that its known failures alone are in the way", r.Conforms(), r.Excused())
	}
	for _, rule := range r.Rules() {
		if rule.Verdict >= Incomplete {
			t.Errorf("%s is %s though its vector fails", rule.Rule, rule.Verdict)
		}
	}
}

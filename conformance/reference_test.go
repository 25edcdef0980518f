package conformance

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestReferenceConforms(t *testing.T) { Test(t, Embedded(), Reference()) }

// TestReferenceKeepsWhatIsOpen: what is not established is kept, by the rule
// that the gap names.
func TestReferenceKeepsWhatIsOpen(t *testing.T) {
	s := Embedded()
	session, err := open(s, Reference())
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, v := range s.Vectors {
		for i, g := range v.Unverified {
			if !operations[v.Op].decides {
				continue
			}
			only := *v
			only.Want, only.Unverified = nil, v.Unverified[i:i+1]
			checks := session.plan(&only)
			session.make(checks)
			for _, c := range checks {
				asked++
				var out struct{ State, Rule string }
				if err := json.Unmarshal(c.Answer.Out, &out); err != nil || out.State != "never" || out.Rule != g.Rule.ID {
					t.Errorf("%s at %s is answered %s, want never by %s", v.ID, c.Target, c.Answer, g.Rule)
				}
			}
		}
	}
	if asked < 100 {
		t.Errorf("%d questions are open, want more", asked)
	}
}

func TestReferenceAnswersNonsense(t *testing.T) {
	for _, tt := range []struct {
		q    Question
		want string // the beginning of the answer
	}{
		{Question{Op: "mongodb.delete"}, `{"skip":`},
		{Question{Op: "mongodb.decide", In: json.RawMessage(`[]`)}, `{"fault":"in:`},
		{Question{Op: "mongodb.decide", In: json.RawMessage(`{}`)}, `{"fault":"in.now:`},
		{Question{Op: "mongodb.decide", In: json.RawMessage(`{"now":5}`)}, `{"fault":"in.now: want a date`},
		{Question{Op: "mongodb.decide", In: json.RawMessage(`{"now":{"$date":5}}`)}, `{"fault":"in.now:`},
		{Question{Op: "mongodb.decide", Target: Target{Version: "9.9.9"}, In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}}}`)}, `{"skip":"mongo: no profile`},
		{Question{Op: "mongodb.decide", Target: Target{Version: "new"}, In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}}}`)}, `{"fault":"mongo: version`},
		{Question{Op: "mongodb.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"document":{"a":{"$date":5}}}`)}, `{"fault":"in.document:`},
		{Question{Op: "mongodb.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"indexes":[5]}`)}, `{"fault":"in.indexes:`},
		{Question{Op: "cosmos.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"container":5}`)}, `{"fault":`},
		{Question{Op: "cosmos.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"container":{"ttlPropertyPath":"x"}}`)}, `{"fault":"cosmos: ttlPropertyPath`},
		{Question{Op: "cosmos.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"container":{}}`)}, `{"fault":"in.item:`},
		{Question{Op: "cosmosmongo.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"indexes":[{}]}`)}, `{"fault":"cosmos: index field key`},
		{Question{Op: "cosmosmongo.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"indexes":[],"document":{},"_ts":1.5}`)}, `{"fault":"in._ts:`},
		{Question{Op: "cosmosmongo.decide", In: json.RawMessage(`{"now":{"$date":{"$numberLong":"0"}},"indexes":[],"document":{},"_ts":1700000000000}`)}, `{"out":{"state":"never"`},
	} {
		if got := Reference().Ask(tt.q).String(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s asked %s answers %s, want %s", tt.q.Op, tt.q.In, got, tt.want)
		}
	}
}

// The trivial answers must not get far: by none of them does a system conform
// to a rule.
func TestTrivialAnswersFail(t *testing.T) {
	modest := Reference().Hello()
	modest.Features = slices.Collect(maps.Keys(Embedded().Features)) // no grades: only expired or not
	for _, answer := range []string{`{"state":"never"}`, `{"state":"pending"}`, `{"state":"expired"}`, `{}`} {
		r, err := Run(Embedded(), liar{modest, always(answerOut(answer))})
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range r.Rules() {
			if rule.Verdict >= Incomplete {
				t.Errorf("%s: %s to %s (%v)", answer, rule.Verdict, rule.Rule, rule.Count)
			}
		}
		if r.Conforms() {
			t.Errorf("%s conforms", answer)
		}
	}
}

func TestReferenceHasEveryVerdict(t *testing.T) {
	r, err := Run(Embedded(), Reference())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Conforms() {
		t.Error("the reference does not conform")
	}
	for _, p := range r.Profiles() {
		if p.Verdict != Conformant {
			t.Errorf("profile %s is %s (%v), want conformant", p.Name, p.Verdict, p.Count)
		}
	}
}

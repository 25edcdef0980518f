package policy

import (
	"encoding/json"
	"testing"
)

func TestTheDeadlineCountsAsExpired(t *testing.T) {
	rule := &Rule{ID: "test.date"}
	for now, want := range map[Instant]State{99: Pending, 100: Expired, 101: Expired, MinInstant: Pending, MaxInstant: Expired} {
		if got, want := DecisionOf(Pending, 100, rule).At(now), DecisionOf(want, 100, rule); got != want || !hasDeadline(got, 100) {
			t.Errorf("DecisionOf(Pending, 100).At(%d) = %+v, want %+v", now, got, want)
		}
	}
}

func TestAtLeavesNeverAlone(t *testing.T) {
	for _, d := range []Decision{{}, {Rule: new(Rule)}, {Source: 3}} {
		if got := d.At(MaxInstant); got != d || got.State != Never {
			t.Errorf("%+v at the end of time = %+v, want no change", d, got)
		}
	}
}

func TestStateText(t *testing.T) {
	for state, want := range map[State]string{Never: "never", Pending: "pending", Expired: "expired"} {
		var back State
		text, err := state.MarshalText()
		if string(text) != want || err != nil || state.String() != want || back.UnmarshalText(text) != nil || back != state {
			t.Errorf("%d is written as %q (%v) and %q and read as %d, want %q", state, text, err, state, back, want)
		}
	}
	if text, err := State(3).MarshalText(); err == nil || State(3).String() != "State(3)" {
		t.Errorf("State(3) is written as %q and %q, want an error and State(3)", text, State(3))
	}
	for _, text := range []string{"", "Never", "expired ", "alive"} {
		state := Pending
		if err := state.UnmarshalText([]byte(text)); err == nil || state != Pending {
			t.Errorf("UnmarshalText(%q) = %v and %s, want an error and no change", text, err, state)
		}
	}
}

func TestConfidence(t *testing.T) {
	if !(Unspecified < Disputed && Disputed < Inferred && Inferred < Documented && Documented < Reported &&
		Reported < FromSource && FromSource < VendorTest && VendorTest < Run) {
		t.Error("greater confidence is not better")
	}
	text, err := VendorTest.MarshalText()
	if string(text) != "vendor-test" || err != nil || Confidence(0).String() != "unspecified" {
		t.Errorf("VendorTest is written as %q, %v; the zero Confidence as %s", text, err, Confidence(0))
	}
	if text, err := Confidence(8).MarshalText(); err == nil || Confidence(8).String() != "Confidence(8)" {
		t.Errorf("Confidence(8) is written as %q and %s, want an error and Confidence(8)", text, Confidence(8))
	}
}

// TestConfidenceText: each Confidence has a different name.
func TestConfidenceText(t *testing.T) {
	seen := map[string]Confidence{}
	for c := Unspecified; c <= Run; c++ {
		text, err := c.MarshalText()
		if other, twice := seen[string(text)]; err != nil || string(text) != c.String() || twice {
			t.Errorf("%s is written as %q, %v, as is %s", c, text, err, other)
		}
		seen[string(text)] = c
	}
}

// hasDeadline reports whether d has the deadline want.
func hasDeadline(d Decision, want Instant) bool {
	got, ok := d.Deadline()
	return ok && got == want
}

// TestDeadlineOfNever: a caller that ignores the second result of Deadline deletes no
// document that never expires.
func TestDeadlineOfNever(t *testing.T) {
	for _, d := range []Decision{{}, {Rule: new(Rule)}, DecisionOf(Never, 5, new(Rule))} {
		if got, ok := d.Deadline(); got != MaxInstant || ok {
			t.Errorf("Deadline() of %+v = %d, %t, want %d, false", d, got, ok, MaxInstant)
		}
	}
	for _, d := range []Decision{DecisionOf(Pending, 5, nil).At(9).At(7), DecisionOf(Expired, 5, nil)} {
		if got, ok := d.Deadline(); got != 5 || !ok {
			t.Errorf("Deadline() of %+v = %d, %t, want 5, true", d, got, ok)
		}
	}
	if DecisionOf(Never, 5, nil) != (Decision{}) {
		t.Error("a decision that keeps a document remembers a deadline")
	}
}

func TestIsUnspecified(t *testing.T) {
	for id, want := range map[string]bool{"mongo.date": false, "mongo.x-unspecified": true, "mongo.unspecified-x": false} {
		if got := (&Rule{ID: id, Confidence: Disputed}).IsUnspecified(); got != want {
			t.Errorf("IsUnspecified() of %s = %t, want %t", id, got, want)
		}
	}
	if (*Rule)(nil).IsUnspecified() {
		t.Error("no rule is unspecified")
	}
}

func TestRuleString(t *testing.T) {
	if got := (*Rule)(nil).String() + (&Rule{ID: "test.one"}).String(); got != "test.one" {
		t.Errorf("the names of no rule and of test.one = %q", got)
	}
}

func TestRuleJSON(t *testing.T) {
	for _, tt := range []struct {
		rule Rule
		want string
	}{
		{
			Rule{ID: "mongo.date", Statement: "A date.", Versions: "3.2 and later", Confidence: VendorTest, Citations: []Citation{{"T", "A"}, {"U", "B"}}},
			`{"id":"mongo.date","statement":"A date.","versions":"3.2 and later","confidence":"vendor-test","sources":[{"title":"T","address":"A"},{"title":"U","address":"B"}]}`,
		},
		{
			Rule{ID: "cosmos.off", Statement: "Off.", Citations: []Citation{}},
			`{"id":"cosmos.off","statement":"Off.","confidence":"unspecified","sources":[]}`,
		},
	} {
		if got, err := json.Marshal(&tt.rule); string(got) != tt.want || err != nil {
			t.Errorf("the JSON of %s = %s, %v, want %s", tt.rule.ID, got, err, tt.want)
		}
	}
}

func TestDecisionString(t *testing.T) {
	rule := &Rule{ID: "test.date"}
	for want, d := range map[string]Decision{
		"never":              {},
		"never by test.date": DecisionOf(Never, 5, rule),
		"expired at 1970-01-01T00:00:00.005Z by test.date": DecisionOf(Expired, 5, rule),
		"pending at 9223372036854775807ms by test.date":    DecisionOf(Pending, MaxInstant, rule),
	} {
		if got := d.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

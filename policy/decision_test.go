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
		if got := (&Rule{ID: id, Confidence: "disputed"}).IsUnspecified(); got != want {
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
			Rule{ID: "mongo.date", Statement: "A date.", Versions: "3.2 and later", Confidence: "vendor-test", Citations: []Citation{{"T", "A"}, {"U", "B"}}},
			`{"id":"mongo.date","statement":"A date.","versions":"3.2 and later","confidence":"vendor-test","sources":[{"title":"T","address":"A"},{"title":"U","address":"B"}]}`,
		},
		{
			Rule{ID: "cosmos.off", Statement: "Off.", Confidence: "unspecified", Citations: []Citation{}},
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

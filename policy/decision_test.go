package policy

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

func TestTheDeadlineCountsAsExpired(t *testing.T) {
	rule := NewRule("test.date", "")
	for now, want := range map[Instant]State{99: Pending, 100: Expired, 101: Expired, MinInstant: Pending, MaxInstant: Expired} {
		if got, want := DecisionOf(Pending, 100, rule).At(now), DecisionOf(want, 100, rule); got != want || !hasDeadline(got, 100) {
			t.Errorf("DecisionOf(Pending, 100).At(%d) = %+v, want %+v", now, got, want)
		}
	}
}

func TestAtLeavesNeverAlone(t *testing.T) {
	for _, d := range []Decision{{}, {Rule: NewRule("test.never", "")}, {Source: 3}} {
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
	for _, d := range []Decision{{}, {Rule: NewRule("test.never", "")}, DecisionOf(Never, 5, NewRule("test.never", ""))} {
		if got, ok := d.Deadline(); got != MaxInstant || ok {
			t.Errorf("Deadline() of %+v = %d, %t, want %d, false", d, got, ok, MaxInstant)
		}
	}
	for _, d := range []Decision{DecisionOf(Pending, 5, Rule{}).At(9).At(7), DecisionOf(Expired, 5, Rule{})} {
		if got, ok := d.Deadline(); got != 5 || !ok {
			t.Errorf("Deadline() of %+v = %d, %t, want 5, true", d, got, ok)
		}
	}
	if DecisionOf(Never, 5, Rule{}) != (Decision{}) {
		t.Error("a decision that keeps a document remembers a deadline")
	}
}

func TestIsUnspecified(t *testing.T) {
	for id, want := range map[string]bool{"mongo.date": false, "mongo.x-unspecified": true, "mongo.unspecified-x": false} {
		if got := NewRule(id, "").IsUnspecified(); got != want {
			t.Errorf("IsUnspecified() of %s = %t, want %t", id, got, want)
		}
	}
	if (Rule{}).IsUnspecified() {
		t.Error("no rule is unspecified")
	}
}

func TestRuleString(t *testing.T) {
	if got := (Rule{}).String() + NewRule("test.one", "").String(); got != "test.one" {
		t.Errorf("the names of no rule and of test.one = %q", got)
	}
}

func TestRuleJSON(t *testing.T) {
	for _, tt := range []struct {
		rule Rule
		want string
	}{
		{
			Rule{&ruleEntry{"mongo.date", "A date.", "3.2 and later", "vendor-test", []Citation{{"T", "A"}, {"U", "B"}}}},
			`{"id":"mongo.date","statement":"A date.","versions":"3.2 and later","confidence":"vendor-test","sources":[{"title":"T","address":"A"},{"title":"U","address":"B"}]}`,
		},
		{
			Rule{&ruleEntry{"cosmos.off", "Off.", "", "unspecified", []Citation{}}},
			`{"id":"cosmos.off","statement":"Off.","confidence":"unspecified","sources":[]}`,
		},
	} {
		if got, err := json.Marshal(tt.rule); string(got) != tt.want || err != nil {
			t.Errorf("the JSON of %s = %s, %v, want %s", tt.rule.ID(), got, err, tt.want)
		}
	}
}

func TestDecisionString(t *testing.T) {
	rule := NewRule("test.date", "")
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

// TestRulesDoNotChange: no field of a Rule can be set, and its sources are copies. A pointer to
// a rule reaches the caller's own reference only.
func TestRulesDoNotChange(t *testing.T) {
	kept := Rule{&ruleEntry{ID: "test.kept", Citations: []Citation{{"T", "A"}}}}
	mine := kept
	mine.Citations()[0].Title = "changed"
	pointer := &mine
	*pointer = NewRule("test.other", "")
	if kept.ID() != "test.kept" || kept.Citations()[0] != (Citation{"T", "A"}) {
		t.Errorf("the rule is %s of %v, want test.kept and its source", kept, kept.Citations())
	}
	for field := range reflect.TypeFor[Rule]().NumField() {
		if f := reflect.TypeFor[Rule]().Field(field); f.IsExported() {
			t.Errorf("an importer can set the field %s", f.Name)
		}
	}
}

func TestRuleFromJSON(t *testing.T) {
	kept := NewRule("test.kept", "Kept.")
	rulesByID["test.kept"] = kept
	defer delete(rulesByID, "test.kept")
	for _, want := range []Rule{{}, kept} {
		text, err := json.Marshal(want)
		got := NewRule("test.before", "")
		if failed := json.Unmarshal(text, &got); err != nil || failed != nil || got != want {
			t.Errorf("%s is written as %s (%v) and read as %s (%v)", want, text, err, got, failed)
		}
	}
	got := kept
	if err := json.Unmarshal([]byte(`{"id":"test.foreign"}`), &got); !errors.Is(err, errUnknownRule) || got != kept {
		t.Errorf("an unknown rule is read as %s, %v", got, err)
	}
}

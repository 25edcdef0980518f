package policy

import (
	"maps"
	"slices"
	"testing"
)

func TestExpireAtCountsTheDeadline(t *testing.T) {
	rule := &Rule{ID: "test.date"}
	for now, want := range map[Instant]State{99: Pending, 100: Expired, 101: Expired, MinInstant: Pending, MaxInstant: Expired} {
		if got, want := ExpireAt(100, rule, now), DecisionOf(want, 100, rule); got != want || got.Deadline() != 100 {
			t.Errorf("ExpireAt(100) at %d = %+v, want %+v", now, got, want)
		}
	}
}

func TestAtKeepsAWaiver(t *testing.T) {
	for _, d := range []Decision{{}, Keep(new(Rule)), {Source: 3}} {
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
	if !(Unestablished < Disputed && Disputed < Inferred && Inferred < Documented && Documented < Reported &&
		Reported < FromSource && FromSource < VendorTest && VendorTest < Run) {
		t.Error("greater confidence is not better")
	}
	text, err := VendorTest.MarshalText()
	if string(text) != "vendor-test" || err != nil || Confidence(0).String() != "unestablished" {
		t.Errorf("VendorTest is written as %q, %v; the zero Confidence as %s", text, err, Confidence(0))
	}
	if text, err := Confidence(8).MarshalText(); err == nil || Confidence(8).String() != "Confidence(8)" {
		t.Errorf("Confidence(8) is written as %q and %s, want an error and Confidence(8)", text, Confidence(8))
	}
}

func TestConfidenceText(t *testing.T) {
	for c := Unestablished; c <= Run; c++ {
		var back Confidence
		text, err := c.MarshalText()
		if err != nil || back.UnmarshalText(text) != nil || back != c {
			t.Errorf("%s is written as %q (%v) and read as %s, want the same", c, text, err, back)
		}
	}
	for _, text := range []string{"", "tested", "Run"} {
		c := Run
		if err := c.UnmarshalText([]byte(text)); err == nil || c != Run {
			t.Errorf("UnmarshalText(%q) = %v and %s, want an error and no change", text, err, c)
		}
	}
}

// TestDeadlineOfNever: a caller that looks at the deadline alone deletes
// nothing that stays.
func TestDeadlineOfNever(t *testing.T) {
	for _, d := range []Decision{{}, Keep(new(Rule)), DecisionOf(Never, 5, new(Rule)), ExpireAt(5, nil, 9).At(7)} {
		want := MaxInstant
		if d.State != Never {
			want = 5
		}
		if got := d.Deadline(); got != want {
			t.Errorf("Deadline() of %+v = %d, want %d", d, got, want)
		}
	}
	if DecisionOf(Never, 5, nil) != (Decision{}) {
		t.Error("a decision that keeps a document remembers a deadline")
	}
}

func TestIsOpen(t *testing.T) {
	for id, want := range map[string]bool{"mongo.date": false, "mongo.x-unspecified": true, "mongo.unspecified-x": false} {
		if got := (&Rule{ID: id, Confidence: Disputed}).IsOpen(); got != want {
			t.Errorf("IsOpen() of %s = %t, want %t", id, got, want)
		}
	}
	if (*Rule)(nil).IsOpen() {
		t.Error("no rule is open")
	}
}

func TestConsulted(t *testing.T) {
	one, two, three := &Rule{ID: "test.one"}, &Rule{ID: "test.two"}, &Rule{ID: "test.three"}
	ladder := []*Rule{one, two, three}
	for _, test := range []struct {
		decided *Rule
		want    []*Rule
	}{{one, ladder[:1]}, {two, ladder[:2]}, {three, ladder}, {nil, nil}, {&Rule{ID: "test.one"}, nil}} {
		got := Consulted(ladder, test.decided)
		if !slices.Equal(got, test.want) || (got == nil) != (test.want == nil) {
			t.Errorf("Consulted(%s) = %v, want %v", test.decided, got, test.want)
		}
	}
	if _ = append(Consulted(ladder, one), three); ladder[1] != two {
		t.Error("appending to what was consulted changes the ladder")
	}
	if got := (*Rule)(nil).String() + one.String(); got != "test.one" {
		t.Errorf("the names of no rule and of test.one = %q", got)
	}
}

// byDate expires what its field "at" says.
type byDate struct{}

func (byDate) Decide(doc Document, now Instant) Decision {
	if at, ok := doc.Field("at").AsDate(); ok {
		return ExpireAt(at, nil, now)
	}
	return Decision{}
}

func TestExpiredKeys(t *testing.T) {
	docs := map[string]Document{
		"past": D{{"at", DateValue(99)}}, "now": D{{"at", DateValue(100)}}, "later": D{{"at", DateValue(101)}}, "never": D{},
	}
	got := slices.Sorted(ExpiredKeys(byDate{}, maps.All(docs), 100))
	if want := []string{"now", "past"}; !slices.Equal(got, want) {
		t.Errorf("ExpiredKeys = %q, want %q", got, want)
	}
	states := make(map[string]State)
	for key, d := range Decisions(byDate{}, maps.All(docs), 100) {
		states[key] = d.State
	}
	if want := map[string]State{"past": Expired, "now": Expired, "later": Pending, "never": Never}; !maps.Equal(states, want) {
		t.Errorf("Decisions = %v, want %v", states, want)
	}
}

func TestDecisionsStopWithTheirReader(t *testing.T) {
	expired := D{{"at", DateValue(0)}}
	asked := 0
	docs := func(yield func(int, Document) bool) {
		for asked < 10 {
			asked++
			if !yield(asked, expired) {
				return
			}
		}
	}
	for range ExpiredKeys(byDate{}, docs, 0) {
		break
	}
	if asked != 1 {
		t.Errorf("the reader took one key, %d documents were asked for", asked)
	}
}

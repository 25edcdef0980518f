package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

var textRules = []*Rule{{ID: "mongo.date"}, {ID: "mongo.field-missing"}}

func textRule(id string) (*Rule, bool) {
	for _, r := range textRules {
		if r.ID == id {
			return r, true
		}
	}
	return nil, false
}

func TestDecisionText(t *testing.T) {
	date, missing := textRules[0], textRules[1]
	source := func(d Decision, n uint8) Decision { d.Source = n; return d }
	names := make([]string, 256)
	for i := range names {
		names[i] = fmt.Sprintf("i%d", i)
	}
	names[3], names[4] = "a b\n\x1b\"\xff", ""
	for _, tt := range []struct {
		text    string
		d       Decision
		sources []string
	}{
		{"never - - -", Decision{}, nil},
		{"never - mongo.field-missing -", Decision{Rule: missing}, nil},
		{`never - mongo.field-missing "i0"`, Decision{Rule: missing}, names},
		{`never - mongo.field-missing "i255"`, source(Decision{Rule: missing}, 255), names},
		{`pending 1700003600000 mongo.date "createdAt_1"`, DecisionOf(Pending, 1_700_003_600_000, date), []string{"createdAt_1"}},
		{"expired 0 mongo.date -", DecisionOf(Expired, 0, date), nil},
		{`expired 0 mongo.date "a b\n\x1b\"\xff"`, source(DecisionOf(Expired, 0, date), 3), names},
		{`expired 0 mongo.date ""`, source(DecisionOf(Expired, 0, date), 4), names},
		{`expired -1 mongo.date "i0"`, DecisionOf(Expired, -1, date), names},
		{`pending 9223372036854775807 mongo.date "i0"`, DecisionOf(Pending, MaxInstant, date), names},
		{`expired -9223372036854775808 mongo.date "i10"`, source(DecisionOf(Expired, MinInstant, date), 10), names},
	} {
		if got, err := tt.d.AppendText([]byte("> "), tt.sources); err != nil || string(got) != "> "+tt.text {
			t.Errorf("AppendText of %s = %q, %v", tt.text, got, err)
		}
		if got, err := ParseDecision([]byte(tt.text), textRule, tt.sources); err != nil || got != tt.d {
			t.Errorf("ParseDecision(%q) = %+v, %v, want %+v", tt.text, got, err, tt.d)
		}
	}
}

// TestDecisionTextAfterADrop: ParseDecision finds a source by its name, even if another
// source now has its position.
func TestDecisionTextAfterADrop(t *testing.T) {
	d := DecisionOf(Expired, 0, textRules[0])
	d.Source = 1
	text, err := d.AppendText(nil, []string{"a_1", "b_1", "c_1"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParseDecision(text, textRule, []string{"b_1", "c_1"}); err != nil || got.Source != 0 {
		t.Errorf("after a_1 is dropped: source %d, %v, want 0", got.Source, err)
	}
	for _, left := range [][]string{{"a_1", "c_1"}, {}, nil} {
		if got, err := ParseDecision(text, textRule, left); !errors.Is(err, ErrUnknownSource) || got != (Decision{}) {
			t.Errorf("after b_1 is dropped, with %q: %+v, %v, want %v", left, got, err, ErrUnknownSource)
		}
	}
}

// TestDecisionTextRefuses decisions that no evaluator makes.
func TestDecisionTextRefuses(t *testing.T) {
	for why, d := range map[string]Decision{
		"a state that is not one":   {State: 3, Rule: textRules[0]},
		"a deadline without a rule": {State: Expired},
		"a rule of two words":       {Rule: &Rule{ID: "mongo.date 0"}},
		"a rule that reads as none": {Rule: &Rule{ID: "-"}},
		"a rule without a name":     {Rule: &Rule{}},
		"a rule that breaks a line": DecisionOf(Pending, 0, &Rule{ID: "mongo.date\n"}),
	} {
		if got, err := d.AppendText([]byte(">"), nil); err == nil || string(got) != ">" {
			t.Errorf("%s: AppendText = %q, %v, want an error", why, got, err)
		}
	}
	second := DecisionOf(Pending, 0, textRules[0])
	second.Source = 1
	for _, sources := range [][]string{nil, {"a_1"}} {
		if got, err := second.AppendText([]byte(">"), sources); err == nil || string(got) != ">" {
			t.Errorf("the second of %q: AppendText = %q, %v, want an error", sources, got, err)
		}
	}
}

// TestParseDecisionErrors: a text that cannot be read yields a decision that
// keeps the document.
func TestParseDecisionErrors(t *testing.T) {
	const (
		words    = "want a state, a deadline, a rule and a source"
		deadline = "is not a number of milliseconds in 64 bits"
		quotes   = "is not a name in quotes"
	)
	tests := []struct{ why, text, want string }{
		{"nothing", "", words},
		{"three words", "expired 0 mongo.date", words},
		{"five words", "expired 0 mongo.date \"a\" \"a\"", quotes},
		{"two spaces", "expired  0 mongo.date \"a\"", `the deadline "" ` + deadline},
		{"a line break", "expired 0 mongo.date \"a\"\n", quotes},
		{"a state that is not one", "gone 0 mongo.date \"a\"", `"gone" is not one of`},
		{"another case", "Expired 0 mongo.date \"a\"", `"Expired" is not one of`},
		{"a rule of another version", "expired 0 mongo.date-2 \"a\"", `no such rule: "mongo.date-2"`},
		{"a rule of another engine that keeps", "never - cosmos.off \"a\"", `no such rule: "cosmos.off"`},
		{"no deadline", "expired - mongo.date \"a\"", deadline},
		{"a deadline that is not a number", "expired x mongo.date \"a\"", deadline},
		{"a deadline that does not fit", "expired 9223372036854775808 mongo.date \"a\"", deadline},
		{"a deadline with a plus sign", "expired +1 mongo.date \"a\"", `it is written as "expired 1 mongo.date`},
		{"a deadline with a zero in front", "pending 01 mongo.date \"a\"", `it is written as "pending 1 mongo.date`},
		{"a deadline of what never expires", "never 0 mongo.date \"a\"", `it is written as "never - mongo.date`},
		{"a deadline without a rule", "expired 0 - \"a\"", `no evaluator decides expired by the rule ""`},
		{"no source", "never - mongo.date -", "the decision names no source"},
		{"a source of another evaluator", "never - mongo.date \"b\"", `no such source: "b"`},
		{"a source by its position", "never - mongo.date 0", quotes},
		{"a source in back quotes", "never - mongo.date `a`", `it is written as "never - mongo.date`},
	}
	for _, tt := range tests {
		d, err := ParseDecision([]byte(tt.text), textRule, []string{"a"})
		if err == nil || !strings.Contains(err.Error(), tt.want) || d != (Decision{}) {
			t.Errorf("%s: ParseDecision(%q) = %+v, %v, want an error with %q beside the zero Decision", tt.why, tt.text, d, err, tt.want)
		}
		if unknown := strings.Contains(tt.want, "no such rule"); errors.Is(err, ErrUnknownRule) != unknown {
			t.Errorf("%s: ParseDecision(%q): %v, want ErrUnknownRule: %v", tt.why, tt.text, err, unknown)
		}
	}
}

func FuzzParseDecision(f *testing.F) {
	for _, text := range []string{"never - - -", `pending 1700003600000 mongo.date "createdAt_1"`, `expired -1 mongo.date "b"`, `never - mongo.field-missing "b"`, `expired 0 x "b"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		sources := []string{"createdAt_1", "b"}
		d, err := ParseDecision(text, textRule, sources)
		if err != nil && d != (Decision{}) {
			t.Errorf("ParseDecision(%q) = %+v beside %v", text, d, err)
		}
		if again, errAgain := d.AppendText(nil, sources); err == nil && (errAgain != nil || string(again) != string(text)) {
			t.Errorf("ParseDecision(%q) is written as %q, %v", text, again, errAgain)
		}
	})
}

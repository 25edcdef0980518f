package policy

import (
	"encoding"
	"errors"
	"testing"
)

var _ interface {
	encoding.TextAppender
	encoding.TextMarshaler
} = Decision{}

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
	for text, d := range map[string]Decision{
		"never - - 0":                                {},
		"never - mongo.field-missing 0":              {Rule: missing},
		"never - mongo.field-missing 255":            source(Decision{Rule: missing}, 255),
		"pending 1700003600000 mongo.date 0":         DecisionOf(Pending, 1_700_003_600_000, date),
		"expired 0 mongo.date 3":                     source(DecisionOf(Expired, 0, date), 3),
		"expired -1 mongo.date 0":                    DecisionOf(Expired, -1, date),
		"pending 9223372036854775807 mongo.date 0":   DecisionOf(Pending, MaxInstant, date),
		"expired -9223372036854775808 mongo.date 10": source(DecisionOf(Expired, MinInstant, date), 10),
	} {
		if got, err := d.AppendText([]byte("> ")); err != nil || string(got) != "> "+text {
			t.Errorf("AppendText of %s = %q, %v", text, got, err)
		}
		if got, err := d.MarshalText(); err != nil || string(got) != text {
			t.Errorf("MarshalText of %s = %q, %v", text, got, err)
		}
		if got, err := ParseDecision([]byte(text), textRule); err != nil || got != d {
			t.Errorf("ParseDecision(%q) = %+v, %v, want %+v", text, got, err, d)
		}
	}
}

// TestDecisionTextRefuses what no evaluator decides.
func TestDecisionTextRefuses(t *testing.T) {
	for why, d := range map[string]Decision{
		"a state that is not one":    {State: 3, Rule: textRules[0]},
		"a deadline without a rule":  {State: Expired},
		"a rule of two words":        {Rule: &Rule{ID: "mongo.date 0"}},
		"a rule that reads as none":  {Rule: &Rule{ID: "-"}},
		"a rule without a name":      {Rule: &Rule{}},
		"a rule that breaks a line":  DecisionOf(Pending, 0, &Rule{ID: "mongo.date\n"}),
		"a rule of which one is nil": DecisionOf(Pending, 0, nil),
	} {
		if got, err := d.AppendText([]byte(">")); err == nil || string(got) != ">" {
			t.Errorf("%s: AppendText = %q, %v, want an error", why, got, err)
		}
		if got, err := d.MarshalText(); err == nil {
			t.Errorf("%s: MarshalText = %q, want an error", why, got)
		}
	}
}

// TestParseDecisionErrors: what cannot be read keeps the document.
func TestParseDecisionErrors(t *testing.T) {
	tests := []struct {
		why, text string
		unknown   bool
	}{
		{"nothing", "", false},
		{"three words", "expired 0 mongo.date", false},
		{"five words", "expired 0 mongo.date 0 0", false},
		{"two spaces", "expired  0 mongo.date 0", false},
		{"a line break", "expired 0 mongo.date 0\n", false},
		{"a state that is not one", "gone 0 mongo.date 0", false},
		{"another case", "Expired 0 mongo.date 0", false},
		{"a rule of another version", "expired 0 mongo.date-2 0", true},
		{"a rule of another engine that keeps", "never - cosmos.off 0", true},
		{"a deadline that is not one", "expired - mongo.date 0", false},
		{"no deadline", "expired x mongo.date 0", false},
		{"a deadline that does not fit", "expired 9223372036854775808 mongo.date 0", false},
		{"a deadline spelled otherwise", "expired +1 mongo.date 0", false},
		{"with a zero in front", "pending 01 mongo.date 0", false},
		{"a deadline of what never expires", "never 0 mongo.date 0", false},
		{"a deadline without a rule", "expired 0 - 0", false},
		{"a source that does not fit", "never - mongo.date 256", false},
		{"a source below 0", "never - mongo.date -1", false},
		{"no source", "never - mongo.date x", false},
	}
	for _, tt := range tests {
		d, err := ParseDecision([]byte(tt.text), textRule)
		if err == nil || d != (Decision{}) || errors.Is(err, ErrUnknownRule) != tt.unknown {
			t.Errorf("%s: ParseDecision(%q) = %+v, %v, want an error beside the zero Decision, ErrUnknownRule: %v", tt.why, tt.text, d, err, tt.unknown)
		}
	}
}

func FuzzParseDecision(f *testing.F) {
	for _, text := range []string{"never - - 0", "pending 1700003600000 mongo.date 0", "expired -1 mongo.date 255", "never - mongo.field-missing 0", "expired 0 x 0"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseDecision(text, textRule)
		if err != nil && d != (Decision{}) {
			t.Errorf("ParseDecision(%q) = %+v beside %v", text, d, err)
		}
		if again, errAgain := d.MarshalText(); err == nil && (errAgain != nil || string(again) != string(text)) {
			t.Errorf("ParseDecision(%q) is written as %q, %v", text, again, errAgain)
		}
	})
}

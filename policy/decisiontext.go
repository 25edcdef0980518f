package policy

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A decision is written as four words: its state, its deadline in milliseconds
// since 1970, its rule, and its source. An absent deadline or rule is "-".
const absent = "-"

// ErrUnknownRule is wrapped by the error for a stored decision whose rule is not
// in the catalogue that was asked.
var ErrUnknownRule = errors.New("no such rule")

// AppendText appends d to b in a form that [ParseDecision] reads, such as
//
//	pending 1700003600000 mongo.date 0
//	never - mongo.field-missing 0
//
// The form is stable. It fails for what no evaluator decides: an unknown state, a
// deadline without a rule, or a rule whose identifier is not one word.
func (d Decision) AppendText(b []byte) ([]byte, error) {
	state, err := d.State.MarshalText()
	if err != nil {
		return b, err
	}
	if d.Rule == nil && d.State != Never || d.Rule != nil && !isWord(d.Rule.ID) {
		return b, fmt.Errorf("policy: no decision is %s by the rule %q", d.State, d.Rule)
	}
	deadline, rule := absent, absent
	if d.State != Never {
		deadline = strconv.FormatInt(int64(d.deadline), 10)
	}
	if d.Rule != nil {
		rule = d.Rule.ID
	}
	return fmt.Appendf(b, "%s %s %s %d", state, deadline, rule, d.Source), nil
}

// MarshalText returns what [Decision.AppendText] appends.
func (d Decision) MarshalText() ([]byte, error) { return d.AppendText(nil) }

// isWord reports whether an identifier is one word of the form.
func isWord(id string) bool {
	return id != "" && id != absent && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' })
}

// ParseDecision reads a decision that [Decision.AppendText] has written, and
// nothing else. It looks up the rule in the engine's catalogue, such as by
// mongo.RuleByID. The State is that of the time of writing; [Decision.At] returns the
// present one.
//
// The error wraps [ErrUnknownRule] if another version of the library decided by a
// rule that this one does not have; decide again then. With any error the Decision
// is the zero one, which keeps the document.
func ParseDecision(text []byte, ruleByID func(id string) (*Rule, bool)) (Decision, error) {
	words := bytes.Split(text, []byte(" "))
	if len(words) != 4 {
		return Decision{}, fmt.Errorf("policy: no decision %q, want a state, a deadline, a rule and a source", text)
	}
	d, err := parseDecision(string(words[0]), string(words[1]), string(words[2]), string(words[3]), ruleByID)
	if err != nil {
		return Decision{}, fmt.Errorf("policy: the decision %q: %w", text, err)
	}
	// Each decision is written in one way, and any other text is refused.
	if again, err := d.MarshalText(); err != nil || !bytes.Equal(again, text) {
		return Decision{}, fmt.Errorf("policy: no decision %q", text)
	}
	return d, nil
}

func parseDecision(state, deadline, rule, source string, ruleByID func(id string) (*Rule, bool)) (d Decision, err error) {
	if err := d.State.UnmarshalText([]byte(state)); err != nil {
		return d, err
	}
	if d.State != Never {
		n, err := strconv.ParseInt(deadline, 10, 64)
		if err != nil {
			return d, err
		}
		d.deadline = Instant(n)
	}
	if rule != absent {
		r, ok := ruleByID(rule)
		if !ok {
			return d, fmt.Errorf("%w: %q", ErrUnknownRule, rule)
		}
		d.Rule = r
	}
	n, err := strconv.ParseUint(source, 10, 8)
	d.Source = uint8(n)
	return d, err
}

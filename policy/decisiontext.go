package policy

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A decision is written as four words: its state, its deadline in milliseconds
// since 1970, its rule, and its source. A word that has nothing to say is "-".
const nothing = "-"

// ErrUnknownRule is wrapped by the error for a stored decision whose rule is not
// in the catalogue that was asked.
var ErrUnknownRule = errors.New("no such rule")

// AppendText appends d to b in a form that [ParseDecision] reads, such as
//
//	pending 1700003600000 mongo.date 0
//	never - mongo.field-missing 0
//
// The form is stable. It fails for what no evaluator decides: a state that is none, a deadline without
// a rule, or a rule whose identifier is no word.
func (d Decision) AppendText(b []byte) ([]byte, error) {
	state, err := d.State.MarshalText()
	if err != nil {
		return b, err
	}
	if d.Rule == nil && d.State != Never || d.Rule != nil && !isWord(d.Rule.ID) {
		return b, fmt.Errorf("policy: no decision is %s by the rule %q", d.State, d.Rule)
	}
	deadline, rule := nothing, nothing
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

// isWord reports whether an identifier can be told from its neighbours.
func isWord(id string) bool {
	return id != "" && id != nothing && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' })
}

// ParseDecision reads a decision that [Decision.AppendText] has written, and
// nothing else. It looks its rule up in the engine's catalogue, such as
// mongo.RuleByID. The decision stands as it stood then: ask [Decision.At] how it
// stands now.
//
// The error wraps [ErrUnknownRule] if another version of the library decided by a
// rule that this one does not have. Decide anew then. Beside any error stands the
// zero Decision, which keeps the document.
func ParseDecision(text []byte, ruleByID func(id string) (*Rule, bool)) (Decision, error) {
	words := bytes.Split(text, []byte(" "))
	if len(words) != 4 {
		return Decision{}, fmt.Errorf("policy: no decision %q, want a state, a deadline, a rule and a source", text)
	}
	d, err := parseDecision(string(words[0]), string(words[1]), string(words[2]), string(words[3]), ruleByID)
	if err != nil {
		return Decision{}, fmt.Errorf("policy: the decision %q: %w", text, err)
	}
	// There is one way to write each decision, and so no other is one.
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
	if rule != nothing {
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

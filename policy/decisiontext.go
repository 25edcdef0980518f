package policy

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A decision is written as three words: its state, its deadline in milliseconds since
// 1970, and its rule. The name of its source follows in quotes. Each of these that is
// absent is written as "-".
const absent = "-"

// ErrUnknownRule is wrapped by the error for a stored decision whose rule is not in the
// catalogue.
var ErrUnknownRule = errors.New("no such rule")

// ErrUnknownSource is wrapped by the error for a stored decision whose source is not
// among the named sources, for example because the index was dropped.
var ErrUnknownSource = errors.New("no such source")

// AppendText appends d to b in a form that [ParseDecision] reads, such as
//
//	pending 1700003600000 mongo.date "createdAt_1"
//	never - cosmos.off -
//
// sources are the names of the evaluator's TTL sources, as mongo.Collection.Sources
// returns them, or nil for an evaluator without named sources, such as a container. The
// text holds the name rather than the position, because positions change when an index is
// dropped.
//
// The form is stable. AppendText fails for a decision that no evaluator makes: a decision
// with an unknown state, a deadline without a rule, a rule whose identifier is not a
// single word, or a source that is not among sources.
func (d Decision) AppendText(b []byte, sources []string) ([]byte, error) {
	state, err := d.State.MarshalText()
	if err != nil {
		return b, err
	}
	if d.Rule == nil && d.State != Never || d.Rule != nil && !isWord(d.Rule.ID) {
		return b, fmt.Errorf("policy: no evaluator decides %s by the rule %q", d.State, d.Rule)
	}
	deadline, rule, source := absent, absent, absent
	if d.State != Never {
		deadline = strconv.FormatInt(int64(d.deadline), 10)
	}
	if d.Rule != nil {
		rule = d.Rule.ID
	}
	switch n := int(d.Source); {
	case n < len(sources):
		source = strconv.Quote(sources[n])
	case n > 0 || len(sources) > 0:
		return b, fmt.Errorf("policy: the decision is by source %d, but only %d sources are named", n, len(sources))
	}
	return fmt.Appendf(b, "%s %s %s %s", state, deadline, rule, source), nil
}

// isWord reports whether an identifier is a single word in the text form.
func isWord(id string) bool {
	return id != "" && id != absent && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' })
}

// ParseDecision reads a decision that [Decision.AppendText] has written, and refuses
// other text. The function ruleByID finds a rule in the engine's catalogue, as
// mongo.RuleByID does. The source is the first of the evaluator's sources with the stored
// name. The State is the state at the time of writing; [Decision.At] returns the present
// one.
//
// The error wraps [ErrUnknownRule] if another version of the library decided by a rule
// that this version does not have, and [ErrUnknownSource] if the evaluator has no source
// with the name; in both cases decide again. With an error it returns the zero Decision,
// which keeps the document.
func ParseDecision(text []byte, ruleByID func(id string) (*Rule, bool), sources []string) (Decision, error) {
	words := strings.SplitN(string(text), " ", 4)
	if len(words) != 4 {
		return Decision{}, fmt.Errorf("policy: the decision %q: want a state, a deadline, a rule and a source", text)
	}
	d, err := parseDecision(words[0], words[1], words[2], ruleByID)
	if err == nil {
		d.Source, err = parseSource(words[3], sources)
	}
	var again []byte
	if err == nil {
		again, err = d.AppendText(nil, sources)
	}
	if err == nil && !bytes.Equal(again, text) {
		err = fmt.Errorf("it is written as %q", again)
	}
	if err != nil {
		return Decision{}, fmt.Errorf("policy: the decision %q: %w", text, err)
	}
	return d, nil
}

func parseDecision(state, deadline, rule string, ruleByID func(id string) (*Rule, bool)) (d Decision, err error) {
	if err := d.State.UnmarshalText([]byte(state)); err != nil {
		return d, err
	}
	if d.State != Never {
		n, err := strconv.ParseInt(deadline, 10, 64)
		if err != nil {
			return d, fmt.Errorf("the deadline %q is not a number of milliseconds in 64 bits", deadline)
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
	return d, nil
}

// parseSource returns the position of the source with the quoted name.
func parseSource(text string, sources []string) (uint8, error) {
	if text == absent && len(sources) == 0 {
		return 0, nil
	}
	if text == absent {
		return 0, fmt.Errorf("%w: the decision names no source", ErrUnknownSource)
	}
	name, err := strconv.Unquote(text)
	if err != nil {
		return 0, fmt.Errorf("the source %q is not a name in quotes", text)
	}
	n := slices.Index(sources, name)
	if n < 0 || n > math.MaxUint8 {
		return 0, fmt.Errorf("%w: %q", ErrUnknownSource, name)
	}
	return uint8(n), nil
}

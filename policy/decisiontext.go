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

// A decision is written as three words, its state, its deadline in milliseconds since 1970
// and its rule, and then the name of its source between quotes. An absent word is "-".
const absent = "-"

// ErrUnknownRule is wrapped by the error for a stored decision whose rule is not
// in the catalogue that was asked.
var ErrUnknownRule = errors.New("no such rule")

// ErrUnknownSource is wrapped by the error for a stored decision whose source, such as an
// index, is not among those that were named: it was dropped, say.
var ErrUnknownSource = errors.New("no such source")

// AppendText appends d to b in a form that [ParseDecision] reads, such as
//
//	pending 1700003600000 mongo.date "createdAt_1"
//	never - cosmos.off -
//
// sources are the names of the evaluator's TTL sources, such as mongo.Collection.Sources
// returns them: the name is kept and not the position, which is another after an index is
// dropped. They are nil for an evaluator without names, such as a container.
//
// The form is stable. It fails for what no evaluator decides: an unknown state, a
// deadline without a rule, a rule whose identifier is not one word, or a source that is not
// among the sources.
func (d Decision) AppendText(b []byte, sources []string) ([]byte, error) {
	state, err := d.State.MarshalText()
	if err != nil {
		return b, err
	}
	if d.Rule == nil && d.State != Never || d.Rule != nil && !isWord(d.Rule.ID) {
		return b, fmt.Errorf("policy: no decision is %s by the rule %q", d.State, d.Rule)
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
		return b, fmt.Errorf("policy: the decision is of the source %d, and %d are named", n, len(sources))
	}
	return fmt.Appendf(b, "%s %s %s %s", state, deadline, rule, source), nil
}

// isWord reports whether an identifier is one word of the form.
func isWord(id string) bool {
	return id != "" && id != absent && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' })
}

// ParseDecision reads a decision that [Decision.AppendText] has written, and
// nothing else. It looks up the rule in the engine's catalogue, such as by
// mongo.RuleByID, and the source by its name among the evaluator's sources; of several with
// one name it is the first. The State is that of the time of writing; [Decision.At] returns
// the present one.
//
// The error wraps [ErrUnknownRule] if another version of the library decided by a
// rule that this one does not have, and [ErrUnknownSource] if the evaluator has no source of
// the name; decide again then. With any error the Decision is the zero one, which keeps the
// document.
func ParseDecision(text []byte, ruleByID func(id string) (*Rule, bool), sources []string) (Decision, error) {
	words := strings.SplitN(string(text), " ", 4)
	if len(words) != 4 {
		return Decision{}, fmt.Errorf("policy: no decision %q, want a state, a deadline, a rule and a source", text)
	}
	d, err := parseDecision(words[0], words[1], words[2], ruleByID)
	if err == nil {
		d.Source, err = parseSource(words[3], sources)
	}
	if err != nil {
		return Decision{}, fmt.Errorf("policy: the decision %q: %w", text, err)
	}
	// Each decision is written in one way, and any other text is refused.
	if again, err := d.AppendText(nil, sources); err != nil || !bytes.Equal(again, text) {
		return Decision{}, fmt.Errorf("policy: no decision %q", text)
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
	return d, nil
}

// parseSource returns the position of a source that is written by its name.
func parseSource(text string, sources []string) (uint8, error) {
	if text == absent && len(sources) == 0 {
		return 0, nil
	}
	if text == absent {
		return 0, fmt.Errorf("%w: it names none", ErrUnknownSource)
	}
	name, err := strconv.Unquote(text)
	if err != nil {
		return 0, fmt.Errorf("the source %s: %w", text, err)
	}
	n := slices.Index(sources, name)
	if n < 0 || n > math.MaxUint8 {
		return 0, fmt.Errorf("%w: %q", ErrUnknownSource, name)
	}
	return uint8(n), nil
}

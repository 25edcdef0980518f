package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
)

// ErrUnknownRule is wrapped by the error for a stored decision whose rule no engine of this
// program has.
var ErrUnknownRule = errors.New("no such rule")

// rulesByID holds the rules of the engines in this program, each by its identifier. The
// engines add theirs when the program starts.
var rulesByID = map[string]Rule{}

// AddRules makes rules known to [Decision.UnmarshalJSON].
func (functions) AddRules(byID map[string]Rule) {
	for id, r := range byID {
		rulesByID[id] = r
	}
}

// storedDecision is a Decision in JSON.
type storedDecision struct {
	State    *State   `json:"state"`
	Deadline *Instant `json:"deadline,omitempty"`
	Rule     string   `json:"rule,omitempty"`
	Source   uint8    `json:"source,omitempty"`
}

// MarshalJSON returns the state, the deadline in milliseconds since 1970, the identifier of
// the rule, and the source unless it is 0:
//
//	{"state":"expired","deadline":1700003600000,"rule":"mongo.date"}
//	{"state":"never","rule":"cosmos.off"}
//
// It fails for a State that is not one.
func (d Decision) MarshalJSON() ([]byte, error) {
	s := storedDecision{State: &d.State, Rule: d.Rule.String(), Source: d.Source}
	if deadline, ok := d.Deadline(); ok {
		s.Deadline = &deadline
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what [Decision.MarshalJSON] writes. The State is the state at the time of
// writing; [Decision.At] returns the present one. It fails for a rule that no engine of this
// program has, which may be one of another version of the library: decide again then. It also
// fails for a state with a deadline that it cannot have. The source is a position among the
// sources of the evaluator that decided: store its Fingerprint beside the decision, and decide
// again if that of the present evaluator differs.
func (d *Decision) UnmarshalJSON(text []byte) error {
	var s storedDecision
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	r := rulesByID[s.Rule]
	switch {
	case s.State == nil:
		return fmt.Errorf("policy: the decision %q has no state", text)
	case r.IsZero() && s.Rule != "":
		return fmt.Errorf("policy: the decision %q: %w: %q", text, ErrUnknownRule, s.Rule)
	case (*s.State == Never) != (s.Deadline == nil), r.IsZero() && *s.State != Never:
		return fmt.Errorf("policy: the decision %q: want a deadline and a rule exactly if it expires", text)
	}
	*d = Decision{Rule: r, State: *s.State, Source: s.Source}
	if s.Deadline != nil {
		d.deadline = *s.Deadline
	}
	return nil
}

// LogValue returns the state, the deadline as text, the identifier of the rule, and the source
// unless it is 0, for log/slog.
func (d Decision) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("state", d.State.String())}
	if deadline, ok := d.Deadline(); ok {
		attrs = append(attrs, slog.String("deadline", deadline.String()))
	}
	if !d.Rule.IsZero() {
		attrs = append(attrs, slog.String("rule", d.Rule.ID()))
	}
	if d.Source != 0 {
		attrs = append(attrs, slog.String("source", strconv.Itoa(int(d.Source))))
	}
	return slog.GroupValue(attrs...)
}

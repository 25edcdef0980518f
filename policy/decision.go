package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
)

// A State says whether a document is expired at an instant. The zero State is [Never],
// which keeps the document.
type State uint8

// The states.
const (
	Never   State = iota // no rule gives the document a deadline
	Pending              // the deadline lies ahead
	Expired              // the deadline is reached: the document may be removed
)

var stateNames = []string{Never: "never", Pending: "pending", Expired: "expired"}

// String returns "never", "pending" or "expired".
func (s State) String() string { return enum.String(s, stateNames) }

// MarshalText returns s's name. It fails for a number that is not a State.
func (s State) MarshalText() ([]byte, error) { return enum.MarshalText(s, stateNames) }

// UnmarshalText accepts the three state names. Anything else is an error,
// never a default.
func (s *State) UnmarshalText(text []byte) error { return enum.UnmarshalText(s, stateNames, text) }

// A Decision says whether and when a document expires, and by which rule. Decisions are
// values: they compare with == and hold no reference to the document. The zero Decision
// keeps the document.
type Decision struct {
	deadline Instant // 0 if State is Never
	// Rule is the rule that set the deadline, or that keeps the document. It is an
	// entry of a static catalogue, and zero only in the zero Decision.
	Rule Rule
	// State is the state at the instant about which the evaluator decided.
	State State
	// Source is the position of the TTL source that decided, such as an index, among the
	// sources of the evaluator. It is 0 if there is only one source.
	Source uint8
}

// DecisionOf returns the decision with this state, deadline and rule. Evaluators call it.
// It ignores the deadline if state is [Never]. An evaluator may leave the state to
// [Decision.At]: DecisionOf(Pending, deadline, r).At(now).
func DecisionOf(state State, deadline Instant, r Rule) Decision {
	if state == Never {
		deadline = 0
	}
	return Decision{deadline: deadline, Rule: r, State: state}
}

// Deadline returns the first instant at which the document is expired, and whether there
// is one: false if State is [Never]. With false it returns [MaxInstant], so that
// documents that never expire sort last, and a comparison with the clock deletes none of
// them.
func (d Decision) Deadline() (Instant, bool) {
	if d.State == Never {
		return MaxInstant, false
	}
	return d.deadline, true
}

// String describes d for readers: "expired at 2026-11-20T12:00:00.000Z by mongo.date",
// "never by mongo.field-missing". Its form may change.
func (d Decision) String() string {
	text := d.State.String()
	if d.State != Never {
		text += " at " + d.deadline.String()
	}
	if !d.Rule.IsZero() {
		text += " by " + d.Rule.ID()
	}
	return text
}

// At returns d with the state at another instant. Only the comparison with the deadline
// depends on the time, so the document is not needed again; the package documentation
// names the one exception. At the deadline itself a document is expired.
func (d Decision) At(now Instant) Decision {
	if d.State != Never {
		d.State = stateAt(d.deadline, now)
	}
	return d
}

// stateAt returns Expired if the deadline is reached at now, and else Pending. It is
// written so that it compiles without a branch, because processors cannot predict which
// documents of a sweep have expired.
func stateAt(deadline, now Instant) State {
	due := State(0)
	if deadline <= now {
		due = Expired - Pending
	}
	return Pending + due
}

var errUnknownRule = errors.New("no such rule")

// rulesByID holds the rules of the engines in this program, each by its identifier. The
// engines add theirs when the program starts.
var rulesByID = map[string]Rule{}

// RuleByID returns the rule of an engine in this program with an identifier.
func (functions) RuleByID(id string) (Rule, bool) {
	r, ok := rulesByID[id]
	return r, ok
}

// AddRules makes rules known to [Decision.UnmarshalJSON].
func (functions) AddRules(rules iter.Seq[Rule]) {
	for r := range rules {
		rulesByID[r.ID()] = r
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
		return fmt.Errorf("policy: the decision %q: %w: %q", text, errUnknownRule, s.Rule)
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

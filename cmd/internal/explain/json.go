package explain

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// JSON returns e as it is encoded for programs: the fields are stable.
func (e Explanation) JSON() any {
	j := explanationJSON{
		State: e.Decision.State, Deadline: deadlineOf(e.Decision), Rule: e.Decision.Rule.String(),
		Now: timeOf(e.Now), Sources: []sourceJSON{}, Dates: []timeJSON{}, Ladder: []rungJSON{},
		System: e.Policy.System, Release: e.Policy.Release, Policy: e.Policy.Description, Source: e.Source.Name,
		Notes: append([]string{}, e.Policy.Notes...),
	}
	for _, one := range e.Each {
		d := one.Decision
		j.Sources = append(j.Sources, sourceJSON{one.Source.Name, one.Source.About, d.State, deadlineOf(d), d.Rule.String()})
	}
	for _, at := range e.Dates {
		j.Dates = append(j.Dates, timeOf(at))
	}
	for _, r := range e.Ladder {
		j.Ladder = append(j.Ladder, rungJSON{rulebook.RuleJSONOf(r), e.Applies(r)})
	}
	return j
}

type explanationJSON struct {
	State    policy.State `json:"state"`
	Deadline *timeJSON    `json:"deadline"` // null for never
	Rule     string       `json:"rule"`     // the last of Ladder
	Now      timeJSON     `json:"now"`
	System   string       `json:"system"`
	Release  string       `json:"release,omitempty"`
	Policy   string       `json:"policy"`
	Notes    []string     `json:"notes"`            // how it was read, and what in it does nothing
	Source   string       `json:"source,omitempty"` // the index or setting that decided
	Sources  []sourceJSON `json:"sources"`          // what each says by itself
	Dates    []timeJSON   `json:"dates"`            // what the document holds where Source looks
	Ladder   []rungJSON   `json:"ladder"`
}

// rungJSON is a rule that was consulted.
type rungJSON struct {
	rulebook.RuleJSON
	Applies bool `json:"applies"` // it decided, or shaped what was decided
}

type sourceJSON struct {
	Name     string       `json:"name"`
	About    string       `json:"about"`
	State    policy.State `json:"state"`
	Deadline *timeJSON    `json:"deadline"`
	Rule     string       `json:"rule"`
}

// deadlineOf returns the deadline of d, nil for never.
func deadlineOf(d policy.Decision) *timeJSON {
	if d.State == policy.Never {
		return nil
	}
	t := timeOf(d.Deadline())
	return &t
}

// timeJSON is an instant for people and for programs; years beyond 9999 have
// no text but the milliseconds.
type timeJSON struct {
	Time   string `json:"time"`
	Millis int64  `json:"ms"`
}

func timeOf(i policy.Instant) timeJSON { return timeJSON{i.String(), int64(i)} }

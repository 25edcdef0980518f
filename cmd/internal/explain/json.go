package explain

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// JSON returns e as it is encoded for programs: the fields are stable.
func (e Explanation) JSON() any {
	j := explanationJSON{
		State: e.Decision.State, Now: timeOf(e.Now), Dates: []timeJSON{}, Ladder: []rules.JSON{},
		System: e.Policy.System, Release: e.Policy.Release, Policy: e.Policy.Description, Source: e.Source.Name,
	}
	if e.Decision.State != policy.Never {
		deadline := timeOf(e.Decision.Deadline)
		j.Deadline = &deadline
	}
	if e.Decision.Rule != nil {
		j.Rule = e.Decision.Rule.ID
	}
	for _, at := range e.Dates {
		j.Dates = append(j.Dates, timeOf(at))
	}
	for _, r := range e.Ladder {
		j.Ladder = append(j.Ladder, rules.JSONOf(r))
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
	Source   string       `json:"source,omitempty"` // the index or setting that decided
	Dates    []timeJSON   `json:"dates"`            // what the document holds where Source looks
	Ladder   []rules.JSON `json:"ladder"`
}

// timeJSON is an instant for people and for programs; years beyond 9999 have
// no text but the milliseconds.
type timeJSON struct {
	Time   string `json:"time"`
	Millis int64  `json:"ms"`
}

func timeOf(i policy.Instant) timeJSON { return timeJSON{i.String(), int64(i)} }

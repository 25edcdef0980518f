package plan

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// A planJSON is the JSON form of a Plan, described in docs/plan.md.
type planJSON struct {
	Create      int          `json:"create"`
	Change      int          `json:"change"`
	Drop        int          `json:"drop"`
	Complete    bool         `json:"complete"`
	Reason      string       `json:"reason,omitempty"`
	Now         cli.Time     `json:"now"`
	Collections []changeJSON `json:"collections"`
	Outside     []string     `json:"outside"`
	Unruled     int          `json:"unruled"`
	Missing     []string     `json:"missing"`
	Idle        []string     `json:"idle"`
}

type changeJSON struct {
	Namespace string        `json:"namespace"`
	File      string        `json:"file"`
	New       bool          `json:"new"`
	Rule      string        `json:"rule"`
	Judged    string        `json:"judged"`
	Assumed   bool          `json:"assumed,omitempty"` // the release is an assumption, because nothing names it
	Items     []change.Item `json:"items"`
	Documents *effectJSON   `json:"documents"`
	Error     string        `json:"error,omitempty"`
}

type effectJSON struct {
	forecast.Sum
	Unknown forecast.Sum `json:"unknown"` // see [forecast.Effect]
	Bad     int64        `json:"bad"`
	Changes []change.Row `json:"changes"`
}

// JSON returns p as a value that encodes to its JSON form.
func (p *Plan) JSON() any {
	j := planJSON{
		Create: p.Count(change.ToCreate), Change: p.Count(change.ToChange), Drop: p.Count(change.ToDrop), Complete: true,
		Now: cli.TimeOf(p.Now), Collections: []changeJSON{}, Outside: append([]string{}, p.Outside...),
		Unruled: p.Unruled, Missing: []string{}, Idle: append([]string{}, p.Idle...),
	}
	if err := p.Lack(); err != nil {
		j.Complete, j.Reason = false, cli.ErrorLine(err)
	}
	for _, m := range p.Missing {
		j.Missing = append(j.Missing, m.Rule)
	}
	for i := range p.Changes {
		j.Collections = append(j.Collections, p.Changes[i].json())
	}
	return j
}

func (c *Change) json() changeJSON {
	j := changeJSON{Namespace: c.Namespace, File: c.File, New: c.New, Rule: c.Rule, Judged: c.System, Assumed: c.IsAssumed, Items: c.Listed()}
	if c.Err != nil {
		j.Error = cli.ErrorLine(c.Err)
	}
	if c.Documents != nil {
		j.Documents = &effectJSON{c.Documents.Total(), c.Effect.Unknown, c.Documents.Bad, change.RowsOf(c.Effect)}
	}
	return j
}

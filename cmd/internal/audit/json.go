package audit

import (
	"path/filepath"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
)

// The JSON form; docs/audit-json.md describes it.
type reportJSON struct {
	Findings map[Severity]int `json:"findings"`
	Complete bool             `json:"complete"`
	Bad      int64            `json:"bad"`
	Now      cli.Time         `json:"now"`
	Audited  []resultJSON     `json:"audited"`
}

type resultJSON struct {
	File      string        `json:"file"`
	Kind      string        `json:"kind"`
	Database  *string       `json:"database"`
	Name      *string       `json:"name"`
	Judged    string        `json:"judged"`
	Sources   int           `json:"sources"`
	Files     []string      `json:"files"`
	Documents int64         `json:"documents"`
	Bytes     int64         `json:"bytes"`
	Bad       int64         `json:"bad"`
	Notes     []string      `json:"notes"`
	Findings  []findingJSON `json:"findings"`
}

type findingJSON struct {
	Severity  Severity      `json:"severity"`
	Rule      string        `json:"rule"`
	Index     *string       `json:"index"`
	Text      string        `json:"text"`
	Advice    string        `json:"advice,omitempty"`
	Repairs   []repairJSON  `json:"repairs"`
	Documents int64         `json:"documents"`
	Samples   []dump.Sample `json:"samples"`
}

type repairJSON struct {
	Purpose  string   `json:"purpose"`
	Commands []string `json:"commands"`
}

// JSON returns r as it is encoded for programs.
func (r Report) JSON() any {
	out := reportJSON{
		Findings: map[Severity]int{}, Complete: r.Bad() == 0, Bad: r.Bad(),
		Now: cli.TimeOf(r.Now), Audited: []resultJSON{},
	}
	for s, n := range r.Count() {
		out.Findings[Severity(s)] = n
	}
	for i := range r.Results {
		out.Audited = append(out.Audited, r.Results[i].json())
	}
	return out
}

func (r *Result) json() resultJSON {
	j := resultJSON{
		File: filepath.ToSlash(r.Target.File), Kind: "collection", Database: known(r.Target.Database), Name: known(r.Target.Name),
		Judged: r.Judged, Sources: r.Sources, Files: []string{}, Documents: r.Documents, Bytes: r.Bytes, Bad: r.Bad,
		Notes: append([]string{}, r.Notes...), Findings: []findingJSON{},
	}
	if r.Target.Container() {
		j.Kind = "container"
	}
	for _, f := range r.Target.Documents {
		j.Files = append(j.Files, filepath.ToSlash(f.Name()))
	}
	for i := range r.Findings {
		j.Findings = append(j.Findings, r.Findings[i].json())
	}
	return j
}

// known returns s, nil if it is empty.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (f *Finding) json() findingJSON {
	j := findingJSON{
		Severity: f.Severity, Rule: f.Rule.String(), Index: known(f.Index), Text: f.Text, Advice: f.Advice,
		Repairs: []repairJSON{}, Documents: f.Documents, Samples: append([]dump.Sample{}, f.Samples...),
	}
	for _, r := range f.Repairs {
		j.Repairs = append(j.Repairs, repairJSON(r))
	}
	return j
}

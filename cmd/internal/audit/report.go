package audit

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Report is what an audit of all targets found.
type Report struct {
	Now     policy.Instant
	Results []Result
}

// Count returns how many findings there are of each severity.
func (r Report) Count() (n [Deletes + 1]int) {
	for _, one := range r.Results {
		for _, f := range one.Findings {
			n[f.Severity]++
		}
	}
	return n
}

// Wrong returns how many findings are not [Harmless].
func (r Report) Wrong() int {
	n := r.Count()
	return n[Keeps] + n[Unspecified] + n[Deletes]
}

// Bad returns how many documents could not be read and were skipped.
func (r Report) Bad() (n int64) {
	for _, one := range r.Results {
		n += one.Bad
	}
	return n
}

// Summary says in one line what was found.
func (r Report) Summary() string {
	var parts []string
	count := r.Count()
	for s := int(Deletes); s >= 0; s-- {
		switch n := count[s]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+severities[s].phrase)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, severities[s].several))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return "found: " + strings.Join(parts, ", ")
}

// scope says what was looked at: "2 TTL indexes, 2,000 documents".
func (r *Result) scope() string {
	what := "no time to live"
	switch {
	case r.Target.Container() && r.Sources > 0:
		what = "time to live on"
	case r.Target.Container():
		what = "time to live off"
	case r.Sources == 1:
		what = "1 TTL index or option"
	case r.Sources > 1:
		what = cli.Number(int64(r.Sources)) + " TTL indexes and options"
	}
	if len(r.Target.Documents) == 0 {
		return what + ", no documents looked into"
	}
	return what + ", " + cli.Documents(r.Documents)
}

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
	Repairs   []Repair      `json:"repairs"`
	Documents int64         `json:"documents"`
	Samples   []dump.Sample `json:"samples"`
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
		Judged: r.System, Sources: r.Sources, Files: []string{}, Documents: r.Documents, Bytes: r.Bytes, Bad: r.Bad,
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
		Repairs: append([]Repair{}, f.Repairs...), Documents: f.Documents, Samples: append([]dump.Sample{}, f.Samples...),
	}
	return j
}

package audit

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Report holds the results of an audit of all targets.
type Report struct {
	Now     policy.Instant
	Results []Result
	// All makes the text describe every finding. Otherwise it describes those that may delete,
	// and those of ten further collections and containers.
	All bool
	// Candidates reports whether the audit looked for collections that may need a
	// time to live.
	Candidates bool
}

// Count returns the number of findings that count, by severity.
func (r Report) Count() (n [Deletes + 1]int) {
	for i := range r.Results {
		for _, f := range r.Results[i].shown() {
			n[f.Severity]++
		}
	}
	return n
}

// Known returns the number of findings that do not count.
func (r Report) Known() (n int) {
	for i := range r.Results {
		n += len(r.Results[i].Findings) - len(r.Results[i].shown())
	}
	return n
}

// AtLeast returns the number of findings that count and have this severity or a more
// severe one.
func (r Report) AtLeast(s Severity) (n int) {
	count := r.Count()
	for _, one := range count[s:] {
		n += one
	}
	return n
}

// Failed returns the number of targets that could not be read to their end, and the error
// about the first of them.
func (r Report) Failed() (n int, first error) {
	for _, one := range r.Results {
		if one.Failed == nil {
			continue
		}
		if n++; n == 1 {
			first = one.Failed
		}
	}
	return n, first
}

// Bad returns the number of documents that could not be read and were skipped.
func (r Report) Bad() (n int64) {
	for _, one := range r.Results {
		n += one.Bad
	}
	return n
}

// Summary returns one line about what the audit found.
func (r Report) Summary() string {
	var parts []string
	count := r.Count()
	for s := int(Deletes); s >= 0; s-- {
		switch n := count[s]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+severityPhrases[s].one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, severityPhrases[s].several))
		}
	}
	text := "nothing found"
	if len(parts) > 0 {
		text = "found: " + strings.Join(parts, ", ")
	}
	if n := r.Known(); n > 0 {
		text += fmt.Sprintf("; %s not counted (ignored, or in the baseline)", cli.Number(int64(n)))
	}
	return text
}

// scope returns what was audited, such as "2 TTL indexes, 2,000 documents".
func (r *Result) scope() string {
	what := "no time to live"
	if n := len(r.Target.Unread); n > 0 {
		return cli.Count(int64(n), "place", "places")
	}
	if r.Target.Silent > 0 {
		return "no time to live is mentioned"
	}
	switch {
	case r.Target.IsContainer() && r.Sources > 0:
		what = "time to live on"
	case r.Target.IsContainer():
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

// A reportJSON is the JSON form of a Report, described in docs/audit-json.md.
type reportJSON struct {
	Findings map[Severity]int `json:"findings"`
	Known    int              `json:"known"`
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
	Assumed   bool          `json:"assumed,omitempty"` // the release is an assumption, because nothing names it
	Sources   int           `json:"sources"`
	Files     []string      `json:"files"`
	Documents int64         `json:"documents"`
	Bytes     int64         `json:"bytes"`
	Bad       int64         `json:"bad"`
	Notes     []string      `json:"notes"`
	Error     string        `json:"error,omitempty"`
	Lacks     string        `json:"lacks,omitempty"`
	Findings  []findingJSON `json:"findings"`
}

type findingJSON struct {
	Severity  Severity      `json:"severity"`
	Rule      string        `json:"rule"`
	Index     *string       `json:"index"`
	Line      int           `json:"line,omitempty"`
	MovingTo  []string      `json:"movingTo,omitempty"`
	Text      string        `json:"text"`
	Advice    string        `json:"advice,omitempty"`
	Repairs   []Repair      `json:"repairs"`
	Documents int64         `json:"documents"`
	Samples   []dump.Sample `json:"samples"`
	Fields    []DatedField  `json:"fields,omitempty"`
	Known     Known         `json:"known,omitempty"`
}

// JSON returns r as a value that encodes to its JSON form.
func (r Report) JSON() any {
	failed, _ := r.Failed()
	out := reportJSON{
		Findings: map[Severity]int{}, Known: r.Known(), Complete: r.Bad() == 0 && failed == 0, Bad: r.Bad(),
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
		Judged: r.System, Assumed: r.IsAssumed, Sources: r.Sources, Files: []string{}, Documents: r.Documents, Bytes: r.Bytes, Bad: r.Bad,
		Notes: append([]string{}, r.Notes...), Findings: []findingJSON{}, Lacks: lacks[r.lack],
	}
	if r.Target.IsContainer() {
		j.Kind = "container"
	}
	switch {
	case len(r.Target.Unread) > 0:
		j.Kind = "unread"
	case r.Target.Silent > 0:
		j.Kind = "none"
	}
	if r.Failed != nil {
		j.Error = cli.ErrorLine(r.Failed)
	}
	for _, c := range r.Target.Documents {
		j.Files = append(j.Files, filepath.ToSlash(c.Place()))
	}
	for i := range r.Findings {
		j.Findings = append(j.Findings, r.Findings[i].json())
	}
	return j
}

// known returns a pointer to s; nil if s is empty.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (f *Finding) json() findingJSON {
	return findingJSON{
		Severity: f.Severity, Rule: f.Rule.String(), Index: known(f.Index), Line: f.Line, MovingTo: f.MovingTo(), Text: f.Text, Advice: f.Advice,
		Repairs: append([]Repair{}, f.Repairs...), Documents: f.Documents, Samples: append([]dump.Sample{}, f.Samples...), Fields: f.Fields, Known: f.Known,
	}
}

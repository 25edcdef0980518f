// Package explain writes why one document expires, or does not: the decision,
// the rule behind it with its sources, the ladder of rules on the way there,
// and a timeline.
package explain

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/timeline"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Explanation is what there is to say about one document at one instant, and
// how it is written.
type Explanation struct{ reasons.Explanation }

// Of explains what p says about doc at now.
func Of(p *reasons.Policy, doc policy.Document, now policy.Instant) Explanation {
	return Explanation{reasons.Of(p, doc, now)}
}

// Decided returns the number of the source that decided.
func (e Explanation) Decided() int { return int(e.Decision.Source) }

//go:embed page.html
var pageText string

var page = cli.NewPage(pageText, nil, "\n"+timeline.Style)

// SVG writes the timeline as a picture.
func (e Explanation) SVG(w io.Writer) error {
	return cli.WriteSVG(w, timeline.Of(e.Explanation).SVG(timeline.Options{}))
}

// HTML writes e as one page that needs nothing else: no script, no network.
func (e Explanation) HTML(w io.Writer) error {
	picture := timeline.Of(e.Explanation).SVG(timeline.Options{Width: 860})
	return page.Write(w, struct {
		Explanation
		Picture template.HTML // our own SVG, which escapes what it is given
	}{e, template.HTML(picture)})
}

// Web returns the address of a source, empty if it has none but a path in a
// repository.
func (Explanation) Web(address string) string {
	if strings.HasPrefix(address, "https://") {
		return address
	}
	return ""
}

// JSON returns e as it is encoded for programs: the fields are stable.
func (e Explanation) JSON() any {
	j := explanationJSON{
		State: e.Decision.State, Deadline: deadlineOf(e.Decision), Rule: e.Decision.Rule.String(),
		Now: cli.TimeOf(e.Now), Sources: []sourceJSON{}, Dates: []cli.Time{}, Ladder: []consultedJSON{},
		System: e.Policy.System, Release: e.Policy.Release, Policy: e.Policy.Description, Source: e.Source.Name,
		Notes: append([]string{}, e.Policy.Notes...),
	}
	for _, one := range e.Each {
		d := one.Decision
		j.Sources = append(j.Sources, sourceJSON{one.Source.Name, one.Source.About, d.State, deadlineOf(d), d.Rule.String()})
	}
	for _, at := range e.Dates {
		j.Dates = append(j.Dates, cli.TimeOf(at))
	}
	for _, r := range e.Ladder {
		j.Ladder = append(j.Ladder, consultedJSON{r, e.Applies(r)})
	}
	return j
}

type explanationJSON struct {
	State    policy.State    `json:"state"`
	Deadline *cli.Time       `json:"deadline"` // null for never
	Rule     string          `json:"rule"`     // the last of Ladder
	Now      cli.Time        `json:"now"`
	System   string          `json:"system"`
	Release  string          `json:"release,omitempty"`
	Policy   string          `json:"policy"`
	Notes    []string        `json:"notes"`            // how it was read, and what in it does nothing
	Source   string          `json:"source,omitempty"` // the index or setting that decided
	Sources  []sourceJSON    `json:"sources"`          // what each says by itself
	Dates    []cli.Time      `json:"dates"`            // what the document holds where Source looks
	Ladder   []consultedJSON `json:"ladder"`
}

// consultedJSON is a rule that was consulted.
type consultedJSON struct {
	*policy.Rule
	Applies bool `json:"applies"` // it decided, or shaped what was decided
}

type sourceJSON struct {
	Name     string       `json:"name"`
	About    string       `json:"about"`
	State    policy.State `json:"state"`
	Deadline *cli.Time    `json:"deadline"`
	Rule     string       `json:"rule"`
}

// deadlineOf returns the deadline of d, nil for never.
func deadlineOf(d policy.Decision) *cli.Time {
	if d.State == policy.Never {
		return nil
	}
	t := cli.TimeOf(d.Deadline())
	return &t
}

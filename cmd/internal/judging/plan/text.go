package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
)

// Summary returns a summary of the changes in one line.
func (p *Plan) Summary() string {
	wanted := len(p.Changes) - len(p.shown())
	if p.Differences() == 0 {
		text := "nothing to do: "
		if p.Lack() != nil {
			text = "incomplete: "
		}
		return text + cli.Count(int64(wanted), "collection is", "collections are") + " as wanted"
	}
	var parts []string
	for _, a := range []change.Action{change.ToCreate, change.ToChange, change.ToDrop} {
		if n := p.Count(a); n > 0 {
			parts = append(parts, fmt.Sprintf("%d to %s", n, a))
		}
	}
	text := fmt.Sprintf("%s, in %s", strings.Join(parts, ", "), cli.Count(int64(p.Differences()), "collection", "collections"))
	if wanted > 0 {
		text += fmt.Sprintf("; %s as wanted", cli.Count(int64(wanted), "is", "are"))
	}
	return text
}

func (p *Plan) shown() (list []*Change) {
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Differs() || c.Err != nil {
			list = append(list, c)
		}
	}
	return list
}

// Text writes p for people. Each command is on one line, so that it can be copied.
func (p *Plan) Text(out *cli.Printer) error {
	out.Width = max(out.Width, 40)
	out.Styled(p.Summary(), 0, out.Bold)
	for _, c := range p.shown() {
		out.Line("")
		c.text(out)
	}
	notes := p.notes()
	if len(notes) > 0 {
		out.Line("")
	}
	for _, note := range notes {
		out.Wrap(note, 0)
	}
	return out.Err()
}

// Script writes p as a file for mongosh. Commands for a later time or for another program
// are comments.
func (p *Plan) Script(out *cli.Printer) error {
	comment := func(format string, args ...any) { out.Line("// %s", fmt.Sprintf(format, args...)) }
	comment("TTL plan, judged at %s: %s. Read it, then run: mongosh ADDRESS FILE", p.Now, p.Summary())
	for _, c := range p.shown() {
		out.Line("")
		comment("%s", c.Namespace)
		for _, i := range c.Items {
			if i.Action != change.Nothing {
				comment("%s %s: stands: %s; wanted: %s", i.Action.Sign(), i.Name, cmp.Or(i.Before, "nothing"), cmp.Or(i.After, "nothing"))
			}
			if i.Refused != "" {
				comment("No command of this release makes this change: %s", i.Refused)
			}
		}
		steps := c.Steps()
		if rows := change.RowsOf(c.Effect); len(rows) > 0 && !slices.ContainsFunc(steps, func(s change.Step) bool { return s.At != nil }) {
			comment("of %s at once: %s more go, %s fewer", cli.Documents(c.Documents.Total().Documents), cli.Number(rows[0].More.Documents), cli.Number(rows[0].Less.Documents))
			if note := change.UnknownNote(c.Effect); note != "" {
				comment("%s", note)
			}
		}
		for _, s := range steps {
			for _, text := range s.Comments() {
				comment("%s", text)
			}
			if !strings.HasPrefix(s.Command, "db.") || s.At != nil && s.At.Millis > int64(p.Now) {
				comment("%s", s.Command)
			} else {
				out.Line("%s", s.Command)
			}
		}
		if c.Err != nil {
			comment("Not compared to its end: %s", cli.ErrorLine(c.Err))
		}
	}
	for _, note := range p.notes() {
		comment("%s", note)
	}
	return out.Err()
}

// notes returns notes on an assumed release, and on collections and rules that the plan
// does not cover.
func (p *Plan) notes() (notes []string) {
	if slices.ContainsFunc(p.shown(), func(c *Change) bool { return c.IsAssumed }) {
		notes = append(notes, reasons.AssumedNote)
	}
	if n := p.Unruled; n > 0 {
		notes = append(notes, fmt.Sprintf("No rule is about %s.", cli.Count(int64(n), "collection", "collections")))
	}
	if len(p.Outside) > 0 {
		notes = append(notes, "Without a rule, but with a time to live: "+cli.FirstOf(p.Outside, 8)+".")
	}
	for _, rule := range p.Idle {
		notes = append(notes, "No collection fits the rule "+rule+".")
	}
	for _, rule := range p.Missing {
		notes = append(notes, "The input holds no collection of the rule "+rule+". Check the name, or create the collection and plan again.")
	}
	return notes
}

func (c *Change) text(out *cli.Printer) {
	out.Line("%s  %s", out.Bold(c.Namespace), out.Dim(c.File))
	if c.Rule != "" {
		out.Wrap(strings.TrimPrefix(c.System+", rule "+c.Rule, ", "), 2)
	}
	for i := range c.Items {
		if c.Items[i].Action != change.Nothing {
			c.Items[i].Show(out)
		}
	}
	if c.Documents == nil {
		out.Line("  %s", out.Dim("no documents were read"))
	} else {
		change.WriteEffect(out, c.Documents.Total().Documents, c.Effect)
	}
	change.WriteSteps(out, c.Steps())
	if c.Err != nil {
		out.Styled("Not compared to its end: "+cli.ErrorLine(c.Err), 2, out.Expired)
	}
}

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
		Unruled: p.Unruled, Missing: append([]string{}, p.Missing...), Idle: append([]string{}, p.Idle...),
	}
	if err := p.Lack(); err != nil {
		j.Complete, j.Reason = false, cli.ErrorLine(err)
	}
	for i := range p.Changes {
		j.Collections = append(j.Collections, p.Changes[i].json())
	}
	return j
}

func (c *Change) json() changeJSON {
	j := changeJSON{Namespace: c.Namespace, File: c.File, Rule: c.Rule, Judged: c.System, Assumed: c.IsAssumed, Items: c.Listed()}
	if c.Err != nil {
		j.Error = cli.ErrorLine(c.Err)
	}
	if c.Documents != nil {
		j.Documents = &effectJSON{c.Documents.Total(), c.Effect.Unknown, c.Documents.Bad, change.RowsOf(c.Effect)}
	}
	return j
}

package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// Summary summarises the changes in one line.
func (p *Plan) Summary() string {
	wanted := p.asWanted()
	if p.Differences() == 0 {
		text := "nothing to do: "
		if p.Lack() != nil {
			text = "incomplete: "
		}
		return text + cli.Count(int64(wanted), "collection is", "collections are") + " as wanted"
	}
	var parts []string
	for _, a := range []Action{ToCreate, ToChange, ToDrop} {
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

// asWanted returns the number of compared collections that need no change.
func (p *Plan) asWanted() (n int) {
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Err == nil && !c.Differs() {
			n++
		}
	}
	return n
}

// Text writes p for people. Commands stand in one line, to be copied.
func (p *Plan) Text(out *cli.Printer) error {
	out.Width = max(out.Width, 40)
	out.Styled(p.Summary(), 0, out.Bold)
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Differs() || c.Err != nil {
			out.Line("")
			c.text(out)
		}
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

// Script writes p as a file for mongosh. A command that is to run later, or by another program,
// is a comment.
func (p *Plan) Script(out *cli.Printer) error {
	comment := func(format string, args ...any) { out.Line("// %s", fmt.Sprintf(format, args...)) }
	comment("TTL plan, judged at %s: %s. Read it, then run: mongosh ADDRESS FILE", p.Now, p.Summary())
	for i := range p.Changes {
		c := &p.Changes[i]
		if !c.Differs() && c.Err == nil {
			continue
		}
		out.Line("")
		comment("%s", c.Namespace)
		for _, i := range c.Items {
			if i.Action != Nothing {
				comment("%s %s: stands: %s; wanted: %s", signs[i.Action], i.Name, cmp.Or(i.Before, "nothing"), cmp.Or(i.After, "nothing"))
			}
			if i.Refused != "" {
				comment("No command of this release does it: %s", i.Refused)
			}
		}
		steps := c.steps()
		if rows := c.rows(); len(rows) > 0 && !slices.ContainsFunc(steps, func(s Step) bool { return s.At != nil }) {
			comment("of %s at once: %s more go, %s fewer", cli.Documents(c.Documents.Total().Documents), cli.Number(rows[0].More.Documents), cli.Number(rows[0].Less.Documents))
		}
		for _, s := range steps {
			if text := s.when(); text != "" {
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

// steps returns those of all items.
func (c *Change) steps() (all []Step) {
	for _, i := range c.Items {
		all = append(all, i.Steps...)
	}
	return all
}

// notes names the collections that the plan does not cover.
func (p *Plan) notes() (notes []string) {
	if n := p.Unruled; n > 0 {
		notes = append(notes, fmt.Sprintf("No rule is about %s.", cli.Count(int64(n), "collection", "collections")))
	}
	if len(p.Outside) > 0 {
		notes = append(notes, "Without a rule, but with a time to live: "+listed(p.Outside)+".")
	}
	for _, rule := range p.Idle {
		notes = append(notes, "No collection fits the rule "+rule+".")
	}
	for _, m := range p.Missing {
		notes = append(notes, "The input holds no collection of the rule "+m.Rule+". "+m.Why)
	}
	return notes
}

// listed names some of many.
func listed(names []string) string {
	const enough = 8
	if len(names) > enough {
		return strings.Join(names[:enough], ", ") + fmt.Sprintf(" and %d more", len(names)-enough)
	}
	return strings.Join(names, ", ")
}

// signs mark the kinds of changes.
var signs = map[Action]string{ToCreate: "+", ToChange: "~", ToDrop: "-", Nothing: " "}

func (c *Change) text(out *cli.Printer) {
	out.Line("%s  %s", out.Bold(c.Namespace), out.Dim(cmp.Or(c.File, "not there yet")))
	if c.Rule != "" {
		out.Wrap(strings.TrimPrefix(c.System+", rule "+c.Rule, ", "), 2)
	}
	for i := range c.Items {
		if c.Items[i].Action != Nothing {
			c.Items[i].text(out)
		}
	}
	c.effect(out)
	c.commands(out)
	if c.Err != nil {
		out.Styled("Not compared to its end: "+cli.ErrorLine(c.Err), 2, out.Expired)
	}
}

// text writes one index, option or setting.
func (i *Item) text(out *cli.Printer) {
	style := map[Action]func(any) cli.Safe{ToCreate: out.Never, ToChange: out.Pending, ToDrop: out.Expired}[i.Action]
	out.Line("  %s %s", style(signs[i.Action]), out.Bold(i.Name))
	if i.Before != "" {
		out.Wrap("stands: "+i.Before, 6)
	}
	if i.After != "" {
		out.Wrap("wanted: "+i.After, 6)
	}
	if i.Refused != "" {
		out.Styled("No command of this release does it: "+i.Refused, 6, out.Expired)
	}
}

// rows returns the effect on the documents, a row for each horizon.
func (c *Change) rows() (rows []row) {
	if c.Documents == nil {
		return nil
	}
	change := c.Documents.Change
	rows = append(rows, row{"at once", change.Now})
	for i, h := range forecast.Horizons {
		rows = append(rows, row{"within " + h.Name, change.Within[i]})
	}
	return append(rows, row{"ever", change.Ever})
}

// A row is the effect up to one horizon.
type row struct {
	Name string
	forecast.Difference
}

// effect writes how many documents more are deleted, and how many fewer.
func (c *Change) effect(out *cli.Printer) {
	rows := c.rows()
	switch {
	case c.New:
		return
	case len(rows) == 0:
		out.Line("  %s", out.Dim("no documents were read"))
		return
	}
	format := "  %-13s %12s %10s %13s %10s"
	if out.Width < 64 {
		format = "  %-13s %10s%.0s %10s%.0s" // without sizes
	}
	line := func(cells ...any) { out.Line("%s", strings.TrimRight(fmt.Sprintf(format, cells...), " ")) }
	line("of "+cli.Number(c.Documents.Total().Documents), "more go", "", "fewer go", "")
	for _, r := range rows {
		line(r.Name, signed("+", r.More.Documents), size(r.More), signed("-", r.Less.Documents), size(r.Less))
	}
}

// signed writes a number with a sign, unless it is 0.
func signed(sign string, n int64) string {
	if n == 0 {
		return "0"
	}
	return sign + cli.Number(n)
}

func size(s forecast.Sum) string {
	if s.Documents == 0 {
		return ""
	}
	return cli.Size(s.Bytes)
}

// commands writes the commands of an item.
func (c *Change) commands(out *cli.Printer) {
	for _, s := range c.steps() {
		s.warn(out)
		out.Line("    %s", out.Bold(s.Command))
	}
}

// when says when a step runs, how many documents it deletes, and what to know before it;
// empty without.
func (s *Step) when() string {
	if s.At == nil {
		return s.Warning
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s in 24 h. %s", s.At.Time, cli.Count(*s.Deletes, "document goes", "documents go"), s.Warning))
}

// warn writes the warnings before a command, as comments of the shell.
func (s *Step) warn(out *cli.Printer) {
	var text strings.Builder
	lines := cli.Printer{W: &text, Width: out.Width - len("    // ")}
	lines.Wrap(s.when(), 0)
	for line := range strings.Lines(text.String()) {
		out.Line("    %s", out.Dim("// "+strings.TrimSuffix(line, "\n")))
	}
}

// Markdown writes p for a pull request.
func (p *Plan) Markdown(out *cli.Printer) error {
	out.Line("**TTL plan**: %s", p.Summary())
	for i := range p.Changes {
		c := &p.Changes[i]
		if !c.Differs() && c.Err == nil {
			continue
		}
		out.Line("")
		out.Line("### %s", c.Namespace)
		c.markdown(out)
	}
	if err := p.Lack(); err != nil {
		out.Line("")
		out.Line("**Incomplete**: %s", cli.ErrorLine(err))
	}
	return out.Err()
}

func (c *Change) markdown(out *cli.Printer) {
	out.Line("")
	out.Line("| | now | then |")
	out.Line("|---|---|---|")
	for _, i := range c.Items {
		if i.Action != Nothing {
			out.Line("| %s %s | %s | %s |", string(i.Action), i.Name, i.Before, i.After)
		}
	}
	if rows := c.rows(); len(rows) > 0 {
		out.Line("")
		out.Line("| of %s | more go | fewer go |", cli.Documents(c.Documents.Total().Documents))
		out.Line("|---|---:|---:|")
		for _, r := range rows {
			out.Line("| %s | %s | %s |", r.Name, strings.TrimSpace(signed("+", r.More.Documents)+" "+size(r.More)), strings.TrimSpace(signed("-", r.Less.Documents)+" "+size(r.Less)))
		}
	}
	fence := &cli.Printer{W: out.W}
	fence.Line("")
	fence.Line("```js")
	for _, s := range c.steps() {
		if text := s.when(); text != "" {
			fence.Line("// %s", text)
		}
		fence.Line("%s", s.Command)
	}
	fence.Line("```")
}

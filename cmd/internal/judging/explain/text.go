package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulelist"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/timeline"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Text writes e for people.
func (e Explanation) Text(p *cli.Printer) error {
	p.Line("%s", e.headline(p.Style))
	for _, text := range []string{e.Lacking(), e.DatesElsewhere()} {
		if text != "" {
			p.Wrap(text, 2)
		}
	}
	p.Line("\n%s  %s", p.Bold("Policy"), e.Policy.Description)
	for _, note := range e.Policy.Notes {
		p.Wrap("Note: "+note, 2)
	}
	e.each(p)
	p.Line("\n%s", p.Bold("Rule"))
	for _, r := range e.Ladder {
		if e.Applies(r) {
			rulelist.WriteWhole(p, r)
		}
	}
	if e.Why {
		p.Line("\n%s", p.Bold("Ladder"))
		e.ladder(p)
	}
	p.Line("\n%s", p.Bold("Timeline"))
	e.timeline(p)
	return p.Err()
}

// headline returns the decision in one line.
func (e Explanation) headline(s cli.Style) cli.Safe {
	deadline, _ := e.Decision.Deadline()
	at := cli.SafeText(fmt.Sprintf("%s (%s)", deadline, reasons.Distance(deadline, e.Now)))
	switch {
	case reasons.IsUnknown(e.Decision.Rule):
		return s.Bold(s.Unknown(reasons.Unknown)) + "  when this document expires depends on what it lacks here"
	case e.Decision.State == policy.Expired:
		return s.Bold(s.Expired("expired")) + "  since " + at
	case e.Decision.State == policy.Pending:
		return s.Bold(s.Pending("pending")) + "  expires at " + at
	}
	return s.Bold(s.Never("never")) + "  no rule gives this document a deadline"
}

// ladder writes the rules that were consulted. The deciding rule is the last.
func (e Explanation) ladder(p *cli.Printer) {
	for i, r := range e.Ladder {
		switch {
		case i == len(e.Ladder)-1:
			p.Line("  ▶ %s  %s", r.ID(), p.Bold("decides"))
		case e.Applies(r):
			p.Line("  • %s  %s", r.ID(), p.Bold("applies"))
		default:
			p.Line("    %s  %s", r.ID(), p.Dim("does not apply"))
		}
	}
}

// each writes the decision of each source separately.
func (e Explanation) each(p *cli.Printer) {
	if len(e.Each) < 2 {
		return
	}
	for i, one := range e.Each {
		mark := " "
		if i == int(e.Decision.Source) {
			mark = "▶"
		}
		p.Line("  %s %s: %s  %s", mark, one.Source.Name, one.Outcome(), p.Dim(one.Decision.Rule.String()))
	}
}

// symbols are the characters that mark points on a timeline.
var symbols = [...]string{timeline.Date: "●", timeline.Deadline: "◆", timeline.Now: "│"}

// timeline draws the document's dates, its time to live, the deadline and now:
// one line to scale, and a line for each instant.
func (e Explanation) timeline(p *cli.Printer) {
	marks, more := timeline.Marks(e.Explanation)
	line := e.scale(marks, max(p.Width-4, 10))
	p.Line("  %s", line)
	for _, m := range marks {
		label := m.Label
		if m.Kind != timeline.Now {
			label += ", " + reasons.Distance(m.At, e.Now)
		}
		p.Line("  %s %-24s  %s", symbols[m.Kind], m.At, label)
	}
	if more > 0 {
		p.Line("  %s", p.Dim(fmt.Sprintf("and %d more dates in %s", more, e.Source.Field)))
	}
}

// scale draws marks on a line of n columns, with the time to live as a bar.
func (e Explanation) scale(marks []timeline.Mark, n int) string {
	columns := slices.Repeat([]string{"─"}, n)
	scale := timeline.Scale{First: marks[0].At, Last: marks[len(marks)-1].At}
	if start, ok := e.Start(); ok {
		deadline, _ := e.Decision.Deadline()
		for i := scale.Column(start, n); i <= scale.Column(deadline, n); i++ {
			columns[i] = "━"
		}
	}
	for _, m := range marks {
		columns[scale.Column(m.At, n)] = symbols[m.Kind]
	}
	return strings.Join(columns, "")
}

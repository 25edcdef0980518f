package explain

import (
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Text writes e for people, in lines of at most width columns where words
// allow it.
func (e Explanation) Text(w io.Writer, s cli.Style, width int) {
	fmt.Fprintln(w, e.headline(s))
	fmt.Fprintf(w, "\n%s  %s\n", s.Bold("Policy"), e.Policy.Description)
	for _, note := range e.Policy.Notes {
		cli.Wrap(w, "Note: "+cli.Visible(note), 2, width)
	}
	e.each(w, s)
	fmt.Fprintf(w, "\n%s\n", s.Bold("Rule"))
	for _, r := range e.Ladder {
		if e.Applies(r) {
			rulebook.WriteRule(w, s, width, r)
		}
	}
	fmt.Fprintf(w, "\n%s\n", s.Bold("Ladder"))
	e.ladder(w, s)
	fmt.Fprintf(w, "\n%s\n", s.Bold("Timeline"))
	e.timeline(w, s, width)
}

// headline is the answer in one line.
func (e Explanation) headline(s cli.Style) string {
	at := fmt.Sprintf("%s (%s)", e.Decision.Deadline(), reasons.Distance(e.Decision.Deadline(), e.Now))
	switch e.Decision.State {
	case policy.Expired:
		return s.Bold(s.Expired("expired")) + "  since " + at
	case policy.Pending:
		return s.Bold(s.Pending("pending")) + "  expires at " + at
	}
	return s.Bold(s.Never("never")) + "  no rule gives this document a deadline"
}

// ladder lists the rules that were consulted, the one that decided last.
func (e Explanation) ladder(w io.Writer, s cli.Style) {
	for i, r := range e.Ladder {
		switch {
		case i == len(e.Ladder)-1:
			fmt.Fprintf(w, "  ▶ %s  %s\n", r.ID, s.Bold("decides"))
		case e.Applies(r):
			fmt.Fprintf(w, "  • %s  %s\n", r.ID, s.Bold("applies"))
		default:
			fmt.Fprintf(w, "    %s  %s\n", r.ID, s.Dim("does not apply"))
		}
	}
}

// each says what each of several sources does by itself.
func (e Explanation) each(w io.Writer, s cli.Style) {
	if len(e.Each) < 2 {
		return
	}
	for i, one := range e.Each {
		sign, what := " ", one.Decision.State.String()
		if i == int(e.Decision.Source) {
			sign = "▶"
		}
		if one.Decision.State != policy.Never {
			what += " " + one.Decision.Deadline().String()
		}
		fmt.Fprintf(w, "  %s %s: %s  %s\n", sign, one.Source.Name, what, s.Dim(one.Decision.Rule.String()))
	}
}

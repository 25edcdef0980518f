package judged

import (
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A TextOptions says how [Run.Text] shows a run. The zero TextOptions are plain
// and short.
type TextOptions struct {
	Style cli.Style
	// All shows every finding; otherwise some of each rule.
	All bool
}

// shown is how many findings of a rule are shown.
const shown = 2

// Text writes r for a terminal: the verdicts, and then only what needs action.
func (r Run) Text(w io.Writer, o TextOptions) error {
	misreadings, err := r.misreadings()
	if err != nil {
		return err
	}
	t := text{w: w, TextOptions: o}
	t.head(r)
	t.profiles(r)
	t.notes(r)
	t.roundTrip(r)
	for _, s := range r.sections() {
		t.section(s)
		t.likely(misreadings(s.findings))
	}
	t.ledger(r)
	t.observed(r)
	t.foot(r)
	return t.err
}

// A text writes lines until one cannot be written.
type text struct {
	w   io.Writer
	err error
	TextOptions
}

func (t *text) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

func (t *text) head(r Run) {
	mode := ""
	if r.Mode != "" {
		mode = r.Mode + ", "
	}
	t.line("%s   %s   %s%s checks of %s vectors, suite %s", t.Style.Bold(cli.Visible(r.headline())), cli.Visible(r.claims()),
		mode, cli.Number(int64(len(r.Checks))), cli.Number(int64(len(r.Suite.Vectors))), r.Suite.Version)
}

func (t *text) profiles(r Run) {
	if r.Partial {
		return // a part says nothing about a whole profile
	}
	for _, p := range r.RuleSets() {
		switch {
		case p.Claimed:
			t.line("  %-22s %s  %s", p.Name, t.verdict(p.Verdict), rules(p))
		case !isUntouched(p):
			t.line("  %-22s %s  %s", p.Name, t.Style.Dim("not claimed  "), rules(p))
		}
	}
	if names := r.untouched(); len(names) > 0 {
		t.line("  %s", t.Style.Dim("neither claimed nor asked: "+strings.Join(names, ", ")))
	}
}

// notes tells what changes no verdict and should be known.
func (t *text) notes(r Run) {
	for _, note := range r.notes() {
		t.line("\n%s  %s", t.Style.Pending("NOTE"), cli.Visible(note))
	}
}

func (t *text) verdict(v conformance.Verdict) string {
	padded := fmt.Sprintf("%-13s", v)
	switch v {
	case conformance.Conformant:
		return t.Style.Never(padded)
	case conformance.Nonconformant, conformance.Unproven:
		return t.Style.Expired(padded)
	}
	return t.Style.Pending(padded)
}

func (t *text) roundTrip(r Run) {
	few := t.few(len(r.Damaged))
	for _, trouble := range r.Damaged[:few] {
		t.line("\n%s  values are damaged on the way: %s", t.Style.Expired("FAIL"), cli.Visible(trouble))
	}
	t.more(len(r.Damaged)-few, "such values")
}

// few returns how many of n are shown.
func (t *text) few(n int) int {
	if t.All {
		return n
	}
	return min(n, shown)
}

// more says what is not shown.
func (t *text) more(n int, of string) {
	if n > 0 {
		t.line("  %s", t.Style.Dim(fmt.Sprintf("and %d more %s; --all shows them", n, of)))
	}
}

func (t *text) section(s section) {
	t.line("\n%s  %s  %s", t.Style.Expired("FAIL"), t.Style.Bold(s.rule.ID), s.rule.Statement)
	few := t.few(len(s.findings))
	for _, f := range s.findings[:few] {
		t.finding(f)
	}
	t.more(len(s.findings)-few, "of this rule")
}

func (t *text) likely(misreadings []string) {
	few := t.few(len(misreadings))
	for _, like := range misreadings[:few] {
		t.line("  likely misreading: %s", like)
	}
	t.more(len(misreadings)-few, "misreadings like that")
}

func (t *text) finding(f conformance.Finding) {
	c := f.First()
	t.line("  %s@%d  %s  %s", c.Vector.ID, c.Vector.Rev, c.Vector.Title, t.Style.Dim(f.Targets()))
	if c.Row != nil {
		for _, e := range c.Row.Answers {
			t.line("    want %s %s", e, e.Label)
		}
	}
	t.line("    got  %s", cli.Visible(c.Answer.String()))
	t.line("    %s", cli.Visible(c.Detail))
	t.line("    %s", t.Style.Dim("ttl conform explain "+c.Vector.ID))
}

func (t *text) ledger(r Run) {
	for _, k := range r.Stale {
		t.line("\n%s  %s does not fail any more; take it off the ledger: %s", t.Style.Pending("PASSES"), k.ID, cli.Visible(k.String()))
	}
	known := map[string]bool{}
	for _, c := range r.Checks {
		if c.Outcome == conformance.Known {
			known[c.Vector.ID] = true
		}
	}
	if len(known) > 0 {
		t.line("\n%s  %d vectors of the ledger fail as it says", t.Style.Dim("KNOWN"), len(known))
	}
}

// observed shows what was answered where several answers conform or the sources
// contradict each other, once for each vector.
func (t *text) observed(r Run) {
	said := map[string]bool{}
	for _, c := range r.observations() {
		line := fmt.Sprintf("%s  %s  %s: %s", t.Style.Dim("OBSERVED ("+c.Row.Level.String()+")"), c.Vector.Rules[0], c.Vector.ID, c.Label)
		if !said[line] {
			if len(said) == 0 {
				t.line("")
			}
			said[line] = true
			t.line("%s", line)
		}
	}
}

func (t *text) foot(r Run) {
	count := r.Count()
	t.line("\n%s: %d pass, %d fail, %d break, %d known failures, %d recorded only, %d not claimed, %d not run", t.Style.Bold(r.verdict()),
		count[conformance.Pass], count[conformance.Fail], count[conformance.Broken], count[conformance.Known],
		count[conformance.Observed], count[conformance.Inapplicable], count[conformance.NotRun])
	all, err := conformance.Baselines(r.Suite, r.Hello)
	if err != nil {
		return // the run would have failed by the same claims
	}
	for _, b := range all {
		if b.Total > 0 {
			t.line("%s", t.Style.Dim(fmt.Sprintf("an implementation that answers %s passes %d of %d of the decisions", b.Name, b.Pass, b.Total)))
		}
	}
}

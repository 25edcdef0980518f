package strength

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance/mutants"
)

// Text writes what a matrix says: how many mutants are found out, by rule, and
// which are not.
func Text(w io.Writer, style cli.Style, width int, m *mutants.Matrix) error {
	t := text{style: style, width: width}
	t.head(m)
	for _, s := range m.ByRule() {
		t.line("  %-46s %s", s.Rule, t.tally(s.Score))
	}
	t.survivors(m)
	_, err := t.WriteTo(w)
	return err
}

// TextOf writes all about the mutants of a matrix, one by one.
func TextOf(w io.Writer, style cli.Style, width int, m *mutants.Matrix) error {
	t := text{style: style, width: width}
	for _, r := range m.Rows {
		t.mutant(r)
	}
	_, err := t.WriteTo(w)
	return err
}

type text struct {
	bytes.Buffer
	style cli.Style
	width int
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

func (t *text) head(m *mutants.Matrix) {
	s, newest := m.Score(), m.ScoreAtNewest()
	t.line("%s implementations that misread one rule each, of %d rules", t.style.Bold(fmt.Sprint(s.Total)), len(m.ByRule()))
	t.line("  %5d  are found out", s.Killed)
	t.line("  %5d  by a vector that bears on the rule they misread", s.Attributed)
	t.line("  %5d  by one vector alone", alone(m))
	t.line("  %5d  would be if the newest releases alone were asked about", newest.Attributed)
	t.line("  %5d  vectors of %d find out all of them", len(m.Smoke()), len(m.Suite.Vectors))
	t.line("\nFound out, by rule")
}

// alone returns how many mutants one vector alone finds out: without it they
// would survive.
func alone(m *mutants.Matrix) (n int) {
	for _, r := range m.Rows {
		if len(r.Attributed()) == 1 {
			n++
		}
	}
	return n
}

// tally tells how many are found out, and draws the eye if not all are.
func (t *text) tally(s mutants.Score) string {
	tally := fmt.Sprintf("%3d of %3d", s.Attributed, s.Total)
	if len(s.Survivors) > 0 {
		return t.style.Expired(tally)
	}
	return tally
}

func (t *text) survivors(m *mutants.Matrix) {
	names := m.Score().Survivors
	if len(names) == 0 {
		t.line("\nNone survives.")
		return
	}
	t.line("\n%s", t.style.Expired("Survivors"))
	for _, name := range names {
		if r, ok := m.Row(name); ok {
			t.mutant(r)
		}
	}
}

// shown is how many vectors of a mutant are shown.
const shown = 5

func (t *text) mutant(r mutants.Row) {
	t.line("%s  %s", t.style.Bold(r.Name), t.style.Dim(r.Rule))
	said := r.Text
	if r.Wild != "" {
		said += " Seen in " + strings.ReplaceAll(r.Wild, "`", "") + "."
	}
	cli.Wrap(t, said, 4, t.width)
	ids := names(r.Attributed())
	switch {
	case len(ids) == 0 && len(r.Failed) > 0:
		t.line("    %s", t.style.Expired("found out by vectors of other rules alone: "+r.Vectors()[0].ID))
	case len(ids) == 0:
		t.line("    %s", t.style.Expired("found out by nothing"))
	}
	for _, id := range ids[:min(shown, len(ids))] {
		t.line("    %s", t.style.Dim(id))
	}
	if more := len(ids) - shown; more > 0 {
		t.line("    %s", t.style.Dim(fmt.Sprintf("and %d more", more)))
	}
}

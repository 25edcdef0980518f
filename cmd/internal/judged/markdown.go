package judged

import (
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// markdown writes a summary for where continuous integration shows one.
func (r Run) markdown(w io.Writer) error {
	t := text{w: w}
	t.line("## TTL conformance: %s %s\n", cell(r.headline()), r.verdict())
	t.line("Claims %s. Suite %s, %d checks.\n", cell(r.claims()), r.Suite.Version, len(r.Checks))
	t.line("| profile | verdict | rules |\n|---|---|---|")
	for _, p := range r.RuleSets() {
		if isUntouched(p) {
			continue
		}
		verdict := p.Verdict.String()
		if !p.Claimed {
			verdict = "not claimed"
		}
		t.line("| %s | %s | %s |", p.Name, verdict, rules(p))
	}
	t.damaged(r.Damaged)
	t.failures(r.sections())
	t.known(r)
	return t.err
}

func (t *text) damaged(values []string) {
	for _, trouble := range values {
		t.line("\nDamaged on the way: %s", cell(trouble))
	}
}

func (t *text) failures(sections []section) {
	if len(sections) == 0 {
		return
	}
	t.line("\n| rule | vector | releases | what differs |\n|---|---|---|---|")
	for _, s := range sections {
		for _, f := range s.findings {
			c := f.First()
			t.line("| `%s` | `%s@%d` %s | %s | %s |", s.rule, c.Vector.ID, c.Vector.Rev, cell(c.Vector.Title), f.Targets(), cell(c.Detail))
		}
	}
}

func (t *text) known(r Run) {
	for _, k := range r.Ledger {
		t.line("\nKnown failure: %s", cell(k.String()))
	}
	for _, k := range r.Stale {
		t.line("\n**Passes now, take it off the ledger:** %s", cell(k.ID))
	}
	if n := r.Count()[conformance.NotRun]; n > 0 {
		t.line("\n%d checks were not made, because too much went wrong before.", n)
	}
}

// cell keeps text inside a cell of a table and from being read as markup.
func cell(s string) string {
	var b strings.Builder
	for _, c := range cli.Visible(strings.Join(strings.Fields(s), " ")) {
		if strings.ContainsRune("\\`*_{}[]<>#|!~&", c) {
			b.WriteByte('\\')
		}
		fmt.Fprintf(&b, "%c", c)
	}
	return b.String()
}

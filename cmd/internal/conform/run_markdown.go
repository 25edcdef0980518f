package conform

import (
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// markdown writes a summary for where continuous integration shows one.
func (r Run) markdown(w io.Writer) error {
	p := printer{cli.NewMarkdown(w)}
	p.Line("## TTL conformance: %s %s\n", r.headline(), r.verdict())
	p.Line("Claims %s. Suite %s, %d checks.\n", r.claims(), r.Suite.Version, len(r.Checks))
	p.Line("| rule set | verdict | rules |\n|---|---|---|")
	for _, set := range r.RuleSets() {
		if isUntouched(set) {
			continue
		}
		verdict := set.Verdict.String()
		if !set.Claimed {
			verdict = "not claimed"
		}
		p.Line("| %s | %s | %s |", set.Name, verdict, rules(set))
	}
	for _, trouble := range r.Damaged {
		p.Line("\nDamaged on the way: %s", trouble)
	}
	p.failures(r.sections())
	for _, k := range r.Known {
		p.Line("\nKnown failure: %s", k.String())
	}
	for _, k := range r.Stale {
		p.Line("\n**Passes now, remove it from the known failures:** %s", k.ID)
	}
	if n := r.Count()[conformance.NotRun]; n > 0 {
		p.Line("\n%d checks were not made, because too much went wrong before.", n)
	}
	return p.Err()
}

// failures writes a table of what fails.
func (p printer) failures(sections []section) {
	if len(sections) == 0 {
		return
	}
	p.Line("\n| rule | vector | releases | what differs |\n|---|---|---|---|")
	for _, s := range sections {
		for _, f := range s.Findings {
			c := f.First()
			p.Line("| `%s` | `%s@%d` %s | %s | %s |", s.Rule, c.Vector.ID, c.Vector.Rev, c.Vector.Title, f.Targets(), c.Detail)
		}
	}
}

package conformance

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Finding is checks of one vector, about neighbouring releases, that ended in
// the same way. It is never empty.
type Finding []Check

// First returns the check about the first of the releases.
func (f Finding) First() Check { return f[0] }

// Targets names the first and the last of the releases, such as "mongodb@5.0.0
// … mongodb@8.0.16".
func (f Finding) Targets() string {
	first, last := f[0].Target.String(), f[len(f)-1].Target.String()
	if first == last {
		return first
	}
	return first + " … " + last
}

// Findings returns what a system does not conform by, in the order of the
// suite's vectors.
func (r *Report) Findings() (failed []Finding) {
	for _, f := range alike(r.Checks) {
		if f.First().Failed() {
			failed = append(failed, f)
		}
	}
	return failed
}

// alike groups neighbouring checks that ended alike.
func alike(checks []Check) (groups []Finding) {
	for _, c := range checks {
		n := len(groups)
		if n > 0 && groups[n-1].First().endedAs(c) {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, Finding{c})
	}
	return groups
}

func (c Check) endedAs(other Check) bool {
	sameRow := c.Row == other.Row || c.Row != nil && other.Row != nil && c.Row.isAlike(other.Row)
	return c.Vector == other.Vector && sameRow && c.Outcome == other.Outcome && c.Detail == other.Detail
}

// Explain says in several lines what is wrong: both answers, the rules with
// their statements, and where they are established.
func (s *Suite) Explain(f Finding) string {
	c := f.First()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", c.Vector.Title)
	fmt.Fprintf(&b, "  at    %s\n  %-5s %s\n  got   %s\n", f.Targets(), c.Outcome, c.Detail, c.Answer)
	for _, r := range c.Vector.Rules {
		fmt.Fprintf(&b, "  rule  %s: %s\n", r, r.Statement)
	}
	if c.Row != nil {
		s.explainRow(&b, c.Row)
	}
	fmt.Fprintf(&b, "  in    %s", c.Vector.In)
	return b.String()
}

func (s *Suite) explainRow(b *strings.Builder, row *Row) {
	for _, e := range row.Answers {
		fmt.Fprintf(b, "  want  %s %s\n", e, e.Label)
		for _, source := range s.Cited(e) {
			fmt.Fprintf(b, "  see   %s, %s (%s)\n", source.Title, source.Address, row.Evidence)
		}
	}
}

// String returns the result or the refusal.
func (e Expectation) String() string {
	if e.Refusal != nil {
		return e.Refusal.String()
	}
	return string(e.Out)
}

// Cited returns the sources of an answer, with the place in each.
func (s *Suite) Cited(e Expectation) (list []policy.Citation) {
	for _, cite := range e.cites {
		key, where, _ := strings.Cut(cite, "#")
		source := s.sources[key].Citation
		if where != "" {
			source.Title += " (" + where + ")"
		}
		list = append(list, source)
	}
	return list
}

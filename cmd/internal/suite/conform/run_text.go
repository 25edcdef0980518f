package conform

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// A summary formats a run as text.
type summary struct {
	printer
	all bool // every finding is shown, otherwise some of each rule
}

// findingsShown is the number of findings of a rule that are shown without --all.
const findingsShown = 2

// Text writes r for a terminal: the verdicts, and then only the findings that
// need action, all or some of each rule.
func (r Run) Text(to *cli.Printer, all bool) error {
	misreadings, err := r.misreadings()
	if err != nil {
		return err
	}
	s := &summary{printer{to}, all}
	s.head(r)
	s.ruleSets(r)
	for _, note := range r.notes() {
		s.Line("\n%s  %s", s.Pending("NOTE"), note)
	}
	s.damaged(r.Damaged)
	causes, sections := r.failures()
	for _, cause := range causes {
		s.cause(cause)
		s.likely(misreadings(cause.Findings))
	}
	for _, section := range sections {
		s.section(section)
		s.likely(misreadings(section.Findings))
	}
	s.known(r)
	s.observed(r)
	s.reasons(r.Reasons())
	s.foot(r)
	return s.Err()
}

func (s *summary) head(r Run) {
	if warning := r.NothingExpired(); warning != "" {
		s.Line("%s", s.Expired(warning))
	}
	mode := ""
	if r.Mode != "" {
		mode = r.Mode + ", "
	}
	s.Line("%s   %s   %s%s checks of %s vectors, suite %s", s.Bold(r.Headline()), r.Claims(),
		mode, cli.Number(int64(len(r.Checks))), cli.Number(int64(len(r.Suite.Vectors))), r.Suite.Version)
}

func (s *summary) ruleSets(r Run) {
	if r.Partial {
		return // a part says nothing about a whole rule set
	}
	for _, p := range r.Touched() {
		verdict := s.Dim("not claimed  ")
		if p.Claimed {
			verdict = s.verdict(p.Verdict)
		}
		s.Line("  %-22s %s  %s", p.Name, verdict, rules(p))
		if p.Claimed && p.Verdict != suite.Nonconformant { // the failures of a nonconformant rule set follow below
			some(s, p.Lacking, "rules like that", func(rule string) { s.Line("    %s", s.Dim(rule)) })
		}
	}
	if names := r.Untouched(); len(names) > 0 {
		s.Line("  %s", s.Dim("neither claimed nor asked: "+strings.Join(names, ", ")))
	}
}

func (s *summary) verdict(v suite.Verdict) cli.Safe {
	padded := fmt.Sprintf("%-13s", v)
	switch v {
	case suite.Conformant:
		return s.Never(padded)
	case suite.Nonconformant, suite.Unproven:
		return s.Expired(padded)
	}
	return s.Pending(padded)
}

func (s *summary) damaged(values []string) {
	some(s, values, "such values", func(trouble string) {
		s.Line("\n%s  values are damaged on the way: %s", s.Expired("FAIL"), trouble)
	})
}

// some shows the first elements of a list, or all, and the number of elements that it
// left out.
func some[T any](s *summary, list []T, of string, show func(T)) {
	few := len(list)
	if !s.all {
		few = min(few, findingsShown)
	}
	for _, x := range list[:few] {
		show(x)
	}
	if more := len(list) - few; more > 0 {
		s.Line("  %s", s.Dim(fmt.Sprintf("and %d more %s; --all shows them", more, of)))
	}
}

// cause shows a cause of failures of several rules, with some or all of its findings.
func (s *summary) cause(of suite.Cause) {
	s.Line("\n%s  %d checks of %d vectors: %s: %s", s.Expired("FAIL"), of.Count(), vectors(of.Findings), s.Bold(of.Op), of.Text)
	some(s, of.Findings, "with this cause", s.finding)
}

// vectors counts the vectors of findings.
func vectors(findings []suite.Finding) int {
	seen := map[*suite.Vector]bool{}
	for _, f := range findings {
		seen[f.First().Vector] = true
	}
	return len(seen)
}

func (s *summary) section(of section) {
	s.Line("\n%s  %s  %s", s.Expired("FAIL"), s.Bold(of.Rule.ID()), of.Rule.Statement())
	some(s, of.Findings, "of this rule", s.finding)
}

func (s *summary) likely(misreadings []string) {
	some(s, misreadings, "misreadings like that", func(text string) { s.Line("  likely misreading: %s", text) })
}

func (s *summary) finding(f suite.Finding) {
	c := f.First()
	s.Line("  %s@%d  %s  %s", c.Vector.ID, c.Vector.Rev, c.Vector.Title, s.Dim(f.Targets()))
	if c.Row != nil {
		for _, e := range c.Row.Answers {
			s.Line("    want %s", strings.TrimSpace(e.String()+" "+e.Label))
		}
	}
	s.Line("    got  %s", c.Answer.String())
	s.Line("    %s", c.Detail)
	if c.DeletesLive() {
		s.Line("    %s", s.Expired(deletesLive))
	}
	s.Line("    %s", s.Dim("ttl conform explain "+c.Vector.ID))
}

func (s *summary) known(r Run) {
	for _, k := range r.Stale {
		s.Line("\n%s  %s does not fail any more; remove it from the known failures: %s", s.Pending("PASSES"), k.ID, k.String())
	}
	known := map[string]bool{}
	for _, c := range r.Checks {
		if c.Outcome == suite.Known {
			known[c.Vector.ID] = true
		}
	}
	if len(known) > 0 {
		s.Line("\n%s  %s as the list of known failures says", s.Dim("KNOWN"), cli.Count(int64(len(known)), "vector fails", "vectors fail"))
	}
}

// observed shows the answers to vectors for which several answers conform or the sources
// contradict each other.
func (s *summary) observed(r Run) {
	type line struct{ level, vector, label string }
	shown := map[line]bool{}
	for _, c := range r.Observations() {
		one := line{c.Row.Level, c.Vector.ID, c.Label}
		if shown[one] {
			continue
		}
		if len(shown) == 0 {
			s.Line("")
		}
		shown[one] = true
		s.Line("%s  %s  %s: %s", s.Dim("OBSERVED ("+one.level+")"), suite.Finding{c}.Rules()[0], one.vector, one.label)
	}
}

// deletesLive marks the failures that cost data.
const deletesLive = "deletes what must stay"

// reasons shows the reasons why answers could not be found out.
func (s *summary) reasons(list []reason) {
	if len(list) > 0 {
		s.Line("")
	}
	some(s, list, "reasons like that", func(why reason) {
		s.Line("%s  %d checks: %s", s.Dim(strings.ToUpper(why.Outcome.String())), why.Checks, why.Text)
	})
}

func (s *summary) foot(r Run) {
	s.Line("\n%s: %s", s.Bold(r.Verdict()), r.Totals())
	if n := r.Deletions(); n > 0 {
		s.Line("%s", s.Expired(fmt.Sprintf("%d of the checks that fail: it %s", n, deletesLive)))
	}
	all, err := results.Baselines(r.Suite, r.Hello)
	if err != nil {
		return // the run would have failed by the same claims
	}
	for _, b := range all {
		if b.Total > 0 {
			s.Line("%s", s.Dim(fmt.Sprintf("an implementation that always answers %s passes %d of %d decisions", b.Name, b.Pass, b.Total)))
		}
	}
}

package conform

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// The elements of JUnit's XML, as the readers of continuous integration expect them
// (https://github.com/testmoapp/junitxml).
type (
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitTrouble `xml:"failure,omitempty"`
		Error   *junitTrouble `xml:"error,omitempty"`
		Skipped *junitTrouble `xml:"skipped,omitempty"`
	}
	junitTrouble struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit writes one test case for each vector and release, in a suite for each
// target.
func (r Run) junit(w io.Writer) error {
	all := junitSuites{Name: "ttlpolicy " + r.Suite.Version}
	properties := []junitProperty{{"implementation", r.Headline()}, {"suite", r.Suite.Version}, {"runner", r.Runner}}
	byTarget := map[string]*junitSuite{}
	for _, c := range r.Checks {
		target := c.Target.String()
		s, ok := byTarget[target]
		if !ok {
			s = &junitSuite{Name: target, Properties: properties}
			byTarget[target] = s
			all.Suites = append(all.Suites, s)
		}
		s.Cases = append(s.Cases, r.testcase(c))
		s.count(c.Outcome)
		all.count(c.Outcome)
	}
	return cli.WriteXML(w, all)
}

// testcase returns a check as a test case.
func (r Run) testcase(c suite.Check) junitCase {
	j := junitCase{Name: fmt.Sprintf("%s@%d", c.Vector.ID, c.Vector.Rev), Class: suite.Finding{c}.Rules()[0].ID()}
	switch c.Outcome {
	case suite.Pass:
	case suite.Fail:
		j.Failure = &junitTrouble{c.Detail, r.Suite.Explain(suite.Finding{c})}
	case suite.Broken, suite.NotRun:
		j.Error = &junitTrouble{c.Answer.String(), r.Suite.Explain(suite.Finding{c})}
	default:
		j.Skipped = &junitTrouble{Message: r.why(c)}
	}
	return j
}

// count counts a check as [Run.testcase] shows it.
func (n *junitCounts) count(o suite.Outcome) {
	n.Tests++
	switch o {
	case suite.Pass:
	case suite.Fail:
		n.Failures++
	case suite.Broken, suite.NotRun:
		n.Errors++
	default:
		n.Skipped++
	}
}

// why returns the reason why a check does not count.
func (r Run) why(c suite.Check) string {
	switch c.Outcome {
	case suite.Known:
		for _, k := range r.Known {
			if k.ID == c.Vector.ID {
				return "known failure: " + k.String()
			}
		}
	case suite.Observed:
		return "recorded only: " + c.Label
	case suite.Unaskable, suite.Boundary:
		return fmt.Sprintf("%s: %s", c.Outcome, c.Detail)
	}
	return c.Detail
}

// markdown writes a summary for pages of continuous integration.
func (r Run) markdown(w io.Writer) error {
	p := printer{cli.NewMarkdown(w)}
	p.Line("## TTL conformance: %s %s\n", r.Headline(), r.Verdict())
	if r.NothingExpired() {
		p.Line("**%s.**\n", nothingExpired)
	}
	p.Line("Claims %s. Suite %s, %d checks: %s.\n", r.Claims(), r.Suite.Version, len(r.Checks), r.Totals())
	if n := r.Deletions(); n > 0 {
		p.Line("**%d of the checks that fail: it %s.**\n", n, deletesLive)
	}
	p.Line("| rule set | verdict | rules |\n|---|---|---|")
	for _, set := range r.Touched() {
		verdict := set.Verdict.String()
		if !set.Claimed {
			verdict = "not claimed"
		}
		p.Line("| %s | %s | %s |", set.Name, verdict, rules(set))
	}
	for _, trouble := range r.Damaged {
		p.Line("\nDamaged on the way: %s", trouble)
	}
	causes, sections := r.failures()
	p.causes(causes)
	p.failures(sections)
	for _, why := range r.Reasons() {
		p.Line("\n%d checks %s: %s", why.Checks, why.Outcome, why.Text)
	}
	for _, k := range r.Known {
		p.Line("\nKnown failure: %s", k.String())
	}
	for _, k := range r.Stale {
		p.Line("\n**Passes now, remove it from the known failures:** %s", k.ID)
	}
	if n := r.Count()[suite.NotRun]; n > 0 {
		p.Line("\n%d checks were not made, because too much went wrong before.", n)
	}
	return p.Err()
}

// causes writes a table of the causes of failures of several rules.
func (p printer) causes(list []suite.Cause) {
	if len(list) == 0 {
		return
	}
	p.Line("\n| cause | checks | such as |\n|---|---|---|")
	for _, c := range list {
		first := c.Findings[0].First()
		p.Line("| `%s` %s | %d | `%s@%d` %s |", c.Op, c.Text, c.Count(), first.Vector.ID, first.Vector.Rev, first.Vector.Title)
	}
}

// failures writes a table of the failures.
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

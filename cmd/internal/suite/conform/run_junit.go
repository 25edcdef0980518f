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

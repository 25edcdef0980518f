package conform

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// The elements of JUnit's XML, as the readers of continuous integration have
// them (https://github.com/testmoapp/junitxml).
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
	properties := []junitProperty{{"implementation", r.headline()}, {"suite", r.Suite.Version}, {"runner", r.Runner}}
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
func (r Run) testcase(c conformance.Check) junitCase {
	j := junitCase{Name: fmt.Sprintf("%s@%d", c.Vector.ID, c.Vector.Rev), Class: c.Vector.Rules[0].ID}
	switch c.Outcome {
	case conformance.Pass:
	case conformance.Fail:
		j.Failure = &junitTrouble{c.Detail, r.Suite.Explain(conformance.Finding{c})}
	case conformance.Broken, conformance.NotRun:
		j.Error = &junitTrouble{c.Answer.String(), r.Suite.Explain(conformance.Finding{c})}
	default:
		j.Skipped = &junitTrouble{Message: r.why(c)}
	}
	return j
}

// count counts a check as [Run.testcase] shows it.
func (n *junitCounts) count(o conformance.Outcome) {
	n.Tests++
	switch o {
	case conformance.Pass:
	case conformance.Fail:
		n.Failures++
	case conformance.Broken, conformance.NotRun:
		n.Errors++
	default:
		n.Skipped++
	}
}

// why says why a check does not count.
func (r Run) why(c conformance.Check) string {
	switch c.Outcome {
	case conformance.Known:
		for _, k := range r.Known {
			if k.ID == c.Vector.ID {
				return "known failure: " + k.String()
			}
		}
	case conformance.Observed:
		return "recorded only: " + c.Label
	}
	return c.Detail
}

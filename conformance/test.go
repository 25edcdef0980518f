package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Test asks system everything that it claims, one subtest for each vector,
// named by its identifier. A failure says which rule is violated and where that
// is established, and shows both answers. A vector that is not claimed is
// skipped, so that under-claiming shows.
func Test(t *testing.T, s *Suite, system System) {
	t.Helper()
	session, err := open(s, system)
	if err != nil {
		t.Fatal(err)
	}
	for _, trouble := range session.plumb() {
		t.Errorf("%s: %s", echoOp, trouble)
	}
	if t.Failed() {
		t.Fatal("values are damaged on the way; no rule was judged")
	}
	for _, v := range s.Vectors {
		t.Run(v.ID, func(t *testing.T) { session.test(t, v) })
	}
}

// test asks one vector.
func (s *session) test(t *testing.T, v *Vector) {
	checks := s.plan(v)
	s.make(checks)
	judged := false
	for _, same := range alike(checks) {
		c := same[0]
		judged = judged || c.Outcome != Inapplicable
		if c.Outcome == Fail || c.Outcome == Broken {
			t.Error(s.suite.explain(same))
		}
	}
	if !judged {
		t.Skip("not claimed")
	}
}

// alike groups neighbouring checks that ended alike.
func alike(checks []Check) (groups [][]Check) {
	for _, c := range checks {
		n := len(groups)
		if n > 0 && groups[n-1][0].endedAs(c) {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, []Check{c})
	}
	return groups
}

func (c Check) endedAs(other Check) bool {
	return c.Row == other.Row && c.Outcome == other.Outcome && c.Detail == other.Detail
}

// explain says what is wrong with answers that failed alike.
func (suite *Suite) explain(failed []Check) string {
	c := failed[0]
	v := c.Vector
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", v.Title)
	fmt.Fprintf(&b, "  at    %s\n  %-5s %s\n  got   %s\n", targets(failed), c.Outcome, c.Detail, c.Answer)
	for _, r := range v.Rules {
		fmt.Fprintf(&b, "  rule  %s: %s\n", r, r.Statement)
	}
	if c.Row != nil {
		suite.explainRow(&b, c.Row)
	}
	fmt.Fprintf(&b, "  in    %s", v.In)
	return b.String()
}

func (suite *Suite) explainRow(b *strings.Builder, row *Row) {
	for _, e := range row.Answers {
		fmt.Fprintf(b, "  want  %s %s\n", e, e.Label)
		for _, source := range suite.cited(e) {
			fmt.Fprintf(b, "  see   %s, %s (%s)\n", source.Title, source.Address, row.Evidence)
		}
	}
}

// targets names the first and the last of several targets.
func targets(checks []Check) string {
	first, last := checks[0].Target.String(), checks[len(checks)-1].Target.String()
	if first == last {
		return first
	}
	return first + " … " + last
}

// String returns the result or the refusal.
func (e Expectation) String() string {
	if e.Refusal != nil {
		return e.Refusal.String()
	}
	return string(e.Out)
}

// cited returns the sources of an answer, with the place in each.
func (suite *Suite) cited(e Expectation) (list []policy.Source) {
	for _, cite := range e.Cites {
		key, where, _ := strings.Cut(cite, "#")
		source := suite.Sources[key]
		if where != "" {
			source.Title += " (" + where + ")"
		}
		list = append(list, source)
	}
	return list
}

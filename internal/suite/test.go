package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
)

// Test asks system every nth vector that it claims, one subtest for each, named by the
// vector's identifier. A failure says which rule is violated and where that is
// established, and shows both answers. A vector that is not claimed is not asked, and its
// subtest is skipped. Test fails unless the system conforms in the sense of
// [Report.Conforms]. So it also fails for a system that claims nothing that can be judged,
// or claims a rule set without claiming or proving all of it. With n above 1, or with -run
// or -skip, it judges only the selected vectors, and no rule set.
func Test(t *testing.T, n int, s *Suite, system conformance.System) {
	t.Helper()
	session, err := open(s, system.Hello(), system)
	if err != nil {
		t.Fatal(err)
	}
	for _, trouble := range session.roundTrip() {
		t.Errorf("%s: %s", questions.Echo, trouble)
	}
	if t.Failed() {
		t.Fatal("values are damaged on the way; no rule was judged")
	}
	report, taken := &Report{Suite: s, Hello: session.hello}, 0
	for i, v := range s.Vectors {
		if i%n != 0 {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			taken++
			checks := session.plan(v)
			session.make(checks)
			report.Checks = append(report.Checks, checks...)
			s.report(t, checks)
		})
	}
	switch {
	case t.Failed(): // which has been reported
	case taken < len(s.Vectors):
		t.Logf("%d of %d vectors were left out, so that no rule set is judged", len(s.Vectors)-taken, len(s.Vectors))
	case !report.Conforms():
		t.Error(report.lacks())
	}
}

// lacks says why a system without a failed check does not conform.
func (r *Report) lacks() string {
	for _, p := range r.RuleSets() {
		if p.Claimed && p.Verdict != Conformant {
			return fmt.Sprintf("the rule set %s is claimed and is %s; claim what its rules need, or do not claim it:\n  %s", p.Name, p.Verdict, strings.Join(p.Lacking, "\n  "))
		}
	}
	return fmt.Sprintf("nothing that is claimed could be judged: %v", r.Count())
}

// report fails the test of a vector for each of its checks that failed.
func (suite *Suite) report(t *testing.T, checks []Check) {
	judged := false
	for _, f := range alike(checks) {
		judged = judged || f.First().Outcome != Inapplicable
		if f.First().Failed() {
			t.Error(suite.Explain(f))
		}
	}
	if !judged {
		t.Skip("not claimed")
	}
}

// Package conform writes the output of the commands of ttl conform: an implementation's
// results in the suite ([Run]), differences between two implementations, the misreadings
// that the suite detects, its vectors, and frames of adapters.
//
// Verdicts are given by rule and by rule set, never as one percentage: an implementation
// that never deletes anything passes most of the questions. The number of passed questions
// stands beside the verdict.
package conform

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Run is a report, with the circumstances of the run.
type Run struct {
	*results.Report
	Runner  string   // such as "ttl 0.1.0"
	Mode    string   // as in results.Results; "" for the library itself
	Ended   int      // the number of times that the program ended, and answered after it was started again
	Command []string // the program that was asked
	Partial bool     // only a part of the suite was asked
}

// Forms returns the names of the forms in which [Run.Write] writes, in alphabetical order.
// The text for a terminal is not among them: [Run.Text] writes it.
func Forms() []string { return slices.Sorted(maps.Keys(forms)) }

var forms = map[string]func(Run, io.Writer) error{
	"html":  Run.html,
	"json":  Run.json,
	"junit": Run.junit,
}

// Write writes r in one of [Forms].
func (r Run) Write(w io.Writer, form string) error {
	write, ok := forms[form]
	if !ok {
		return fmt.Errorf("unknown form %q; want one of %s", form, strings.Join(Forms(), ", "))
	}
	return write(r, w)
}

// Headline names the implementation.
func (r Run) Headline() string {
	text := fmt.Sprintf("%s %s", r.Hello.Name, r.Hello.Version)
	if r.Hello.Language != "" {
		text += " (" + r.Hello.Language + ")"
	}
	return text
}

// Claims lists the systems that are claimed, with their releases.
func (r Run) Claims() string {
	var list []string
	for _, system := range slices.Sorted(maps.Keys(r.Hello.Systems)) {
		list = append(list, system+" "+r.Hello.Systems[system])
	}
	return strings.Join(list, ", ")
}

// Verdict says whether the implementation conforms.
func (r Run) Verdict() string {
	switch {
	case r.Partial && len(r.Failed())+len(r.Damaged) == 0:
		return "nothing failed in this part of the suite"
	case r.Conforms():
		return "conforms to what it claims"
	case r.ConformsButForKnown():
		return "does not conform, because of its known failures alone"
	}
	return "does not conform to what it claims"
}

// notes returns notes that readers need and that change no verdict.
func (r Run) notes() (list []string) {
	if r.Ended > 0 {
		list = append(list, fmt.Sprintf("the program ended %d times, and answered when it was started and asked again", r.Ended))
	}
	if unknown := r.Suite.Unknown(r.Hello); len(unknown) > 0 {
		list = append(list, "hello makes claims that this suite does not know: "+strings.Join(unknown, ", "))
	}
	return list
}

// A section holds the findings about one rule, from the vectors that bear on that rule
// most.
type section struct {
	Rule     policy.Rule
	Findings []suite.Finding
}

// failures returns the causes that make several rules fail, and the other findings by rule,
// in the order of the catalogues.
func (r Run) failures() (causes []suite.Cause, list []section) {
	causes, others := suite.Causes(r.Findings())
	byRule := map[policy.Rule][]suite.Finding{}
	for _, f := range others {
		rule := f.Rules()[0]
		byRule[rule] = append(byRule[rule], f)
	}
	for rule := range suite.Rules() {
		if found := byRule[rule]; found != nil {
			list = append(list, section{rule, found})
		}
	}
	return causes, list
}

// A reason says why some checks were made and not judged.
type reason struct {
	suite.Outcome
	Text   string
	Checks int
}

// Reasons returns the reasons why answers could not be found out, the most frequent
// first.
func (r Run) Reasons() (list []reason) {
	count := map[reason]int{}
	for _, c := range r.Checks {
		if c.Outcome == suite.Unaskable || c.Outcome == suite.Boundary {
			count[reason{c.Outcome, c.Detail, 0}]++
		}
	}
	for why, n := range count {
		list = append(list, reason{why.Outcome, why.Text, n})
	}
	slices.SortFunc(list, func(a, b reason) int { return cmp.Or(b.Checks-a.Checks, strings.Compare(a.Text, b.Text)) })
	return list
}

// Deletions counts the checks in which a document is deleted that must stay.
func (r Run) Deletions() (n int) {
	for _, c := range r.Checks {
		if c.DeletesLive() {
			n++
		}
	}
	return n
}

// NothingExpired returns a warning if some document should have expired and no answer of the
// whole run said so, else "". A system that never deletes misreads no rule: it does nothing.
func (r Run) NothingExpired() (warning string) {
	for _, c := range r.Checks {
		if c.Answer.Kind == conformance.KindOut && strings.Contains(string(c.Answer.Out), `"expired"`) {
			return ""
		}
		if c.Outcome == suite.Fail && strings.HasSuffix(c.Detail, ", want expired") {
			warning = "nothing was ever seen expired: look for why nothing is deleted before any rule below"
		}
	}
	return warning
}

// Totals counts the checks by outcome. The text always has the seven common outcomes, and
// has any other outcome only if it occurs.
func (r Run) Totals() string {
	count := r.Count()
	var words []string
	for i, o := range []struct {
		suite.Outcome
		text string
	}{
		{suite.Pass, "pass"}, {suite.Fail, "fail"}, {suite.Broken, "break"}, {suite.Known, "known failures"},
		{suite.Observed, "recorded only"}, {suite.Inapplicable, "not claimed"}, {suite.NotRun, "not run"},
		{suite.Unaskable, "unaskable"}, {suite.Boundary, "on a boundary"},
	} {
		if n := count[o.Outcome]; n > 0 || i < 7 {
			words = append(words, fmt.Sprintf("%d %s", n, o.text))
		}
	}
	return strings.Join(words, ", ")
}

// Observations returns the answers that were recorded and not judged, because several
// answers conform or the sources contradict each other.
func (r Run) Observations() (list []suite.Check) {
	for _, c := range r.Checks {
		if c.Outcome == suite.Observed && c.Label != "" {
			list = append(list, c)
		}
	}
	return list
}

// rules counts the rules of a rule set: "29 of 32 tested rules conform, 2 incomplete,
// 1 not tested".
func rules(p suite.RuleSetReport) string {
	untested := p.Count[suite.Untested]
	tested := len(p.Rules) - untested
	text := fmt.Sprintf("%d of %d tested rules conform", p.Count[suite.Conformant], tested)
	if tested == 0 {
		return fmt.Sprintf("%d not tested", untested)
	}
	if n := p.Count[suite.Incomplete]; n > 0 {
		text += fmt.Sprintf(", %d incomplete", n)
	}
	if untested > 0 {
		text += fmt.Sprintf(", %d not tested", untested)
	}
	return text
}

// Untouched returns the rule sets that are not claimed and about which nothing
// was asked.
func (r Run) Untouched() (names []string) {
	for _, p := range r.RuleSets() {
		if isUntouched(p) {
			names = append(names, p.Name)
		}
	}
	return names
}

func isUntouched(p suite.RuleSetReport) bool {
	return !p.Claimed && p.Verdict == suite.Untested
}

// A printer writes the texts of this package.
type printer struct{ *cli.Printer }

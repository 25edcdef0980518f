package main

import (
	"os"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
)

// A result is what was recorded about one implementation.
type result struct{ rulebook.Result }

// load reads the results in a folder, in the order of their names.
func load(folder string) (all []result, err error) {
	list, err := rulebook.ReadResults(os.DirFS(folder))
	for _, r := range list {
		all = append(all, result{r})
	}
	return all, err
}

// rule returns the verdict on a rule, the zero ResultRule if there is none.
func (r result) rule(id string) report.RuleResult {
	i := slices.IndexFunc(r.Rules, func(rule report.RuleResult) bool { return rule.ID == id })
	if i < 0 {
		return report.RuleResult{ID: id}
	}
	return r.Rules[i]
}

// claims reports whether r claims to be some release of a system.
func (r result) claims(system string) bool { return r.Implementation.Systems[system] != "" }

// destructive returns the rules by which r deletes what must stay.
func (r result) destructive() (list []string) {
	for _, rule := range r.Rules {
		if rule.Verdict == conformance.Nonconformant && r.Deletes(rule.ID) {
			list = append(list, "`"+rule.ID+"`")
		}
	}
	return list
}

// suite returns the vectors that r was made with, so that the page is not stale
// whenever there is a new one.
func (r result) suite() *conformance.Suite {
	asked := map[string]bool{}
	for _, c := range r.Checks {
		asked[c.ID] = true
	}
	s := *conformance.Embedded()
	s.Vectors = slices.DeleteFunc(slices.Clone(s.Vectors), func(v *conformance.Vector) bool { return !asked[v.ID] })
	return &s
}

// decided counts the checks of operations that decide.
func (r result) decided() (passed, judged int) {
	deciding := map[string]bool{}
	for _, v := range r.suite().Vectors {
		deciding[v.ID] = strings.HasSuffix(v.Op, ".decide")
	}
	for _, c := range r.Checks {
		switch {
		case !deciding[c.ID]:
		case c.Outcome == conformance.Pass:
			passed++
			judged++
		case c.Outcome == conformance.Fail, c.Outcome == conformance.Broken:
			judged++
		}
	}
	return passed, judged
}

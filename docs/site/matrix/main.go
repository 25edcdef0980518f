// Matrix writes the pages about implementations, from the results that "ttl conform run" wrote
// about each:
//
//	go run ./docs/site/matrix
//
// This command, run in the checkout, writes the pages of docs/results, and
// docs/upstream/README.md, the index of the reports to the authors of implementations. A
// test fails while a page is stale.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// folder holds the results, and pagesFolder the pages on them.
const (
	folder      = "conformance/lab/results"
	pagesFolder = "docs/results"
)

func main() {
	committed, err := load(folder)
	if err == nil {
		err = write(committed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

// write writes the pages on the results and the index of the reports.
func write(committed []result) error {
	reports, err := findings(upstreamFolder, committed)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(upstreamFolder, "README.md"), []byte(execute("upstream.md.tmpl", reports)), 0o666); err != nil {
		return err
	}
	for name, text := range pages(committed, reports) {
		if err := os.WriteFile(filepath.Join(pagesFolder, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// A result is the recorded result of one implementation.
type result struct{ rulebook.Result }

// asked returns the results that were recorded by hand if byHand is true, else the
// others.
func asked(all []result, byHand bool) []result {
	return slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.IsByHand() != byHand })
}

// load reads the results in a folder, in the order of their names.
func load(folder string) (all []result, err error) {
	list, err := rulebook.ReadResults(os.DirFS(folder))
	for _, r := range list {
		all = append(all, result{r})
	}
	return all, err
}

// rule returns the result about a rule, or a RuleResult without a verdict if there is
// none.
func (r result) rule(id string) results.RuleResult {
	i := slices.IndexFunc(r.Rules, func(rule results.RuleResult) bool { return rule.ID == id })
	if i < 0 {
		return results.RuleResult{ID: id}
	}
	return r.Rules[i]
}

// destructive returns the failed rules by which r deletes documents that must stay.
func (r result) destructive() (list []string) {
	for _, rule := range r.Rules {
		if rule.Verdict == suite.Nonconformant && r.Deletes(rule.ID) {
			list = append(list, "`"+rule.ID+"`")
		}
	}
	return list
}

// counts returns the number of checks that r passes, and of those that were judged, among the checks
// of the vectors for which is holds.
func (r result) counts(is func(v *suite.Vector) bool) (count results.Baseline) {
	counted := map[string]bool{}
	for _, v := range suite.Embedded().Vectors {
		counted[v.ID] = is(v)
	}
	for _, c := range r.Checks {
		switch {
		case !counted[c.ID]:
		case c.Outcome == suite.Pass:
			count.Pass++
			count.Total++
		case c.Outcome == suite.Fail, c.Outcome == suite.Broken:
			count.Total++
		}
	}
	return count
}

// Decided counts the judged checks of operations that decide.
func (r result) Decided() results.Baseline {
	return r.counts(func(v *suite.Vector) bool { return strings.HasSuffix(v.Op, ".decide") })
}

// Matrix writes the pages about implementations, from the results that "ttl conform run" wrote
// about each:
//
//	go run ./docs/site/matrix
//
// This command, run in the checkout, writes the pages of docs/results, and
// docs/upstream/README.md, the index of the reports to the authors of implementations. A
// test fails while a page is stale. With -drift it compares the results in another
// folder, just made, with the committed ones, and fails if a verdict has changed or a run
// broke down:
//
//	go run ./docs/site/matrix -drift /tmp/results
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// folder holds the results, and pagesFolder the pages on them.
const (
	folder      = "conformance/lab/results"
	pagesFolder = "docs/results"
)

func main() {
	fresh := flag.String("drift", "", "compare the results in this folder with the committed ones, and write nothing")
	flag.Parse()
	if err := run(*fresh); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

func run(fresh string) error {
	committed, err := load(folder)
	if err != nil {
		return err
	}
	if fresh == "" {
		return write(committed)
	}
	now, err := load(fresh)
	if err != nil {
		return err
	}
	changes := drift(committed, now)
	for _, change := range changes {
		fmt.Println(change)
	}
	if len(changes) > 0 {
		return fmt.Errorf("the results in %s differ from those in %s: if the new results are right, run .ci/thirdparties %s to write them", fresh, folder, folder)
	}
	return nil
}

// write writes the pages on the results and the index of the reports.
func write(committed []result) error {
	reports, err := findings(upstreamFolder, committed)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(upstreamFolder, "README.md"), []byte(upstreamPage(reports)), 0o666); err != nil {
		return err
	}
	for name, text := range pages(committed, reports) {
		if err := os.WriteFile(filepath.Join(pagesFolder, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// control is the key of an implementation without TTL, which must not conform.
const control = "cosmosdb-server"

// drift returns the differences between committed and fresh results, and the breakdowns
// in the fresh ones. Committed results that were recorded by hand are not compared.
func drift(committed, fresh []result) (changes []string) {
	for _, old := range asked(committed, false) {
		i := slices.IndexFunc(fresh, func(r result) bool { return r.Key == old.Key })
		if i < 0 {
			changes = append(changes, old.Key+": there are no new results")
			continue
		}
		changes = append(changes, changed(old, fresh[i])...)
	}
	for _, r := range fresh {
		if !slices.ContainsFunc(committed, func(old result) bool { return r.Key == old.Key }) {
			changes = append(changes, r.Key+": there are no committed results")
		}
		changes = append(changes, breakdowns(r)...)
	}
	return changes
}

// changed returns the differences between two results about one implementation: of its
// version, and of verdicts. The number of checks may change with the suite.
func changed(old, now result) (changes []string) {
	if was, is := old.Implementation.Version, now.Implementation.Version; was != is {
		changes = append(changes, fmt.Sprintf("%s: version %s was %s", now.Key, is, was))
	}
	for rule := range suite.Rules() {
		if was, is := old.rule(rule.ID()).Verdict, now.rule(rule.ID()).Verdict; was != is {
			changes = append(changes, fmt.Sprintf("%s: %s is %s, was %s", now.Key, rule, is, was))
		}
	}
	return changes
}

// breakdowns returns the signs that an adapter broke down, or that the control conforms.
func breakdowns(r result) (found []string) {
	if r.Key == control && r.Conforms {
		found = append(found, r.Key+" conforms; it is the control that must not")
	}
	for _, trouble := range r.Damaged {
		found = append(found, r.Key+": "+trouble)
	}
	for _, c := range r.Checks {
		if c.Answer != nil && c.Answer.Kind > conformance.KindFault {
			found = append(found, fmt.Sprintf("%s: %s: %s", r.Key, c.ID, c.Answer))
		}
	}
	return found
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

// suite returns the vectors with which r was made, so that a new vector does
// not make the page stale.
func (r result) suite() *suite.Suite {
	asked := map[string]bool{}
	for _, c := range r.Checks {
		asked[c.ID] = true
	}
	return suite.Embedded().Only(func(v *suite.Vector) bool { return asked[v.ID] })
}

// Decided counts the judged checks of operations that decide.
func (r result) Decided() (count results.Baseline) {
	deciding := map[string]bool{}
	for _, v := range r.suite().Vectors {
		deciding[v.ID] = strings.HasSuffix(v.Op, ".decide")
	}
	for _, c := range r.Checks {
		switch {
		case !deciding[c.ID]:
		case c.Outcome == suite.Pass:
			count.Pass++
			count.Total++
		case c.Outcome == suite.Fail, c.Outcome == suite.Broken:
			count.Total++
		}
	}
	return count
}

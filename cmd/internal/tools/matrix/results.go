package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A result is what was written about one implementation. Its name is that of
// the file, and of the folder of its adapter.
type result struct {
	name string
	conformance.Results
}

// load reads the results in a folder, in the order of their names.
func load(dir string) ([]result, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []result
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		r, err := conformance.ParseResults(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, result{strings.TrimSuffix(filepath.Base(path), ".json"), r})
	}
	return all, nil
}

// rule returns the verdict on a rule, the zero ResultRule if there is none.
func (r result) rule(id string) conformance.ResultRule {
	i := slices.IndexFunc(r.Rules, func(rule conformance.ResultRule) bool { return rule.ID == id })
	if i < 0 {
		return conformance.ResultRule{ID: id}
	}
	return r.Rules[i]
}

// claims reports whether r claims to be some release of a system.
func (r result) claims(system string) bool { return r.Implementation.Systems[system] != "" }

// deletes reports whether r takes a document for expired that must stay, in a
// check that bears on a rule.
func (r result) deletes(rule string) bool {
	return slices.ContainsFunc(r.Checks, func(c conformance.ResultCheck) bool {
		return c.DeletesLive() && slices.Contains(c.Rules, rule)
	})
}

// destructive returns the rules by which r deletes what must stay.
func (r result) destructive() (list []string) {
	for _, rule := range r.Rules {
		if rule.Verdict == conformance.Nonconformant && r.deletes(rule.ID) {
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

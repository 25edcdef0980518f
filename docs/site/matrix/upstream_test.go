package main

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

func committedFindings(t *testing.T) []finding {
	t.Helper()
	all, err := findings(root+upstreamFolder, committed(t))
	if err != nil || len(all) == 0 {
		t.Fatalf("%d reports, %v", len(all), err)
	}
	return all
}

func TestUpstreamPageIsFresh(t *testing.T) {
	got, err := os.ReadFile(root + upstreamFolder + "/README.md")
	if err != nil || string(got) != execute("upstream.md.tmpl", committedFindings(t)) {
		t.Errorf("%s/README.md is stale (%v): go run ./docs/site/matrix writes it", upstreamFolder, err)
	}
}

// TestUpstreamReports: a report has all its parts and names an existing rule. Its vectors
// fail in the results of the implementation, and the first vector bears on the rule.
func TestUpstreamReports(t *testing.T) {
	results := committed(t)
	for _, f := range committedFindings(t) {
		text, err := os.ReadFile(root + path.Join(upstreamFolder, f.File))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"**What was done.** ", "**What happens.** ", " does.** ", "\n\n- [", "**Reproduction** (", "\n```\n", "\n**Patch.** "} {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q", f.File, part)
			}
		}
		rule := strings.Split(f.Rule, "`")[1]
		if !isRule(rule) {
			t.Errorf("%s: there is no rule %s", f.File, rule)
		}
		r := results[slices.IndexFunc(results, func(r result) bool { return r.Key == f.Key })]
		for i, id := range f.Vectors {
			if !r.fails(id, rule, i > 0) {
				t.Errorf("%s: no check of %s that bears on %s fails in the results of %s", f.File, id, rule, f.Key)
			}
		}
	}
}

func isRule(id string) bool {
	for r := range suite.Rules() {
		if r.ID() == id {
			return true
		}
	}
	return false
}

// fails reports whether a check of a vector fails and bears on a rule, or on any rule if
// orAny is true.
func (r result) fails(id, rule string, orAny bool) bool {
	return slices.ContainsFunc(r.Checks, func(c results.CheckResult) bool {
		isFailure := c.Outcome == suite.Fail || c.Outcome == suite.Broken
		return c.ID == id && isFailure && (orAny || slices.Contains(c.Rules, rule))
	})
}

func TestFindingOf(t *testing.T) {
	const table = "# nedb: a fault\n\n| | |\n|---|---|\n| to | [nedb](https://x) |\n| severity | wrong reply |\n| rule | [`mongo.date`](x) |\n| vectors | `a` `b` |\n| seen | today |\n| state | not sent |\n"
	tests := []struct {
		why, file, text, want string
	}{
		{"all is there", "nedb-fault.md", table, "a b"},
		{"no vector", "nedb-fault.md", strings.Replace(table, "`a` `b`", "none", 1), ""},
		{"no title", "nedb-fault.md", "x" + table, "no title"},
		{"no results", "other-fault.md", table, "the file name does not begin with the key of results"},
		{"no severity", "nedb-fault.md", strings.Replace(table, "wrong reply", "grave", 1), `severity is "grave", want one of ["deletes live data" "keeps what has expired" "wrong reply"]`},
		{"no state", "nedb-fault.md", strings.Replace(table, "| state |", "| State |", 1), "the table lacks one of the rows to, rule, seen and state"},
	}
	for _, tt := range tests {
		f, err := findingOf(tt.file, tt.text, []result{{rulebook.Result{Key: "mongomock"}}, {rulebook.Result{Key: "nedb"}}})
		got := strings.Join(f.Vectors, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: findingOf(%q, …) = %q, want %q", tt.why, tt.file, got, tt.want)
		}
	}
}

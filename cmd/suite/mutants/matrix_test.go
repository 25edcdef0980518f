package mutants

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // most of what the matrix allocates is garbage soon
	os.Exit(m.Run())
}

// matrix returns the matrix of all mutants and the embedded suite; with -short, of every
// fourth mutant.
var matrix = sync.OnceValues(func() (*Matrix, error) {
	all := All()
	if testing.Short() {
		for i := range all[:len(all)/4] {
			all[i] = all[4*i]
		}
		all = all[:len(all)/4]
	}
	return judge(suite.Embedded(), all)
})

// judge judges mutants with the claims of the reference.
func judge(s *suite.Suite, all []Mutant) (*Matrix, error) {
	return JudgeAs(s, all, library.New().Hello())
}

// row returns the row of the mutant with this name.
func (m *Matrix) row(name string) (Row, bool) {
	i := slices.IndexFunc(m.Rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return m.Rows[i], true
}

// wholeMatrix is for tests that are meaningful only for all mutants.
func wholeMatrix(t *testing.T) *Matrix {
	t.Helper()
	if testing.Short() {
		t.Skip("asks every mutant")
	}
	return judged(t)
}

func judged(t *testing.T) *Matrix {
	t.Helper()
	m, err := matrix()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestEveryMutantIsKilled: each mutant gives a wrong answer to a vector that bears on the
// misread rule. A failure without an answer does not count.
func TestEveryMutantIsKilled(t *testing.T) {
	for _, r := range judged(t).Rows {
		if slices.ContainsFunc(r.Failed, func(c suite.Check) bool { return c.Outcome == suite.Fail && c.Vector.BearsOn(r.Rule) }) {
			continue
		}
		t.Errorf("%s survives: no vector of %s finds out that it takes %q (checks that do: %d)", r.Name, r.Rule, r.Text, len(r.Failed))
	}
}

// unseen are the mutants that were seen in no software, with the tests that
// need them.
var unseen = map[string]string{
	"missing-is-1970": "wirettl", "array-latest": "wirettl", "clustered-ignored": "wirettl", "timeseries-span-ignored": "wirettl",
	"create-granularity-of-days": "wirettl", "createindexes-filter-and-of-nothing": "wirettl",
}

// TestMutantsWereSeen: each mutant is a misreading seen in software in use, because
// operator mutants cover other mistakes. A mutant that was never seen is allowed only where
// operator mutants cannot be asked, such as behind a server.
func TestMutantsWereSeen(t *testing.T) {
	rules := map[string]bool{}
	for r := range suite.Rules() {
		rules[r.ID()] = true
	}
	for _, m := range All() {
		if _, ok := unseen[m.Name]; ok == (m.Wild != "") {
			t.Errorf("%s was seen in %q, listed as unseen: %t", m.Name, m.Wild, ok)
		}
		if !rules[m.Rule] {
			t.Errorf("%s misreads %q, which is no rule", m.Name, m.Rule)
		}
	}
}

// TestNothingMisreadIsTheReference: a mutant that only passes questions and answers
// through fails no check.
func TestNothingMisreadIsTheReference(t *testing.T) {
	same := func(q query) query { return q.with(q.get("now"), "now") }
	s := suite.Embedded()
	if testing.Short() {
		s = everyNth(4)
	}
	m, err := judge(s, []Mutant{
		{Name: "walker", misread: walker{}.misreads()},
		{Name: "rewriting of documents", misread: stores(func(v policy.Value) policy.Value { return v })},
		{Name: "rewriting of indexes", misread: rewrites(isThere, func(x policy.Value) policy.Value { return x })},
		{Name: "moving", misread: shifts(decide, always, 0)},
		{Name: "editing", misread: all(asks(decide, same), asks(decideItem, same), asks(decideDoc, same), asks(createIndex, same), asks(collModify, same), asks(createColl, same))},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range m.Rows {
		for _, c := range r.Failed {
			t.Errorf("%s: %s at %s: %s", r.Name, c.Vector.ID, c.Target, c.Detail)
		}
	}
}

func TestMutantsHaveNamesAndTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All() {
		if m.misread == nil {
			t.Errorf("%s misreads nothing", m.Name)
		}
		if text := m.Rule + m.Text; seen[m.Name] || seen[text] || m.Name == "" || !strings.HasSuffix(m.Text, ".") {
			t.Errorf("%s: want a name that no other mutant has, and a sentence that no other of %s has: %q", m.Name, m.Rule, m.Text)
		}
		seen[m.Name], seen[m.Rule+m.Text] = true, true
	}
}

// TestMutantsDiffer: no two mutants fail the same checks by the same answers.
func TestMutantsDiffer(t *testing.T) {
	known := map[string]string{}
	for _, r := range judged(t).Rows {
		var b strings.Builder
		for _, c := range r.Failed {
			fmt.Fprintln(&b, c.Vector.ID, c.Target, c.Answer)
		}
		behaviour := b.String()
		if other, ok := known[behaviour]; ok {
			t.Errorf("%s behaves like %s", r.Name, other)
		}
		known[behaviour] = r.Name
	}
}

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
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // little of what the matrix allocates stays
	os.Exit(m.Run())
}

// matrix is that of all mutants and the embedded suite; with -short, of every
// tenth mutant.
var matrix = sync.OnceValues(func() (*Matrix, error) {
	all := All()
	if testing.Short() {
		for i := range all[:len(all)/10] {
			all[i] = all[10*i]
		}
		all = all[:len(all)/10]
	}
	return Judge(suite.Embedded(), all)
})

// wholeMatrix is for tests that mean nothing of a part of the mutants.
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

// TestEveryMutantIsKilled is the gate: a vector that bears on the misread rule
// fails the mutant, and by what it answers, not because it breaks.
func TestEveryMutantIsKilled(t *testing.T) {
	for _, r := range judged(t).Rows {
		if slices.ContainsFunc(r.Failed, func(c suite.Check) bool { return c.Outcome == suite.Fail && c.Vector.BearsOn(r.Rule) }) {
			continue
		}
		t.Errorf("%s survives: no vector of %s finds out that it takes %q (others that do: %d)", r.Name, r.Rule, r.Text, len(r.Vectors()))
	}
}

// unmisread are the rules that have no mutant, with the reason for each.
var unmisread = map[string]string{
	"cosmos.item-zero": "The sources contradict each other, so that no answer is judged.",
}

// TestEveryRuleIsMisread: each rule that a question can be asked about has a
// mutant. Nobody can misread what is unspecified.
func TestEveryRuleIsMisread(t *testing.T) {
	misread := map[string]bool{}
	for _, m := range All() {
		misread[m.Rule] = true
	}
	s := suite.Embedded()
	for r := range suite.Rules() {
		_, untestable := s.Untestable[r]
		unspecified := untestable || strings.HasSuffix(r.ID, "-unspecified")
		_, listed := unmisread[r.ID]
		switch {
		case misread[r.ID] && (unspecified || listed):
			t.Errorf("%s is misread, though no answer about it can be judged, or it is listed as not misread", r.ID)
		case !misread[r.ID] && !unspecified && !listed:
			t.Errorf("%s has no mutant: %s", r.ID, r.Statement)
		}
		delete(misread, r.ID)
	}
	for id := range misread {
		t.Errorf("%q is no rule", id)
	}
}

// shared are the rules that no mutant misreads alone: they say more about
// answers that other rules give, so that the vectors of those find their
// mutants out as well.
var shared = []string{
	"mongo.date-strict", "mongo.seconds-zero", "mongo.seconds-normalised", "mongo.index-compound",
	"mongo.timeseries-extended-date", "mongo.timeseries-option-change", "mongo.createindexes-unchecked", "mongo.createindexes-stored",
	"mongo.collmod-in-place", "mongo.collmod-reply-elements", "mongo.collmod-reply-seconds",
	"mongo.createindexes-timeseries", "mongo.createindexes-unknown-field",
	"cosmos.setting-now", "cosmos.revived", "cosmos.write-restarts", "cosmos.ttl-update",
	"cosmos.mongo-core",
}

// TestRulesHaveMutantsOfTheirOwn: each other rule has a mutant that is found out
// by the vectors of that rule and by no others.
func TestRulesHaveMutantsOfTheirOwn(t *testing.T) {
	own := map[string]bool{}
	for _, r := range wholeMatrix(t).Rows {
		own[r.Rule] = own[r.Rule] || len(r.Attributed()) == len(r.Vectors())
	}
	for rule, alone := range own {
		if listed := slices.Contains(shared, rule); alone == listed {
			t.Errorf("%s has a mutant of its own: %t, listed as one without: %t", rule, alone, listed)
		}
	}
}

// TestNothingMisreadIsTheReference: the machinery changes no answer by itself.
func TestNothingMisreadIsTheReference(t *testing.T) {
	same := func(q query) query { return q.with(q.get("now"), "now") }
	s := suite.Embedded()
	if testing.Short() {
		s = everyNth(4)
	}
	m, err := Judge(s, []Mutant{
		{Name: "walker", misread: walker{}.walks(anyIndex)},
		{Name: "rewriting of documents", misread: stores(func(v policy.Value) policy.Value { return v })},
		{Name: "rewriting of indexes", misread: rewrites(anyIndex, func(x policy.Value) policy.Value { return x })},
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
		if m.misread == nil || m.Area == "" {
			t.Errorf("%s misreads nothing, or has no area", m.Name)
		}
		if text := m.Rule + m.Text; seen[m.Name] || seen[text] || m.Name == "" || !strings.HasSuffix(m.Text, ".") {
			t.Errorf("%s: want a name that no other mutant has, and a sentence that no other of %s has: %q", m.Name, m.Rule, m.Text)
		}
		seen[m.Name], seen[m.Rule+m.Text] = true, true
	}
}

// TestMutantsDiffer: two mutants that fail the same checks by the same answers
// are one.
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

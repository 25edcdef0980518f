package mutants

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// onDeadline returns a suite of one vector: a document at its deadline is expired since
// 3.2, and not expired in earlier releases.
func onDeadline() *suite.Suite {
	return suite.Embedded().Only(func(v *suite.Vector) bool { return v.ID == "mongodb-date-on-deadline" })
}

// TestScore: a kill counts as attributed only if a vector of the mutant's rule makes it,
// and the newest release alone does not show differences between releases.
func TestScore(t *testing.T) {
	exclusive := shifts(decide, since("3.2.0"), 1)
	m, err := Judge(onDeadline(), []Mutant{
		{Name: "killed", Rule: "mongo.date", misread: exclusive},
		{Name: "killed-by-another", Rule: "mongo.seconds-zero", misread: exclusive},
		{Name: "killed-at-old-releases", Rule: "mongo.date-strict", misread: shifts(decide, until("3.2.0"), -1)},
		{Name: "survivor", Rule: "mongo.date", misread: keeps(decide, until("2.0.0"))},
	})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(m.ByRule(), func(s RuleScore) bool { return s.Rule == "mongo.date" })
	for _, tt := range []struct {
		why                string
		got                Score
		killed, attributed int
		survivors          string
		total              int
	}{
		{"all probes", m.Score(), 3, 2, "killed-by-another survivor", 4},
		{"the newest release", m.ScoreAtNewest(), 2, 1, "killed-by-another killed-at-old-releases survivor", 4},
		{"one rule", m.ByRule()[i].Score, 1, 1, "survivor", 2},
	} {
		if tt.got.Total != tt.total || tt.got.Killed != tt.killed || tt.got.Attributed != tt.attributed || strings.Join(tt.got.Survivors, " ") != tt.survivors {
			t.Errorf("%s: %+v, want %d killed, %d attributed, survivors %s", tt.why, tt.got, tt.killed, tt.attributed, tt.survivors)
		}
	}
	if smoke := m.Smoke(); len(smoke) != 1 || smoke[0].ID != "mongodb-date-on-deadline" {
		t.Errorf("smoke is %v", smoke)
	}
}

// TestScoreAddsUp: the scores of the areas add up to the score of the matrix, and so do
// the scores of the rules.
func TestScoreAddsUp(t *testing.T) {
	m := wholeMatrix(t)
	want := m.Score()
	areas, rules := 0, 0
	for _, s := range m.ByArea() {
		areas += s.Attributed
	}
	for _, s := range m.ByRule() {
		rules += s.Attributed
	}
	if areas != want.Attributed || rules != want.Attributed || want.Total < 120 || want.Total != len(All()) {
		t.Errorf("%+v; by area %d, by rule %d", want, areas, rules)
	}
}

// TestSmokeKillsEveryMutant: the smoke set kills every mutant, and each of its vectors is
// needed.
func TestSmokeKillsEveryMutant(t *testing.T) {
	m := judged(t)
	smoke := m.Smoke()
	for _, r := range m.Rows {
		kills := func(v *suite.Vector) bool { return slices.Contains(r.Attributed(), v) }
		if !slices.ContainsFunc(smoke, kills) {
			t.Errorf("%s survives the smoke set", r.Name)
		}
	}
	if n := len(m.Suite.Vectors); len(smoke) > n/2 {
		t.Errorf("the smoke set has %d of %d vectors", len(smoke), n)
	}
}

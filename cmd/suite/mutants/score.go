package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
)

// A Score counts the mutants that a suite kills.
type Score struct {
	Total int `json:"total"`
	// Killed counts the mutants that fail some check.
	Killed int `json:"killed"`
	// Attributed counts the mutants that a vector about the misread rule kills.
	Attributed int `json:"attributed"`
	// Survivors are the names of the mutants without an attributed kill.
	Survivors []string `json:"survivors"`
}

// Score returns the score over all probes.
func (m *Matrix) Score() Score { return score(m.Rows) }

// ScoreAtNewest returns the score of only the suite's questions about the newest release
// of each system.
func (m *Matrix) ScoreAtNewest() Score {
	newest := m.newest()
	rows := slices.Clone(m.Rows)
	for i := range rows {
		rows[i].Failed = slices.DeleteFunc(slices.Clone(rows[i].Failed), func(c suite.Check) bool {
			return c.Target.Version != newest[c.Target.System]
		})
	}
	return score(rows)
}

// newest returns the newest release of each system among the checks.
func (m *Matrix) newest() map[string]string {
	newest := map[string]string{}
	for _, c := range m.checks {
		if t := c.Target; newest[t.System] == "" || cases.Before(newest[t.System], t.Version) {
			newest[t.System] = t.Version
		}
	}
	return newest
}

func score(rows []Row) Score {
	s := Score{Total: len(rows), Survivors: []string{}}
	for _, r := range rows {
		if len(r.Failed) > 0 {
			s.Killed++
		}
		if len(r.Attributed()) > 0 {
			s.Attributed++
		} else {
			s.Survivors = append(s.Survivors, r.Name)
		}
	}
	return s
}

// A RuleScore is the score of the mutants that misread one rule.
type RuleScore struct {
	Rule string `json:"rule"`
	Score
}

// ByRule returns a score for each misread rule, in the order of the
// catalogues.
func (m *Matrix) ByRule() (scores []RuleScore) {
	for r := range suite.Rules() {
		if s := m.scoreOf(func(row Row) bool { return row.Rule == r.ID }); s.Total > 0 {
			scores = append(scores, RuleScore{r.ID, s})
		}
	}
	return scores
}

// scoreOf returns the score of the mutants for which some reports true.
func (m *Matrix) scoreOf(some func(Row) bool) Score {
	return score(slices.DeleteFunc(slices.Clone(m.Rows), func(r Row) bool { return !some(r) }))
}

// An AreaScore is the score of the mutants of one area.
type AreaScore struct {
	Area string `json:"area"`
	Score
}

// ByArea returns a score for each area, in the order of the mutants.
func (m *Matrix) ByArea() (scores []AreaScore) {
	for i, r := range m.Rows {
		if i == 0 || r.Area != m.Rows[i-1].Area {
			scores = append(scores, AreaScore{r.Area, m.scoreOf(func(row Row) bool { return row.Area == r.Area })})
		}
	}
	return scores
}

// Smoke returns a few vectors for a quick check of an implementation. Together
// they kill every mutant that has an attributed kill. Smoke takes the vector
// that kills most, then the one that kills most of the others, and so on; among
// equals it takes the first in the suite.
func (m *Matrix) Smoke() (chosen []*suite.Vector) {
	kills := map[*suite.Vector][]int{}
	for i, r := range m.Rows {
		for _, v := range r.Attributed() {
			kills[v] = append(kills[v], i)
		}
	}
	dead := make([]bool, len(m.Rows))
	for {
		best, most := m.strongest(kills, dead)
		if most == 0 {
			return chosen
		}
		chosen = append(chosen, best)
		for _, i := range kills[best] {
			dead[i] = true
		}
	}
}

// strongest returns the vector that kills most of the surviving mutants, and
// their number.
func (m *Matrix) strongest(kills map[*suite.Vector][]int, dead []bool) (best *suite.Vector, most int) {
	for _, v := range m.Suite.Vectors {
		n := 0
		for _, i := range kills[v] {
			if !dead[i] {
				n++
			}
		}
		if n > most {
			best, most = v, n
		}
	}
	return best, most
}

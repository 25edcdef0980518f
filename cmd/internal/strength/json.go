package strength

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/mutants"
)

// A JSON is a matrix as a program reads it.
type JSON struct {
	mutants.Score
	// Newest is the score if the newest releases alone were asked about.
	Newest mutants.Score       `json:"newest"`
	Areas  []mutants.AreaScore `json:"areas"`
	Rules  []mutants.RuleScore `json:"rules"`
	// Smoke are vectors that find out all mutants together.
	Smoke   []string     `json:"smoke"`
	Mutants []JSONMutant `json:"mutants"`
}

// A JSONMutant is a mutant, and what finds it out.
type JSONMutant struct {
	Name string `json:"name"`
	Area string `json:"area"`
	Rule string `json:"rule"`
	Text string `json:"text"`
	Wild string `json:"wild,omitempty"`
	// Attributed are the vectors that bear on the rule and find it out, Others
	// the others that find it out.
	Attributed []string `json:"attributed"`
	Others     []string `json:"others"`
}

// JSONOf returns a matrix as a program reads it.
func JSONOf(m *mutants.Matrix) JSON {
	j := JSON{
		Score: m.Score(), Newest: m.ScoreAtNewest(), Areas: m.ByArea(), Rules: m.ByRule(),
		Smoke: names(m.Smoke()), Mutants: []JSONMutant{},
	}
	for _, r := range m.Rows {
		attributed := names(r.Attributed())
		others := slices.DeleteFunc(names(r.Vectors()), func(id string) bool { return slices.Contains(attributed, id) })
		j.Mutants = append(j.Mutants, JSONMutant{r.Name, r.Area, r.Rule, r.Text, r.Wild, attributed, others})
	}
	return j
}

func names(vectors []*conformance.Vector) []string {
	ids := []string{}
	for _, v := range vectors {
		ids = append(ids, v.ID)
	}
	return ids
}

package rules

import "github.com/ttlpolicy/ttlpolicy/policy"

// JSON is a rule as it is encoded for programs: the fields are stable.
type JSON struct {
	ID         string            `json:"id"`
	Statement  string            `json:"statement"`
	Versions   string            `json:"versions,omitempty"` // all if left out
	Confidence policy.Confidence `json:"confidence"`
	Sources    []SourceJSON      `json:"sources"`
}

// SourceJSON is a source of a rule.
type SourceJSON struct {
	Title   string `json:"title"`
	Address string `json:"address"`
}

// JSONOf returns r for encoding.
func JSONOf(r *policy.Rule) JSON {
	j := JSON{ID: r.ID, Statement: r.Statement, Versions: r.Versions, Confidence: r.Confidence, Sources: []SourceJSON{}}
	for _, s := range r.Citations {
		j.Sources = append(j.Sources, SourceJSON(s))
	}
	return j
}

package site

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
)

// jsonFile is the file that says what the page of a rule says, to programs.
func jsonFile(p *rulebook.Page) string { return "rules/" + p.ID + ".json" }

// A ruleJSON is the page of a rule as a program reads it.
type ruleJSON struct {
	rulebook.RuleJSON
	Releases   []jsonVersions `json:"releases"`
	Vectors    []string       `json:"vectors"`    // that bear on it, by identifier
	Mutants    []string       `json:"mutants"`    // that misread it, by name
	Neighbours []string       `json:"neighbours"` // that it is confused with
	Untestable string         `json:"untestable,omitempty"`
}

// A jsonVersions is the releases of one system, by how well it is known that the
// rule holds for them.
type jsonVersions struct {
	System string            `json:"system"`
	AsOf   string            `json:"asOf,omitempty"`
	Holds  map[string]string `json:"holds"` // "vendor-test": "3.2 and later"; "" is all of a service without versions
}

// addRuleJSON writes the page of a rule for programs.
func (b *builder) addRuleJSON(p *rulebook.Page) error {
	t := ruleJSON{RuleJSON: rulebook.RuleJSONOf(p.Rule), Vectors: []string{}, Mutants: []string{}, Neighbours: []string{}, Untestable: p.Untestable}
	for _, s := range p.VersionRows {
		holds := map[string]string{}
		for _, span := range s.Spans {
			holds[span.Support.String()] = span.Releases
		}
		t.Releases = append(t.Releases, jsonVersions{s.System, s.AsOf, holds})
	}
	for _, list := range [][]*rulebook.Case{p.Cases, p.Also} {
		for _, c := range list {
			t.Vectors = append(t.Vectors, c.ID)
		}
	}
	for _, m := range p.Mutants {
		t.Mutants = append(t.Mutants, m.Name)
	}
	for _, n := range p.Neighbours {
		t.Neighbours = append(t.Neighbours, n.ID)
	}
	text, err := json.MarshalIndent(t, "", " ")
	b.site[jsonFile(p)] = append(text, '\n')
	return err
}

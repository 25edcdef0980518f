package rulebook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/spelling"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Select returns the rules of a catalogue that id names: the one with this
// identifier, or all whose identifiers begin with it.
func Select(catalogue []*policy.Rule, id string) []*policy.Rule {
	var found []*policy.Rule
	for _, r := range catalogue {
		switch {
		case r.ID == id:
			return []*policy.Rule{r}
		case strings.HasPrefix(r.ID, id):
			found = append(found, r)
		}
	}
	return found
}

// Near returns the identifiers that somebody who wrote id may have meant, the
// most likely first: at most three.
func Near(catalogue []*policy.Rule, id string) []string {
	type candidate struct {
		id     string
		edits  int
		within bool // one of the two holds the other
	}
	var list []candidate
	for _, r := range catalogue {
		_, name, _ := strings.Cut(r.ID, ".")
		c := candidate{r.ID, min(spelling.Distance(r.ID, id), spelling.Distance(name, id)), strings.Contains(r.ID, id)}
		if c.within || c.edits <= 1+len(id)/4 {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Compare(a.edits, b.edits)
	})
	var ids []string
	for _, c := range list[:min(len(list), 3)] {
		ids = append(ids, c.id)
	}
	return ids
}

// WriteRules writes each rule's identifier and statement.
func WriteRules(p *cli.Printer, list []*policy.Rule) {
	for _, r := range list {
		p.Line("%s", p.Bold(r.ID))
		p.Wrap(r.Statement, 4)
	}
}

// WriteRule writes all that is known of one rule.
func WriteRule(p *cli.Printer, r *policy.Rule) {
	p.Line("  %s", p.Bold(r.ID))
	p.Wrap(r.Statement, 4)
	p.Line("    versions    %s", cmp.Or(r.Versions, "all"))
	p.Line("    confidence  %s", r.Confidence)
	for i, source := range r.Citations {
		name := "sources"
		if i > 0 {
			name = ""
		}
		p.Line("    %-10s  %s\n                %s", name, source.Title, p.Dim(source.Address))
	}
}

// A RuleJSON is a rule as it is encoded for programs. Its fields are stable.
type RuleJSON struct {
	ID         string            `json:"id"`
	Statement  string            `json:"statement"`
	Versions   string            `json:"versions,omitempty"` // all if left out
	Confidence policy.Confidence `json:"confidence"`
	Sources    []SourceJSON      `json:"sources"`
}

// A SourceJSON is a source of a rule or of an answer.
type SourceJSON struct {
	Title   string `json:"title"`
	Address string `json:"address"`
}

// RuleJSONOf returns r for encoding.
func RuleJSONOf(r *policy.Rule) RuleJSON {
	j := RuleJSON{ID: r.ID, Statement: r.Statement, Versions: r.Versions, Confidence: r.Confidence, Sources: []SourceJSON{}}
	for _, s := range r.Citations {
		j.Sources = append(j.Sources, SourceJSON(s))
	}
	return j
}

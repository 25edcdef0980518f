// Package rulelist finds rules by their identifiers, and writes them to a terminal.
package rulelist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// All returns the rules of both engines.
func All() []policy.Rule {
	return slices.AppendSeq(slices.Collect(mongo.Rules()), cosmos.Rules())
}

// Select returns the rules of a list that id names: the rule with the identifier id, or
// all rules whose identifiers begin with id.
func Select(list []policy.Rule, id string) []policy.Rule {
	var found []policy.Rule
	for _, r := range list {
		switch {
		case r.ID() == id:
			return []policy.Rule{r}
		case strings.HasPrefix(r.ID(), id):
			found = append(found, r)
		}
	}
	return found
}

// Near returns the identifiers that somebody who wrote id may have meant, the
// most likely first: at most three.
func Near(list []policy.Rule, id string) []string {
	var near []string
	edits := map[string]int{} // the number of edits from id to each identifier
	for _, r := range list {
		_, name, _ := strings.Cut(r.ID(), ".")
		edits[r.ID()] = min(spelling.Distance(r.ID(), id), spelling.Distance(name, id))
		if strings.Contains(r.ID(), id) || edits[r.ID()] <= 1+len(id)/4 {
			near = append(near, r.ID())
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(edits[a], edits[b]) })
	return near[:min(len(near), 3)]
}

// Write writes each rule's identifier and statement.
func Write(p *cli.Printer, list []policy.Rule) {
	for _, r := range list {
		p.Line("%s", p.Bold(r.ID()))
		p.Wrap(r.Statement(), 4)
	}
}

// WriteWhole writes one rule with its releases, confidence and sources.
func WriteWhole(p *cli.Printer, r policy.Rule) {
	p.Line("  %s", p.Bold(r.ID()))
	p.Wrap(r.Statement(), 4)
	p.Line("    versions    %s", cmp.Or(r.Versions(), "all"))
	p.Line("    confidence  %s", r.Confidence())
	for i, source := range r.Citations() {
		name := "sources"
		if i > 0 {
			name = ""
		}
		p.Line("    %-10s  %s\n                %s", name, source.Title, p.Dim(source.Address))
	}
}

package main

//go:generate sh -c "cd ../../.. && go run ./cmd/internal/reference"

import (
	"fmt"
	"iter"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// pages returns the generated pages by their names in docs/rules.
func pages() map[string]string {
	return map[string]string{
		"mongodb.md": page("MongoDB", mongo.Rules()),
		"cosmos.md":  page("Azure Cosmos DB", cosmos.Rules()),
	}
}

const preface = `# The rules of %s

Written by ` + "`go run ./cmd/internal/reference`" + ` from the catalogue; do not edit.
Each rule has an identifier for ever. How well it is established:

| confidence | meaning |
|---|---|
| tested | a test against the product asserts it |
| source | read in the vendor's source code |
| reported | seen in production, in a public report |
| documented | stated by the vendor's documentation |
| inferred | follows from other rules |
| disputed | the sources disagree |
| unestablished | the sources leave it open; documents are kept |

| rule | statement | versions | confidence | sources |
|---|---|---|---|---|
`

// page returns the page of one catalogue, a line for each rule.
func page(product string, rules iter.Seq[*policy.Rule]) string {
	var b strings.Builder
	fmt.Fprintf(&b, preface, product)
	for r := range rules {
		versions := r.Versions
		if versions == "" {
			versions = "all"
		}
		fmt.Fprintf(&b, "| <a id=%q></a>`%s` | %s | %s | %s | %s |\n", r.ID, r.ID, cell(r.Statement), cell(versions), r.Confidence, sources(r))
	}
	return b.String()
}

// cell returns text as it stands in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func sources(r *policy.Rule) string {
	var list []string
	for _, s := range r.Sources {
		if strings.HasPrefix(s.Address, "https://") {
			list = append(list, fmt.Sprintf("[%s](%s)", cell(s.Title), s.Address))
			continue
		}
		list = append(list, fmt.Sprintf("%s, `%s`", cell(s.Title), s.Address))
	}
	return strings.Join(list, "; ")
}

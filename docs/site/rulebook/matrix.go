package rulebook

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A MatrixRow is a default of a container of Azure Cosmos DB, with the effect of each ttl
// of an item.
type MatrixRow struct {
	Default string // "no defaultTtl"
	Cells   []MatrixCell
}

// A MatrixCell is the playground's answer about an item in a container.
type MatrixCell struct {
	Word     string // "never", "after 60 s"
	Decision policy.State
	Rule     *Page
	Sentence string
	Question playground.State
}

// The defaults of a container and the ttls of an item: three of each, which differ in
// their meaning. Each has its label and its text as a member of a JSON object.
var (
	matrixDefaults = [][2]string{{"no defaultTtl", ``}, {"defaultTtl -1", `"defaultTtl": -1`}, {"defaultTtl 3600", `"defaultTtl": 3600`}}
	matrixTTLs     = [][2]string{{"no ttl", ``}, {"ttl -1", `, "ttl": -1`}, {"ttl 60", `, "ttl": 60`}}
)

// MatrixHead holds the headings of the matrix's columns.
func (e *Engine) MatrixHead() (labels []string) {
	for _, ttl := range matrixTTLs {
		labels = append(labels, ttl[0])
	}
	return labels
}

// matrix answers about an item with each ttl in a container with each default.
func (b *Book) matrix() (rows []MatrixRow) {
	written := playground.Clock - 7_200_000
	for _, d := range matrixDefaults {
		row := MatrixRow{Default: d[0]}
		for _, ttl := range matrixTTLs {
			s := playground.State{
				System: definition.CosmosNoSQL, Now: playground.Clock.String(), Policy: "{" + d[1] + "}",
				Document: fmt.Sprintf(`{"id": "1", "_ts": %d%s}`, written/1000, ttl[1]),
			}
			row.Cells = append(row.Cells, b.matrixCell(s, written))
		}
		rows = append(rows, row)
	}
	return rows
}

func (b *Book) matrixCell(s playground.State, written policy.Instant) MatrixCell {
	e, ok := playground.Explain(s)
	if !ok {
		panic("rulebook: the playground cannot read " + s.Policy) // the questions are part of the program
	}
	cell := MatrixCell{Word: "never", Decision: e.Decision.State, Rule: b.pages[e.Decision.Rule.ID()], Sentence: e.Sentence(), Question: s}
	if deadline, ok := e.Decision.Deadline(); ok {
		cell.Word = fmt.Sprintf("after %d s", (deadline-written)/1000)
	}
	return cell
}

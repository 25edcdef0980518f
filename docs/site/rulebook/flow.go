package rulebook

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Flow is the order in which an evaluator consults its rules.
type Flow struct {
	Title, Slug string
	Steps       []FlowStep
}

// A FlowStep is a rule of a Flow, with the question that it asks.
type FlowStep struct {
	Rule *Page  `json:"-"`
	Ask  string // "" for the last step, which asks nothing
	Then string // the outcome for the document if the answer is yes
}

// flowQuestions are questions that the last rule of a ladder answers, so that the
// evaluator consults the whole ladder.
var flowQuestions = []struct {
	engine, title, slug string
	state               playground.State
}{
	{"mongodb", "MongoDB, one TTL index", "mongodb", playground.State{
		System: "mongodb", Policy: `db.c.createIndex({at: 1}, {expireAfterSeconds: 60, partialFilterExpression: {a: 1}})`,
		Document: `{a: 1, at: ISODate("2020-01-01T00:00:00Z")}`,
	}},
	{"documentdb", "DocumentDB, one TTL index", "documentdb", playground.State{
		System: "mongodb", Release: "documentdb@0.112", Policy: `db.c.createIndex({at: 1}, {expireAfterSeconds: 60, partialFilterExpression: {a: 1}})`,
		Document: `{a: 1, at: ISODate("2020-01-01T00:00:00Z")}`,
	}},
	{"cosmos", "Azure Cosmos DB for NoSQL", "cosmos-nosql", playground.State{
		System: definition.CosmosNoSQL, Policy: `{"defaultTtl": 60}`, Document: `{"id": "1", "_ts": 1}`,
	}},
	{"cosmos", "Azure Cosmos DB for MongoDB, an index on _ts", "cosmos-mongo", playground.State{
		System: definition.CosmosMongo, Policy: `db.c.createIndex({_ts: 1}, {expireAfterSeconds: 60})`, Document: `{_id: 1, _ts: 1}`,
	}},
}

// flows returns the ladders of an engine's evaluators, with a question for each rule, in
// the order of the evaluators.
func (b *Book) flows(engine string, questions map[string]FlowStep) (all []Flow) {
	for _, q := range flowQuestions {
		if q.engine != engine {
			continue
		}
		q.state.Now = playground.Clock.String()
		e, ok := playground.Explain(q.state)
		if !ok {
			panic("rulebook: the playground cannot read " + q.state.Policy) // the questions are part of the program
		}
		f := Flow{Title: q.title, Slug: q.slug}
		for _, r := range e.Ladder {
			step := questions[r.ID()]
			step.Rule = b.pages[r.ID()]
			f.Steps = append(f.Steps, step)
		}
		all = append(all, f)
	}
	return all
}

// Text is the step as a sentence.
func (s FlowStep) Text() string {
	if s.Ask == "" {
		return "Else it " + s.Then + "."
	}
	return s.Ask + " Yes: " + s.Then + "."
}

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

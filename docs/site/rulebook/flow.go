package rulebook

import (
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
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

package rulebook

import (
	"fmt"
	"html"
	"strings"

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
			step := questions[r.ID]
			step.Rule = b.pages[r.ID]
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

// Measures of a chart, in units of a drawing as wide as a phone's screen.
const (
	flowWidth, askWidth, thenLeft = 360, 236, 262
	lineHigh, flowGap             = 15, 14
)

// SVG draws f: the questions one below another, and beside each question the outcome of a
// yes.
func (f Flow) SVG() string {
	var b, desc strings.Builder
	y := 1
	for i, s := range f.Steps {
		ask, then := wrapped(s.Ask, 34), wrapped(s.Then, 13)
		if s.Ask == "" {
			ask, then = wrapped(s.Then, 34), nil
		}
		high := lineHigh*max(len(ask)+1, len(then)) + 10
		class := "ask"
		if s.Ask == "" {
			class = "ends"
		}
		box(&b, class, 1, y, askWidth-1, high)
		lines(&b, "text", 10, y+lineHigh+2, ask)
		lines(&b, "id", 10, y+lineHigh*(len(ask)+1)+1, []string{s.Rule.ID})
		if then != nil {
			mid := y + high/2
			thenHigh := lineHigh*len(then) + 10
			fmt.Fprintf(&b, `<path class="way" d="M%d %dH%d"/><path class="tip" d="M%d %dl-6 -4v8z"/>`, askWidth, mid, thenLeft, thenLeft, mid)
			class := "stays"
			if strings.HasPrefix(s.Then, "expires") {
				class = "ends"
			}
			box(&b, class, thenLeft, mid-thenHigh/2, flowWidth-thenLeft-1, thenHigh)
			lines(&b, "text", thenLeft+7, mid-thenHigh/2+lineHigh+2, then)
			fmt.Fprintf(&b, `<text class="id" x="%d" y="%d">yes</text>`, askWidth+3, mid-5)
		}
		y += high
		if i+1 < len(f.Steps) {
			fmt.Fprintf(&b, `<path class="way" d="M20 %dv%d"/><path class="tip" d="M20 %dl-4 -6h8z"/><text class="id" x="28" y="%d">no</text>`+"\n", y, flowGap, y+flowGap, y+flowGap-3)
			y += flowGap
		}
		desc.WriteString(s.Text() + " ")
	}
	return fmt.Sprintf(`<svg class="flow" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="flow-%[3]s-title flow-%[3]s-desc">
<title id="flow-%[3]s-title">%[4]s: when a document expires, as a flow chart</title>
<desc id="flow-%[3]s-desc">%[5]s</desc>
%[6]s</svg>`, flowWidth, y+1, f.Slug, html.EscapeString(f.Title), html.EscapeString(strings.TrimSpace(desc.String())), b.String())
}

func box(b *strings.Builder, class string, x, y, wide, high int) {
	fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="6"/>`, class, x, y, wide, high)
}

// lines writes lines of text, the first with its base line at y.
func lines(b *strings.Builder, class string, x, y int, all []string) {
	for i, line := range all {
		fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`, class, x, y+i*lineHigh, html.EscapeString(line))
	}
}

// wrapped breaks a text into lines of at most n characters, where its words allow it.
func wrapped(text string, n int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= n {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

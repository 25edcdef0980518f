package rulebook

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/docs/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
)

// A Flow is the order in which an evaluator consults its rules.
type Flow struct {
	Title, Slug string
	Steps       []FlowStep
}

// A FlowStep is a rule of a Flow, with the question that it asks.
type FlowStep struct {
	Rule *Page
	Ask  string // "" for the last step, which asks nothing
	Then string // what becomes of the document if the answer is yes
}

// steps are the questions of the rules, and what a yes leads to. The order is not here: it is
// that of the evaluators.
var steps = map[string]FlowStep{
	"mongo.no-ttl":             {Ask: "Is there no expireAfterSeconds?", Then: "stays"},
	"mongo.index-compound":     {Ask: "Has the index several fields?", Then: "stays"},
	"mongo.index-special":      {Ask: "Is it hashed, text, 2d, 2dsphere or wildcard?", Then: "stays"},
	"mongo.path-refused":       {Ask: "Is its path one that cannot be indexed?", Then: "stays"},
	"mongo.seconds-not-number": {Ask: "Are its seconds no number?", Then: "stays"},
	"mongo.nan-skipped":        {Ask: "Are its seconds NaN?", Then: "stays"},
	"mongo.seconds-invalid":    {Ask: "Are they below 0, or above 2147483647?", Then: "stays"},
	"mongo.filter-unspecified": {Ask: "Does nobody say whether the partial filter matches?", Then: "kept: unspecified"},
	"mongo.filter-mismatch":    {Ask: "Is the document outside the partial filter?", Then: "stays"},
	"mongo.field-missing":      {Ask: "Is the field missing?", Then: "stays"},
	"mongo.field-null":         {Ask: "Is it null?", Then: "stays"},
	"mongo.array-empty":        {Ask: "Is it an empty array?", Then: "stays"},
	"mongo.array-nested":       {Ask: "Are the dates in an array within an array?", Then: "stays"},
	"mongo.field-not-date":     {Ask: "Is it of another type than Date?", Then: "stays"},
	"mongo.field-opaque":       {Ask: "Is its type unknown to BSON?", Then: "kept: unspecified"},
	"mongo.path-ambiguous":     {Ask: "Is a number in the path both a position and a field?", Then: "stays"},
	"mongo.unreachable":        {Ask: "Is the date too late for any clock?", Then: "stays"},
	"mongo.array-earliest":     {Ask: "Is it an array with dates?", Then: "expires by the earliest"},
	"mongo.date":               {Then: "expires expireAfterSeconds after the date"},

	"cosmos.malformed":                     {Ask: "Are the bytes no document?", Then: "kept"},
	"cosmos.off":                           {Ask: "Has the container no defaultTtl?", Then: "stays"},
	"cosmos.container-unspecified":         {Ask: "Is it one that the service refuses?", Then: "kept: unspecified"},
	"cosmos.duplicate-unspecified":         {Ask: "Does ttl or _ts occur twice?", Then: "kept: unspecified"},
	"cosmos.path-unspecified":              {Ask: "Is there a ttlPropertyPath, and no number there, or a ttl beside it?", Then: "kept: unspecified"},
	"cosmos.item-never":                    {Ask: "Is its own ttl -1?", Then: "stays"},
	"cosmos.item-unspecified":              {Ask: "Is its ttl one that the service refuses?", Then: "kept: unspecified"},
	"cosmos.no-default":                    {Ask: "Is the default -1, and has it no ttl?", Then: "stays"},
	"cosmos.no-timestamp":                  {Ask: "Is _ts not shown?", Then: "kept: not known"},
	"cosmos.unreachable":                   {Ask: "Is the deadline too late for any clock?", Then: "stays"},
	"cosmos.item":                          {Ask: "Has it a ttl of its own?", Then: "expires ttl after _ts"},
	"cosmos.path":                          {Ask: "Is there a ttlPropertyPath?", Then: "expires by that property"},
	"cosmos.default":                       {Then: "expires by the default, in seconds after _ts"},
	"cosmos.mongo-off":                     {Ask: "Is there no index with expireAfterSeconds?", Then: "stays"},
	"cosmos.mongo-index-unspecified":       {Ask: "Is it an index of which nobody says what it does?", Then: "kept: unspecified"},
	"cosmos.mongo-ttl-version-unspecified": {Ask: "Has it a ttl, on server version 3.2 without the capability?", Then: "kept: unspecified"},
	"cosmos.mongo-ttl-unspecified":         {Ask: "Is its ttl 0, or below -1?", Then: "kept: unspecified"},
	"cosmos.mongo-ttl-ignored":             {Ask: "Is its ttl no whole number of 32 bits?", Then: "expires by the default"},
}

// flowQuestions are answered by the last rule of a ladder, so that all of it is consulted.
var flowQuestions = []struct {
	engine, title, slug string
	state               playground.State
}{
	{"mongodb", "MongoDB, one TTL index", "mongodb", playground.State{
		System: "mongodb", Policy: `db.c.createIndex({at: 1}, {expireAfterSeconds: 60, partialFilterExpression: {a: 1}})`,
		Document: `{a: 1, at: ISODate("2020-01-01T00:00:00Z")}`,
	}},
	{"cosmos", "Azure Cosmos DB for NoSQL", "cosmos-nosql", playground.State{
		System: reasons.CosmosNoSQL, Policy: `{"defaultTtl": 60}`, Document: `{"id": "1", "_ts": 1}`,
	}},
	{"cosmos", "Azure Cosmos DB for MongoDB, an index on _ts", "cosmos-mongo", playground.State{
		System: reasons.CosmosMongo, Policy: `db.c.createIndex({_ts: 1}, {expireAfterSeconds: 60})`, Document: `{_id: 1, _ts: 1}`,
	}},
}

// flows are the ladders of an engine's evaluators, with a question for each rule.
func (b *Book) flows(engine string) (all []Flow) {
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
			step := steps[r.ID]
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

// The measures of a chart, in units of a drawing that is as wide as a phone.
const (
	flowWidth, askWidth, thenLeft = 360, 236, 262
	lineHigh, flowGap             = 15, 14
)

// SVG draws f: the questions one below another, and beside each what a yes leads to.
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
		lines(&b, "", 10, y+lineHigh+2, ask)
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
			lines(&b, "", thenLeft+7, mid-thenHigh/2+lineHigh+2, then)
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
	attribute := cmp.Or(class, "text")
	for i, line := range all {
		fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`, attribute, x, y+i*lineHigh, html.EscapeString(line))
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

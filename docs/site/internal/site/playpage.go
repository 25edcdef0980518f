package site

import (
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// program is the file of the playground that browsers run.
const program = "playground/playground.wasm.gz"

// A player is the data of the playground's page. This package computes the first answer
// with the library, so that it can be read before the program is loaded.
type player struct {
	Home         bool // the first page of the site
	First        playground.Answer
	Title        string // the title of the example that is answered
	Sign, Word   string // the verdict
	Wide, Narrow template.HTML
	Data         playerData
}

// playerData is the initial data of the page's script.
type playerData struct {
	First    playground.Answer    `json:"first"`
	Examples []playground.Example `json:"examples"`
	Eager    bool                 `json:"eager"` // the program is loaded at once
	// Addresses, which change with the contents of files.
	Worker  string `json:"worker"`
	Starter string `json:"starter"` // the script that starts the program in the worker
	Program string `json:"program"`
	Size    int    `json:"size"` // the compressed size of the program in bytes
	// Rule is the address of a rule's page, with RULE in place of the rule. Disputes is the
	// address of the page about disagreements.
	Rule     string `json:"rule"`
	Disputes string `json:"disputes"`
	Search   string `json:"search"` // the page of results
	Root     string `json:"root"`   // the root of the site
	// Pages are the addresses of the pages that a [playground.Half] names, by their files.
	Pages map[string]string `json:"pages"`
}

// signs maps states to the signs that the scripts show for them.
var signs = map[policy.State]string{policy.Expired: "✕", policy.Pending: "◔", policy.Never: "∞"}

// parse sets the templates of b: the templates of this package, and the page of the
// playground, which is a template in the playground's files.
func (b *builder) parse() (err error) {
	if b.templates, err = templates().Clone(); err != nil {
		return err
	}
	if b.playground == nil {
		_, err = b.templates.New("ask").Parse("")
		return err
	}
	text, err := fs.ReadFile(b.playground, "index.html")
	if err != nil {
		return err
	}
	_, err = b.templates.New("playground").Parse(string(text))
	return err
}

// addPlayground writes the page of the playground.
func (b *builder) addPlayground() error {
	if b.playground == nil {
		return nil
	}
	const here = "playground/index.html"
	first := b.newPlayer(here, playground.Examples()[0])
	first.Data.Eager = true
	about := page{Title: "TTL playground", Description: "When does a document expire in MongoDB and Azure Cosmos DB, by which rule, and in which releases otherwise?", Player: &first}
	return b.render(here, "playground", about)
}

// newPlayer makes the box of a page, with an example and its answer.
func (b *builder) newPlayer(here string, first playground.Example) player {
	program := b.site[program]
	a := playground.Of(first.State, playground.View{})
	p := player{First: a, Title: first.Title, Sign: signs[a.Verdict], Word: a.Word}
	p.Wide, p.Narrow = drawn(first.State, 640, "first"), drawn(first.State, 330, "first-narrow")
	a.Timeline = "" // the page has the timeline already
	examples := playground.Examples()
	if !slices.ContainsFunc(examples, func(x playground.Example) bool { return x.State == a.State }) {
		first.Group, first.State = "The first example", a.State
		examples = append([]playground.Example{first}, examples...)
	}
	to := func(file string) string { return b.link(here, file) }
	p.Data = playerData{
		First: a, Examples: examples, Pages: map[string]string{},
		Worker: to("playground/worker.js"), Starter: "wasm_exec.js", Program: "playground.wasm.gz?v=" + hash(program), Size: len(program),
		Rule: to("rules/RULE.html"), Disputes: to("disagreements.html"), Search: to(resultsPage), Root: strings.Repeat("../", strings.Count(here, "/")),
	}
	for _, file := range playground.HalfPages {
		p.Data.Pages[file] = to(file)
	}
	return p
}

// drawn returns the timeline of a question. It is safe HTML, because package timeline
// escapes texts.
func drawn(s playground.State, width int, id string) template.HTML {
	return template.HTML(playground.Of(s, playground.View{Width: width, ID: id}).Timeline)
}

// When says in the words of the script when the document expires.
func (p player) When() string {
	deadline := strings.Replace(p.First.Deadline, ".000Z", "Z", 1)
	switch p.First.Verdict {
	case policy.Expired:
		return fmt.Sprintf("since %s (%s)", deadline, p.First.Distance)
	case policy.Pending:
		return fmt.Sprintf("expires at %s (%s)", deadline, p.First.Distance)
	}
	return "it stays"
}

// Decider is the rule that decides.
func (p player) Decider() *playground.LadderRule {
	if len(p.First.Ladder) == 0 {
		return nil
	}
	return &p.First.Ladder[len(p.First.Ladder)-1]
}

// play returns the link that opens a question in the playground; "" if there is none.
func (p page) play(s playground.State, ok bool) string {
	if !p.Playground || !ok {
		return ""
	}
	return p.To("playground/index.html") + "#" + s.Fragment()
}

// Play returns the link that opens a vector in the playground, at the answer that the page
// is about.
func (p page) Play(c *rulebook.Case) string { return p.play(c.State(p.Rule.AnswerOn(c))) }

// PlayExample returns the link that opens the example in the playground.
func (p page) PlayExample() string { return p.play(p.Rule.Example.Case.State(p.Rule.Example.Answer)) }

// PlayCell returns the link that opens a cell of the matrix in the playground.
func (p page) PlayCell(c rulebook.MatrixCell) string { return p.play(c.Question, true) }

// svg marks a drawing of this program as HTML.
func svg(text string) template.HTML { return template.HTML(text) }

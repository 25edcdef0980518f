package site

import (
	"html/template"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reference/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/playground"
)

// play is the link of a question into the playground, "" if there is none.
func (p page) play(s playground.State, ok bool) string {
	if !p.Playground || !ok {
		return ""
	}
	return p.To("playground/index.html") + "#" + s.Fragment()
}

// Play is the link into the playground for the answer to a vector that the page
// is about.
func (p page) Play(c *rulebook.Case) string { return p.play(c.State(p.Rule.AnswerOn(c))) }

// PlayExample is the link of the example into the playground.
func (p page) PlayExample() string { return p.play(p.Rule.Example.Case.State(p.Rule.Example.Answer)) }

// PlayCell is the link of a cell of the matrix into the playground.
func (p page) PlayCell(c rulebook.MatrixCell) string { return p.play(c.Question, true) }

// svg marks a drawing of this program as HTML.
func svg(text string) template.HTML { return template.HTML(text) }

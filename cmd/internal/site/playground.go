package site

import (
	"html/template"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
)

// play is the link of an answer into the playground, "" if there is none.
func (p page) play(c *rulebook.Case, a rulebook.Answer) string {
	s, ok := c.State(a)
	if !p.Playground || !ok {
		return ""
	}
	return p.To("playground/index.html") + "#" + s.Fragment()
}

// Play is the link into the playground for the answer to a vector that the page
// is about.
func (p page) Play(c *rulebook.Case) string { return p.play(c, p.Rule.AnswerOn(c)) }

// PlayExample is the link of the example into the playground.
func (p page) PlayExample() string { return p.play(p.Rule.Example.Case, p.Rule.Example.Answer) }

// PlayCell is the link of a cell of the matrix into the playground.
func (p page) PlayCell(c rulebook.MatrixCell) string {
	if !p.Playground {
		return ""
	}
	return p.To("playground/index.html") + "#" + c.Question.Fragment()
}

// svg marks a drawing of this program as HTML.
func svg(text string) template.HTML { return template.HTML(text) }

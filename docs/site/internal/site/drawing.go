package site

import (
	"bytes"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/timeline"
	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
)

// drawing matches a line of a guide that the site replaces by a drawing:
//
//	<!-- Drawing: flow mongodb -->  the order in which the rules of an evaluator are consulted
//	<!-- Drawing: matrix -->        the default of a container against the item's own ttl
//	<!-- Drawing: question -->      the time line of the page's link into the playground
var drawing = pattern.Lazy(`<!-- Drawing: ([a-z]+) ?([a-z-]*) -->\n?`)

// draw puts the drawings of a guide in their places.
func (b *builder) draw(g *guide, body []byte) (drawn []byte, err error) {
	drawn = drawing().ReplaceAllFunc(body, func(line []byte) []byte {
		m := drawing().FindSubmatch(line)
		shown := b.shown(g, string(m[1]), string(m[2]))
		if shown == nil {
			err = fmt.Errorf("there is no drawing %q", line)
			return line
		}
		var out bytes.Buffer
		if e := b.templates.ExecuteTemplate(&out, string(m[1]), listOn{page{File: g.file, b: b}, shown}); e != nil {
			err = e
		}
		return out.Bytes()
	})
	return drawn, err
}

// shown returns the data of a drawing; nil if there is none.
func (b *builder) shown(g *guide, kind, name string) any {
	for _, e := range b.book.Engines {
		if kind == "matrix" && e.Matrix != nil {
			return e
		}
		for _, f := range e.Flows {
			if kind == "flow" && f.Slug == name {
				return f
			}
		}
	}
	link := asked().FindSubmatch(g.text)
	if kind != "question" || link == nil {
		return nil
	}
	state, _ := playground.ParseFragment(string(link[1]))
	e, ok := playground.Explain(state)
	if !ok {
		return nil
	}
	line := timeline.Of(e)
	return struct{ SVG, Narrow, Sentence string }{
		line.SVG(timeline.Options{Width: 760, ID: "timeline", Bare: true}),
		line.SVG(timeline.Options{Width: 340, ID: "narrow", Bare: true}),
		e.Sentence(),
	}
}

// asked finds a page's link to the playground.
var asked = pattern.Lazy(`playground/page/index\.html#([^)]*)\)`)

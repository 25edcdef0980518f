package site

import (
	"bytes"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
)

// drawing matches a line of a guide that the site replaces by a drawing:
//
//	<!-- Drawing: flow mongodb -->  the order in which the rules of an evaluator are consulted
//	<!-- Drawing: matrix -->        the default of a container against the item's own ttl
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
	return nil
}

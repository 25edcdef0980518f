package main

import (
	"cmp"
	"slices"
)

// edits are changes of one source file that keep its lines.
type edits struct {
	list []edit
}

// An edit puts text at an offset in place of some bytes there.
type edit struct {
	at, length int
	text       string
	rank       int // among edits at the same offset
}

// wrap puts text before and after a piece of source. Of several pieces that
// begin or end at the same place the one that is wrapped first is outermost.
func (e *edits) wrap(from, to int, before, after string) {
	n := len(e.list) + 1
	e.list = append(e.list, edit{from, 0, before, n}, edit{to, 0, after, -n})
}

// replace puts text in place of a piece of source.
func (e *edits) replace(from, to int, text string) {
	e.list = append(e.list, edit{from, to - from, text, 0})
}

// apply returns the source with all edits made.
func (e *edits) apply(source []byte) (changed []byte) {
	slices.SortStableFunc(e.list, func(a, b edit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank)) })
	done := 0
	for _, edit := range e.list {
		changed = append(changed, source[done:edit.at]...)
		changed = append(changed, edit.text...)
		done = edit.at + edit.length
	}
	return append(changed, source[done:]...)
}

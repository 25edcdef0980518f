package main

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/migrate"
)

// headings are what each fidelity is called above its notes.
var headings = []struct {
	fidelity migrate.Fidelity
	text     string
}{
	{migrate.Exact, "carries over exactly"},
	{migrate.Approximate, "only approximately"},
	{migrate.Lost, "not at all"},
}

// text writes the migration for people.
func (m *migration) text(p *cli.Printer) error {
	p.Line("from    %s\nto      %s\ncreate  %s", m.From, m.To, m.Create)
	for _, note := range m.Read {
		p.Write([]byte(wrapped("Note: "+cli.Visible(note), "        ", "        ")))
	}
	for _, h := range headings {
		p.Line("\n%s", h.text)
		for _, n := range m.Notes {
			if n.Fidelity == h.fidelity {
				p.Line("%s    %s", wrapped(n.Text, "  - ", "    "), strings.Join(n.Rules, ", "))
			}
		}
	}
	if r := m.Result; r != nil {
		p.Line("\n%d documents: %d exactly, %d later, %d kept for ever, %d left out", r.Documents, r.Exact, r.Approximate, r.Lost, r.Conflicts)
		for _, x := range r.First {
			p.Line("  %s %s", x.ID, x.What)
		}
	}
	if m.Out != "" {
		p.Line("written to %s", m.Out)
	}
	return p.Err()
}

// wrapped breaks text into lines of at most 80 columns.
func wrapped(text, first, other string) string {
	const columns = 80
	var b strings.Builder
	line := first
	for i, word := range strings.Fields(text) {
		if i > 0 && len(line)+1+len(word) > columns {
			b.WriteString(line + "\n")
			line = other + word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/transfer"
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

func (f *migrateFlags) write(w io.Writer, m *migration) error {
	if f.format == "json" {
		return cli.WriteJSON(w, m)
	}
	_, err := io.WriteString(w, m.text())
	return err
}

// text returns the migration for people.
func (m *migration) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "from    %s\nto      %s\ncreate  %s\n", m.From, m.To, m.Create)
	for _, note := range m.Read {
		b.WriteString(wrapped("Note: "+cli.Visible(note), "        ", "        "))
	}
	for _, h := range headings {
		fmt.Fprintf(&b, "\n%s\n", h.text)
		for _, n := range m.Notes {
			if n.Fidelity == h.fidelity {
				fmt.Fprintf(&b, "%s    %s\n", wrapped(n.Text, "  - ", "    "), strings.Join(n.Rules, ", "))
			}
		}
	}
	if m.Result != nil {
		b.WriteString("\n" + counts(m.Result, m.Out))
	}
	return b.String()
}

func counts(r *transfer.Result, out string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents: %d exactly, %d later, %d kept for ever, %d left out\n", r.Documents, r.Exact, r.Approximate, r.Lost, r.Conflicts)
	for _, x := range r.First {
		fmt.Fprintf(&b, "  %s %s\n", x.ID, x.What)
	}
	if out != "" {
		fmt.Fprintf(&b, "written to %s\n", out)
	}
	return b.String()
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

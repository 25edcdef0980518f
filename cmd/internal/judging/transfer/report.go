package transfer

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Report describes the migrations of one or several collections to another system.
type Report struct {
	To          string       `json:"to"`
	Collections []*Migration `json:"collections"`
	Total       *Result      `json:"total,omitempty"` // the sum over several collections with documents; nil for a single collection
}

// Count sets the total and the texts of errors, after the documents were read.
func (r *Report) Count() {
	for _, m := range r.Collections {
		if m.Err != nil {
			m.Error = cli.ErrorLine(m.Err)
		}
		if m.Result != nil && len(r.Collections) > 1 {
			if r.Total == nil {
				r.Total = &Result{First: []Exception{}}
			}
			counts := *m.Result
			counts.First = nil
			r.Total.add(&counts)
		}
	}
}

// Left returns the number of documents that were left out because they cannot be
// transferred, and the number of collections that were left out whole.
func (r *Report) Left() (documents int64, collections int) {
	for _, m := range r.Collections {
		switch {
		case m.Err != nil:
			collections++
		case m.Result != nil:
			documents += m.Result.Conflicts
		}
	}
	return documents, collections
}

// Done returns the number of collections that are finished, with a result or with an
// error.
func (r *Report) Done() (n int64) {
	for _, m := range r.Collections {
		if m.Result != nil || m.Err != nil {
			n++
		}
	}
	return n
}

var headings = []struct {
	fidelity Fidelity
	text     string
}{
	{Exact, "carries over exactly"},
	{Rounded, "later by less than a second"},
	{Approximate, "only approximately"},
	{Lost, "not at all"},
}

// Text writes the report for people.
func (r *Report) Text(p *cli.Printer) error {
	if len(r.Collections) == 1 {
		m := r.Collections[0]
		p.Line("from    %s\nto      %s", m.From, r.To)
		m.head(p)
		r.notes(p)
		p.Line("")
		m.counts(p, exceptions)
		return p.Err()
	}
	p.Line("to      %s", r.To)
	for _, m := range r.Collections {
		p.Line("\n%s", p.Bold(m.Collection))
		if m.From != "" {
			p.Line("from    %s", m.From)
		}
		m.head(p)
		m.counts(p, 3)
	}
	if r.Total != nil {
		head := cli.Count(int64(len(r.Collections)), "collection", "collections")
		if _, left := r.Left(); left > 0 {
			head += ", of which " + cli.Count(int64(left), "is", "are") + " not carried over"
		}
		p.Line("\n%s", p.Bold(head))
		p.Wrap(r.Total.line(), 0)
	}
	r.notes(p)
	return p.Err()
}

func (m *Migration) head(p *cli.Printer) {
	if m.Err != nil {
		p.Line("%s %s", p.Expired("not carried over:"), m.Error)
		return
	}
	switch {
	case m.Create == "":
		p.Line("create  no time to live: no document expires")
	case len(m.Steps) == 1 && m.Steps[0].Command == m.Create:
		p.Line("create")
	default:
		p.Line("create  %s", m.Create)
	}
	change.WriteSteps(p, m.Steps)
	for _, note := range m.Read {
		p.Wrap("Note: "+note, 8)
	}
}

// notes writes each note about collections once, with the names of these collections.
func (r *Report) notes(p *cli.Printer) {
	var planned []*Migration // the migrations with notes
	for _, m := range r.Collections {
		if len(m.Notes) > 0 && m.Err == nil {
			planned = append(planned, m)
		}
	}
	if len(planned) == 0 {
		return
	}
	var list []Note
	names := map[string][]string{} // the names of collections, by the texts of their notes
	for _, m := range planned {
		for _, n := range m.Notes {
			if names[n.Text] == nil {
				list = append(list, n)
			}
			names[n.Text] = append(names[n.Text], m.Collection)
		}
	}
	for _, h := range headings {
		if !slices.ContainsFunc(list, func(n Note) bool { return n.Fidelity == h.fidelity }) {
			continue
		}
		p.Line("\n%s", h.text)
		for _, n := range list {
			if n.Fidelity != h.fidelity {
				continue
			}
			text := n.Text
			if of := slices.Compact(names[n.Text]); len(of) < len(planned) {
				text += " (" + cli.SomeOf(of) + ")"
			}
			p.Item(text, 4)
			p.Line("    %s", strings.Join(n.Rules, ", "))
		}
	}
}

// counts writes the number of documents of each outcome, and the first documents whose
// outcome is not exact. The parameter most limits their number.
func (m *Migration) counts(p *cli.Printer, most int) {
	r := m.Result
	if r == nil {
		return
	}
	p.Wrap(r.line(), 0)
	first := r.First[:min(len(r.First), most)]
	for _, x := range first {
		p.Line("  %s  %s", x.Short(), x.What)
	}
	if more := r.Approximate + r.Lost + r.Conflicts - int64(len(first)); more > 0 && len(first) > 0 {
		p.Line("  and %s more", cli.Number(more))
	}
	if r.Unchecked {
		p.Wrap("Note: each id was compared with the first "+cli.Number(maxIDs)+" different ids alone. Later items may have equal ids, if _id holds values of several kinds, such as 1 and \"1\", or if another field holds a value twice.", 8)
	}
	if m.Out != "" {
		p.Line("written to %s", m.Out)
	}
}

// line returns the number of documents of each outcome, as text. Each document counts for
// one outcome.
func (r *Result) line() string {
	atMost := "" // the longest delay
	if r.Approximate > 0 {
		atMost = " by up to " + reasons.Span(policy.Instant(r.MaxDelay), 0)
	}
	text := cli.Documents(r.Documents) + ": " + cli.Number(r.Exact) + " exactly, " + cli.Number(r.Rounded) + " later by less than a second, " + cli.Number(r.Approximate) + " later" + atMost + ", " + cli.Number(r.Lost) + " kept for ever, " + cli.Number(r.Conflicts) + " left out"
	if r.Dropped {
		text += " in conflict, " + cli.Number(r.Expired) + " dropped as expired"
	}
	return text
}

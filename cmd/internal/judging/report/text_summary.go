package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
)

// remarks returns a text that explains the sizes, with a note if a release is assumed.
func remarks(list []Collection) string {
	text := "Sizes are of uncompressed documents."
	if slices.ContainsFunc(list, func(c Collection) bool { return c.Policy.System == definition.MongoDB }) {
		text += " What is deleted frees room within the files of a collection; only compact gives disk space back."
	}
	if slices.ContainsFunc(list, func(c Collection) bool { return c.Policy.IsAssumed }) {
		text += " " + reasons.AssumedNote
	}
	return text
}

// A table is the summary's layout for a terminal: two columns of text, then columns of
// numbers.
type table struct {
	textWriter
	name, policy int // the widths of the columns of text; if policy is 0, names and policies have lines of their own
	widths       []int
}

// summary writes a row for each collection.
func (t textWriter) summary(s summary, collections int) {
	t.Line("%s  %s\n", t.Bold(fmt.Sprintf("%d collections", collections)), t.Dim("judged at "+t.now.String()))
	rows := append(s.Rows[:len(s.Rows):len(s.Rows)], s.Total)
	if s.Others != nil {
		rows = append(rows[:len(s.Rows)], *s.Others, s.Total)
	}
	hasUnknown := s.HasUnknown()
	tab := layOut(t, rows, hasUnknown)
	tab.row("collection", "policy", headings(hasUnknown), t.Dim)
	for i, r := range rows {
		style := cli.SafeText
		if i == len(rows)-1 {
			style = t.Bold
		}
		name := cli.Visible(r.Name)
		if r.Incomplete {
			name += " (incomplete)"
		}
		tab.row(name, cli.Visible(r.Policy), numbers(r, hasUnknown), style)
	}
	t.Line("")
	if s.Others != nil {
		t.Wrap("Without a TTL, and not shown by themselves; --all shows them: "+s.Names()+".", 2)
	}
	t.Wrap(`The columns after "now" count what expires up to then, each with the one before. Details follow, in this order.`, 2)
	t.Line("")
}

// headings returns the headings of the numeric columns. There is a column of unknown
// documents only if hasUnknown is set.
func headings(hasUnknown bool) []string {
	h := []string{"documents", "now"}
	for _, horizon := range forecast.Horizons {
		h = append(h, horizon.Name)
	}
	if h = append(h, "never"); hasUnknown {
		h = append(h, "unknown")
	}
	return append(h, "size")
}

// numbers returns the numeric cells of a row, below [headings].
func numbers(r summaryRow, hasUnknown bool) []string {
	n := []string{cli.Number(r.Total().Documents), cli.Number(r.Expired.Documents)}
	for _, s := range r.Within {
		n = append(n, cli.Number(s.Documents))
	}
	if n = append(n, cli.Number(r.Never.Documents)); hasUnknown {
		n = append(n, cli.Number(r.Unknown.Documents))
	}
	return append(n, cli.Size(r.Total().Bytes))
}

// layOut returns the widths of the columns. If a terminal is too narrow for rows of one
// line, the names and policies have lines of their own.
func layOut(t textWriter, rows []summaryRow, hasUnknown bool) table {
	const least = 24 // the minimum width of the policies' column, unless all policies are shorter
	tab := table{textWriter: t, name: len("collection")}
	wide := 0
	for i, heading := range headings(hasUnknown) {
		tab.widths = append(tab.widths, len(heading))
		for _, r := range rows {
			tab.widths[i] = max(tab.widths[i], len(numbers(r, hasUnknown)[i]))
		}
		wide += 2 + tab.widths[i]
	}
	policy := len("policy")
	for _, r := range rows {
		tab.name = max(tab.name, uniseg.StringWidth(cli.Visible(r.Name)))
		policy = max(policy, uniseg.StringWidth(cli.Visible(r.Policy)))
	}
	if room := t.Width - tab.name - 2 - wide; room >= min(policy, least) {
		tab.policy = min(policy, room)
	}
	return tab
}

func (t table) row(name, policy string, numbers []string, style func(any) cli.Safe) {
	var b strings.Builder
	for i, n := range numbers {
		fmt.Fprintf(&b, "  %*s", t.widths[i], n)
	}
	if t.policy > 0 {
		t.Line("%s", style(pad(name, t.name)+"  "+pad(policy, t.policy)+b.String()))
		return
	}
	t.Line("%s", style(clipColumns(strings.TrimSpace(name+"  "+policy), t.Width)))
	t.Line("%s", style(b.String()))
}

// pad returns s, padded or shortened to exactly n columns of a terminal.
func pad(s string, n int) string {
	s = clipColumns(s, n)
	return s + strings.Repeat(" ", n-uniseg.StringWidth(s))
}

// clipColumns shortens s to a width of at most n columns.
func clipColumns(s string, n int) string {
	if uniseg.StringWidth(s) <= n {
		return s
	}
	var b strings.Builder
	for columns, rest := 0, s; ; {
		cluster, after, width, _ := uniseg.FirstGraphemeClusterInString(rest, -1)
		if columns += width; columns > n-1 {
			return b.String() + "…"
		}
		b.WriteString(cluster)
		rest = after
	}
}

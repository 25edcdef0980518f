package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
)

// remarks returns a text that explains the sizes, with a note if a release is assumed.
func remarks(list []Collection) string {
	text := "Sizes are of uncompressed documents."
	if slices.ContainsFunc(list, func(c Collection) bool { return c.Policy.System == policies.MongoDB }) {
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
	widths       [summaryNumbers]int
}

// summaryNumbers is the number of numeric columns of a row.
const summaryNumbers = 4 + len(forecast.Horizons)

// summary writes a row for each collection.
func (t textWriter) summary(s summary, collections int) {
	t.Line("%s  %s\n", t.Bold(fmt.Sprintf("%d collections", collections)), t.Dim("judged at "+t.now.String()))
	rows := append(s.Rows[:len(s.Rows):len(s.Rows)], s.Total)
	if s.Others != nil {
		rows = append(rows[:len(s.Rows)], *s.Others, s.Total)
	}
	head := headings()
	tab := layOut(t, rows, head)
	tab.row("collection", "policy", head, t.Dim)
	for i, r := range rows {
		style := cli.SafeText
		if i == len(rows)-1 {
			style = t.Bold
		}
		name := cli.Visible(r.Name)
		if r.Incomplete {
			name += " (incomplete)"
		}
		tab.row(name, cli.Visible(r.Policy), numbers(r), style)
	}
	t.Line("")
	if s.Others != nil {
		t.Wrap("What has no TTL is not shown by itself; --all shows it.", 2)
	}
	t.Wrap(`The columns after "now" count what expires up to then, each with the one before. Details follow, in this order.`, 2)
	t.Line("")
}

func headings() (h [summaryNumbers]string) {
	h[0], h[1] = "documents", "now"
	for i, horizon := range forecast.Horizons {
		h[2+i] = horizon.Name
	}
	h[summaryNumbers-2], h[summaryNumbers-1] = "never", "size"
	return h
}

// numbers returns the numeric cells of a row.
func numbers(r summaryRow) (n [summaryNumbers]string) {
	n[0], n[1] = cli.Number(r.Total().Documents), cli.Number(r.Expired.Documents)
	for i, s := range r.Within {
		n[2+i] = cli.Number(s.Documents)
	}
	n[summaryNumbers-2], n[summaryNumbers-1] = cli.Number(r.Never.Documents), cli.Size(r.Total().Bytes)
	return n
}

// layOut returns the widths of the columns. If a terminal is too narrow for rows of one
// line, the names and policies have lines of their own.
func layOut(t textWriter, rows []summaryRow, head [summaryNumbers]string) table {
	const least = 24 // the minimum width of the policies' column, unless all policies are shorter
	tab := table{textWriter: t, name: len("collection")}
	wide := 0
	for i := range head {
		tab.widths[i] = len(head[i])
		for _, r := range rows {
			tab.widths[i] = max(tab.widths[i], len(numbers(r)[i]))
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

func (t table) row(name, policy string, numbers [summaryNumbers]string, style func(any) cli.Safe) {
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

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	rows     = 24 // maximum number of buckets in text for people
	sections = 10 // maximum number of collections with details, unless all are wanted
)

// Text writes r for people: a summary if there are several collections, and then
// the details of each.
func (r Report) Text(p *cli.Printer) error {
	p.Width = max(p.Width, 40)
	out := textWriter{p, r.Now, r.By}
	if !r.Complete {
		out.incomplete(r.Reason + "; what follows counts only what was read")
	}
	several := len(r.Collections) > 1
	switch {
	case r.isCompared():
		out.compared(r)
	case several:
		out.summary(r.summary(), len(r.Collections))
	}
	if !r.isCompared() {
		out.collections(r.shown(), several, r.All)
	}
	if len(r.Unread) > 0 && len(r.Collections)+len(r.Unread) > 1 { // for a single input the first line has the reason
		out.Line("%s", out.Bold("Not read"))
		for _, u := range r.Unread {
			out.Wrap(out.Expired(u.Name)+": "+cli.SafeText(u.Reason()), 2)
		}
		out.Line("")
	}
	if !r.isCompared() || r.DeleteRate > 0 {
		out.load(r)
	}
	out.Wrap(remarks(r.Collections), 0)
	if !r.Complete {
		out.incomplete("see above")
	}
	return p.Err()
}

// collections writes the details of the first collections, or of all.
func (t textWriter) collections(list []Collection, several, all bool) {
	more := len(list) - sections
	if more > 0 && !all {
		list = list[:sections]
	}
	for _, c := range list {
		t.head(c, several)
		t.counts(c.Tally)
		t.sources(c)
		t.moments(c)
		t.histogram(c.Tally.Histogram.View(rows))
		t.reasons("Why documents never expire", t.Never, c, c.reasons())
		t.reasons("Why it is unknown when documents expire", t.Unknown, c, c.unknowns())
		t.groups(c)
	}
	if more > 0 && !all {
		t.Wrap(fmt.Sprintf("Without details here: %s, which lose less. --all shows them, and --ns selects some.", cli.Count(int64(more), "more collection", "more collections")), 0)
		t.Line("")
	}
}

type textWriter struct {
	*cli.Printer
	now policy.Instant
	by  string
}

// incomplete writes a line that begins with INCOMPLETE and ends with why. [Report.Text]
// writes two such lines: one with the reason before the report, and one after the report,
// which refers to the first line.
func (t textWriter) incomplete(why string) {
	t.Line("%s", t.Bold(t.Expired("INCOMPLETE: "+why)))
}

// head writes the name, the files and the policy of c. It writes the instant only for a
// single collection: for several collections, the summary has the instant.
func (t textWriter) head(c Collection, several bool) {
	t.Line("%s  %s", t.Bold(c.Name), t.Dim(c.FilesInShort()))
	if c.Err != nil && several {
		t.Wrap("Incomplete: "+Reason(c.Err), 2)
	}
	t.Wrap(c.Policy.Description, 0)
	for _, note := range c.Notes() {
		t.Wrap("Note: "+note, 2)
	}
	if !several {
		t.Line("%s", t.Dim("judged at "+t.now.String()))
	}
	t.Line("")
}

// groups writes the counts by the values of a field.
func (t textWriter) groups(c Collection) {
	rows := c.shownGroups()
	if t.by == "" || len(rows) == 0 {
		return
	}
	t.Line("%s", t.Bold("By "+t.by))
	list := grid{head: []string{"", "documents", "expired", "pending", "never", "unknown"}, styles: []func(any) cli.Safe{cli.SafeText, t.Expired, t.Pending, t.Never, t.Unknown}}
	wide := len("documents")
	for _, g := range rows {
		wide = max(wide, len(cli.Number(g.Total().Documents)))
		list.rows = append(list.rows, []string{cli.Visible(g.Name), cli.Number(g.Total().Documents), cli.Number(g.Expired.Documents),
			cli.Number(g.Pending.Documents), cli.Number(g.Never.Documents), cli.Number(g.Unknown.Documents)})
	}
	if c.Tally.Unknown.Documents == 0 {
		list.head = list.head[:5]
	}
	t.grid(list, wide)
}

func (t textWriter) counts(tally *forecast.Tally) {
	all := tally.Total().Documents
	for _, row := range []struct {
		name  string
		sum   forecast.Sum
		style func(any) cli.Safe
	}{
		{"documents", tally.Total(), t.Bold}, {"expired", tally.Expired, t.Expired},
		{"pending", tally.Pending, t.Pending}, {"never", tally.Never, t.Never}, {"unknown", tally.Unknown, t.Unknown},
	} {
		if row.name == "unknown" && row.sum.Documents == 0 {
			continue
		}
		t.Line("  %s %14s  %8s  %10s", row.style(fmt.Sprintf("%-9s", row.name)), cli.Number(row.sum.Documents), percent(row.sum.Documents, all), cli.Size(row.sum.Bytes))
	}
	if tally.Bad > 0 {
		t.Line("  %s %14s  skipped, not counted above", t.Expired(fmt.Sprintf("%-9s", "bad")), cli.Number(tally.Bad))
	}
	t.Line("")
}

// sources writes the number of documents that get their deadline by each rule of
// [Collection.deciders]. It writes nothing if only one rule sets deadlines.
func (t textWriter) sources(c Collection) {
	if list := c.deciders(); len(list) > 1 {
		t.Line("%s", t.Bold("What sets the deadlines"))
		wide := len(cli.Number(c.Tally.Total().Documents))
		for _, d := range list {
			t.Line("  %*s %s  %*s %s  %s", wide, cli.Number(d.Expired.Documents), t.Expired("expired"),
				wide, cli.Number(d.Pending.Documents), t.Pending("pending"), d.Name)
		}
		t.Line("")
	}
}

// moments writes the number of documents that would be deleted at once, the numbers of
// documents that expire up to each horizon, and the first and last deadlines.
func (t textWriter) moments(c Collection) {
	tally := c.Tally
	t.Line("%s", t.Bold(fmt.Sprintf("Deleted at once if the policy is switched on now: %s, %s%s",
		cli.Documents(tally.Expired.Documents), cli.Size(tally.Expired.Bytes), unknownOf(tally.Unknown))))
	t.moment("latest of them", tally.ExpiredSpan.Last)
	if tally.Pending.Documents > 0 {
		for i, h := range forecast.Horizons {
			t.Line("  %-14s %s, %s", "within "+h.Name, cli.Documents(tally.Within[i].Documents), cli.Size(tally.Within[i].Bytes))
		}
	}
	t.moment("next to go", tally.PendingSpan.First)
	t.moment("first deadline", tally.First())
	t.moment("last deadline", tally.Last())
	t.Line("")
}

// moment writes a deadline and a document that has it. It writes nothing without a deadline.
func (t textWriter) moment(name string, m forecast.Moment) {
	if m.Known {
		t.Line("  %-14s %-24s %s", name, instant(m.At), t.Dim(t.clip(m.Sample.Short(), 42)))
	}
}

// histogram writes the deadlines as bars, one for each bucket.
func (t textWriter) histogram(v forecast.View) {
	if len(v.Buckets) == 0 {
		return
	}
	t.Line("%s", t.Bold("Deadlines, UTC, "+span(v.Width)+" a bar"))
	most := int64(1)
	for _, b := range v.Buckets {
		most = max(most, b.Documents())
	}
	labels := len("before")
	for _, b := range v.Buckets {
		labels = max(labels, len(label(v, b)))
	}
	width := t.Width - labels - 16
	t.outside("before", labels, v.Before)
	for i := 0; i < len(v.Buckets); {
		b := v.Buckets[i]
		n := slices.IndexFunc(v.Buckets[i:], func(b forecast.Bucket) bool { return b.Documents() > 0 || t.isNow(b) })
		if n < 0 {
			n = len(v.Buckets) - i
		}
		if n >= leastFolded {
			t.Line("  %*s … %s", labels, label(v, b), t.Dim(fmt.Sprintf("%d bars of 0", n)))
			i += n
			continue
		}
		mark := " "
		if t.isNow(b) {
			mark = "▶"
		}
		t.Line("%s %*s %s %s", mark, labels, label(v, b), t.bars(b.Count, most, width), cli.Number(b.Documents()))
		i++
	}
	t.outside("after", labels, v.After)
	t.Line("  %s %s  %s %s  ▶ now\n", t.Expired("█"), "expired", t.Pending("▒"), "pending")
}

// leastFolded is the minimum number of successive bars of 0 that become one line.
const leastFolded = 3

func (t textWriter) isNow(b forecast.Bucket) bool { return b.Start <= t.now && t.now < b.End }

func (t textWriter) outside(where string, labels int, c forecast.Count) {
	if n := c.Documents(); n > 0 {
		t.Line("  %*s … %s", labels, where, cli.Number(n))
	}
}

// bars returns one bar for the expired and the pending documents of a bucket. The bar
// fills width columns if the number of documents equals most.
func (t textWriter) bars(c forecast.Count, most int64, width int) cli.Safe {
	all := barLength(c.Documents(), most, width)
	expired := min(barLength(c.Expired, most, width), all)
	if c.Pending > 0 && expired == all {
		all = expired + 1
	}
	return t.Expired(strings.Repeat("█", expired)) + t.Pending(strings.Repeat("▒", all-expired))
}

// barLength returns the length of a bar for n documents. The bar fills width columns if n
// equals most. The length is rounded, and is at least 1 unless n is 0.
func barLength(n, most int64, width int) int {
	if n == 0 {
		return 0
	}
	return max(1, int(float64(n)/float64(most)*float64(width)+0.5))
}

// reasons writes the reasons in list below a heading.
func (t textWriter) reasons(heading string, style func(any) cli.Safe, c Collection, list []reason) {
	if len(list) == 0 {
		return
	}
	t.Line("%s", t.Bold(heading))
	for _, f := range list {
		t.Wrap(style(cli.Documents(f.Documents))+": "+cli.SafeText(c.why(f.Finding)), 2)
		t.Line("    %s", t.Dim(f.Rule.String()))
		field, ids := c.Policy.IDField(), make([]string, len(f.Samples))
		if len(ids) > 0 && f.Samples[0].ID == "" {
			field = "at" // each sample is named by its place
		}
		for i, s := range f.Samples {
			ids[i] = t.clip(s.Short(), len(field)+6)
		}
		t.Styled(field+" "+strings.Join(ids, ", "), 4, t.Dim)
	}
	t.Line("")
}

// clip shortens s so that it fits into a line beside n other columns, but to no less than
// 8 characters.
func (t textWriter) clip(s string, n int) string { return cli.Clip(s, max(t.Width-n, 8)) }

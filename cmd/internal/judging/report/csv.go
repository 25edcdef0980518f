package report

import (
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// CSV writes the histograms, one row for each bucket. Deadlines before and after the
// buckets have rows of their own, with an empty start or end. Documents of which it is
// unknown when they expire have a row that begins with UNKNOWN. An incomplete report ends
// with rows that begin with INCOMPLETE and give the reasons. If the report compares other
// times to live, the last column is the time to live of the row in seconds; it is empty
// for the present policy.
func (r Report) CSV(w io.Writer) error {
	out := cli.NewCSV(w)
	out.Row(r.cells("what_if", "collection", "start", "end", "expired", "pending", "bytes")...)
	for _, view := range r.Views() {
		row := func(cells ...any) { out.Row(r.cells(view.whatIf(), cells...)...) }
		for _, c := range view.Collections {
			v := c.Tally.Histogram.View(most(c.Tally.Histogram))
			if n := v.Before; n.Documents() > 0 {
				row(c.Name, "", v.Buckets[0].Start, n.Expired, n.Pending, n.Bytes)
			}
			for _, b := range v.Buckets {
				row(c.Name, b.Start, b.End, b.Expired, b.Pending, b.Bytes)
			}
			if n := v.After; n.Documents() > 0 {
				row(c.Name, v.Buckets[len(v.Buckets)-1].End, "", n.Expired, n.Pending, n.Bytes)
			}
			if n := c.Tally.Unknown; n.Documents > 0 {
				row("UNKNOWN: "+c.Name+": when "+cli.Count(n.Documents, "document expires", "documents expire")+" is unknown", "", "", "", "", n.Bytes)
			}
		}
	}
	for _, u := range r.Unread {
		out.Row(r.cells("", "INCOMPLETE: "+u.Name+": "+u.Reason(), "", "", "", "", "")...)
	}
	if !r.Complete && len(r.Unread) == 0 {
		out.Row(r.cells("", "INCOMPLETE: "+r.Reason, "", "", "", "", "")...)
	}
	return out.Finish()
}

// cells returns the cells of a row. If the report compares other times to live, whatIf is
// the last cell.
func (r Report) cells(whatIf any, cells ...any) []any {
	if !r.isCompared() {
		return cells
	}
	return append(cells, whatIf)
}

// whatIf returns the last cell of the rows of v.
func (v View) whatIf() any {
	if v.Seconds == nil {
		return ""
	}
	return *v.Seconds
}

// SummaryCSV writes a row for each collection. Collections with the most deletions come
// first. An incomplete report ends with a row that says so. The last column is the same
// as the last column of [Report.CSV].
func (r Report) SummaryCSV(w io.Writer) error {
	out := cli.NewCSV(w)
	head := []any{"collection", "policy", "complete", "documents", "bytes", "expired", "expired_bytes"}
	for _, h := range forecast.Horizons {
		name := "within_" + strings.ReplaceAll(h.Name, " ", "")
		head = append(head, name, name+"_bytes")
	}
	out.Row(r.cells("what_if", append(head, "pending", "never", "unknown", "bad")...)...)
	r.All = true
	for _, v := range r.Views() {
		for _, one := range v.summary().Rows {
			row := []any{one.Name, one.Policy, !one.Incomplete}
			for _, s := range append([]forecast.Sum{one.Total(), one.Expired}, one.Within[:]...) {
				row = append(row, s.Documents, s.Bytes)
			}
			out.Row(r.cells(v.whatIf(), append(row, one.Pending.Documents, one.Never.Documents, one.Unknown.Documents, one.Bad)...)...)
		}
	}
	if !r.Complete {
		out.Row(r.cells("", "INCOMPLETE: "+r.Reason, "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "")...)
	}
	return out.Finish()
}

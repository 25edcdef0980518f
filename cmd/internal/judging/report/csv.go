package report

import (
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// CSV writes the histograms, one row for each bucket. Deadlines before and after the
// buckets have rows of their own, with an empty start or end; a report that is not complete
// ends with a row that says so.
func (r Report) CSV(w io.Writer) error {
	out := cli.NewCSV(w)
	out.Row("collection", "start", "end", "expired", "pending", "bytes")
	for _, c := range r.Collections {
		v := c.Tally.Histogram.View(r.Now, most(c.Tally.Histogram))
		if n := v.Before; n.Documents() > 0 {
			out.Row(c.Name, "", v.Buckets[0].Start, n.Expired, n.Pending, n.Bytes)
		}
		for _, b := range v.Buckets {
			out.Row(c.Name, b.Start, b.End, b.Expired, b.Pending, b.Bytes)
		}
		if n := v.After; n.Documents() > 0 {
			out.Row(c.Name, v.Buckets[len(v.Buckets)-1].End, "", n.Expired, n.Pending, n.Bytes)
		}
	}
	for _, u := range r.Unread {
		out.Row("INCOMPLETE: "+u.Name+": "+u.Reason(), "", "", "", "", "")
	}
	if !r.Complete && len(r.Unread) == 0 {
		out.Row("INCOMPLETE: "+r.Reason, "", "", "", "", "")
	}
	return out.Finish()
}

// SummaryCSV writes a row a collection, those that lose most first; a report that is
// not complete ends with a row that says so.
func (r Report) SummaryCSV(w io.Writer) error {
	out := cli.NewCSV(w)
	head := []any{"collection", "policy", "complete", "documents", "bytes", "expired", "expired_bytes"}
	for _, h := range forecast.Horizons {
		name := "within_" + strings.ReplaceAll(h.Name, " ", "")
		head = append(head, name, name+"_bytes")
	}
	out.Row(append(head, "pending", "never", "bad")...)
	r.All = true
	for _, one := range r.summary().Rows {
		row := []any{one.Name, one.Policy, !one.Incomplete}
		for _, s := range append([]forecast.Sum{one.Total(), one.Expired}, one.Within[:]...) {
			row = append(row, s.Documents, s.Bytes)
		}
		out.Row(append(row, one.Pending.Documents, one.Never.Documents, one.Bad)...)
	}
	if !r.Complete {
		out.Row("INCOMPLETE: "+r.Reason, "", "", "", "", "", "", "", "", "", "", "", "", "", "", "")
	}
	return out.Finish()
}

package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/forecast"
)

// CSV writes the histograms, a row a bucket. Deadlines before and after the
// buckets have rows of their own, with an empty start or end; a report that is
// not complete ends with a row that says so.
func (r Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"collection", "start", "end", "expired", "pending", "bytes"}) // errors stick to out
	for _, c := range r.Collections {
		v := c.Tally.Histogram.View(r.Now, buckets)
		if v.Before.Documents() > 0 {
			out.Write(row(c.Name, "", v.Buckets[0].Start.String(), v.Before))
		}
		for _, b := range v.Buckets {
			out.Write(row(c.Name, b.Start.String(), b.End.String(), b.Count))
		}
		if v.After.Documents() > 0 {
			out.Write(row(c.Name, v.Buckets[len(v.Buckets)-1].End.String(), "", v.After))
		}
	}
	if !r.Complete {
		out.Write([]string{"INCOMPLETE: " + r.Reason, "", "", "", "", ""})
	}
	out.Flush()
	return out.Error()
}

func row(name, start, end string, c forecast.Count) []string {
	return []string{name, start, end, decimal(c.Expired), decimal(c.Pending), decimal(c.Bytes)}
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

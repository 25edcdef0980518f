package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// Prometheus writes the counts of collections as gauges, in the text format 0.0.4 of
// Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). The counts
// of collections with the same name are added. If the report compares other times to
// live, the label what_if is the time to live of a count in seconds; counts under the
// present policy have no such label.
func (r Report) Prometheus(w io.Writer) error {
	out := &cli.Printer{W: w}
	var all []labelled
	for _, v := range r.Views() {
		all = append(all, v.labelled()...)
	}
	gauge := func(name, help string) { out.Line("# HELP %s %s\n# TYPE %s gauge", name, help, name) }
	states := func(metric string, value func(forecast.Sum) int64) {
		for _, one := range all {
			for _, in := range []struct {
				state string
				forecast.Sum
			}{{"expired", one.Expired}, {"pending", one.Pending}, {"never", one.Never}, {"unknown", one.Unknown}} {
				out.Line(`%s{%s,state="%s"} %d`, metric, one.labels, in.state, value(in.Sum))
			}
		}
	}
	gauge("ttl_documents", "Documents by what becomes of them: expired now, pending, never to expire, or unknown.")
	states("ttl_documents", func(s forecast.Sum) int64 { return s.Documents })
	gauge("ttl_bytes", "Size of the documents, uncompressed.")
	states("ttl_bytes", func(s forecast.Sum) int64 { return s.Bytes })
	gauge("ttl_documents_due", "Pending documents that expire within a time from now.")
	for _, one := range all {
		for i, s := range one.Within {
			out.Line(`ttl_documents_due{%s,within="%s"} %d`, one.labels, strings.ReplaceAll(forecast.Horizons[i].Name, " ", ""), s.Documents)
		}
	}
	gauge("ttl_documents_bad", "Documents that could not be read and were skipped.")
	for _, one := range all {
		out.Line(`ttl_documents_bad{%s} %d`, one.labels, one.Bad)
	}
	gauge("ttl_forecast_complete", "1 if everything was read, 0 if not.")
	out.Line("ttl_forecast_complete %d", map[bool]int{true: 1}[r.Complete])
	gauge("ttl_forecast_timestamp_seconds", "The instant of the forecast, in seconds since 1970.")
	out.Line("ttl_forecast_timestamp_seconds %d", int64(r.Now)/1000)
	return out.Err()
}

// A labelled is the sum of the collections with one name, and the labels of the sum.
type labelled struct {
	labels string
	*forecast.Tally
}

// labelled returns the sums of the collections of a view, in the order of the first
// collection of each name.
func (v View) labelled() (list []labelled) {
	suffix := ""
	if v.Seconds != nil {
		suffix = fmt.Sprintf(`,what_if="%d"`, *v.Seconds)
	}
	for _, c := range v.Collections {
		labels := `collection="` + labelEscape.Replace(cli.Visible(c.Name)) + `"` + suffix
		i := slices.IndexFunc(list, func(one labelled) bool { return one.labels == labels })
		if i < 0 {
			i = len(list)
			list = append(list, labelled{labels, new(forecast.Tally)})
		}
		list[i].Add(c.Tally)
	}
	return list
}

// labelEscape escapes the value of a label.
var labelEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

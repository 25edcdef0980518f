package report

import (
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// Prometheus writes the counts of collections as gauges, in the text format 0.0.4 of
// Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). Collections of
// one name are added up.
func (r Report) Prometheus(w io.Writer) error {
	out := &cli.Printer{W: w}
	var names []string
	tallies := map[string]*forecast.Tally{}
	for _, c := range r.Collections {
		if tallies[c.Name] == nil {
			tallies[c.Name] = new(forecast.Tally)
			names = append(names, c.Name)
		}
		tallies[c.Name].Add(c.Tally)
	}
	gauge := func(name, help string) { out.Line("# HELP %s %s\n# TYPE %s gauge", name, help, name) }
	states := func(metric string, value func(forecast.Sum) int64) {
		for _, name := range names {
			t := tallies[name]
			for _, one := range []struct {
				state string
				forecast.Sum
			}{{"expired", t.Expired}, {"pending", t.Pending}, {"never", t.Never}} {
				out.Line(`%s{collection="%s",state="%s"} %d`, metric, labelValue(name), one.state, value(one.Sum))
			}
		}
	}
	gauge("ttl_documents", "Documents by what becomes of them: expired now, pending, or never to expire.")
	states("ttl_documents", func(s forecast.Sum) int64 { return s.Documents })
	gauge("ttl_bytes", "Size of the documents, uncompressed.")
	states("ttl_bytes", func(s forecast.Sum) int64 { return s.Bytes })
	gauge("ttl_documents_due", "Pending documents that expire within a time from now.")
	for _, name := range names {
		for i, s := range tallies[name].Within {
			out.Line(`ttl_documents_due{collection="%s",within="%s"} %d`, labelValue(name), strings.ReplaceAll(forecast.Horizons[i].Name, " ", ""), s.Documents)
		}
	}
	gauge("ttl_documents_bad", "Documents that could not be read and were skipped.")
	for _, name := range names {
		out.Line(`ttl_documents_bad{collection="%s"} %d`, labelValue(name), tallies[name].Bad)
	}
	gauge("ttl_forecast_complete", "1 if everything was read, 0 if not.")
	complete := 0
	if r.Complete {
		complete = 1
	}
	out.Line("ttl_forecast_complete %d", complete)
	gauge("ttl_forecast_timestamp_seconds", "The instant of the forecast, in seconds since 1970.")
	out.Line("ttl_forecast_timestamp_seconds %d", int64(r.Now)/1000)
	return out.Err()
}

// labelValue writes a name as the value of a label: what is invisible as in other forms,
// and a backslash and quotes escaped.
func labelValue(name string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(cli.Visible(name))
}

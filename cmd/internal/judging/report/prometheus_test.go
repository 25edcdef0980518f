package report

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// TestPrometheus: names are escaped, and collections with the same name form one series.
func TestPrometheus(t *testing.T) {
	one := func(name string, n int64) Collection {
		return Collection{Name: name, Tally: &forecast.Tally{ByState: forecast.ByState{Expired: forecast.Sum{Documents: n, Bytes: 10 * n}}, Bad: 1}}
	}
	var b strings.Builder
	r := Report{Now: 1_795_132_800_000, Complete: true, Collections: []Collection{one("shop.logs", 2), one(`a"\`+"\n\x1b", 3), one("shop.logs", 5)}}
	if err := r.Prometheus(&b); err != nil {
		t.Fatal(err)
	}
	series := map[string]bool{}
	for line := range strings.Lines(b.String()) {
		name, _, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(line, "#") && series[name] {
			t.Errorf("%s is there twice", name)
		}
		series[name] = true
	}
	for _, want := range []string{
		"# TYPE ttl_documents gauge\n", `ttl_documents{collection="shop.logs",state="expired"} 7` + "\n", `ttl_bytes{collection="shop.logs",state="expired"} 70` + "\n",
		`ttl_documents_due{collection="shop.logs",within="24h"} 0` + "\n", `ttl_documents_bad{collection="shop.logs"} 2` + "\n",
		`{collection="a\"\\\\u{a}\\u{1b}",state="never"} 0` + "\n", "ttl_forecast_complete 1\n", "ttl_forecast_timestamp_seconds 1795132800\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

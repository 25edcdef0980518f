package audit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
)

// found returns a report about collections of the database shop. Each line is a finding,
// in the form "name severity rule index".
func found(t *testing.T, lines ...string) *Report {
	t.Helper()
	r := &Report{}
	for _, line := range lines {
		w := strings.Fields(line)
		var severity Severity
		if err := severity.UnmarshalText([]byte(w[1])); err != nil {
			t.Fatal(err)
		}
		f := Finding{Severity: severity, Rule: reasons.Rule(w[2]), Index: strings.Join(w[3:], "")}
		if n := len(r.Results); n == 0 || r.Results[n-1].Target.Name != w[0] {
			r.Results = append(r.Results, Result{Target: &catalog.Target{Database: "shop", Name: w[0]}})
		}
		last := &r.Results[len(r.Results)-1]
		last.Findings = append(last.Findings, f)
	}
	return r
}

// counted lists the findings that count.
func counted(r *Report) (lines []string) {
	for i := range r.Results {
		for _, f := range r.Results[i].shown() {
			lines = append(lines, strings.TrimSpace(r.Results[i].Target.Name+" "+f.Severity.String()+" "+f.Rule.ID()+" "+f.Index))
		}
	}
	return lines
}

func TestIgnore(t *testing.T) {
	all := []string{"logs keeps mongo.field-null a", "logs deletes mongo.nan-zero b", "carts keeps mongo.field-null a"}
	for _, tt := range []struct {
		ignore Ignore
		want   []string
	}{
		{Ignore{"mongo.field-null", ""}, all[1:2]},
		{Ignore{"mongo.field-null", "shop.*"}, all[1:2]},
		{Ignore{"mongo.field-null", "shop.carts"}, all[:2]},
		{Ignore{"mongo.field-null", "carts"}, all},
		{Ignore{"mongo.field", ""}, all},
	} {
		r := found(t, all...)
		idle := r.Ignore([]Ignore{tt.ignore})
		if (len(idle) > 0) != (len(tt.want) == len(all)) {
			t.Errorf("Ignore(%v) finds nothing for %v", tt.ignore, idle)
		}
		if diff := cmp.Diff(tt.want, counted(r)); diff != "" || r.Known() != len(all)-len(tt.want) {
			t.Errorf("after Ignore(%v) %d are known, and those that count differ (-want +got):\n%s", tt.ignore, r.Known(), diff)
		}
	}
}

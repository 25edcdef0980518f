package audit

import (
	"encoding/json"
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

func TestBaseline(t *testing.T) {
	known := []string{"logs keeps mongo.field-null a", "items unspecified cosmos.item-unspecified", "items unspecified cosmos.item-unspecified"}
	for _, tt := range []struct {
		why       string
		now, want []string
		gone      int
	}{
		{"nothing has changed", known, nil, 0},
		{"one is repaired", known[1:], nil, 1},
		{"one of a kind is repaired", known[:2], nil, 1},
		{"one is new", append([]string{"logs keeps mongo.field-null b"}, known...), []string{"logs keeps mongo.field-null b"}, 0},
		{"one is more severe", []string{"logs deletes mongo.field-null a", known[1], known[2]}, []string{"logs deletes mongo.field-null a"}, 1},
		{"there are more of a kind", append(known[:3:3], known[1]), []string{known[1], known[1], known[1]}, 0},
		{"another collection", []string{"carts keeps mongo.field-null a"}, []string{"carts keeps mongo.field-null a"}, 3},
	} {
		text, err := json.Marshal(found(t, known...).Baseline())
		if err != nil {
			t.Fatal(err)
		}
		b, err := ReadBaseline(text)
		if err != nil {
			t.Fatalf("ReadBaseline(%s): %v", text, err)
		}
		r := found(t, tt.now...)
		gone := r.Compare(b)
		if diff := cmp.Diff(tt.want, counted(r)); diff != "" || gone != tt.gone {
			t.Errorf("%s: %d gone, want %d; those that count differ (-want +got):\n%s", tt.why, gone, tt.gone, diff)
		}
	}
}

func TestReadBaselineRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                    "EOF",
		`{"version":2}`:       "version 2, want 1",
		`{}`:                  "version 0, want 1",
		`{"version":1}{}`:     "at byte 14: unexpected data after",
		`{"version":1,"x":`:   "at byte",
		`{"version":1,"x":1}`: `unknown field "x"`,
		`{"version":1,"findings":[{"severity":"bad"}]}`:                            `unknown severity "bad"`,
		`{"version":1,"findings":[{"rule":"a"}]}`:                                  "the count 0, want 1 to",
		`{"version":1,"findings":[{"rule":"a","count":-5}]}`:                       "the count -5, want 1 to",
		`{"version":1,"findings":[{"rule":"a","count":1},{"rule":"a","count":1}]}`: "a finding of the rule a is listed twice",
	} {
		if _, err := ReadBaseline([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadBaseline(%s) = %v, want an error with %q", text, err, want)
		}
	}
}

package site

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// readRuleJSON holds the members that the test reads.
type readRuleJSON struct {
	ID, Statement, Confidence    string
	Sources                      []jsonSource
	Repairs                      []jsonRepair
	Releases                     []jsonVersions
	Vectors, Mutants, Neighbours []string
}

// TestRuleJSONs: the JSON of a rule has the same content as the page of the rule.
func TestRuleJSONs(t *testing.T) {
	for r := range suite.Rules() {
		var got readRuleJSON
		if err := json.Unmarshal(built[placeOfFile("rules/"+r.ID+".json")], &got); err != nil {
			t.Errorf("%s: %v", r, err)
			continue
		}
		p := book.Page(r.ID)
		for _, s := range got.Sources {
			if !strings.HasPrefix(s.URL, "https://") || s.Accessed == "" || s.Kind == "" {
				t.Errorf("%s: the source %+v lacks something", r, s)
			}
		}
		if len(got.Repairs) != len(p.Repair.Ways) || len(got.Repairs) == 0 {
			t.Errorf("%s: the repairs are %+v, want %+v", r, got.Repairs, p.Repair.Ways)
			continue
		}
		for i, w := range p.Repair.Ways {
			if one := got.Repairs[i]; one.Text != w.Text || one.Intent != string(w.Intent) || one.AtOnce != w.AtOnce || !slices.Equal(one.Commands, w.Commands) {
				t.Errorf("%s: a repair is %+v, want %+v", r, one, w)
			}
		}
		if got.ID != r.ID || got.Statement != r.Statement || got.Confidence != r.Confidence || len(got.Sources) != len(r.Citations) || len(got.Vectors) != len(p.Cases)+len(p.Also) || len(got.Mutants) != len(p.Mutants) {
			t.Errorf("%s: %+v", r, got)
		}
	}
	var nan readRuleJSON
	if err := json.Unmarshal(built[placeOfFile("rules/mongo.nan-zero.json")], &nan); err != nil {
		t.Fatal(err)
	}
	if got := nan.Releases[0].Holds["documented"]; got != "up to 3.2, 5.0.0 to 5.0.13, 5.1 to 6.0.1" || !slices.Contains(nan.Neighbours, "mongo.nan-aborts") || !slices.Contains(nan.Vectors, "mongodb-seconds-nan") {
		t.Errorf("mongo.nan-zero: documented for %q, %q, %q", got, nan.Neighbours, nan.Vectors)
	}
}

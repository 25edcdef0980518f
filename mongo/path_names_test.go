package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestElementNames: an index path follows the stored names of an array's elements, not
// their positions (mongodb/mongo: btree_key_generator.cpp, arrObj[part]). The fields "-a"
// are the arrays that [drawn.OddNames] makes.
func TestElementNames(t *testing.T) {
	for _, tt := range []struct {
		why, path, document, rule string
		deadline                  policy.Instant
	}{
		{"an element by its position", "-a.0", `{"#a":{"0":D(5)}}`, rules.Date.ID(), 5},
		{"another name at that position", "-a.0", `{"#a":{"1":D(5)}}`, rules.FieldNull.ID(), kept},
		{"the name at another position", "-a.1", `{"#a":{"1":D(5)}}`, rules.Date.ID(), 5},
		{"the name behind others", "-a.0", `{"#a":{"7":D(1),"0":D(5)}}`, rules.Date.ID(), 5},
		{"a name that is no number", "-a.b", `{"#a":{"b":D(5)}}`, rules.Date.ID(), 5},
		{"it is taken as it stands", "-a.b", `{"#a":{"b":[D(5)]}}`, rules.ArrayNested.ID(), kept},
		{"and is ambiguous beside a field of the name", "-a.b", `{"#a":{"b":D(5),"x":{"b":1}}}`, rules.PathAmbiguous.ID(), kept},
		{"the fields of subdocuments, whatever their names", "-a.b", `{"#a":{"7":{"b":D(5)},"x":{"b":D(3)}}}`, rules.Earliest.ID(), 3},
		{"a position that no element is named is no ambiguity", "-a.0", `{"#a":{"a":{"0":D(5)},"c":D(2)}}`, rules.Earliest.ID(), 5},
		{"all elements at the end of a path", "-a", `{"#a":{"x":D(9),"y":D(5)}}`, rules.Earliest.ID(), 5},
		{"the first of two", "-a.0", `{"#a":{"0":D(5),"0":D(3)}}`, rules.Date.ID(), 5},
	} {
		c := vectorCollection(t, "8.0.4", `{}`, `[{"key":{"`+tt.path+`":1},"expireAfterSeconds":0}]`)
		raw := drawn.OddNames(t, dates(tt.document))
		parsed, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		for _, d := range []policy.Decision{c.DecideBSON(raw, 0), c.Decide(&parsed, 0), c.Decide(parsed.Value(), 0)} {
			want := tt.deadline
			if want == kept {
				want = policy.MaxInstant
			}
			if d.Rule.String() != tt.rule || drawn.Deadline(d) != want {
				t.Errorf("%s: %s in %s: %s at %d, want %s at %d", tt.why, tt.path, tt.document, d.Rule, drawn.Deadline(d), tt.rule, want)
			}
		}
	}
}

// TestElementNamesInMetadata: the server rewrites metadata, so that the elements of its
// arrays get their positions as names. A filter sees a measurement as it will be stored
// (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp, normalizeArray).
func TestElementNamesInMetadata(t *testing.T) {
	for _, tt := range []struct {
		why, filter string
		want        policy.State
	}{
		{"the first element by its position", `{"-m.0":5}`, policy.Expired},
		{"its name before", `{"-m.1":5}`, policy.Never},
		{"a field within it", `{"-m.1.k":7}`, policy.Expired},
		{"all of it", `{"-m":[5,{"k":7}]}`, policy.Expired},
	} {
		c := vectorCollection(t, "8.2.11", `{"timeseries":{"timeField":"t","metaField":"-m"}}`,
			`[{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":`+tt.filter+`}]`)
		raw := drawn.OddNames(t, dates(`{"t":D(1600000000000),"#m":{"1":5,"2":{"k":7}}}`))
		parsed, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []policy.Decision{c.DecideBSON(raw, 1700000000000), c.Decide(&parsed, 1700000000000)} {
			if d.State != tt.want {
				t.Errorf("%s: %s: %v by %v, want %v", tt.why, tt.filter, d.State, d.Rule, tt.want)
			}
		}
	}
}

package transfer

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func ttlIndex(key string, direction policy.Value, seconds int32) mongo.IndexSpec {
	return mongo.IndexSpec{Name: key + "_x", Key: policy.D{{Key: key, Value: direction}}, ExpireAfterSeconds: policy.Int32Value(seconds)}
}

var up = policy.Int32Value(1)

// mentions reports whether a note cites a rule.
func mentions(notes []Note, rule string) bool {
	return slices.ContainsFunc(notes, func(n Note) bool { return slices.Contains(n.Rules, rule) })
}

func TestNotesToCosmos(t *testing.T) {
	partial := ttlIndex("a", up, 5)
	partial.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "b", Value: up}})
	tests := []struct {
		why     string
		spec    mongo.CollectionSpec
		present []string
		absent  []string
	}{
		{"plain", mongo.CollectionSpec{Indexes: []mongo.IndexSpec{ttlIndex("a", up, 5)}},
			[]string{"cosmos.write-restarts", "mongo.array-earliest", "cosmos.seconds"}, []string{"mongo.filter-mismatch", "mongo.index-special"}},
		{"partial", mongo.CollectionSpec{Indexes: []mongo.IndexSpec{partial}}, []string{"mongo.filter-mismatch"}, nil},
		{"special", mongo.CollectionSpec{Indexes: []mongo.IndexSpec{ttlIndex("a", policy.StringValue("hashed"), 5)}}, []string{"mongo.index-special"}, nil},
		{"clustered", mongo.CollectionSpec{Clustered: true, ExpireAfterSeconds: policy.Int32Value(5)}, nil, []string{"mongo.array-earliest"}},
		{"no TTL index", mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{Key: policy.D{{Key: "a", Value: up}}}}}, nil, []string{"mongo.array-earliest", "mongo.no-ttl"}},
	}
	for _, tt := range tests {
		notes, err := notesToCosmos(tt.spec, fixture.Profile(t, fixture.Latest))
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range tt.present {
			if !mentions(notes, rule) {
				t.Errorf("%s: no note of %s", tt.why, rule)
			}
		}
		for _, rule := range tt.absent {
			if mentions(notes, rule) {
				t.Errorf("%s: a note of %s", tt.why, rule)
			}
		}
		if !slices.IsSortedFunc(notes, func(a, b Note) int { return int(b.Fidelity) - int(a.Fidelity) }) {
			t.Errorf("%s: the notes are not in order", tt.why)
		}
	}
	if _, err := notesToCosmos(mongo.CollectionSpec{TimeSeries: policy.ObjectValue(policy.D{})}, fixture.Profile(t, fixture.Latest)); err == nil {
		t.Error("a time-series collection that cannot be has a plan")
	}
}

// TestNotesCiteRules: each note cites rules that are in the catalogues.
func TestNotesCiteRules(t *testing.T) {
	known := map[string]bool{}
	for _, catalogue := range []func(func(policy.Rule) bool){mongo.Rules(), cosmos.Rules()} {
		for r := range catalogue {
			known[r.ID()] = true
		}
	}
	partial := ttlIndex("a", policy.StringValue("2d"), 5)
	partial.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "b", Value: up}})
	notes, err := notesToCosmos(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{partial}}, fixture.Profile(t, fixture.Latest))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range slices.Concat(notes, notesToMongoDB()) {
		if len(n.Rules) == 0 || !strings.HasSuffix(n.Text, ".") {
			t.Errorf("note %+v cites nothing, or is no sentence", n)
		}
		for _, rule := range n.Rules {
			if !known[rule] {
				t.Errorf("%s is cited and in no catalogue (of %d)", rule, len(slices.Collect(maps.Keys(known))))
			}
		}
	}
}

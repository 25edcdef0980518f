//go:build !race

package cosmos

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestAllocDrawn: deciding about any item in JSON allocates nothing, and neither does
// deciding about the same item in BSON by the API for MongoDB.
func TestAllocDrawn(t *testing.T) {
	decided := map[policy.State]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := fuzzing.Drawn.Draw(t, "choices")
		c, setting := drawContainer(t, r)
		api := drawCollection(t, r)
		text := r.JSON(3, "ttl", "_ts", "a", "b", "longer name", "")
		if rapid.Bool().Draw(t, "ordinary") {
			text = []byte(`{"_ts":-5,"a":{"b":{"a":-5}}}`)
		}
		item, err := policy.ParseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := policy.AppendBSON(nil, item.Value())
		if err != nil {
			t.Fatal(err)
		}
		bson, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		var d policy.Decision
		for how, decide := range map[string]func(){
			"DecideJSON":          func() { d = c.DecideJSON(text, 0) },
			"DecideJSON of half":  func() { d = c.DecideJSON(text[:len(text)/2], 0) },
			"Decide of JSON":      func() { d = c.Decide(&item, 0) },
			"Collection, raw":     func() { d = api.DecideBSON(raw, 0) },
			"Collection, of BSON": func() { d = api.Decide(&bson, 0) },
		} {
			if n := testing.AllocsPerRun(10, decide); n != 0 {
				t.Fatalf("%s: %v allocations, want 0; %s, item %s", how, n, setting, text)
			}
		}
		d = c.DecideJSON(text, 0)
		decided[d.State]++
	})
	if len(decided) < 2 && !testing.Short() { // a short run draws too few
		t.Errorf("decisions are %v, want more than one kind", decided)
	}
}

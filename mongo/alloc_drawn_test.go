//go:build !race

package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestAllocDrawn: every method that decides allocates nothing, for every document
// and every policy.
func TestAllocDrawn(t *testing.T) {
	decided := map[policy.State]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := fuzzing.Drawn.Draw(t, "choices")
		for range 5 { // draw several policies, because few compare rare values
			draw := newDrawer(r).WithFilters()
			c := drawnCollection(t, draw)
			raw := draw.Document(3, "a", "b", "t", "m", "_id", "0")
			bson, err := policy.ParseBSON(raw)
			if err != nil {
				t.Fatal(err)
			}
			own := &drawn.Row{Columns: policy.DOf(bson.Value())}
			for how, decide := range map[string]func(){
				"DecideBSON":         func() { allocSink = c.DecideBSON(raw, 0) },
				"Decide of BSON":     func() { allocSink = c.Decide(&bson, 0) },
				"Decide of a row":    func() { allocSink = c.Decide(own, 0) },
				"DecideBSON of half": func() { allocSink = c.DecideBSON(raw[:len(raw)/2], 0) },
			} {
				if n := testing.AllocsPerRun(10, decide); n != 0 {
					options, indexes := c.definition.collection.Documents()
					t.Fatalf("%s: %v allocations, want 0; %s %s on %s, document %v", how, n, options, indexes, draw.Release, bson.Value())
				}
			}
			decided[c.DecideBSON(raw, 0).State]++
		}
	})
	if len(decided) < 2 && !testing.Short() { // a short run draws too few
		t.Errorf("decisions are %v, want more than one kind", decided)
	}
}

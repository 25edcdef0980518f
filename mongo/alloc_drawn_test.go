//go:build !race

package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// drawnPaths are the paths of drawn filters and keys; documents have fields of these
// names.
var drawnPaths = rapid.SampledFrom([]string{"a", "b", "a.b", "a.0", "a.b.c", "b.0.a", "c", "0", "ab"})

// drawnClauses draws clauses as partial filters may have them.
func drawnClauses(depth int) *rapid.Generator[policy.D] {
	return rapid.Custom(func(t *rapid.T) (d policy.D) {
		for range rapid.IntRange(1, 3).Draw(t, "clauses") {
			if depth > 0 && rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				var branches policy.A
				for _, branch := range rapid.SliceOfN(drawnClauses(depth-1), 1, 3).Draw(t, "branches") {
					branches = append(branches, policy.ObjectValue(branch))
				}
				d = append(d, policy.E{Key: rapid.SampledFrom([]string{"$and", "$or"}).Draw(t, "combination"), Value: policy.ListValue(branches)})
				continue
			}
			d = append(d, policy.E{Key: drawnPaths.Draw(t, "path"), Value: drawn.Predicate(t)})
		}
		return d
	})
}

// leastAllocs returns how often decide allocates. The least count ignores the
// allocations that the runtime sometimes makes for its cache of type assertions.
func leastAllocs(decide func()) float64 {
	least := testing.AllocsPerRun(1, decide)
	for tries := 0; tries < 5 && least > 0; tries++ {
		least = min(least, testing.AllocsPerRun(1, decide))
	}
	return least
}

// TestAllocDrawn: every method that decides allocates nothing, for every document
// and every filter.
func TestAllocDrawn(t *testing.T) {
	profile := vectorProfile(t, latest)
	collation := policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("en")}})
	decided := map[policy.State]int{}
	rapid.Check(t, func(t *rapid.T) {
		filter := drawn.InBSON(t, policy.ObjectValue(drawnClauses(1).Draw(t, "filter")))
		x := IndexSpec{
			Name: "x", Key: policy.D{{Key: rapid.OneOf(drawnPaths, rapid.Just("t")).Draw(t, "key"), Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int32Value(1), PartialFilterExpression: filter,
		}
		if rapid.IntRange(0, 3).Draw(t, "filtered") == 0 {
			x.PartialFilterExpression = policy.Value{}
		}
		if rapid.Bool().Draw(t, "collated") {
			x.Collation = collation
		}
		spec := CollectionSpec{Indexes: []IndexSpec{x, x}[:rapid.IntRange(1, 2).Draw(t, "indexes")]}
		c, err := CompileCollection(spec, profile)
		if err != nil {
			t.Skip(err)
		}
		inMemory := append(drawn.Close.Documents(3).Draw(t, "document"), policy.E{Key: "t", Value: policy.DateValue(5)})
		bson, own := drawn.BSONOf(t, inMemory), &drawn.Row{Columns: inMemory}
		raw := bson.Bytes()
		for how, decide := range map[string]func(){
			"DecideBSON":         func() { allocSink = c.DecideBSON(raw, 0) },
			"Decide of BSON":     func() { allocSink = c.Decide(&bson, 0) },
			"Decide of a row":    func() { allocSink = c.Decide(own, 0) },
			"DecideBSON of half": func() { allocSink = c.DecideBSON(raw[:len(raw)/2], 0) },
		} {
			if n := leastAllocs(decide); n != 0 {
				t.Fatalf("%s: %v allocations, want 0; filter %v, document %v", how, n, filter, inMemory)
			}
		}
		decided[c.DecideBSON(raw, 0).State]++
	})
	if len(decided) < 2 && !testing.Short() { // which draws a few
		t.Errorf("decisions are %v, want more than one kind", decided)
	}
}

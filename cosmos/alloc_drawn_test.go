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
		path := rapid.SampledFrom([]string{"", "/a", "/a/b", "/a/b/a"}).Draw(t, "path")
		c, err := CompileContainer(ContainerSpec{DefaultTTL: policy.Int32Value(5), TTLPropertyPath: path})
		if err != nil {
			t.Fatal(err)
		}
		api, err := CompileCollection(CollectionSpec{Capabilities: []string{CustomPathCapability}, Indexes: []IndexSpec{
			{Key: policy.D{{Key: rapid.SampledFrom([]string{"_ts", "a.b"}).Draw(t, "key"), Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(1)}}})
		if err != nil {
			t.Fatal(err)
		}
		text := fuzzing.Drawn.Draw(t, "choices").JSON(3, "ttl", "_ts", "a", "b", "longer name", "")
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
			if n := leastAllocs(decide); n != 0 {
				t.Fatalf("%s: %v allocations, want 0; path %q, item %s", how, n, path, text)
			}
		}
		d = c.DecideJSON(text, 0)
		decided[d.State]++
	})
	if len(decided) < 2 && !testing.Short() { // which draws a few
		t.Errorf("decisions are %v, want more than one kind", decided)
	}
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

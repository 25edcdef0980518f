package gates

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// docs/implementing.md: begin

// A catalog is one version of a collection's definition, and its policy. Neither changes.
type catalog struct {
	spec mongo.CollectionSpec
	ttl  *mongo.Collection
}

// A shared holds the catalog of a collection. Readers load it once for each operation or
// snapshot, and keep it as long as they need; nobody waits for them.
type shared struct {
	current atomic.Pointer[catalog]
	writers sync.Mutex
}

// change replaces the catalog. If it fails, the present catalog stays.
func (s *shared) change(profile mongo.Profile, edit func(*mongo.CollectionSpec) error) error {
	s.writers.Lock()
	defer s.writers.Unlock()
	spec := s.current.Load().spec
	spec.Indexes = slices.Clone(spec.Indexes) // a plain copy shares its array with readers
	if err := edit(&spec); err != nil {
		return err
	}
	ttl, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		return err
	}
	s.current.Store(&catalog{spec, ttl})
	return nil
}

// docs/implementing.md: end

// TestCatalogIsCopied: a reader decides by the catalog that it has loaded, even if
// another replaces it meanwhile, and a change that fails changes nothing.
func TestCatalogIsCopied(t *testing.T) {
	s, profile := &shared{}, fixture.Profile(t, fixture.Latest)
	s.current.Store(&catalog{ttl: new(mongo.Collection)})
	doc := policy.Map{"at": policy.Instant(0)}
	states := func(all ...*catalog) (states []policy.State) {
		for _, c := range all {
			states = append(states, c.ttl.Decide(doc, 60_000).State)
		}
		return states
	}
	all := []*catalog{s.current.Load()}
	for _, edit := range []func(*mongo.CollectionSpec){
		func(c *mongo.CollectionSpec) { c.Indexes = append(c.Indexes, mongo.TTLIndex("at", 60)) },
		func(c *mongo.CollectionSpec) { c.Indexes[0] = mongo.TTLIndex("at", 61) },
		func(c *mongo.CollectionSpec) { c.Indexes = append(c.Indexes, mongo.TTLIndex("at", 0)) },
		func(c *mongo.CollectionSpec) { c.Indexes = slices.Delete(c.Indexes, 0, 2) },
	} {
		if err := s.change(profile, func(c *mongo.CollectionSpec) error { edit(c); return nil }); err != nil {
			t.Fatal(err)
		}
		all = append(all, s.current.Load())
	}
	want := []policy.State{policy.Never, policy.Expired, policy.Pending, policy.Expired, policy.Never}
	if got := states(all...); !slices.Equal(got, want) {
		t.Errorf("the catalogs decide %v, want %v", got, want)
	}
	for i, n := range []int{0, 1, 1, 2, 0} {
		if got := len(all[i].spec.Indexes); got != n {
			t.Errorf("catalog %d has %d indexes, want %d", i, got, n)
		}
	}
	before := s.current.Load()
	bad := mongo.TTLIndex("at", 0)
	bad.PartialFilterExpression = policy.StringValue("no filter")
	if err := s.change(profile, func(c *mongo.CollectionSpec) error { c.Indexes = append(c.Indexes, bad); return nil }); err == nil || s.current.Load() != before {
		t.Errorf("a change that does not compile: %v, and the catalog is another: %t", err, s.current.Load() != before)
	}
}

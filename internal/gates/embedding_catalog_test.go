package gates

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// docs/implementing.md: begin

// A shared holds the catalog entry of a collection. Readers load it once for each operation or
// snapshot, and keep it as long as they need; nobody waits for them.
type shared struct {
	current atomic.Pointer[mongo.Collection]
	writers sync.Mutex
}

// change replaces the collection, and returns the reply to the client. If it fails, the
// present collection stays.
func (s *shared) change(do func(*mongo.Collection) (*mongo.Collection, policy.D, error)) (policy.D, error) {
	s.writers.Lock()
	defer s.writers.Unlock()
	next, reply, err := do(s.current.Load())
	s.current.Store(next) // that before, after most errors
	return reply, err
}

// docs/implementing.md: end

// TestCatalogIsCopied: a reader decides by the collection that it has loaded, even if
// another replaces it meanwhile, and a change that fails changes nothing.
func TestCatalogIsCopied(t *testing.T) {
	c, err := command.Create("d.c", nil, fixture.Profile(t, fixture.Latest), noon)
	if err != nil {
		t.Fatal(err)
	}
	s := &shared{}
	s.current.Store(c)
	create := func(index string) func(*mongo.Collection) (*mongo.Collection, policy.D, error) {
		return func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
			return command.CreateIndexes(c, []policy.D{command.WithDefaultName(policy.DOf(stored(index)))}, noon)
		}
	}
	collMod := func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
		return command.CollMod(c, policy.DOf(stored(`{"index": {"name": "at_1", "expireAfterSeconds": 61}}`)), noon)
	}
	drop := func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
		return command.DropIndexes(c, policy.StringValue("*"))
	}
	all := []*mongo.Collection{c}
	for _, do := range []func(*mongo.Collection) (*mongo.Collection, policy.D, error){
		create(`{"key": {"at": 1}, "expireAfterSeconds": 60}`), collMod, create(`{"key": {"at": -1}, "expireAfterSeconds": 0}`), drop,
	} {
		if _, err := s.change(do); err != nil {
			t.Fatal(err)
		}
		all = append(all, s.current.Load())
	}
	doc := policy.Map{"at": policy.Instant(0)}
	for i, want := range []struct {
		state   policy.State
		indexes int
	}{{policy.Never, 0}, {policy.Expired, 1}, {policy.Pending, 1}, {policy.Expired, 2}, {policy.Never, 0}} {
		if got := all[i].Decide(doc, 60_000).State; got != want.state || len(all[i].Spec().Indexes) != want.indexes {
			t.Errorf("collection %d decides %v with %d indexes, want %v", i, got, len(all[i].Spec().Indexes), want)
		}
	}
	before := s.current.Load()
	if _, err := s.change(create(`{"key": {"at": 1}, "expireAfterSeconds": -1}`)); err == nil || s.current.Load() != before {
		t.Errorf("a refused change: %v, and the collection is another: %t", err, s.current.Load() != before)
	}
}

package gates

// The store of docs/implementing.md that package sweep sweeps.

// docs/implementing.md: begin
import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// A memoryStore remembers the deadlines of documents that have one.
type memoryStore struct {
	mu        sync.Mutex
	ttl       *mongo.Collection
	docs      map[string]policy.Document
	deadlines map[string]policy.Instant
}

// A memoryBatch is a transaction. It collects its writes, so that a failed one writes
// nothing.
type memoryBatch struct {
	*memoryStore
	writes []func()
}

func (s *memoryStore) update(_ context.Context, run func(sweep.Batch[string]) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &memoryBatch{memoryStore: s}
	if err := run(b); err != nil {
		return err
	}
	for _, write := range b.writes {
		write()
	}
	return nil
}

func (b *memoryBatch) Due(now policy.Instant, limit int) (keys []string, _ error) {
	for key, deadline := range b.deadlines {
		if deadline <= now {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(k, l string) int { return cmp.Compare(b.deadlines[k], b.deadlines[l]) })
	return keys[:min(limit, len(keys))], nil
}

func (b *memoryBatch) Read(key string) (func(policy.Instant) policy.Decision, error) {
	doc := b.docs[key]
	if doc == nil {
		return nil, nil
	}
	return func(now policy.Instant) policy.Decision { return b.ttl.Decide(doc, now) }, nil
}

func (b *memoryBatch) Delete(key string, _ policy.Decision) error {
	b.writes = append(b.writes, func() { delete(b.docs, key); delete(b.deadlines, key) })
	return nil
}

func (b *memoryBatch) Correct(key string, d policy.Decision) error {
	b.writes = append(b.writes, func() { b.remember(key, d) })
	return nil
}

// remember is called for each document that is written, with its decision at 0.
func (s *memoryStore) remember(key string, d policy.Decision) {
	delete(s.deadlines, key)
	if deadline, ok := d.Deadline(); ok {
		s.deadlines[key] = deadline
	}
}

// docs/implementing.md: end

package sweep_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

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

// put stores a document and its deadline. It decides at 0, so that it needs no clock.
func (s *memoryStore) put(key string, doc policy.Document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[key] = doc
	s.remember(key, s.ttl.Decide(doc, 0))
}

// remember stores the deadline of a document, or deletes the stored one if the
// document has none.
func (s *memoryStore) remember(key string, d policy.Decision) {
	delete(s.deadlines, key)
	if deadline, ok := d.Deadline(); ok {
		s.deadlines[key] = deadline
	}
}

// update runs a batch in a transaction.
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

// A memoryBatch is a transaction. It collects its writes, so that a failed transaction
// writes nothing. Due need not see the writes, because a sweep calls it first.
type memoryBatch struct {
	*memoryStore
	writes []func()
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

// limiter returns a Pace that several sweepers share; together they handle perSecond
// documents a second. The WaitN method of a rate.Limiter of golang.org/x/time/rate is
// such a Pace too.
func limiter(perSecond int) func(context.Context, int) error {
	turn := make(chan struct{}, 1)
	return func(ctx context.Context, n int) error {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-time.After(time.Duration(n) * time.Second / time.Duration(perSecond)):
		case <-ctx.Done():
		}
		return ctx.Err()
	}
}

// Two stores are swept each minute, at a shared pace. The clock may be a second ahead.
func Example() {
	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4})
	if err != nil {
		panic(err)
	}
	ttl, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("seen", 3600)}}, profile)
	if err != nil {
		panic(err)
	}

	pace, ended := limiter(1000), make(chan error)
	for _, name := range []string{"sessions", "tokens"} {
		store := &memoryStore{ttl: ttl, docs: map[string]policy.Document{}, deadlines: map[string]policy.Instant{}}
		store.put(name+" of ann", policy.Map{"seen": time.Now().Add(-2 * time.Hour)})
		store.put(name+" of bob", policy.Map{"seen": time.Now()})
		store.put(name+" of eve", policy.Map{"seen": "long ago"}) // not a Date, so the document stays

		ctx, stop := context.WithCancel(context.Background())
		sweeper := &sweep.Sweeper[string]{
			Update: store.update,
			Pace:   pace,
			Margin: time.Second,
			Deleted: func(key string, d policy.Decision) {
				fmt.Println(key, "is", d.State, "by", d.Rule)
			},
			Swept: func(did sweep.Result, err error) {
				if err != nil || did.Lag > 2*time.Hour {
					fmt.Println("ring the bell:", did.Lag, err)
				}
				stop() // the example stops after one sweep; a program would go on
			},
		}
		go func() { ended <- sweeper.Run(ctx, time.Minute) }()
	}
	fmt.Println(<-ended)
	fmt.Println(<-ended)
	// Unordered output:
	// sessions of ann is expired by mongo.date
	// tokens of ann is expired by mongo.date
	// context canceled
	// context canceled
}

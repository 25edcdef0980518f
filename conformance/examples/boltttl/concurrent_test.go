package boltttl

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestConcurrentUse: clients write, read and change the policy while a sweeper
// runs, under the race detector. In the end the file is sound, and no document
// that was not due is missing.
func TestConcurrentUse(t *testing.T) {
	s := newCollection(t, onT)
	var all sync.WaitGroup
	for client := range 3 {
		all.Go(func() {
			for i := range 20 {
				id := client*100 + i
				doc := bson(fmt.Sprintf(`{"_id":%d,"t":{"$date":{"$numberLong":"%d"}}}`, id, i%2*1_000_000))
				if err := s.Insert("c", doc); err != nil {
					t.Error(err)
				}
				if _, err := s.Judge("c", policy.Int64Value(int64(id)), 0); err != nil && !errors.Is(err, ErrNoDocument) {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for i := range 10 {
			command := fields(fmt.Sprintf(`{"index":{"name":"t_1","expireAfterSeconds":%d}}`, i))
			if _, err := changeOption(s, "c", command, 0); err != nil {
				t.Error(err)
			}
		}
	})
	all.Go(func() {
		for range 10 {
			if _, err := batched(s, 3).Sweep(context.Background(), 9_000); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	runSweep(t, s, 9_000)
	checkEntries(t, s)
	if docs, unfinished := dump(t, s); len(docs) != 3*10 || unfinished {
		t.Errorf("%d documents are left, unfinished %v, want the 30 that are not due", len(docs), unfinished)
	}
}

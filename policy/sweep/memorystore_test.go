package sweep_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// TestMemoryStore tests the store of the package's example: a sweep removes expired documents,
// the earliest first, corrects the other deadlines, and writes nothing in a transaction that
// fails.
func TestMemoryStore(t *testing.T) {
	const noon policy.Instant = 1_795_176_000_000
	due := func(i policy.Instant) policy.Map { return policy.Map{"t": i} }
	s := &memoryStore{ttl: after(t, 3600)}
	s.docs = map[string]policy.Document{"first": due(0), "second": due(1), "later": due(noon), "undated": policy.Map{}}
	s.deadlines = map[string]policy.Instant{"second": 2, "first": 1, "later": 3, "undated": 3, "gone": 4}
	errDisk := errors.New("the disk is full")
	failing := sweep.Sweeper[string]{Update: func(ctx context.Context, run func(sweep.Batch[string]) error) error {
		return s.update(ctx, func(b sweep.Batch[string]) error { return errors.Join(run(b), errDisk) })
	}}
	if _, err := failing.Sweep(t.Context(), noon); !errors.Is(err, errDisk) || len(s.docs) != 4 || len(s.deadlines) != 5 {
		t.Errorf("a failed transaction left %v, %v, %v", s.docs, s.deadlines, err)
	}
	var gone []string
	sweeper := sweep.Sweeper[string]{Update: s.update, Limit: 1, Deleted: func(key string, _ policy.Decision) { gone = append(gone, key) }}
	result, err := sweeper.Sweep(t.Context(), noon)
	if err != nil || result.Deleted != 2 || result.Corrected != 3 || !slices.Equal(gone, []string{"first", "second"}) {
		t.Errorf("Sweep = %+v, %v of %v, want 2 deleted, 3 corrected", result, err, gone)
	}
	if want := map[string]policy.Instant{"later": noon + 3_600_000}; !maps.Equal(s.deadlines, want) || len(s.docs) != 2 {
		t.Errorf("deadlines %v of %v, want %v of 2", s.deadlines, s.docs, want)
	}
}

package boltttl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// insertMany inserts documents 0 to n-1, each dated with its number.
func insertMany(t *testing.T, s *Store, n int) {
	t.Helper()
	for i := range n {
		insert(t, s, fmt.Sprintf(`{"_id":%d,"t":{"$date":{"$numberLong":"%d"}}}`, i, i))
	}
}

func TestSweepStopsAtTheFirstThatIsNotDue(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 10)
	if did := runSweep(t, s, 4); did != (Swept{Deleted: 5, Batches: 1 + 1}) { // one settled the new index
		t.Errorf("Sweep = %+v, want 5 deleted", did)
	}
	if has(s, `4`) || !has(s, `5`) {
		t.Error("want 4 gone and 5 kept")
	}
	if did := runSweep(t, s, 4); did != (Swept{}) {
		t.Errorf("Sweep again = %+v, want nothing", did)
	}
}

// TestSweepWhenTimeGoesBack: nothing comes back, nothing goes.
func TestSweepWhenTimeGoesBack(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 3)
	runSweep(t, s, 10_001)
	if did := runSweep(t, s, 0); did != (Swept{}) || has(s, `1`) || !has(s, `2`) {
		t.Errorf("Sweep = %+v, want nothing, and 2 alone kept", did)
	}
}

// TestSweepInBatches: each transaction is bounded, and the longest expired go
// first.
func TestSweepInBatches(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 10)
	var gone []int64
	sweeper := &Sweeper{Store: s, Batch: 3, Deleted: func(j Judgement) {
		n, _ := j.ID.AsInt64()
		gone = append(gone, n)
		if j.Rule.ID != "mongo.date" || j.Index != "t_1" || fixture.Deadline(j.Decision) != policy.Instant(n) {
			t.Errorf("deleted %+v, want it to be by mongo.date of t_1 at %d", j, n)
		}
	}}
	must(t, second(sweeper.Settle(context.Background())))
	did, err := sweeper.Sweep(context.Background(), 7)
	if want := (Swept{Deleted: 8, Batches: 3}); err != nil || did != want {
		t.Errorf("Sweep = %+v, %v, want %+v", did, err, want)
	}
	if want := []int64{0, 1, 2, 3, 4, 5, 6, 7}; !slices.Equal(gone, want) {
		t.Errorf("deleted %v, want %v", gone, want)
	}
}

func second[T any](_ T, err error) error { return err }

// TestSweepStopsAndResumes: a sweep that is cancelled keeps what it has done.
func TestSweepStopsAndResumes(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 10)
	ctx, cancel := context.WithCancel(context.Background())
	sweeper := &Sweeper{Store: s, Batch: 2, Deleted: func(Judgement) { cancel() }}
	did, err := sweeper.Sweep(ctx, 100)
	if !errors.Is(err, context.Canceled) || did.Deleted != 2 {
		t.Fatalf("Sweep = %+v, %v, want one batch and context.Canceled", did, err)
	}
	if did := runSweep(t, s, 100); did.Deleted != 8 {
		t.Errorf("the next sweep = %+v, want the other 8 deleted", did)
	}
}

// TestDeletedIsToldWhatIsStored: of a batch that fails nothing is told.
func TestDeletedIsToldWhatIsStored(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 4)
	must(t, second((&Sweeper{Store: s}).Settle(context.Background())))
	told := 0
	sweeper := &Sweeper{Store: s, Deleted: func(Judgement) { told++ }}
	s.step = failAt(6)
	if did, err := sweeper.Sweep(context.Background(), 100); !errors.Is(err, errCrash) || told != 0 || did != (Swept{}) {
		t.Errorf("Sweep = %+v, %v, and %d told, want a crash and none", did, err, told)
	}
	s.step = noCrash
	if did := runSweep(t, s, 100); did.Deleted != 4 {
		t.Errorf("the next sweep = %+v, want all 4 deleted", did)
	}
}

// TestSweepJudgesAgain: an entry that no longer says what the policy says does
// not delete, and is put right.
func TestSweepJudgesAgain(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 1)
	must(t, s.update(func(t txn) error { // as if the walk had not come by yet
		c, err := t.named("c")
		if err != nil {
			return err
		}
		key, _ := keyOf(value(`0`))
		r, _, err := c.record(key)
		if err != nil {
			return err
		}
		early := r
		early.deadline, early.listed = 5, true
		if err := c.store(key, r, early); err != nil {
			return err
		}
		return t.unfinished.Delete(c.number)
	}))
	if did := runSweep(t, s, 9_999); did != (Swept{Rejudged: 1, Batches: 1}) || !has(s, `0`) {
		t.Errorf("Sweep = %+v, want the entry put right and nothing deleted", did)
	}
	if next, _, _ := s.Next(); next != 10_000 {
		t.Errorf("Next = %d, want 10000", next)
	}
	checkEntries(t, s)
}

// TestStrayEntries: an entry that no record knows deletes nothing, and goes; so
// does that of a collection that was dropped after the sweep has settled.
func TestStrayEntries(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 1)
	must(t, s.Create("dropped", nil, 0))
	must(t, second(s.CreateIndex("dropped", asDriver(onT), 0)))
	must(t, s.Insert("dropped", bson(`{"_id":0,"t":{"$date":{"$numberLong":"-5000"}}}`)))
	must(t, s.Drop("dropped"))
	must(t, s.update(func(t txn) error {
		known, unknown := numberOf(1), numberOf(99)
		key, _ := keyOf(value(`0`))
		for _, e := range []entry{{5, known, key}, {5, known, []byte("none")}, {5, unknown, key}} {
			if err := t.put(t.deadlines, e.bytes(), nil); err != nil {
				return err
			}
		}
		return nil
	}))
	did, err := (&Sweeper{Store: s}).removeDue(context.Background(), 9_999)
	if err != nil || did != (Swept{Rejudged: 4, Batches: 1}) || !has(s, `0`) {
		t.Errorf("removeDue = %+v, %v, want 4 entries put right and nothing deleted", did, err)
	}
	must(t, second((&Sweeper{Store: s}).Settle(context.Background())))
	checkEntries(t, s)
}

func TestBatchSize(t *testing.T) {
	for given, want := range map[int]int{-1: 1000, 0: 1000, 1: 1, 5000: 5000} {
		if got := (&Sweeper{Batch: given}).batch(); got != want {
			t.Errorf("a sweeper with Batch %d takes %d, want %d", given, got, want)
		}
	}
}

func TestRun(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 3)
	ticks := make(chan time.Time, 2)
	ticks <- time.UnixMilli(0)
	ticks <- time.UnixMilli(1)
	close(ticks)
	sweeper := &Sweeper{Store: s}
	if err := sweeper.Run(context.Background(), ticks); err != nil || has(s, `1`) || !has(s, `2`) {
		t.Errorf("Run = %v, want 0 and 1 gone", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := sweeper.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want context.Canceled", err)
	}
	s.step = failAt(1)
	if err := sweeper.Run(context.Background(), time.After(0)); !errors.Is(err, errCrash) {
		t.Errorf("Run = %v, want the error of the sweep", err)
	}
}

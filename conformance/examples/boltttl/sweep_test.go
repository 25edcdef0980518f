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
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// insertDated inserts a document with a date.
func insertDated(t *testing.T, s *Store, id int, at policy.Instant) {
	t.Helper()
	insert(t, s, fmt.Sprintf(`{"_id":%d,"t":{"$date":{"$numberLong":"%d"}}}`, id, int64(at)))
}

// insertMany inserts documents 0 to n-1, each dated with its number.
func insertMany(t *testing.T, s *Store, n int) {
	t.Helper()
	for i := range n {
		insertDated(t, s, i, policy.Instant(i))
	}
}

func TestSweepStopsAtTheFirstThatIsNotDue(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 10)
	if did := runSweep(t, s, 4); did != (count{deleted: 5, walked: 10, batches: 1 + 1}) { // one batch settled the new index
		t.Errorf("Sweep = %+v, want 5 deleted", did)
	}
	if has(s, `4`) || !has(s, `5`) {
		t.Error("want 4 gone and 5 kept")
	}
	if did := runSweep(t, s, 4); did != (count{}) {
		t.Errorf("Sweep again = %+v, want nothing", did)
	}
}

// TestSweepWhenTimeGoesBack: a sweep at an earlier time restores nothing and
// deletes nothing.
func TestSweepWhenTimeGoesBack(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 3)
	runSweep(t, s, 10_001)
	if did := runSweep(t, s, 0); did != (count{}) || has(s, `1`) || !has(s, `2`) {
		t.Errorf("Sweep = %+v, want nothing, and 2 alone kept", did)
	}
}

// TestSweepInBatches: each transaction is bounded, and the earliest deadlines are deleted
// first.
func TestSweepInBatches(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 10)
	var gone []int64
	sweeper := s.Sweeper(func(j Judgement) {
		n, _ := j.ID.AsInt64()
		gone = append(gone, n)
		if j.Rule.ID() != "mongo.date" || j.Index != "t_1" || fixture.Deadline(j.Decision) != policy.Instant(n) {
			t.Errorf("deleted %+v, want it to be by mongo.date of t_1 at %d", j, n)
		}
	})
	sweeper.Limit = 3
	must(t, second(sweeper.Walk(context.Background())))
	did, err := sweeper.Sweep(context.Background(), 7)
	if want := (count{deleted: 8, batches: 3}); err != nil || countOf(did) != want {
		t.Errorf("Sweep = %+v, %v, want %+v", did, err, want)
	}
	if want := []int64{0, 1, 2, 3, 4, 5, 6, 7}; !slices.Equal(gone, want) {
		t.Errorf("deleted %v, want %v", gone, want)
	}
}

func second[T any](_ T, err error) error { return err }

// TestDeletedIsToldWhatIsStored: Deleted is not called for a batch that fails.
func TestDeletedIsToldWhatIsStored(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 4)
	must(t, second(s.Sweeper(nil).Walk(context.Background())))
	told := 0
	sweeper := s.Sweeper(func(Judgement) { told++ })
	s.step = failAt(6)
	if did, err := sweeper.Sweep(context.Background(), 100); !errors.Is(err, errCrash) || told != 0 || countOf(did) != (count{}) {
		t.Errorf("Sweep = %+v, %v, and %d told, want a crash and none", did, err, told)
	}
	s.step = noCrash
	if did := runSweep(t, s, 100); did.deleted != 4 {
		t.Errorf("the next sweep = %+v, want all 4 deleted", did)
	}
}

// TestSweepJudgesAgain: an entry that disagrees with the policy deletes
// nothing, and is corrected.
func TestSweepJudgesAgain(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 1)
	must(t, s.update(func(t txn) error { // as if the walk had not reached the document yet
		c, err := t.named("c")
		if err != nil {
			return err
		}
		key, _ := KeyOf(value(`0`))
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
	if did := runSweep(t, s, 9_999); did != (count{corrected: 1, batches: 1}) || !has(s, `0`) {
		t.Errorf("Sweep = %+v, want the entry put right and nothing deleted", did)
	}
	if next, _, _ := s.Next(); next != 10_000 {
		t.Errorf("Next = %d, want 10000", next)
	}
	checkEntries(t, s)
}

// TestStrayEntries: an entry without a record deletes nothing, and is removed,
// and so is an entry of a dropped collection.
func TestStrayEntries(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 1)
	must(t, s.Create("dropped", nil, 0))
	must(t, second(createIndex(s, "dropped", asDriver(onT), 0)))
	must(t, s.Insert("dropped", bson(`{"_id":0,"t":{"$date":{"$numberLong":"-5000"}}}`)))
	must(t, s.Drop("dropped"))
	must(t, s.update(func(t txn) error {
		known, unknown := numberOf(1), numberOf(99)
		key, _ := KeyOf(value(`0`))
		for _, e := range []entry{{5, known, key}, {5, known, []byte("none")}, {5, unknown, key}} {
			if err := t.put(t.deadlines, e.bytes(), nil); err != nil {
				return err
			}
		}
		return nil
	}))
	did, err := s.Sweeper(nil).Sweep(context.Background(), 9_999)
	if err != nil || countOf(did) != (count{corrected: 3, walked: 2, batches: 3}) || !has(s, `0`) { // a walk removes one document, and the last batch three entries
		t.Errorf("Sweep = %+v, %v, want 4 put right and nothing deleted", did, err)
	}
	checkEntries(t, s)
}

// TestRun: Run deletes due documents and stores the time; afterwards a clock that has
// leapt ahead deletes nothing.
func TestRun(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	begin := policy.InstantOf(time.Now())
	insertDated(t, s, 0, begin-1000)
	insertDated(t, s, 1, begin+3_600_000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sweeper := s.Sweeper(nil)
	sweeper.Swept = func(did sweep.Result, err error) {
		if did.Deleted != 1 || did.At < begin || err != nil {
			t.Errorf("the sweep did %+v, %v, want one deleted since %v", did, err, begin)
		}
		cancel()
	}
	if err := s.Run(ctx, sweeper, time.Minute); !errors.Is(err, context.Canceled) || has(s, `0`) || !has(s, `1`) {
		t.Errorf("Run = %v, want 0 gone and 1 there", err)
	}
	swept, ever, err := s.lastSwept()
	if err != nil || !ever || swept < begin || swept > policy.InstantOf(time.Now()) {
		t.Errorf("the store was last swept at %v, %v, want now", swept, err)
	}

	must(t, s.setLastSwept(begin-2*3_600_000))
	late := s.Sweeper(nil)
	late.Clock.MaxDowntime = time.Hour
	if err := s.Run(t.Context(), late, time.Minute); !errors.Is(err, sweep.ErrLeap) {
		t.Errorf("Run two hours after the last sweep = %v, want ErrLeap", err)
	}
}

// TestRunGoesOn: Swept gets the error of a sweep, and the next sweep tries
// again.
func TestRunGoesOn(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 1)
	s.step = failAt(1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var told []error
	sweeper := s.Sweeper(nil)
	sweeper.Swept = func(_ sweep.Result, err error) {
		if told = append(told, err); len(told) == 2 {
			cancel()
		}
		s.step = noCrash
	}
	if err := s.Run(ctx, sweeper, time.Microsecond); !errors.Is(err, context.Canceled) || len(told) != 2 || !errors.Is(told[0], errCrash) || told[1] != nil || has(s, `0`) {
		t.Errorf("Run = %v after %v, want a crash and then a sweep", err, told)
	}
}

// TestMargin: a margin for a clock that may be ahead delays deletions by the
// same amount.
func TestMargin(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 2000)
	sweeper := s.Sweeper(nil)
	sweeper.Margin = time.Second
	did, err := sweeper.Sweep(t.Context(), 1500)
	if err != nil || did.Deleted != 501 || has(s, `500`) || !has(s, `501`) {
		t.Errorf("Sweep = %+v, %v, want 501 deleted", did, err)
	}
}

// TestIdleSweepsDoNotWrite: a sweep that finds nothing, and a Run soon after another, do
// not write to the disk.
func TestIdleSweepsDoNotWrite(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 3)
	runSweep(t, s, 0)
	must(t, s.setLastSwept(policy.InstantOf(time.Now())))
	s.step = failAt(1)
	if did := runSweep(t, s, 0); did != (count{}) {
		t.Errorf("an idle Sweep = %+v, want nothing", did)
	}
	ctx, cancel := context.WithCancel(t.Context())
	idle := newCollection(t)
	sweeper := idle.Sweeper(nil)
	sweeper.Swept = func(did sweep.Result, err error) {
		if cancel(); err != nil || did.Batches != 0 {
			t.Errorf("an idle sweep of Run = %+v, %v", did, err)
		}
	}
	must(t, idle.setLastSwept(policy.InstantOf(time.Now())))
	must(t, second(sweeper.Walk(ctx)))
	idle.step = failAt(1)
	if err := idle.Run(ctx, sweeper, time.Minute); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

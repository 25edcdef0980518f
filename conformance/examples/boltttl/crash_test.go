package boltttl

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var errCrash = errors.New("crash")

func noCrash() error { return nil }

// failAt returns a step that fails from the n-th on: a process that has died
// does nothing more.
func failAt(n int) func() error {
	return func() error {
		if n--; n <= 0 {
			return errCrash
		}
		return nil
	}
}

// An op is one action of a client or the sweeper.
type op struct {
	name string
	do   func(*Store) error
}

// life is a history with every kind of change: a change of policy while the
// walk of another is half done, a write during the walk, a sweep in small
// batches, a collection that is dropped and created again.
var life = []op{
	{"create", func(s *Store) error { return s.Create("c", nil, 0) }},
	insertOp(`{"_id":1,"t":{"$date":{"$numberLong":"1000"}}}`),
	insertOp(`{"_id":2,"t":{"$date":{"$numberLong":"2000"}}}`),
	insertOp(`{"_id":3,"t":{"$date":{"$numberLong":"3000"}},"keep":true}`),
	insertOp(`{"_id":4,"t":[{"$date":{"$numberLong":"9000"}},{"$date":{"$numberLong":"4000"}}]}`),
	insertOp(`{"_id":5,"t":"no date"}`),
	{"createIndexes", func(s *Store) error {
		return second(createIndex(s, "c", asDriver(`{"key":{"t":1},"expireAfterSeconds":1000}`), 0))
	}},
	{"one batch of the walk", func(s *Store) error {
		_, err := batched(s, 2).Walk(&impatient{Context: context.Background(), batches: 1})
		return orCanceled(err)
	}},
	{"replace", func(s *Store) error { return s.Replace("c", bson(`{"_id":2,"t":{"$date":{"$numberLong":"8000"}}}`)) }},
	{"collMod", func(s *Store) error {
		return second(changeOption(s, "c", fields(`{"index":{"name":"t_1","expireAfterSeconds":1}}`), 0))
	}},
	{"delete", func(s *Store) error { return s.Delete("c", value(`1`)) }},
	insertOp(`{"_id":6,"t":{"$date":{"$numberLong":"-1"}}}`),
	sweepOp(4000),
	{"drop", func(s *Store) error { return s.Drop("c") }},
	{"create again", func(s *Store) error { return s.Create("c", nil, 0) }},
	{"createIndexes with a filter", func(s *Store) error {
		return second(createIndex(s, "c", asDriver(`{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":{"a":1}}`), 0))
	}},
	insertOp(`{"_id":1,"a":1,"t":{"$date":{"$numberLong":"100"}}}`),
	insertOp(`{"_id":2,"a":2,"t":{"$date":{"$numberLong":"100"}}}`),
	insertOp(`{"_id":3,"a":1,"t":{"$date":{"$numberLong":"101"}}}`),
	{"the move to another release", func(s *Store) error {
		return s.update(func(t txn) error { // as a new release would
			c, err := t.named("c")
			if err != nil {
				return err
			}
			return c.judgeAnew()
		})
	}},
	sweepOp(100),
}

func insertOp(doc string) op {
	return op{"insert " + doc, func(s *Store) error { return s.Insert("c", bson(doc)) }}
}

func sweepOp(now policy.Instant) op {
	return op{"sweep", func(s *Store) error {
		return second(batched(s, 2).Sweep(context.Background(), now))
	}}
}

// orCanceled returns nil for an error that says that a context was done.
func orCanceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// TestCrashAnywhere kills the store before every single change of the file and
// before every commit. It opens the file in the state on the disk, and the
// client repeats the requests that got no answer. The result is the same as
// without a crash.
func TestCrashAnywhere(t *testing.T) {
	dir := t.TempDir()
	want := newStore(t)
	for _, op := range life {
		must(t, op.do(want))
	}
	wantDocs, _ := dump(t, want)
	checkLife(t, wantDocs)
	stride := 1
	if testing.Short() {
		stride = 9 // there are about a hundred steps, and for each the whole life runs
	}
	for n := 1; ; n += stride {
		crashed, s := liveUntil(t, dir, n)
		docs, unfinished := dump(t, s)
		checkEntries(t, s)
		if diff := cmp.Diff(wantDocs, docs, cmp.AllowUnexported(record{})); diff != "" || unfinished {
			t.Fatalf("after a crash at step %d (-want +got):\n%s", n, diff)
		}
		s.db.Close()
		if !crashed {
			if n < 80 {
				t.Errorf("a life has %d steps, want more", n)
			}
			return
		}
	}
}

// checkLife compares the final state with one written by hand: in the second
// collection, document 1 is in the filter and due, 2 is outside the filter, and
// 3 is not yet due.
func checkLife(t *testing.T, docs map[string]record) {
	t.Helper()
	got := map[string]bool{}
	for id := range docs {
		got[id] = true
	}
	want := map[string]bool{`c {"$numberInt":"2"}`: true, `c {"$numberInt":"3"}`: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("stored in the end (-want +got):\n%s", diff)
	}
}

// liveUntil runs the actions of life, and ends the process at step n.
func liveUntil(t *testing.T, dir string, n int) (crashed bool, s *Store) {
	t.Helper()
	path := filepath.Join(dir, "store")
	must(t, os.RemoveAll(path))
	s, err := Open(openFile(t, path), mongo.Latest())
	must(t, err)
	var wreck []byte
	die := failAt(n)
	s.step = func() error {
		err := die()
		if err != nil && wreck == nil {
			wreck, _ = os.ReadFile(path) // in the midst of the transaction
		}
		return err
	}
	for _, op := range life {
		err := op.do(s)
		if errors.Is(err, errCrash) {
			crashed = true
			s = reopen(t, s, wreck)
			checkEntries(t, s)
			err = op.do(s)
		}
		if err != nil {
			t.Fatalf("%s, crash at step %d: %v", op.name, n, err)
		}
	}
	return crashed, s
}

// reopen returns the store in a file that a dead process has left.
func reopen(t *testing.T, dead *Store, wreck []byte) *Store {
	t.Helper()
	path := dead.db.Path()
	must(t, dead.db.Close())
	must(t, os.WriteFile(path, wreck, 0o600))
	db := openFile(t, path)
	s := &Store{db: db, profile: dead.profile, step: noCrash} // Open would undo the move to another release in life
	return s
}

// TestTornCommit: power fails while a commit is being written. Any part of the
// pages may have reached the disk; without the page that makes them valid the
// file holds the previous state.
func TestTornCommit(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 200)
	must(t, second(s.Sweeper(nil).Walk(context.Background())))
	want, _ := dump(t, s)
	before, err := os.ReadFile(s.db.Path())
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	one := s.Sweeper(func(Judgement) { cancel() })
	one.Limit = 100
	if did, err := one.Sweep(ctx, 1000); !errors.Is(err, context.Canceled) || did.Deleted != 100 {
		t.Fatalf("Sweep = %+v, %v, want one batch of 100", did, err)
	}
	after, err := os.ReadFile(s.db.Path())
	must(t, err)
	size := s.db.Info().PageSize
	changed := changedPages(before, after, size)
	if len(changed) < 5 {
		t.Fatalf("the batch changed %d pages, want more", len(changed))
	}
	for _, n := range changed {
		copy(before[n*size:], after[n*size:][:size]) // one more page has reached the disk
		s = reopen(t, s, before)
		if docs, _ := dump(t, s); len(docs) != len(want) {
			t.Fatalf("%d documents after a torn commit, want %d", len(docs), len(want))
		}
		checkEntries(t, s)
	}
	if did := runSweep(t, s, 1000); did.deleted != 200 {
		t.Errorf("Sweep = %+v, want all 200 deleted", did)
	}
}

// changedPages returns the numbers of the pages that differ, except the two in front,
// which make a commit valid.
func changedPages(before, after []byte, size int) (numbers []int) {
	for n := 2; n < len(before)/size; n++ {
		if !bytes.Equal(before[n*size:][:size], after[n*size:][:size]) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

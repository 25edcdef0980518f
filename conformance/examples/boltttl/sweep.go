package boltttl

import (
	"context"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// defaultBatch is how many documents a transaction handles by default.
const defaultBatch = 1000

// A Sweeper removes what has expired from a store, a batch in each transaction:
// writers wait for one batch at most, and a crash undoes one batch at most. It
// is not for concurrent use. What it does with one batch, and in which order, is
// package sweep's; see [batch].
type Sweeper struct {
	Store *Store
	// Batch is how many documents a transaction handles; 0 stands for 1000.
	Batch int
	// Deleted, if it is not nil, is called with each document that was removed,
	// and by which rule, when that is stored for good. Of what was stored just
	// before a crash it is not called.
	Deleted func(Judgement)
}

// A Swept says what a sweep did. The zero Swept did nothing.
type Swept struct {
	Deleted  int // documents removed because they had expired
	Rejudged int // documents whose stored deadline had to change, or whose collection was dropped
	Batches  int // transactions
}

func (a Swept) plus(b Swept) Swept {
	return Swept{a.Deleted + b.Deleted, a.Rejudged + b.Rejudged, a.Batches + b.Batches}
}

// Sweep settles, see [Sweeper.Settle], and then removes every document that is
// expired at now, the longest expired first. It stops between two batches when
// ctx is done, with its error; the next sweep goes on. A now that lies before
// that of an earlier sweep finds nothing to do, and is no error.
func (s *Sweeper) Sweep(ctx context.Context, now policy.Instant) (Swept, error) {
	settled, err := s.Settle(ctx)
	if err != nil {
		return settled, err
	}
	did, err := s.removeDue(ctx, now)
	return settled.plus(did), err
}

// removeDue is Sweep without settling first.
func (s *Sweeper) removeDue(ctx context.Context, now policy.Instant) (Swept, error) {
	var b batch // of the last transaction
	did, err := (&sweep.Sweeper[string]{
		Limit: s.batch(),
		Update: func(_ context.Context, do func(sweep.Batch[string]) error) error {
			return s.Store.updateIfDue(now, func(t txn) error {
				b = batch{t, map[string]Judgement{}}
				return do(b)
			})
		},
		Deleted: func(key string, _ policy.Decision) {
			if s.Deleted != nil {
				s.Deleted(b.found[key])
			}
		},
	}).Sweep(ctx, now)
	return Swept{did.Deleted, did.Corrected, did.Batches}, err
}

// Settle finishes what changes of policy left to do: documents get their new
// deadlines, those of dropped collections go. Nothing else is deleted.
func (s *Sweeper) Settle(ctx context.Context) (total Swept, err error) {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		var did Swept
		if did, more, err = s.settle(); err != nil {
			return total, err
		}
		total = total.plus(did)
	}
	return total, nil
}

// Run sweeps at each tick, such as those of a [time.Ticker] of a minute, until
// ctx is done or ticks is closed. A tick that waited makes for a now that is a
// little early, which deletes nothing too soon.
func (s *Sweeper) Run(ctx context.Context, ticks <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case t, ok := <-ticks:
			if !ok {
				return nil
			}
			if _, err := s.Sweep(ctx, policy.InstantOf(t)); err != nil {
				return err
			}
		}
	}
}

func (s *Sweeper) batch() int {
	if s.Batch > 0 {
		return s.Batch
	}
	return defaultBatch
}

// settle does one batch of what is unfinished, and reports whether there was
// any. It looks before it writes: a transaction that changes nothing would
// still have to reach the disk.
func (s *Sweeper) settle() (did Swept, more bool, err error) {
	if found, err := s.Store.isUnfinished(); err != nil || !found {
		return did, false, err
	}
	err = s.Store.update(func(t txn) error {
		c, next, found, err := t.firstUnfinished()
		if err != nil || !found {
			return err
		}
		did.Batches, more = 1, true
		did.Rejudged, err = c.walk(next, s.batch())
		return err
	})
	return did, more, err
}

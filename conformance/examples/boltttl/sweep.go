package boltttl

import (
	"context"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// defaultBatch is how many documents a transaction takes in by default.
const defaultBatch = 1000

// A Sweeper removes what has expired from a store, a batch in each transaction:
// writers wait for one batch at most, and a crash undoes one batch at most. It
// is not for concurrent use.
type Sweeper struct {
	Store *Store
	// Batch is how many documents a transaction takes in; 0 stands for 1000.
	Batch int
	// Deleted, if it is not nil, is told of each document that was removed,
	// and by which rule, when that is stored for good. Of what was stored just
	// before a crash it is not told.
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
	deleted, err := inBatches(ctx, func() (Swept, bool, error) { return s.delete(now) })
	return settled.plus(deleted), err
}

// Settle finishes what changes of policy left to do: documents get their new
// deadlines, those of dropped collections go. Nothing else is deleted.
func (s *Sweeper) Settle(ctx context.Context) (Swept, error) { return inBatches(ctx, s.settle) }

// inBatches calls batch until there is no more, or ctx is done.
func inBatches(ctx context.Context, batch func() (did Swept, more bool, err error)) (total Swept, err error) {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		var did Swept
		if did, more, err = batch(); err != nil {
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

// delete removes one batch of what is due, and reports whether anything was.
func (s *Sweeper) delete(now policy.Instant) (did Swept, more bool, err error) {
	if next, found, err := s.Store.Next(); err != nil || !found || next > now {
		return did, false, err
	}
	var gone []Judgement
	err = s.Store.update(func(t txn) error {
		due, err := t.due(now, s.batch())
		if err != nil {
			return err
		}
		gone, err = t.expireAll(due, now)
		did = Swept{Deleted: len(gone), Rejudged: len(due) - len(gone), Batches: 1}
		more = len(due) > 0
		return err
	})
	if err != nil || s.Deleted == nil {
		return did, more, err
	}
	for _, j := range gone { // not before: a transaction that fails deletes nothing
		s.Deleted(j)
	}
	return did, more, nil
}

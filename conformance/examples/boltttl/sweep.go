package boltttl

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// defaultBatch is the number of documents that a transaction handles by default.
const defaultBatch = 1000

// A Sweeper removes expired documents from a store, a batch in each transaction: writers
// wait for one batch at most, and a crash undoes one batch at most. It is not for
// concurrent use. What it does with one batch, and in which order, is package sweep's; see
// [batch].
type Sweeper struct {
	Store *Store
	// Batch is the number of documents that a transaction handles; 0 means 1000.
	Batch int
	// Deleted, if it is not nil, is called with each document that was removed,
	// and by which rule, when that is stored for good. It is not called for
	// documents whose removal was stored just before a crash.
	Deleted func(Judgement)
}

// A Swept counts the work of a sweep. The zero Swept counts none.
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

func (s *Sweeper) batch() int { return cmp.Or(max(s.Batch, 0), defaultBatch) }

// settle does one batch of unfinished work, and reports whether there was any. It looks
// before it writes, because even an empty transaction would be written to disk.
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

// Next returns the earliest deadline in the store, which may be past, and
// reports whether there is one. It is as exact as the last sweep: a change of
// policy shows when the sweep after it is done.
func (s *Store) Next() (deadline policy.Instant, found bool, err error) {
	err = s.view(func(t txn) (err error) {
		deadline, found, err = t.next()
		return err
	})
	return deadline, found, err
}

// next is [Store.Next].
func (t txn) next() (deadline policy.Instant, found bool, err error) {
	key, _ := t.deadlines.Cursor().First()
	if key == nil {
		return 0, false, nil
	}
	e, err := parseEntry(key)
	return e.deadline, err == nil, err
}

// updateIfDue runs do in a transaction that may change something, if anything
// is due at now. Otherwise do only reads: a transaction that changes nothing
// would still have to reach the disk. What is due is asked in the transaction in
// which do reads, for a writer may add something that is due at any time.
func (s *Store) updateIfDue(now policy.Instant, do func(txn) error) error {
	isDue := false
	err := s.view(func(t txn) error {
		next, found, err := t.next()
		if isDue = found && next <= now; err != nil || isDue {
			return err
		}
		return do(t)
	})
	if err != nil || !isDue {
		return err
	}
	return s.update(do)
}

// A batch is one transaction of a sweep. Its keys are entries, as bytes.
type batch struct {
	txn
	found map[string]Judgement // by key, of the documents that were read
}

// Due returns the first entries whose deadlines have come. The deadline itself
// counts as expired.
func (b batch) Due(now policy.Instant, limit int) (due []string, err error) {
	cursor := b.deadlines.Cursor()
	for key, _ := cursor.First(); key != nil && len(due) < limit; key, _ = cursor.Next() {
		e, err := parseEntry(key)
		switch {
		case err != nil:
			return nil, err
		case e.deadline > now:
			return due, nil
		}
		due = append(due, string(key))
	}
	return due, nil
}

// Read returns how the policy as it is stored now decides about the document of
// an entry, which may be the entry of a policy before.
func (b batch) Read(key string) (func(policy.Instant) policy.Decision, error) {
	c, r, known, err := b.owner(key)
	if err != nil || !known {
		return nil, err
	}
	if b.found[key], err = c.judgement(r.doc, 0); err != nil {
		return nil, err
	}
	return func(now policy.Instant) policy.Decision { return c.catalog.policy.DecideBSON(r.doc, now) }, nil
}

// Delete removes the document of an entry.
func (b batch) Delete(key string, d policy.Decision) error {
	c, r, _, err := b.owner(key)
	if err != nil {
		return err
	}
	j := b.found[key]
	j.Decision = d
	b.found[key] = j
	return c.drop(entryOf(key).key, r)
}

// Correct gives a document the entry of its deadline, and removes an entry that
// is no document's.
func (b batch) Correct(key string, d policy.Decision) error {
	c, r, known, err := b.owner(key)
	switch {
	case err != nil:
		return err
	case !known:
		return b.remove(b.deadlines, []byte(key))
	}
	return c.store(entryOf(key).key, r, recordOf(r.doc, d))
}

// owner returns the record to which an entry belongs. It reports false if no
// record knows it, or if the collection was dropped meanwhile. Records are the
// truth; entries only help to find them.
func (t txn) owner(key string) (c collection, r record, known bool, err error) {
	e := entryOf(key)
	c, err = t.numbered(e.number)
	switch {
	case errors.Is(err, ErrNoCollection):
		return c, r, false, nil
	case err != nil || c.catalog == nil:
		return c, r, false, err
	}
	r, _, err = c.record(e.key)
	return c, r, r.listed && r.deadline == e.deadline, err
}

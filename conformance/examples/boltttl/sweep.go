package boltttl

import (
	"context"
	"errors"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// A Sweeper removes expired documents from a store, one batch in each transaction; see
// [sweep.Sweeper] for its options. [Store.Sweeper] makes one.
type Sweeper = sweep.Sweeper[place]

// Sweeper returns a Sweeper of the store. deleted, if it is not nil, is called with each removed
// document and the decision, after the transaction is stored. It may not be called for
// documents whose removal was stored just before a crash.
func (s *Store) Sweeper(deleted func(Judgement)) *Sweeper {
	var b *batch // the batch of the last transaction
	by := &Sweeper{Update: func(_ context.Context, do func(sweep.Batch[place]) error) error {
		return s.updateIfAny(func(t txn) error {
			b = &batch{t, map[place]Judgement{}}
			return do(b)
		})
	}}
	if deleted != nil {
		by.Deleted = func(at place, d policy.Decision) {
			j := b.found[at]
			j.Decision = d
			deleted(j)
		}
	}
	return by
}

// Run sweeps at intervals, as [sweep.Sweeper.Run] does. It stores the time of the last sweep, by
// which the next Run judges the clock.
func (s *Store) Run(ctx context.Context, by *Sweeper, every time.Duration) error {
	known, ever, err := s.lastSwept()
	if err != nil {
		return err
	}
	run := *by
	if run.Clock.LastKnown = known; !ever {
		run.Clock.MaxDowntime = 0 // without a stored instant there is no downtime to judge
	}
	run.Swept = func(did sweep.Result, err error) {
		if err == nil && (!ever || did.At > known+rememberEvery) {
			if err = s.setLastSwept(did.At); err == nil {
				known, ever = did.At, true
			}
		}
		if by.Swept != nil {
			by.Swept(did, err)
		}
	}
	return run.Run(ctx, every)
}

// rememberEvery is the pause after which Run stores the time again, in milliseconds. Idle
// sweeps should not write to the disk more often.
const rememberEvery = 3_600_000

// Next returns the earliest deadline in the store, which may be past, and
// reports whether there is one. It takes account of a change of policy only
// after the next sweep.
func (s *Store) Next() (deadline policy.Instant, found bool, err error) {
	err = s.view(func(t txn) error {
		key, _ := t.deadlines.Cursor().First()
		if found = key != nil; !found {
			return nil
		}
		e, err := parseEntry(key)
		deadline = e.deadline
		return err
	})
	return deadline, found, err
}

// errMustWrite ends a read-only transaction in which a write is needed.
var errMustWrite = errors.New("boltttl: a write in a read-only transaction")

// updateIfAny runs do in a read-only transaction, and again in a writing one if do tries to
// write. Most sweeps find nothing to do, and a writing transaction reaches the disk even if
// it changes nothing.
func (s *Store) updateIfAny(do func(txn) error) error {
	err := s.view(do)
	if !errors.Is(err, errMustWrite) {
		return err
	}
	return s.update(do)
}

// A place is the position at which a sweep finds a document.
type place struct {
	number, key string         // the number of the collection, and the key of the _id
	deadline    policy.Instant // the deadline of the entry, if isEntry
	isEntry     bool           // false if a walk found the document
}

func (p place) entry() entry { return entry{p.deadline, []byte(p.number), []byte(p.key)} }

// A batch is a transaction of a sweep, or of the walk before the sweep.
type batch struct {
	txn
	found map[place]Judgement // the judgements of the documents that were read
}

// Due returns the first entries whose deadlines are reached. The deadline
// itself counts as expired.
func (b *batch) Due(now policy.Instant, limit int) (due []place, err error) {
	cursor := b.deadlines.Cursor()
	for key, _ := cursor.First(); key != nil && len(due) < limit; key, _ = cursor.Next() {
		e, err := parseEntry(key)
		switch {
		case err != nil:
			return nil, err
		case e.deadline > now:
			return due, nil
		}
		due = append(due, place{string(e.number), string(e.key), e.deadline, true})
	}
	return due, nil
}

// Next returns documents whose deadlines may be those of an earlier policy; see
// [collection.judgeAnew].
func (b *batch) Next(limit int) (next []place, err error) {
	for {
		c, mark, found, err := b.firstUnfinished()
		if err != nil || !found {
			return nil, err
		}
		for _, key := range keysFrom(c.documents.Cursor(), mark, limit) {
			next = append(next, place{number: string(c.number), key: string(key)})
		}
		if len(next) > 0 {
			return next, nil
		}
		if err := c.finish(); err != nil {
			return nil, err
		}
	}
}

// Mark stores that the walk continues behind a document, or ends the walk of its
// collection.
func (b *batch) Mark(last place) error {
	c, err := b.numbered([]byte(last.number))
	if err != nil {
		return err
	}
	next := append([]byte(last.key), 0) // no key lies between
	if len(keysFrom(c.documents.Cursor(), next, 1)) == 0 {
		return c.finish()
	}
	return c.put(c.unfinished, c.number, next)
}

// Read returns a function that decides about the document at a place by the policy as it
// is stored now. It returns nil if the place is an entry that no longer belongs to the
// document, or if the collection was dropped.
func (b *batch) Read(at place) (func(policy.Instant) policy.Decision, error) {
	c, r, known, err := b.owner(at)
	if err != nil || !known {
		return nil, err
	}
	if b.found[at], err = c.judgement(r.doc, 0); err != nil {
		return nil, err
	}
	return func(now policy.Instant) policy.Decision { return c.policy.DecideBSON(r.doc, now) }, nil
}

// Delete removes the document of an entry.
func (b *batch) Delete(at place, _ policy.Decision) error {
	c, r, _, err := b.owner(at)
	if err != nil {
		return err
	}
	return c.drop([]byte(at.key), r)
}

// Correct stores the entry of a document's deadline. It removes an entry that
// belongs to no document, and a document of a dropped collection.
func (b *batch) Correct(at place, d policy.Decision) error {
	c, r, known, err := b.owner(at)
	switch {
	case err != nil:
		return err
	case known:
		return c.rejudge([]byte(at.key), r, d)
	case at.isEntry:
		return b.remove(b.deadlines, at.entry().bytes())
	}
	return c.drop([]byte(at.key), r)
}

// owner returns the record of a place. It reports false if no record has the entry of the
// place, or if the collection was dropped meanwhile. Records are the truth; entries only
// help to find them.
func (t txn) owner(at place) (c collection, r record, known bool, err error) {
	c, err = t.numbered([]byte(at.number))
	switch {
	case errors.Is(err, ErrNoCollection):
		return c, r, false, nil
	case err != nil:
		return c, r, false, err
	}
	r, there, err := c.record([]byte(at.key))
	known = c.policy != nil && there && (!at.isEntry || r.listed && r.deadline == at.deadline)
	return c, r, known, err
}

// lastSwept returns the stored time of the last sweep, and whether there is one.
func (s *Store) lastSwept() (at policy.Instant, ever bool, err error) {
	err = s.view(func(t txn) error {
		b := t.meta.Get(sweptKey)
		if ever = len(b) == deadlineSize; ever {
			at = deadlineOf(b)
		}
		return nil
	})
	return at, ever, err
}

func (s *Store) setLastSwept(at policy.Instant) error {
	return s.update(func(t txn) error { return t.put(t.meta, sweptKey, appendDeadline(nil, at)) })
}

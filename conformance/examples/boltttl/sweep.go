package boltttl

import (
	"context"
	"errors"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// A Sweeper removes expired documents from a store, one batch in each transaction:
// writers wait for one batch at most, and a crash undoes one batch at most. It is not
// for concurrent use. Package sweep defines the order of steps within a batch; see
// [batch].
type Sweeper struct {
	Store *Store
	// Batch is the number of documents that a transaction handles; 0 means 1000.
	Batch int
	// Margin is the maximum by which the clock may be ahead of the true time; see
	// [sweep.Sweeper].
	Margin time.Duration
	// Clock says how far Run trusts the clock. Its LastKnown is set from the store.
	Clock sweep.Clock
	// Deleted, if it is not nil, is called with each removed document and the
	// decision, after the transaction is stored. It may not be called for documents
	// whose removal was stored just before a crash.
	Deleted func(Judgement)
	// Swept, if it is not nil, is called by Run with the result of each sweep.
	Swept func(sweep.Result, error)
}

// A Swept counts the work of a sweep. The zero Swept counts none.
type Swept struct {
	Deleted  int // documents removed because they had expired
	Rejudged int // documents whose stored deadline had to change, or whose collection was dropped
	Batches  int // transactions
}

// Sweep calls [Sweeper.Settle], and then removes every document that is expired
// at now, the longest expired first. When ctx is done it stops between two
// batches and returns the error of ctx; the next sweep continues. It is not an
// error if now lies before that of an earlier sweep: the sweep finds nothing to
// do.
func (s *Sweeper) Sweep(ctx context.Context, now policy.Instant) (Swept, error) {
	return s.do(func(by *sweep.Sweeper[place]) (sweep.Result, error) { return by.Sweep(ctx, now) })
}

// Settle finishes the work of policy changes: it stores the new deadlines of
// documents, and removes documents of dropped collections. It deletes nothing
// else.
func (s *Sweeper) Settle(ctx context.Context) (Swept, error) {
	return s.do(func(by *sweep.Sweeper[place]) (sweep.Result, error) { return by.Walk(ctx) })
}

// Run sweeps at once and then at intervals of every, until ctx is done. It ends with
// [sweep.ErrLeap] if Clock does not trust the clock; see [sweep.Sweeper.Run]. It stores
// the time of the last sweep for the next Run.
func (s *Sweeper) Run(ctx context.Context, every time.Duration) error {
	by := s.sweeper(new(int))
	known, ever, err := s.Store.lastSwept()
	if err != nil {
		return err
	}
	if by.Clock.LastKnown = known; !ever {
		by.Clock.MaxDowntime = 0 // without a stored instant there is no downtime to judge
	}
	by.Swept = func(did sweep.Result, err error) {
		if err == nil && (!ever || did.At > known+rememberEvery) {
			if err = s.Store.setLastSwept(did.At); err == nil {
				known, ever = did.At, true
			}
		}
		if s.Swept != nil {
			s.Swept(did, err)
		}
	}
	return by.Run(ctx, every)
}

// rememberEvery is the pause after which Run stores the time again, in milliseconds. Idle
// sweeps should not write to the disk more often.
const rememberEvery = 3_600_000

// do passes the Sweeper of package sweep to run, and returns the counts of its work.
func (s *Sweeper) do(run func(*sweep.Sweeper[place]) (sweep.Result, error)) (Swept, error) {
	rejudged := 0
	did, err := run(s.sweeper(&rejudged))
	return Swept{did.Deleted, did.Corrected + rejudged, did.Batches}, err
}

// sweeper returns the Sweeper of package sweep for the store. It adds to rejudged the
// documents that a walk has changed.
func (s *Sweeper) sweeper(rejudged *int) *sweep.Sweeper[place] {
	var b *batch // the batch of the last transaction
	return &sweep.Sweeper[place]{
		Limit: s.Batch, Margin: s.Margin, Clock: s.Clock,
		Update: func(ctx context.Context, do func(sweep.Batch[place]) error) error {
			err := s.Store.updateIfAny(func(t txn) error {
				b = &batch{txn: t, found: map[place]Judgement{}}
				return do(b)
			})
			if err == nil {
				*rejudged += b.rejudged
			}
			return err
		},
		Deleted: func(at place, _ policy.Decision) {
			if s.Deleted != nil {
				s.Deleted(b.found[at])
			}
		},
	}
}

// Next returns the earliest deadline in the store, which may be past, and
// reports whether there is one. It takes account of a change of policy only
// after the next sweep.
func (s *Store) Next() (deadline policy.Instant, found bool, err error) {
	err = s.view(func(t txn) (err error) {
		deadline, found, err = t.next()
		return err
	})
	return deadline, found, err
}

// next does the work of [Store.Next] in a transaction.
func (t txn) next() (deadline policy.Instant, found bool, err error) {
	key, _ := t.deadlines.Cursor().First()
	if key == nil {
		return 0, false, nil
	}
	e, err := parseEntry(key)
	return e.deadline, err == nil, err
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
	found    map[place]Judgement // the judgements of the documents that were read
	rejudged int                 // documents that the walk has changed
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
	return func(now policy.Instant) policy.Decision { return c.catalog.policy.DecideBSON(r.doc, now) }, nil
}

// Delete removes the document of an entry.
func (b *batch) Delete(at place, d policy.Decision) error {
	c, r, _, err := b.owner(at)
	if err != nil {
		return err
	}
	j := b.found[at]
	j.Decision = d
	b.found[at] = j
	return c.drop([]byte(at.key), r)
}

// Correct stores the entry of a document's deadline. It removes an entry that
// belongs to no document, and a document of a dropped collection.
func (b *batch) Correct(at place, d policy.Decision) error {
	c, r, known, err := b.owner(at)
	switch {
	case err != nil:
		return err
	case known && !at.isEntry:
		changed, err := c.rejudge([]byte(at.key), r, d)
		if changed {
			b.rejudged++
		}
		return err
	case known:
		return c.store([]byte(at.key), r, recordOf(r.doc, d))
	case at.isEntry:
		return b.remove(b.deadlines, at.entry().bytes())
	}
	b.rejudged++
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
	known = c.catalog != nil && there && (!at.isEntry || r.listed && r.deadline == at.deadline)
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

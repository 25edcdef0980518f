// Package sweep removes expired documents from a store. Before it deletes a document, it
// decides again about the document that is stored at that moment.
//
//	sweeper := &sweep.Sweeper[string]{
//		Update: func(ctx context.Context, run func(sweep.Batch[string]) error) error {
//			return run(batch) // in a transaction; a Batch is four methods of your store
//		},
//		Margin:  time.Second, // for a clock that may be ahead by as much
//		Deleted: func(key string, d policy.Decision) { log.Print(key, ": ", d) },
//		Swept: func(did sweep.Result, err error) {
//			log.Print(did.Deleted, " deleted, late by ", did.Lag, ", error: ", err) // alarm on both
//		},
//	}
//	err := sweeper.Run(ctx, time.Minute) // ends when ctx is done, or the clock leaps ahead
//
// The example of the package is a whole store. A stored deadline says when to check a
// document, not that it must be deleted: since the deadline was computed, the date may
// have changed, the delay may have been raised, or the index dropped. [Sweeper.Sweep]
// therefore finds the due documents, reads each document and decides about it again,
// deletes it or corrects its deadline, and counts deletes by rule. Each batch is one
// transaction. A store implements the four methods of [Batch], and cannot leave out the
// second decision.
//
// # Which instant
//
// On write, decide at 0, or at another instant that is not later than the clock, and
// store the deadline: [policy.Decision.Deadline] is the same at any instant, except for
// one policy, which package policy describes and whose deadline is earliest at 0. A sweep
// decides at the time of the sweep minus [Sweeper.Margin].
//
// # A change of policy
//
// If a change of policy makes documents expire earlier, the stored deadlines are too late,
// and a sweep would miss them. For such changes a store implements [Walker] too: a walk
// decides about every document again, in batches, from a mark that the store keeps, so that
// a crash repeats one batch at most. [Sweeper.Sweep] finishes the walk first.
//
// [Sweeper.Run] sweeps at intervals by the clock of this machine, a [Clock]. Nothing else
// in the package reads a clock.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Batch is one transaction of a store: documents that it reads cannot change
// before its writes are stored. A store without transactions may return
// [ErrChanged] from Delete instead. K identifies a document; it may hold the
// remembered deadline too.
//
// A sweep first calls Due, once, and then for each key Read and either Delete or Correct.
// A Batch may therefore collect its writes until the transaction is stored.
type Batch[K comparable] interface {
	// Due returns the keys of up to limit documents whose remembered deadline
	// is at or before now, the earliest deadline first.
	Due(now policy.Instant, limit int) ([]K, error)
	// Read reads the document of key and its policy as they are stored now, and returns a
	// function that decides about the document at an instant. The function calls Decide,
	// not [policy.Decision.At]. The function is nil if the document, or its policy, is
	// gone.
	Read(key K) (decide func(now policy.Instant) policy.Decision, err error)
	// Delete removes the document of key and its stored deadline. d is the decision that
	// the document is expired.
	Delete(key K, d policy.Decision) error
	// Correct stores the deadline of d for key, or removes the stored one if d is
	// [policy.Never], so that Due does not return key again at this instant. For a
	// key of which Read returned nil, d is the zero Decision.
	Correct(key K, d policy.Decision) error
}

// A Sweeper removes expired documents from one store. Its fields must not change while it
// sweeps. The zero Sweeper has no store and deletes nothing.
type Sweeper[K comparable] struct {
	// Update runs batch in a transaction. It stores all writes of batch and returns
	// nil, or stores none and returns the error of batch or of the store. A nil
	// Update fails every sweep.
	Update func(ctx context.Context, batch func(Batch[K]) error) error
	// Limit is the maximum number of documents that a transaction handles; 0 or less
	// means 1000. Writers wait for one batch at most, and a crash undoes one batch at
	// most.
	Limit int
	// Pace, if not nil, is called after each batch with the number of documents that
	// it handled, and returns when the next batch may begin. Its error ends the sweep. The
	// WaitN method of a golang.org/x/time/rate.Limiter whose burst is at least Limit is a
	// Pace; sweepers with one limiter share its rate.
	Pace func(ctx context.Context, n int) error
	// Margin is the maximum by which the clock may be ahead of the true time. A sweep
	// removes each document later by Margin, so that a clock that is ahead by no more
	// than Margin removes no document early. Margin is rounded up to milliseconds. 0
	// means no margin; a negative Margin fails every sweep.
	Margin time.Duration
	// Clock sets the limits within which [Sweeper.Run] trusts the clock of this machine.
	// Run works on a copy of Clock.
	Clock Clock
	// Deleted, if not nil, is called for each removed document once its transaction
	// is stored. A crash after the commit can prevent the call.
	Deleted func(key K, d policy.Decision)
	// Swept, if not nil, is called by [Sweeper.Run] after each sweep, with the results of
	// Sweep.
	Swept func(did Result, err error)
}

// A Result counts the work of a sweep in stored transactions.
type Result struct {
	At        policy.Instant      // the instant of the sweep, such as for [Clock.LastKnown]
	Deleted   int                 // documents removed because they had expired
	ByRule    map[policy.Rule]int // the removed documents by the rule that decided; nil if there are none
	Corrected int                 // keys whose stored deadline was due, but whose document was not due by the policy
	Changed   int                 // keys skipped by ErrChanged
	Walked    int                 // documents that a walk decided about again; see [Walker]
	Batches   int                 // transactions that handled a key
	// Lag is the time from the earliest deadline among the expired documents that the
	// sweep found to the instant of the sweep; 0 if it found none. An expired document
	// counts even if its transaction failed and the document was not removed. If the
	// store fails before it reads a document, Lag is 0 and the sweep returns an error:
	// alarm on errors too.
	Lag time.Duration
}

var (
	// The errors of [Batch.Delete] and [Batch.Correct] wrap ErrChanged if the document
	// has changed since it was read. A method that returns such an error must not have
	// written anything. The sweep goes on; a later batch reads the document again.
	ErrChanged = errors.New("sweep: the document has changed since it was read")
	// The error of a sweep wraps ErrStillDue if batches find only documents that the
	// previous batch has handled, with the same decisions: Delete, Correct or Mark had no
	// effect, and the sweep would never end.
	ErrStillDue = errors.New("sweep: a handled document is still due")

	errNoStore  = errors.New("sweep: the sweeper has no Update")
	errNoWalker = errors.New("sweep: the store's Batch lacks Next or Mark, so a sweep cannot walk through the store")
	errMargin   = errors.New("sweep: the sweeper has a margin below 0, which would delete documents early")
)

// Sweep finishes an unfinished walk, and then handles every document that is due at now,
// the earliest deadline first. When ctx is done, Sweep stops before the next batch, or
// while it waits, and returns the error of ctx. An error of the store ends it too. The
// result covers the work until then, and the next sweep continues there. now may be
// earlier than in an earlier sweep.
//
// Pass policy.InstantOf(time.Now()), in milliseconds since 1970. Microseconds, read as
// milliseconds, are tens of thousands of years ahead: every document with a date would be
// due.
func (s *Sweeper[K]) Sweep(ctx context.Context, now policy.Instant) (Result, error) {
	return s.sweep(ctx, Result{At: now}, batch[K]{now: before(now, s.Margin), removes: true})
}

// Walk finishes the unfinished walk, if any, of a store whose [Batch] is a [Walker], and
// removes nothing. It stops when Sweep would stop.
func (s *Sweeper[K]) Walk(ctx context.Context) (Result, error) {
	return s.sweep(ctx, Result{}, batch[K]{})
}

// sweep runs batches until nothing is left to do. Each batch has the instant and the kind
// of the batch first.
func (s *Sweeper[K]) sweep(ctx context.Context, total Result, first batch[K]) (Result, error) {
	switch {
	case s.Update == nil:
		return total, errNoStore
	case s.Margin < 0:
		return total, errMargin
	}
	last, repeated := first, 0
	for {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		b := batch[K]{now: first.now, removes: first.removes}
		err := s.Update(ctx, func(store Batch[K]) error { return b.run(store, s.limit()) })
		total.Lag = max(total.Lag, b.lag(total.At))
		if err != nil {
			return total, err
		}
		s.report(&b, &total)
		switch {
		case b.isIdle():
			return total, nil
		case !b.repeats(last):
			repeated = 0
		case repeated == b.mayRepeat():
			return total, fmt.Errorf("%w: %v is the first", ErrStillDue, b.first())
		default:
			repeated++
		}
		if s.Pace != nil {
			if err := s.Pace(ctx, len(b.steps)); err != nil {
				return total, err
			}
		}
		last = b
	}
}

const defaultLimit = 1000

func (s *Sweeper[K]) limit() int {
	if s.Limit > 0 {
		return s.Limit
	}
	return defaultLimit
}

// before returns now minus margin, or MinInstant if the result is out of range. It rounds
// margin up to milliseconds.
func before(now policy.Instant, margin time.Duration) policy.Instant {
	millis := policy.Instant((margin + time.Millisecond - 1) / time.Millisecond)
	if now < policy.MinInstant+millis {
		return policy.MinInstant
	}
	return now - millis
}

// since returns the time from deadline to now, which is not earlier, or the longest
// Duration if the time is longer.
func since(deadline, now policy.Instant) time.Duration {
	millis := uint64(now) - uint64(deadline) // the unsigned difference cannot overflow
	return time.Duration(min(millis, math.MaxInt64/uint64(time.Millisecond))) * time.Millisecond
}

// report adds a stored batch to total.
func (s *Sweeper[K]) report(b *batch[K], total *Result) {
	if len(b.steps)+b.changed == 0 {
		return
	}
	total.Changed += b.changed
	total.Batches++
	for _, did := range b.steps {
		switch {
		case b.walks():
			total.Walked++
		case did.decision.State != policy.Expired:
			total.Corrected++
		default:
			if total.ByRule == nil {
				total.ByRule = map[policy.Rule]int{}
			}
			total.Deleted++
			total.ByRule[did.decision.Rule]++
			if s.Deleted != nil {
				s.Deleted(did.key, did.decision)
			}
		}
	}
}

// A step is the outcome for one key. The document of a due key was deleted if the decision
// is Expired; otherwise its deadline was corrected.
type step[K comparable] struct {
	key      K
	decision policy.Decision
}

// A batch is the outcome of one transaction.
type batch[K comparable] struct {
	now     policy.Instant
	removes bool // the batch handles due documents if no walk is unfinished
	walked  []K  // the keys of a walk; none if due documents were handled
	steps   []step[K]
	oldest  policy.Decision // the expired decision with the earliest deadline, if any, even of a failed step
	changed int             // keys skipped by ErrChanged
}

// run handles up to limit documents in a transaction. A store may run a transaction again
// after a conflict, so run keeps nothing from an earlier run.
func (b *batch[K]) run(store Batch[K], limit int) error {
	*b = batch[K]{now: b.now, removes: b.removes}
	walker, canWalk := store.(Walker[K])
	if canWalk {
		next, err := walker.Next(limit)
		if err != nil {
			return err
		}
		if b.walked = next; b.walks() {
			if err := b.each(next, func(key K) (step[K], error) { return walk(store, key) }); err != nil {
				return err
			}
			return walker.Mark(next[len(next)-1])
		}
	}
	switch {
	case b.removes:
		due, err := store.Due(b.now, limit)
		if err != nil {
			return err
		}
		return b.each(due, func(key K) (step[K], error) { return b.remove(store, key) })
	case !canWalk:
		return errNoWalker
	}
	return nil
}

// walks reports whether b was a batch of a walk.
func (b *batch[K]) walks() bool { return len(b.walked) > 0 }

// each calls do for each key, and records the steps.
func (b *batch[K]) each(keys []K, do func(K) (step[K], error)) error {
	for _, key := range keys {
		did, err := do(key)
		switch {
		case errors.Is(err, ErrChanged):
			b.changed++
		case err != nil:
			return err
		default:
			b.steps = append(b.steps, did)
		}
	}
	return nil
}

// remove decides about one document again, and deletes it or corrects its deadline.
func (b *batch[K]) remove(store Batch[K], key K) (step[K], error) {
	did, err := decide(store, key, b.now)
	switch {
	case err != nil:
		return did, err
	case did.decision.State != policy.Expired:
		return did, store.Correct(key, did.decision)
	}
	b.see(did.decision)
	return did, store.Delete(key, did.decision)
}

// decide reads the stored document of a key again, and decides about it.
func decide[K comparable](store Batch[K], key K, now policy.Instant) (did step[K], err error) {
	did.key = key
	by, err := store.Read(key)
	if err == nil && by != nil {
		did.decision = by(now)
	}
	return did, err
}

// see keeps d, the decision about an expired document, as b.oldest if no earlier deadline
// is known.
func (b *batch[K]) see(d policy.Decision) {
	deadline, _ := d.Deadline()
	if oldest, ok := b.oldest.Deadline(); !ok || deadline < oldest {
		b.oldest = d
	}
}

// lag returns the time from the earliest deadline of the batch's expired documents to
// now.
func (b *batch[K]) lag(now policy.Instant) time.Duration {
	if deadline, ok := b.oldest.Deadline(); ok {
		return since(deadline, now)
	}
	return 0
}

// isIdle reports whether another batch would have nothing new to handle: nothing was due,
// or all due documents were skipped because they had changed.
func (b *batch[K]) isIdle() bool { return len(b.steps) == 0 && !b.walks() }

// first returns the first key that b has handled.
func (b *batch[K]) first() K {
	if b.walks() {
		return b.walked[0]
	}
	return b.steps[0].key
}

// repeats reports whether b walked the same keys as last, the batch before, and every
// step of b is also a step of last.
func (b *batch[K]) repeats(last batch[K]) bool {
	if !slices.Equal(b.walked, last.walked) {
		return false
	}
	before := make(map[K]policy.Decision, len(last.steps))
	for _, did := range last.steps {
		before[did.key] = did.decision
	}
	for _, did := range b.steps {
		if d, ok := before[did.key]; !ok || d != did.decision {
			return false
		}
	}
	return true
}

// mayRepeat returns the number of times in a row that a batch may repeat the batch
// before. It is more for a walk, because a change of policy restarts a walk.
func (b *batch[K]) mayRepeat() int {
	if b.walks() {
		return 3
	}
	return 0
}

// A Walker is a [Batch] that can walk through all documents of its store, after a change
// of policy by which documents may expire before their stored deadlines. The transaction
// that stores the new policy also stores a mark before the first document. From then on
// writes follow the new policy, and sweeps continue the walk until it is done. A further
// change of policy stores the mark before the first document again: a second decision
// about a document does no harm.
//
// A transaction of a walk calls Next first, then for each key Read and Correct, and Mark
// last. Correct gets the decision at 0; see the package documentation.
type Walker[K comparable] interface {
	Batch[K]
	// Next returns the keys of up to limit documents after the mark, in an order that the
	// store chooses. It may return fewer than limit keys, such as those of one
	// collection, and returns no keys only if no walk is unfinished.
	Next(limit int) ([]K, error)
	// Mark stores last, the last key that Next returned, as the new mark, so that the
	// next transaction continues after it.
	Mark(last K) error
}

// walk decides about one document again, and corrects its deadline.
func walk[K comparable](store Batch[K], key K) (step[K], error) {
	did, err := decide(store, key, writtenAt)
	if err != nil {
		return did, err
	}
	return did, store.Correct(key, did.decision)
}

// writtenAt is the instant at which a walk decides, and at which a store decides on
// write.
const writtenAt policy.Instant = 0

// Run sweeps at once, and then repeatedly with the duration every as the interval, by the
// clock of this machine. A sweep that takes longer than the interval delays the next
// sweep. Run passes the error of a sweep to Swept, and the next sweep tries again.
//
// Run ends with the error of ctx when ctx is done, and with [ErrLeap] when
// [Sweeper.Clock] no longer trusts the clock: check the clock, then call Run again. An
// interval of 0 or less is an error.
func (s *Sweeper[K]) Run(ctx context.Context, every time.Duration) error {
	if every <= 0 {
		return fmt.Errorf("sweep: the interval of Run is %s, want more than 0", every)
	}
	clock := s.Clock
	for {
		begin := clock.reading().passed
		now, err := clock.Now()
		if err != nil {
			return err
		}
		did, err := s.Sweep(ctx, now)
		if s.Swept != nil {
			s.Swept(did, err)
		}
		if err := sleep(ctx, every-(clock.reading().passed-begin)); err != nil {
			return err
		}
	}
}

// sleep waits for d, or until ctx is done if that is earlier. It returns the error of
// ctx, which is nil if ctx is not done.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return ctx.Err() // even if the timer has fired too
}

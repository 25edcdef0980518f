// Package sweep removes expired documents from a store, and decides about each
// again, as it is stored at that moment, before it is deleted.
//
// A store that keeps deadlines knows when to look, not what to delete: since a
// deadline was computed, the date may have changed, the delay may have been raised,
// or the index dropped. [Sweeper.Sweep] therefore finds what is due, reads it again,
// decides again, deletes it or corrects the deadline, and counts by rule, in batches
// of one transaction each. A store implements [Batch], four methods that each do one
// thing, and cannot leave out the second decision.
//
// [Sweeper.Run] sweeps every so often by the clock of this machine. Nothing else in the
// package reads a clock, except for the rate of [Sweeper.PerSecond].
package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Batch is one transaction of a store, in which what is read cannot change
// before what is written is stored. A store without transactions may return
// [ErrChanged] from Delete instead. K identifies a document; it may hold the
// remembered deadline too.
//
// Due is called once and first, then for each key Read and either Delete or Correct.
// So a batch may keep its writes until the transaction is stored.
type Batch[K comparable] interface {
	// Due returns the keys of up to limit documents whose remembered deadline
	// is at or before now, the earliest deadline first.
	Due(now policy.Instant, limit int) ([]K, error)
	// Read reads the document of key and its policy as they are stored now,
	// and returns what the policy says about it at an instant: a call of Decide,
	// not of [policy.Decision.At]. It returns nil if the document, or its policy,
	// is gone.
	Read(key K) (decide func(now policy.Instant) policy.Decision, err error)
	// Delete removes the document of key and its remembered deadline. d says
	// why it goes.
	Delete(key K, d policy.Decision) error
	// Correct stores the deadline of d as that of key, or that it has none if
	// d is [policy.Never], so that Due does not return key again at this
	// instant. For a key of which Read returned nil, d is the zero Decision.
	Correct(key K, d policy.Decision) error
}

// A Sweeper removes what has expired from one store. Its fields must not change
// while it sweeps. The zero Sweeper has no store and deletes nothing.
type Sweeper[K comparable] struct {
	// Update runs batch in a transaction. All that batch writes is stored when
	// Update returns nil, and nothing when it returns an error, which is that
	// of batch or of the store. A nil Update fails every sweep.
	Update func(ctx context.Context, batch func(Batch[K]) error) error
	// Limit is how many documents a transaction handles at most; 0 and less
	// stand for 1000. Writers wait for one batch at most, and a crash undoes
	// one batch at most.
	Limit int
	// PerSecond is how many documents are handled in a second at most, on
	// average over batches; 0 and less are no limit.
	PerSecond int
	// Pace, if not nil, is called after each batch with the number of documents that
	// it handled, and returns when the next batch may begin. Its error ends the sweep.
	// The WaitN of one golang.org/x/time/rate.Limiter, whose burst is Limit at least,
	// makes several sweepers share a rate.
	Pace func(ctx context.Context, n int) error
	// Margin is how far the clock may be ahead of the true time. A document is removed
	// that much later, so that a clock which is ahead by less removes none early. It is
	// rounded up to milliseconds; 0 is none, and less than 0 fails every sweep.
	Margin time.Duration
	// MaxLeap is for [Sweeper.Run] alone, which ends with [ErrLeap] where the clock has
	// gained more than that; 0 and less stand for a minute.
	MaxLeap time.Duration
	// Deleted, if not nil, is called for each removed document once its
	// transaction is stored. It is not called for a transaction whose commit is
	// followed by a crash.
	Deleted func(key K, d policy.Decision)
	// Corrected, if not nil, is called like Deleted for each key whose remembered
	// deadline was wrong. d is the zero Decision where the document is gone.
	Corrected func(key K, d policy.Decision)
	// Stored, if not nil, is called after each transaction that is stored, with what
	// the sweep has done so far.
	Stored func(total Result)
	// Swept, if not nil, is called by [Sweeper.Run] after each sweep, with what Sweep
	// returned.
	Swept func(did Result, err error)

	now func() reading // for tests; nil stands for this machine's clocks
}

// A Result is what the stored transactions of a sweep did. The zero Result did
// nothing.
type Result struct {
	Deleted   int                  // documents removed because they had expired
	ByRule    map[*policy.Rule]int // the same by the rule that decided; nil for none
	Corrected int                  // keys that were due by their remembered deadline, but not by the policy
	Changed   int                  // keys skipped by ErrChanged
	Batches   int                  // transactions that handled a key
	// Lag is the longest time for which a removed document had been expired at the
	// instant of the sweep; 0 if none was removed.
	Lag time.Duration
}

var (
	// ErrChanged is wrapped by the errors of [Batch.Delete] and [Batch.Correct]
	// if the document has changed since it was read. Nothing may have been
	// written then. The sweep goes on; a later batch reads the document again.
	ErrChanged = errors.New("sweep: the document has changed since it was read")
	// ErrStillDue is wrapped by the error of a sweep if a batch finds only what
	// the previous batch has handled, with the same decisions: Delete or Correct
	// had no effect, and the sweep would never end.
	ErrStillDue = errors.New("sweep: what was handled is still due")

	errNoStore = errors.New("sweep: the sweeper has no Update")
	errMargin  = errors.New("sweep: the sweeper has a margin below 0, by which documents would go early")
)

// Sweep handles every document that is due at now, the earliest deadline first.
// When ctx is done it stops before the next batch, or while it waits, and returns
// the error of ctx. An error of the store ends it too. The result is what was done
// until then; the next sweep continues there. A now before that of an earlier sweep
// is allowed.
//
// The clock is policy.InstantOf(time.Now()), in milliseconds since 1970. Microseconds that
// are taken for them lie tens of thousands of years ahead: every document with a date is due.
func (s *Sweeper[K]) Sweep(ctx context.Context, now policy.Instant) (total Result, err error) {
	switch {
	case s.Update == nil:
		return total, errNoStore
	case s.Margin < 0:
		return total, errMargin
	}
	var last batch[K]
	for {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		b := batch[K]{now: before(now, s.Margin)}
		if err := s.Update(ctx, func(store Batch[K]) error { return b.run(store, s.limit()) }); err != nil {
			return total, err
		}
		s.report(&b, now, &total)
		switch {
		case b.isIdle():
			return total, nil
		case b.repeats(last):
			return total, fmt.Errorf("%w: %v and %d more", ErrStillDue, b.steps[0].key, len(b.steps)-1)
		}
		if err := s.wait(ctx, len(b.steps)); err != nil {
			return total, err
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

// before returns the instant that lies a margin before another, or the first there is.
func before(now policy.Instant, margin time.Duration) policy.Instant {
	millis := policy.Instant((margin + time.Millisecond - 1) / time.Millisecond)
	if now < policy.MinInstant+millis {
		return policy.MinInstant
	}
	return now - millis
}

// since returns the time from a deadline to a later instant, or the longest Duration.
func since(deadline, now policy.Instant) time.Duration {
	millis := uint64(now) - uint64(deadline) // which cannot overflow
	return time.Duration(min(millis, math.MaxInt64/uint64(time.Millisecond))) * time.Millisecond
}

// report adds a batch that is stored, of a sweep at now, to total.
func (s *Sweeper[K]) report(b *batch[K], now policy.Instant, total *Result) {
	total.Changed += b.changed
	if len(b.steps)+b.changed > 0 {
		total.Batches++
	}
	for _, did := range b.steps {
		if did.decision.State != policy.Expired {
			total.Corrected++
			if s.Corrected != nil {
				s.Corrected(did.key, did.decision)
			}
			continue
		}
		if total.ByRule == nil {
			total.ByRule = map[*policy.Rule]int{}
		}
		total.Deleted++
		total.ByRule[did.decision.Rule]++
		deadline, _ := did.decision.Deadline()
		total.Lag = max(total.Lag, since(deadline, now))
		if s.Deleted != nil {
			s.Deleted(did.key, did.decision)
		}
	}
	if s.Stored != nil {
		s.Stored(*total)
	}
}

// wait waits for as long as n documents may take.
func (s *Sweeper[K]) wait(ctx context.Context, n int) error {
	if s.PerSecond > 0 {
		if err := sleep(ctx, time.Duration(float64(n)/float64(s.PerSecond)*float64(time.Second))); err != nil {
			return err
		}
	}
	if s.Pace != nil {
		return s.Pace(ctx, n)
	}
	return nil
}

// sleep waits for a time, or returns the error of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return ctx.Err() // also where both came together
}

// A step is what became of one key: it was deleted if the decision says
// expired, otherwise its deadline was corrected.
type step[K comparable] struct {
	key      K
	decision policy.Decision
}

// A batch is what one transaction did.
type batch[K comparable] struct {
	now     policy.Instant
	steps   []step[K]
	changed int // keys skipped by ErrChanged
}

// run does a batch. A store may run a transaction again after a conflict, so
// nothing is carried over from a run before.
func (b *batch[K]) run(store Batch[K], limit int) error {
	b.steps, b.changed = nil, 0
	due, err := store.Due(b.now, limit)
	if err != nil {
		return err
	}
	for _, key := range due {
		did, err := b.step(store, key)
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

// step decides about one document again, and deletes it or corrects its deadline.
func (b *batch[K]) step(store Batch[K], key K) (did step[K], err error) {
	decide, err := store.Read(key)
	if err != nil {
		return did, err
	}
	did.key = key
	if decide != nil {
		did.decision = decide(b.now)
	}
	if did.decision.State == policy.Expired {
		return did, store.Delete(key, did.decision)
	}
	return did, store.Correct(key, did.decision)
}

// isIdle reports whether a further batch would find the same: nothing was due,
// or all that was due is being changed by others.
func (b *batch[K]) isIdle() bool { return len(b.steps) == 0 }

// repeats reports whether b did only what last did.
func (b *batch[K]) repeats(last batch[K]) bool {
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

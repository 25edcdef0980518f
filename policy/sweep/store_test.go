package sweep_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

var ruleDate, ruleNone = policy.NewRule("test.date", ""), policy.NewRule("test.none", "")

// byDate decides that a document expires at its date, and keeps a document without a
// date.
func byDate(date *policy.Instant, now policy.Instant) policy.Decision {
	if date == nil {
		return policy.Decision{Rule: ruleNone}
	}
	return policy.DecisionOf(policy.Pending, *date, ruleDate).At(now)
}

// at returns a date.
func at(i policy.Instant) *policy.Instant { return &i }

// A memory is a store of dates by name. The zero memory is empty.
type memory struct {
	dates     map[string]*policy.Instant
	deadlines map[string]policy.Instant // the stored deadlines, which may be wrong
	// between, if not nil, is called before each transaction.
	between func()
	// fail is the number of the call of a transaction that fails, counted from 1; 0 means
	// that no call fails.
	fail int
	// again means that each transaction is rolled back once and run again.
	again bool
	// changing holds the names of documents for which Delete and Correct fail with
	// ErrChanged.
	changing map[string]bool
	// lazy means that Delete, Correct and Mark do nothing.
	lazy    bool
	commits int
	// delay is the policy: the milliseconds from the date of a document to its deadline.
	delay policy.Instant
	// walks means that the store's Batch is a Walker.
	walks bool
	// asked is the instant of the last decision.
	asked policy.Instant
	// mark is the last name that a walk has handled; nil if no walk is unfinished.
	mark *string
}

// setDelay changes the policy, and begins a walk.
func (m *memory) setDelay(delay policy.Instant) { m.delay, m.mark = delay, new(string) }

var errStore = errors.New("the disk is full")

func (m *memory) update(_ context.Context, do func(sweep.Batch[string]) error) error {
	if m.between != nil {
		m.between()
	}
	before := *m
	undo := func() {
		m.dates, m.deadlines, m.mark = maps.Clone(before.dates), maps.Clone(before.deadlines), before.mark
	}
	undo() // so that the maps of before stay unchanged
	tx := &txn{m, m.fail}
	var batch sweep.Batch[string] = tx
	if m.walks {
		batch = walkingTxn{tx}
	}
	err := do(batch)
	if err == nil && m.again {
		undo()
		err = do(batch)
	}
	if err == nil {
		err = tx.call() // the commit
	}
	if err != nil {
		undo()
		return err
	}
	m.commits++
	return nil
}

type txn struct {
	*memory
	calls int // the number of calls up to the one that fails
}

func (t *txn) call() error {
	if t.calls--; t.calls == 0 {
		return errStore
	}
	return nil
}

func (t *txn) Due(now policy.Instant, limit int) ([]string, error) {
	var due []string
	for name, deadline := range t.deadlines {
		if deadline <= now {
			due = append(due, name)
		}
	}
	slices.SortFunc(due, func(a, b string) int {
		return cmp.Or(cmp.Compare(t.deadlines[a], t.deadlines[b]), cmp.Compare(a, b))
	})
	return due[:min(limit, len(due))], t.call()
}

func (t *txn) Read(name string) (func(policy.Instant) policy.Decision, error) {
	date, there := t.dates[name]
	if !there {
		return nil, t.call()
	}
	m, delay := t.memory, t.delay
	return func(now policy.Instant) policy.Decision {
		m.asked = now
		if date == nil {
			return byDate(nil, now)
		}
		return byDate(at(*date+delay), now)
	}, t.call()
}

func (t *txn) Delete(name string, _ policy.Decision) error {
	if t.changing[name] {
		return sweep.ErrChanged
	}
	if !t.lazy {
		delete(t.dates, name)
		delete(t.deadlines, name)
	}
	return t.call()
}

func (t *txn) Correct(name string, d policy.Decision) error {
	switch {
	case t.changing[name]:
		return sweep.ErrChanged
	case t.lazy:
	default:
		delete(t.deadlines, name)
		if deadline, ok := d.Deadline(); ok {
			t.deadlines[name] = deadline
		}
	}
	return t.call()
}

// A walkingTxn is a txn that implements Walker, and walks in the order of names.
type walkingTxn struct{ *txn }

func (t walkingTxn) Next(limit int) ([]string, error) {
	if t.mark == nil {
		return nil, t.call()
	}
	var next []string
	for name := range t.dates {
		if name > *t.mark {
			next = append(next, name)
		}
	}
	slices.Sort(next)
	if next = next[:min(limit, len(next))]; len(next) == 0 {
		t.mark = nil
	}
	return next, t.call()
}

func (t walkingTxn) Mark(last string) error {
	if !t.lazy {
		t.mark = &last
	}
	return t.call()
}

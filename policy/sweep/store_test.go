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

var ruleDate, ruleNone = &policy.Rule{ID: "test.date"}, &policy.Rule{ID: "test.none"}

// byDate lets a document expire at its date, and keeps one without.
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
	deadlines map[string]policy.Instant // as remembered; may be wrong
	// between, if not nil, is called before each transaction.
	between func()
	// fail says which call of a transaction fails: 1 is the first, 0 none.
	fail int
	// again says that each transaction is undone and run once more.
	again bool
	// changing are the names of documents that others change all the time.
	changing map[string]bool
	// lazy says that Delete and Correct do nothing.
	lazy    bool
	commits int
}

var errStore = errors.New("the disk is full")

func (m *memory) update(_ context.Context, do func(sweep.Batch[string]) error) error {
	if m.between != nil {
		m.between()
	}
	dates, deadlines := maps.Clone(m.dates), maps.Clone(m.deadlines)
	tx := &txn{m, m.fail}
	err := do(tx)
	if err == nil && m.again {
		m.dates, m.deadlines = maps.Clone(dates), maps.Clone(deadlines)
		err = do(tx)
	}
	if err == nil {
		err = tx.call() // the commit
	}
	if err != nil {
		m.dates, m.deadlines = dates, deadlines
		return err
	}
	m.commits++
	return nil
}

type txn struct {
	*memory
	calls int // until one fails
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
	return func(now policy.Instant) policy.Decision { return byDate(date, now) }, t.call()
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

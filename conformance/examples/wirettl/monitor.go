package wirettl

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A monitor deletes what has expired, pass after pass.
type monitor struct {
	log *slog.Logger
	// sweep makes one pass: it deletes what is expired at an instant.
	sweep func(context.Context, policy.Instant) (deleted int, err error)
	// changed holds one element after a change of the parameters, so that a short
	// pause begins at once and not after a long one.
	changed chan struct{}

	mu sync.Mutex
	parameters
	passes, deleted int64
}

// The parameters of the monitor, which setParameter changes.
type parameters struct {
	sleepSecs policy.Seconds
	enabled   bool
}

func newMonitor(store *boltttl.Store, o Options) *monitor {
	m := &monitor{log: o.Log, changed: make(chan struct{}, 1), parameters: parameters{o.SleepSecs, true}}
	if m.sleepSecs == 0 {
		m.sleepSecs = mongo.TTLMonitorSleepSecs
	}
	sweeper := &boltttl.Sweeper{Store: store}
	m.sweep = func(ctx context.Context, now policy.Instant) (int, error) {
		did, err := sweeper.Sweep(ctx, now)
		return did.Deleted, err
	}
	return m
}

// run makes passes until ctx is done. Like mongod's it pauses first.
func (m *monitor) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.changed:
		case <-time.After(time.Duration(m.get().sleepSecs) * time.Second):
			if m.get().enabled {
				m.pass(ctx)
			}
		}
	}
}

// pass sweeps once, with one clock for all collections, and counts the pass when what it
// deleted is stored.
func (m *monitor) pass(ctx context.Context) {
	deleted, err := m.sweep(ctx, policy.InstantOf(time.Now()))
	if err != nil && ctx.Err() == nil {
		m.log.Error("pass of the monitor failed", "error", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deleted += int64(deleted)
	if err == nil {
		m.passes++
	}
}

func (m *monitor) get() parameters {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.parameters
}

// set changes the parameters, and returns what they were.
func (m *monitor) set(change func(*parameters)) (was parameters) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was = m.parameters
	change(&m.parameters)
	select {
	case m.changed <- struct{}{}:
	default: // it has not yet looked at the change before
	}
	return was
}

// counts returns what serverStatus shows.
func (m *monitor) counts() (passes, deleted int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.passes, m.deleted
}

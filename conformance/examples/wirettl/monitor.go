package wirettl

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A monitor deletes expired documents, pass after pass.
type monitor struct {
	rules  Rules
	clock  func() time.Time
	second time.Duration // how long a second of the pause lasts
	log    *slog.Logger
	// changed holds one element after a change of the parameters, so that a short
	// pause begins at once and not after a long one.
	changed chan struct{}

	mu sync.Mutex
	status
}

// A status holds the monitor's parameters and counters.
type status struct {
	sleepSecs       policy.Seconds
	enabled         bool
	passes, deleted int64
}

// run makes passes until ctx is done. Like mongod's it pauses first.
func (m *monitor) run(ctx context.Context) {
	for {
		now := m.get()
		select {
		case <-ctx.Done():
			return
		case <-m.changed:
		case <-time.After(time.Duration(now.sleepSecs) * m.second):
			if m.get().enabled {
				m.pass(ctx)
			}
		}
	}
}

// pass sweeps once, with one clock for all collections, and counts the pass after its
// deletions are stored.
func (m *monitor) pass(ctx context.Context) {
	deleted, err := m.rules.Sweep(ctx, policy.InstantOf(m.clock()))
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

func (m *monitor) get() status {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status
}

// set changes the parameters.
func (m *monitor) set(change func(*status)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.status)
	select {
	case m.changed <- struct{}{}:
	default: // it has not yet looked at the change before
	}
}

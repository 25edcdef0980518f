package wirettl

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// A monitor deletes expired documents, pass after pass.
type monitor struct {
	rules  Rules
	clock  func() time.Time
	second time.Duration // how long a second of the pause lasts
	// trust returns a function that returns the time of a pass, or an error if the clock has
	// leapt since the call of trust.
	trust func() func() (policy.Instant, error)
	log   *slog.Logger
	// changed holds one element after a change of the parameters, so that a short
	// pause begins at once and not after a long one.
	changed chan struct{}

	mu sync.Mutex
	status
}

// A status holds the monitor's parameters and counters.
type status struct {
	sleepSecs       int32
	enabled         bool
	now             func() (policy.Instant, error) // the function that trust has returned
	passes, deleted int64
}

// trusted returns a monitor's trust. A clock that somebody sets on purpose is trusted.
// The clock of this machine is trusted as far as package sweep trusts it.
func trusted(clock func() time.Time) func() func() (policy.Instant, error) {
	return func() func() (policy.Instant, error) {
		if clock != nil {
			return func() (policy.Instant, error) { return policy.InstantOf(clock()), nil }
		}
		return new(sweep.Clock).Now
	}
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
// deletions are stored. It disables the monitor if the clock has leapt ahead. An operator
// who has checked the clock sets ttlMonitorEnabled again.
func (m *monitor) pass(ctx context.Context) {
	now, err := m.get().now()
	if err != nil {
		m.log.Error("the monitor is disabled; look at the clock, then set ttlMonitorEnabled", "error", err)
		m.enable(false)
		return
	}
	deleted, err := m.rules.Sweep(ctx, now)
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

// enable sets ttlMonitorEnabled. Setting it to true also accepts the present time of the
// clock.
func (m *monitor) enable(on bool) {
	m.set(func(s *status) {
		if s.enabled = on; on {
			s.now = m.trust()
		}
	})
}

// set changes the parameters.
func (m *monitor) set(change func(*status)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.status)
	select {
	case m.changed <- struct{}{}:
	default: // the monitor has not yet handled the earlier change
	}
}

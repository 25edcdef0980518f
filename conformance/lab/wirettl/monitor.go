package wirettl

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// A monitor holds the parameters and counters of the monitor, which deletes expired documents,
// pass after pass.
type monitor struct {
	sleepSecs       int32
	enabled         bool
	trusted         *sweep.Clock // the clock of this machine
	passes, deleted int64
}

// watch makes passes until ctx is done. Like mongod's it pauses first.
func (s *server) watch(ctx context.Context) {
	for {
		s.mu.Lock()
		pause := time.Duration(s.sleepSecs) * s.Second
		s.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
		case <-time.After(pause):
			s.pass()
		}
	}
}

// pass deletes what expired, by one clock for all collections. It disables the monitor if the
// clock has leapt ahead. An operator who has checked the clock sets ttlMonitorEnabled again.
func (s *server) pass() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.enabled {
		return
	}
	now, err := s.trusted.Now()
	if err != nil {
		s.Log.Error("the monitor is disabled; look at the clock, then set ttlMonitorEnabled", "error", err)
		s.enabled = false
		return
	}
	isDue := s.Rules.Pass(now)
	for _, ns := range slices.Sorted(maps.Keys(s.collections)) {
		c := s.collections[ns]
		for key, doc := range c.documents {
			if isDue(ns, c.Collection, doc) {
				delete(c.documents, key)
				s.deleted++
			}
		}
	}
	s.passes++
}

// enable sets ttlMonitorEnabled. Setting it to true also accepts the present time of the
// clock.
func (s *server) enable(on bool) {
	if s.enabled = on; on {
		s.trusted = new(sweep.Clock)
	}
	s.wake()
}

// wake tells the monitor that its parameters have changed.
func (s *server) wake() {
	select {
	case s.changed <- struct{}{}:
	default: // the monitor has not yet handled an earlier change
	}
}

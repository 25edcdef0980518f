package liveconform

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A session is the common part of every run.
type session struct {
	ctx      context.Context
	name     string // the name of the run, which is also that of its database
	numbered int    // collections so far

	mu     sync.Mutex
	failed error
}

// Name returns the name of the run, which is also that of its database.
func (s *session) Name() string { return s.name }

// Err returns the error that ended the run early, nil if everything was asked.
func (s *session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// fail records an error that ends the run: a failed connection, or Ctrl-C.
func (s *session) fail(err error) {
	if s.ctx.Err() != nil {
		err = s.ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
}

// nextName returns the name of a collection that does not exist.
func (s *session) nextName() string {
	s.numbered++
	return fmt.Sprintf("c%d", s.numbered)
}

// sleep waits for some time, or until the run is to end.
func (s *session) sleep(d time.Duration) {
	select {
	case <-s.ctx.Done():
		s.fail(s.ctx.Err())
	case <-time.After(d):
	}
}

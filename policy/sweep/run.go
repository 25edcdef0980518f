package sweep

import (
	"context"
	"fmt"
	"time"
)

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

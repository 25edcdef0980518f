package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ErrLeap is wrapped by the error of [Sweeper.Run] if the clock has gained more on the
// time that passed than [Sweeper.MaxLeap] allows. Nothing was removed by that clock.
var ErrLeap = errors.New("sweep: the clock has leapt ahead")

// A reading is what the clocks say at one moment.
type reading struct {
	wall   policy.Instant
	passed time.Duration // since some moment, by a clock that nobody sets
}

// begun is the moment from which reading.passed counts.
var begun = time.Now()

func (s *Sweeper[K]) read() reading {
	if s.now != nil {
		return s.now()
	}
	now := time.Now()
	return reading{policy.InstantOf(now), now.Sub(begun)}
}

// Run sweeps at once, and then each time that every has passed, by the clock of this
// machine. A sweep that takes longer delays the next. The error of a sweep is handed to
// Swept, and the next sweep tries again.
//
// Run ends with the error of ctx when ctx is done. It ends with [ErrLeap] when the clock
// has leapt ahead, for what is deleted by a wrong clock stays deleted: look at the clock,
// then call Run again. Clocks that nobody sets stand still on many systems while a
// machine sleeps, so that waking up counts as a leap. A clock that goes back is no
// danger. An every of 0 or less is an error.
func (s *Sweeper[K]) Run(ctx context.Context, every time.Duration) error {
	if every <= 0 {
		return fmt.Errorf("sweep: Run every %s, want more than 0", every)
	}
	last := s.read()
	for {
		now := s.read()
		if gained := since(last.wall, max(now.wall, last.wall)) - (now.passed - last.passed); gained > s.maxLeap() {
			return fmt.Errorf("%w: it shows %s, %s more than has passed since %s", ErrLeap, now.wall, gained.Round(time.Millisecond), last.wall)
		}
		last = now
		did, err := s.Sweep(ctx, now.wall)
		if s.Swept != nil {
			s.Swept(did, err)
		}
		if err := sleep(ctx, every-(s.read().passed-now.passed)); err != nil {
			return err
		}
	}
}

func (s *Sweeper[K]) maxLeap() time.Duration {
	if s.MaxLeap > 0 {
		return s.MaxLeap
	}
	return time.Minute
}

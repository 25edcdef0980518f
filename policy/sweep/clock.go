package sweep

import (
	"errors"
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ErrLeap is wrapped by the errors of [Clock.Now] and [Sweeper.Run] if the clock has gained
// more on the time that passed than [Clock.MaxLeap] allows, or if it is further ahead of
// [Clock.LastKnown] than [Clock.MaxDowntime]. Nothing was removed by that clock.
var ErrLeap = errors.New("sweep: the clock has leapt ahead")

// A Clock is the clock of this machine, as far as it is trusted: what is deleted by a wrong
// clock stays deleted. It compares the clock that can be set with one that nobody sets. A
// clock that goes back is no danger, but what it gains afterwards counts.
//
// The zero Clock is ready to use. A Clock is not for concurrent use.
type Clock struct {
	// MaxLeap is how much the clock may gain, since the first reading or since it was
	// furthest behind, at once or bit by bit; 0 and less stand for a minute. The clock that
	// nobody sets stands still on many systems while a machine sleeps, so that waking up
	// counts as a leap. Linux keeps both at one rate; elsewhere they may drift apart by a
	// second a day, and a program that runs for months needs a longer MaxLeap.
	MaxLeap time.Duration
	// LastKnown and MaxDowntime bound the first reading, for which no other clock is there:
	// it must not be more than MaxDowntime after LastKnown, an instant at which the store
	// is known to have been in use, such as the [Result.At] of a sweep before the restart.
	// A MaxDowntime of 0 or less allows any.
	LastKnown   policy.Instant
	MaxDowntime time.Duration

	read   func() reading // for tests; nil stands for this machine's clocks
	begun  bool
	anchor reading // the one at which the clock was furthest behind
}

// A reading is what the clocks say at one moment.
type reading struct {
	wall   policy.Instant
	passed time.Duration // since some moment, by a clock that nobody sets
}

// started is the moment from which reading.passed counts.
var started = time.Now()

func (c *Clock) reading() reading {
	if c.read != nil {
		return c.read()
	}
	now := time.Now()
	return reading{policy.InstantOf(now), now.Sub(started)}
}

// Now returns the time, or an error that wraps [ErrLeap]. After a leap each further call
// fails, until the clock is right again; look at it, and begin with a new Clock if the leap
// was meant.
func (c *Clock) Now() (policy.Instant, error) {
	now := c.reading()
	if !c.begun {
		if away := since(c.LastKnown, max(now.wall, c.LastKnown)); c.MaxDowntime > 0 && away > c.MaxDowntime {
			return 0, fmt.Errorf("%w: it shows %s, which is %s after the last known instant, %s", ErrLeap, now.wall, away, c.LastKnown)
		}
		c.begun, c.anchor = true, now
	}
	gained := since(c.anchor.wall, max(now.wall, c.anchor.wall)) - (now.passed - c.anchor.passed)
	switch {
	case gained > c.maxLeap():
		return 0, fmt.Errorf("%w: it shows %s, %s more than has passed since %s", ErrLeap, now.wall, gained.Round(time.Millisecond), c.anchor.wall)
	case gained <= 0:
		c.anchor = now
	}
	return now.wall, nil
}

func (c *Clock) maxLeap() time.Duration {
	if c.MaxLeap > 0 {
		return c.MaxLeap
	}
	return time.Minute
}
